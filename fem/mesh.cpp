// SPDX-License-Identifier: BSD-3-Clause
// Places the nodes of a structured mesh.
#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/basis.hpp>
#include <tessera/fem/mesh.hpp>

#include <string>

namespace tessera::fem {

mesh::mesh(const std::vector<int>& cells, int order, const deformation& move) : cells_(cells), order_(order) {
  if (cells.size() != 2 && cells.size() != 3)
    throw error("mesh: cells in " + std::to_string(cells.size()) + " directions, not 2 or 3");
  for (const int n : cells) {
    if (n < 1) throw error("mesh: " + std::to_string(n) + " cells in a direction");
  }
  const basis shape_functions(basis_kind::gauss_lobatto, order);
  const auto n1 = static_cast<index_t>(shape_functions.size());
  for (int a = 0; a < dim(); ++a) nodes_ *= n1;
  const index_t layers = dim() == 3 ? cells[2] : 1;
  coordinates_.resize(static_cast<std::size_t>(tessera::detail::checked_product(
      "mesh: coordinates", {cells[0], cells[1], layers, nodes_, dim()}, sizeof(double))));
  elements_ = index_t(cells[0]) * cells[1] * layers;
  for (index_t e = 0; e < elements_; ++e) {
    const std::array<int, 3> at = cell(e);
    for (index_t i = 0; i < nodes_; ++i) {
      point x{};
      index_t rest = i;
      for (std::size_t a = 0; a < cells_.size(); ++a) {
        x[a] = (at[a] + shape_functions.nodes()[static_cast<std::size_t>(rest % n1)]) / cells_[a];
        rest /= n1;
      }
      if (move) x = move(x);
      for (int c = 0; c < dim(); ++c)
        coordinates_[static_cast<std::size_t>(i + nodes_ * (c + dim() * e))] = x[static_cast<std::size_t>(c)];
    }
  }
}

std::array<int, 3> mesh::cell(index_t element) const {
  std::array<int, 3> at{};
  for (std::size_t a = 0; a < cells_.size(); ++a) {
    at[a] = static_cast<int>(element % cells_[a]);
    element /= cells_[a];
  }
  return at;
}

}  // namespace tessera::fem
