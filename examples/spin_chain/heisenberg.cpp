// SPDX-License-Identifier: BSD-3-Clause
// Entries of the chain's operator, and Bethe's equations.
#include "heisenberg.hpp"

#include <cmath>
#include <string>

#include <tessera/error.hpp>

namespace tessera::spin_chain {

namespace {

// Matrices of 2 x 2, (t,s).
using spin_matrix = double[states][states];
constexpr spin_matrix one{{1, 0}, {0, 1}}, raise{{0, 1}, {0, 0}}, lower{{0, 0}, {1, 0}}, sz{{0.5, 0}, {0, -0.5}};

// tan of half of the right-hand side of equation j, whose sum is over all others.
double next_root(const std::vector<double>& roots, std::size_t j, double pi, double sites) {
  double sum = 2 * pi * double(j + 1);
  for (std::size_t k = 0; k < roots.size(); ++k)
    if (k != j) sum += 2 * std::atan(roots[j] - roots[k]) + 2 * std::atan(roots[j] + roots[k]);
  return 0.5 * std::tan(sum / (4 * sites));
}

}  // namespace

// From bond 4 an operator of the pair goes to its own bond, the next site has the other one, to bond 0: S+ and S- with
// a half, and Sz. To the left of a pair bond 4 goes on, to its right bond 0.
double site_entry(index_t w, index_t t, index_t s, index_t v) {
  if ((w == 0 && v == 0) || (w == 4 && v == 4)) return one[t][s];
  if (v == 0) {
    if (w == 1) return raise[t][s];
    if (w == 2) return lower[t][s];
    if (w == 3) return sz[t][s];
  }
  if (w == 4) {
    if (v == 1) return 0.5 * lower[t][s];
    if (v == 2) return 0.5 * raise[t][s];
    if (v == 3) return sz[t][s];
  }
  return 0;
}

chain_operators::chain_operators(space_kind where) {
  constexpr index_t b = operator_bond, d = states;
  std::vector<double> to_left, to_right, of_pair;
  for (index_t v = 0; v < b; ++v)
    for (index_t t = 0; t < d; ++t)
      for (index_t s = 0; s < d; ++s)
        for (index_t w = 0; w < b; ++w) to_left.push_back(site_entry(w, t, s, v));
  for (index_t t = 0; t < d; ++t)
    for (index_t w = 0; w < b; ++w)
      for (index_t v = 0; v < b; ++v)
        for (index_t s = 0; s < d; ++s) to_right.push_back(site_entry(w, t, s, v));
  for (index_t u = 0; u < d; ++u)
    for (index_t t = 0; t < d; ++t)
      for (index_t w = 0; w < b; ++w)
        for (index_t v = 0; v < b; ++v)
          for (index_t r = 0; r < d; ++r)
            for (index_t s = 0; s < d; ++s) {
              double sum = 0;
              for (index_t m = 0; m < b; ++m) sum += site_entry(w, t, s, m) * site_entry(m, u, r, v);
              of_pair.push_back(sum);
            }
  left = packed_tensor(where, {b, d, d, b}, to_left);
  right = packed_tensor(where, {d, b, b, d}, to_right);
  pair = packed_tensor(where, {d, d, b, b, d, d}, of_pair);
}

// S.S is 1/4 on the three states with alike spins and -3/4 on the singlet, (up down - down up) / sqrt(2).
std::vector<double> pair_gate(double time) {
  const double alike = std::exp(-0.25 * time), singlet = std::exp(0.75 * time);
  std::vector<double> gate(std::size_t(states * states * states * states), 0.0);
  gate[0] = gate[15] = alike;
  gate[5] = gate[10] = (alike + singlet) / 2;
  gate[6] = gate[9] = (alike - singlet) / 2;
  return gate;
}

// With roots x_j, j = 1..sites/2: 2 sites 2 atan(2 x_j) = 2 pi j + sum over k != j of 2 atan(x_j - x_k) + 2 atan(x_j +
// x_k), and the energy (sites - 1) / 4 - sum of 2 / (4 x_j^2 + 1).
double exact_energy(index_t sites) {
  if (sites < 2) throw error("exact_energy: a chain of " + std::to_string(sites) + " sites, it needs 2");
  const double pi = std::acos(-1.0), n = double(sites);
  std::vector<double> roots, next(std::size_t(sites / 2));
  for (std::size_t j = 0; j < next.size(); ++j) roots.push_back(0.5 * std::tan(pi * double(j + 1) / (2 * n)));
  double change = 1;
  for (int round = 0; round < 100 * int(sites) && change > 1e-15; ++round) {
    change = 0;
    for (std::size_t j = 0; j < next.size(); ++j) {
      next[j] = next_root(roots, j, pi, n);
      change = std::fmax(change, std::abs(next[j] - roots[j]) / (1 + std::abs(roots[j])));
    }
    roots = next;
  }
  double energy = (n - 1) / 4;
  for (const double x : roots) energy -= 2 / (4 * x * x + 1);
  return energy;
}

}  // namespace tessera::spin_chain
