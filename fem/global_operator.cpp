// SPDX-License-Identifier: BSD-3-Clause
// Brings the caller's elements into the order of the patches, and assembles diagonals.
#include <tessera/error.hpp>
#include <tessera/fem/global_operator.hpp>

#include <algorithm>

namespace tessera::fem {

namespace {

template <class T>
bool is_as_given(const global_evaluation<T>& by) {
  const std::span<const index_t> order = by.order();
  for (std::size_t k = 0; k < order.size(); ++k)
    if (order[k] != index_t(k)) return false;
  return true;
}

// `each` numbers an element, brought into the order of `by`.
template <class T>
std::vector<T> in_order(const global_evaluation<T>& by, const T* given, index_t each) {
  std::vector<T> all(std::size_t(by.elements() * each));
  T* to = all.data();
  for (const index_t e : by.order()) to = std::copy_n(given + e * each, each, to);
  return all;
}

index_t nodes_of_element(const element_operator_options& o, int dim, int order) {
  if (o.tables) return o.tables->geometry.functions;
  if (o.shape == element_shape::simplex) return simplex_element(dim, order, o).geometry.functions;
  index_t nodes = 1;
  for (int a = 0; a < dim; ++a) nodes *= order + 1;
  return nodes;
}

// The evaluation of an operator that has no elements yet.
template <class T>
evaluation<T> evaluation_by(int dim, element_operator_options o) {
  o.form = element_form::partial_assembly;
  return element_operator<T>(dim, 0, nullptr, o).kernel();
}

template <class T>
std::vector<T> reordered_D(const global_evaluation<T>& by, const T* D) {
  if (D == nullptr && by.elements() > 0) throw error("global_operator: D is a null pointer", status::null_pointer);
  return in_order(by, D, by.kernel().factors() * by.kernel().points());
}

}  // namespace

template <class T>
struct global_operator<T>::reordered {
  std::vector<T> coordinates, coefficients;

  reordered(const global_evaluation<T>& by, const element_nodes<T>& nodes, const element_operator_options& o) {
    if (nodes.elements != by.elements())
      throw error("global_operator: nodes of " + std::to_string(nodes.elements) + " elements, unknowns of " +
                      std::to_string(by.elements()),
                  status::shape_mismatch);
    if (nodes.coordinates == nullptr || is_as_given(by)) return;  // a null pointer is refused with D
    const index_t n = nodes_of_element(o, nodes.dim, nodes.order);
    const bool left_as_it_is = nodes.layout.component == 0 && nodes.layout.block == 0;
    const element_layout from =
        left_as_it_is ? element_layout::conventional(n, nodes.dim).from(nodes.layout.first) : nodes.layout;
    coordinates.reserve(std::size_t(n * nodes.dim * nodes.elements));
    for (const index_t e : by.order())
      for (int c = 0; c < nodes.dim; ++c)
        for (index_t i = 0; i < n; ++i) coordinates.push_back(nodes.coordinates[from.offset(i, c, e)]);
    if (nodes.coefficients_at_points != nullptr)
      coefficients = in_order(by, nodes.coefficients_at_points, nodes.coefficients_given * by.kernel().points());
  }

  element_nodes<T> nodes(const element_nodes<T>& given) const {
    element_nodes<T> own = given;
    if (coordinates.empty()) return own;
    own.coordinates = coordinates.data();
    own.layout = {};
    if (!coefficients.empty()) own.coefficients_at_points = coefficients.data();
    return own;
  }
};

template <class T>
global_operator<T>::global_operator(const global_evaluation<T>& evaluation,
                                    const std::shared_ptr<const reordered>& kept, const element_nodes<T>& nodes,
                                    const element_operator_options& options)
    : evaluation_(evaluation),
      kept_(options.form == element_form::matrix_free ? kept : nullptr),
      elements_(kept->nodes(nodes), options) {}

template <class T>
global_operator<T>::global_operator(const element_nodes<T>& nodes, const restriction& x, const restriction& y,
                                    const element_operator_options& options, const patch_options& patches)
    : global_operator([&] {
        const global_evaluation<T> by(evaluation_by<T>(nodes.dim, options), x, y, patches);
        return global_operator(by, std::make_shared<const reordered>(by, nodes, options), nodes, options);
      }()) {}

template <class T>
global_operator<T>::global_operator(const element_nodes<T>& nodes, const restriction& unknowns,
                                    const element_operator_options& options, const patch_options& patches)
    : global_operator(nodes, unknowns, unknowns, options, patches) {}

template <class T>
global_operator<T>::global_operator(int dim, const T* D, const restriction& unknowns,
                                    const element_operator_options& options, const patch_options& patches)
    : evaluation_(evaluation_by<T>(dim, options), unknowns, unknowns, patches),
      elements_(dim, unknowns.elements(), reordered_D(evaluation_, D).data(), options) {}

template <class T>
global_operator<T>::global_operator(const compiled_function<T>& function, const T* D, const restriction& x,
                                    const restriction& y, const element_operator_options& options,
                                    const patch_options& patches)
    : evaluation_(element_operator<T>(function, 0, nullptr, options).kernel(), x, y, patches),
      elements_(function, x.elements(), reordered_D(evaluation_, D).data(), options) {}

template <class T>
void global_operator<T>::diagonal(T* y) const {
  const restriction& by = evaluation_.test();
  if (!evaluation_.has_one_restriction())
    throw error("global_operator::diagonal: x and y have different restrictions", status::shape_mismatch);
  if (y == nullptr) throw error("global_operator::diagonal: y is a null pointer", status::null_pointer);
  const index_t n = by.entries(), components = by.components();
  std::vector<T> of_elements(std::size_t(n * components * by.elements()));
  elements_.diagonal(of_elements.data());
  std::fill_n(y, by.size(), T(0));
  const T* from = of_elements.data();
  for (const index_t e : evaluation_.order())
    for (index_t c = 0; c < components; ++c)
      for (index_t i = 0; i < n; ++i) {
        const index_t offset = by.offset(i, e);
        y[(offset < 0 ? -1 - offset : offset) + c * by.component_stride()] += *from++;
      }
  for (const index_t k : by.constrained()) y[k] = T(1);
}

template <class T>
std::string global_operator<T>::describe(detail_level how) const {
  return elements_.describe(how) + (how == detail_level::full ? "; " + evaluation_.describe() : "");
}

template class global_operator<float>;
template class global_operator<double>;

}  // namespace tessera::fem
