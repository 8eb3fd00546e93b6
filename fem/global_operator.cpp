// SPDX-License-Identifier: BSD-3-Clause
// Brings the caller's elements into the order of the patches.
#include <tessera/error.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/memory.hpp>

#include "listed_nodes.hpp"

#include <algorithm>

namespace tessera::fem {

using detail::in_order;
using detail::named_as_given;

namespace {

template <class T>
bool is_as_given(const global_evaluation<T>& by) {
  const std::span<const index_t> order = by.order();
  for (std::size_t k = 0; k < order.size(); ++k)
    if (order[k] != index_t(k)) return false;
  return true;
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
  return in_order(by.order(), by.elements(), D, by.kernel().factors() * by.kernel().points());
}

}  // namespace

// The nodes in the order of patches, or none where it is the caller's.
template <class T>
struct global_operator<T>::reordered : detail::listed_nodes<T> {
  reordered(const global_evaluation<T>& by, const element_nodes<T>& nodes, const element_operator_options& o) {
    if (nodes.elements != by.elements())
      throw error("global_operator: nodes of " + std::to_string(nodes.elements) + " elements, unknowns of " +
                      std::to_string(by.elements()),
                  status::shape_mismatch);
    if (nodes.coordinates == nullptr || is_as_given(by)) return;  // a null pointer is refused with D
    static_cast<detail::listed_nodes<T>&>(*this) = {nodes, by.order(), o, by.kernel().points()};
  }
  element_nodes<T> nodes(const element_nodes<T>& given) const {
    return this->coordinates.empty() ? given : this->of(given);
  }
};

template <class T>
global_operator<T>::global_operator(const global_evaluation<T>& evaluation,
                                    const std::shared_ptr<const reordered>& kept, const element_nodes<T>& nodes,
                                    const element_operator_options& options)
    : evaluation_(evaluation),
      kept_(options.form == element_form::matrix_free ? kept : nullptr),
      elements_(named_as_given([&] { return element_operator<T>(evaluation.kernel(), kept->nodes(nodes), options); },
                               [&] { element_operator<T>(nodes, options); })) {}

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
      elements_(named_as_given(
          [&] {
            return element_operator<T>(evaluation_.kernel(), unknowns.elements(), reordered_D(evaluation_, D).data(),
                                       options);
          },
          [&] { element_operator<T>(dim, unknowns.elements(), D, options); })) {}

template <class T>
global_operator<T>::global_operator(const compiled_function<T>& function, const T* D, const restriction& x,
                                    const restriction& y, const element_operator_options& options,
                                    const patch_options& patches)
    : evaluation_(element_operator<T>(function, 0, nullptr, options).kernel(), x, y, patches),
      elements_(named_as_given(
          [&] {
            return element_operator<T>(evaluation_.kernel(), x.elements(), reordered_D(evaluation_, D).data(), options);
          },
          [&] { element_operator<T>(function, x.elements(), D, options); })) {}

template <class T>
void global_operator<T>::apply_with_dot(const T* x, T* y, double* dot, stream_view on) const {
  if (dot == nullptr) throw error("global_operator::apply_with_dot: dot is a null pointer", status::null_pointer);
  apply({.x = x, .y = y, .dot = dot, .in = on});
}

template <class T>
void global_operator<T>::set_data(const T* D) {
  elements_.data().set(0, evaluation_.elements(), reordered_D(evaluation_, D).data());
}

template <class T>
void global_operator<T>::get_data(T* D) const {
  if (D == nullptr && evaluation_.elements() > 0)
    throw error("global_operator::get_data: D is a null pointer", status::null_pointer);
  const index_t each = evaluation_.kernel().factors() * evaluation_.kernel().points();
  elements_.data().check_output("global_operator::get_data: D", D, each * evaluation_.elements());
  constexpr index_t at_once = 512;
  std::vector<T> some(std::size_t(each * std::min(at_once, evaluation_.elements())));
  for (index_t first = 0; first < evaluation_.elements(); first += at_once) {
    const index_t count = std::min(at_once, evaluation_.elements() - first);
    elements_.data().get(first, count, some.data());
    for (index_t k = 0; k < count; ++k)
      copy_memory(D + each * evaluation_.order()[std::size_t(first + k)], some.data() + each * k,
                  std::size_t(each) * sizeof(T));
  }
}

template <class T>
std::string global_operator<T>::describe(detail_level how) const {
  return elements_.describe(how) + (how == detail_level::full ? "; " + evaluation_.describe() : "");
}

template class global_operator<float>;
template class global_operator<double>;

}  // namespace tessera::fem
