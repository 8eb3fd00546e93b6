// SPDX-License-Identifier: BSD-3-Clause
// Numbers that a run keeps for each zone, before any of them is there.
#include "memory_need.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace tessera::blast {

namespace {

std::string as_bytes(double bytes) {
  const char* units[] = {"MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  for (bytes /= 1e6; bytes >= 1000 && unit < 4; bytes /= 1000) ++unit;
  char text[40];
  std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
  return text;
}

}  // namespace

double least_bytes(int dim, double zones, const fem::gas_orders& of) {
  const int rule = of.rule > 0 ? of.rule : std::max(3 * of.velocity + of.energy - 1, 2 * of.energy);
  const double points = std::pow(rule / 2 + 1, dim), corners = std::pow(2, dim);
  const double nodes = std::pow(of.velocity + 1, dim), nodes_once = std::pow(of.velocity, dim);
  const double energies = std::pow(of.energy + 1, dim);
  // Two masses and the Jacobian at the start of the spaces; masses of the forces and of two mass matrices.
  const double at_points = points * (2 + dim * dim + 3);
  // Numbers of nodes in the spaces, the forces and the two mass matrices; corners of the mesh.
  const double numbers = 4 * nodes + corners;
  // Coordinates; x, v and e before and after a step, and rates of a stage.
  const double unknowns = nodes_once * dim * (1 + 3 * 2) + 3 * energies;
  return zones * 8 * (at_points + numbers + unknowns);
}

double memory_of_machine() { return double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE)); }

void check_memory(const zone_mesh& coarse, int refinements, const fem::gas_orders& of, double available) {
  const double zones = std::ldexp(double(coarse.zones()), coarse.dim * refinements);
  const double needed = least_bytes(coarse.dim, zones, of);
  if (needed <= available) return;
  char count[40];
  std::snprintf(count, sizeof count, "%.0f", zones);
  throw std::runtime_error("refined " + std::to_string(refinements) + " times the mesh has " + count +
                           " zones, which need at least " + as_bytes(needed) + " of memory; there are " +
                           as_bytes(available));
}

}  // namespace tessera::blast
