// SPDX-License-Identifier: BSD-3-Clause
// Copies nodes, whatever their layout is.
#include "listed_nodes.hpp"

#include <tessera/detail/size_check.hpp>
#include <tessera/element/operators.hpp>

#include "nodes_layout.hpp"

namespace tessera::fem::detail {

namespace {

index_t nodes_of_element(const element_operator_options& o, int dim, int order) {
  if (o.tables) return o.tables->geometry.functions;
  if (o.shape == element_shape::simplex) return simplex_element(dim, order, o).geometry.functions;
  index_t nodes = 1;
  for (int a = 0; a < dim; ++a) nodes *= order + 1;
  return nodes;
}

// Whether nodes can be read as they are described: else an operator with them in the caller's order says why not.
template <class T>
bool can_be_read(const element_nodes<T>& nodes, const element_operator_options& o) {
  constexpr index_t most = tessera::detail::most_bytes;
  const element_layout& l = nodes.layout;
  for (const index_t stride : {l.entry, l.component, l.element, l.block})
    if (stride < 0 || stride > most) return false;
  if (l.lanes < 1 || l.first > 0 || l.first < -most) return false;
  if (!o.tables && (nodes.order < 1 || nodes.order > 64)) return false;
  return nodes.coefficients_at_points == nullptr ||
         (nodes.coefficients_given > 0 && nodes.coefficients_given <= coefficients_of(o.kind, nodes.dim).most);
}

}  // namespace

template <class T>
listed_nodes<T>::listed_nodes(const element_nodes<T>& nodes, std::span<const index_t> list,
                              const element_operator_options& o, index_t points) {
  if (!can_be_read(nodes, o)) {
    element_operator<T>(nodes, o);
    throw error("global_operator: nodes that cannot be read");
  }
  const index_t n = nodes_of_element(o, nodes.dim, nodes.order);
  const element_layout from = layout_of(nodes, n);
  index_t reach = 0;  // strides are not negative
  for (index_t e = 0; e < nodes.elements; ++e) reach = std::max(reach, from.offset(n - 1, nodes.dim - 1, e) + 1);
  const on_host<const T> given(nodes.coordinates, reach);
  coordinates.reserve(std::size_t(n * nodes.dim) * list.size());
  for (const index_t e : list)
    for (int c = 0; c < nodes.dim; ++c)
      for (index_t i = 0; i < n; ++i) coordinates.push_back(given.data()[from.offset(i, c, e)]);
  if (nodes.coefficients_at_points != nullptr)
    coefficients = in_order(list, nodes.elements, nodes.coefficients_at_points, nodes.coefficients_given * points);
}

template <class T>
element_nodes<T> listed_nodes<T>::of(const element_nodes<T>& all) const {
  element_nodes<T> own = all;
  own.coordinates = coordinates.data();
  own.layout = {};
  if (!coefficients.empty()) own.coefficients_at_points = coefficients.data();
  return own;
}

template struct listed_nodes<float>;
template struct listed_nodes<double>;

}  // namespace tessera::fem::detail
