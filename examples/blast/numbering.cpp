// SPDX-License-Identifier: BSD-3-Clause
// A node is known by the corners that it lies between, each with its weight: zones that share it see the same.
#include "numbering.hpp"

#include <tessera/fem/basis.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace tessera::blast {

namespace {

index_t power(index_t base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

// Where a node is among the 2^dim corners of a cell of dim directions, in steps of 1 / order.
std::vector<int> weights_of(index_t node, int dim, int order) {
  std::vector<int> weights{1};
  for (int a = 0; a < dim; ++a, node /= order + 1) {
    const int step = int(node % (order + 1));
    const std::size_t before = weights.size();
    weights.resize(2 * before);
    for (std::size_t c = 0; c < before; ++c) {
      weights[before + c] = weights[c] * step;
      weights[c] *= order - step;
    }
  }
  return weights;
}

// The same for a node of a zone and of its side: only the ratios of weights count.
using between = std::vector<std::pair<index_t, int>>;
between place_of(const index_t* corners, const std::vector<int>& weights) {
  int common = 0;
  for (const int weight : weights) common = std::gcd(common, weight);
  between at;
  for (std::size_t c = 0; c < weights.size(); ++c)
    if (weights[c] != 0) at.emplace_back(corners[c], weights[c] / common);
  std::sort(at.begin(), at.end());
  return at;
}

}  // namespace

fem::gas_nodes number_nodes(const zone_mesh& mesh, int order) {
  fem::gas_nodes made;
  const index_t zone_nodes = power(order + 1, mesh.dim);
  const std::size_t corners = std::size_t(mesh.zone_corners());
  std::vector<std::vector<int>> weights;
  for (index_t i = 0; i < zone_nodes; ++i) weights.push_back(weights_of(i, mesh.dim, order));

  std::map<between, index_t> known;               // of nodes that several zones may have
  std::vector<std::pair<index_t, index_t>> seen;  // the zone and its node where it was first
  for (index_t z = 0; z < mesh.zones(); ++z)
    for (index_t i = 0; i < zone_nodes; ++i) {
      const auto& w = weights[std::size_t(i)];
      index_t number = made.count;
      if (std::find(w.begin(), w.end(), 0) != w.end())
        number = known.try_emplace(place_of(&mesh.corners[corners * std::size_t(z)], w), made.count).first->second;
      if (number == made.count) {
        ++made.count;
        seen.emplace_back(z, i);
      }
      made.number.push_back(number);
    }

  const auto line = fem::basis(fem::basis_kind::gauss_lobatto, order);
  made.coordinates.resize(std::size_t(made.count * mesh.dim));
  for (index_t node = 0; node < made.count; ++node) {
    const auto [zone, i] = seen[std::size_t(node)];
    for (int c = 0; c < mesh.zone_corners(); ++c) {
      double share = 1;
      index_t rest = i;
      for (int a = 0; a < mesh.dim; ++a, rest /= order + 1) {
        const double at = line.nodes()[std::size_t(rest % (order + 1))];
        share *= (c >> a & 1) != 0 ? at : 1 - at;
      }
      const auto& x = mesh.vertices[std::size_t(mesh.corner(zone, c))];
      for (int a = 0; a < mesh.dim; ++a)
        made.coordinates[std::size_t(node + made.count * a)] += share * x[std::size_t(a)];
    }
  }

  for (const auto& side : mesh.sides) {
    if (side.attribute < 1 || side.attribute > mesh.dim)
      throw std::runtime_error("a side of the mesh has attribute " + std::to_string(side.attribute) +
                               ": walls have that of the velocity component that is 0, 1 to " +
                               std::to_string(mesh.dim));
    for (index_t i = 0; i < power(order + 1, mesh.dim - 1); ++i) {
      const auto at = known.find(place_of(side.corners.data(), weights_of(i, mesh.dim - 1, order)));
      if (at == known.end()) throw std::runtime_error("a side of the mesh is not one of a zone");
      made.walls.push_back(at->second + made.count * (side.attribute - 1));
    }
  }
  std::sort(made.walls.begin(), made.walls.end());
  made.walls.erase(std::unique(made.walls.begin(), made.walls.end()), made.walls.end());
  return made;
}

}  // namespace tessera::blast
