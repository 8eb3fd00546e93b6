// SPDX-License-Identifier: BSD-3-Clause
// Operators between L-vectors for FE codes: y (+)= G^T A G x, from the nodes of the elements and their unknowns.
#pragma once

#include <tessera/element/global_evaluation.hpp>
#include <tessera/fem/element_operator.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tessera::fem {

/// y (+)= G^T B^T D B G x. Gather, operator and scatter are one pass over the elements; results are the same bits for
/// any number of threads. A constrained number of x counts as 0, and y has x there (`constrained_rows`): so A is
/// symmetric if B^T D B is, and positive definite on all numbers that an element has.
/// The elements are reordered inside unless `patch_options::order` is as_given and there are no parts; nodes, D and
/// coefficients are given in the caller's order. On a GPU vectors are in its memory, and calls queue work in stream 0
/// unless they name another.
template <class T>
class global_operator {
 public:
  /// From the nodes, as element_operator. matrix_free: the nodes are copied if the elements are reordered, else they
  /// must stay.
  global_operator(const element_nodes<T>& nodes, const restriction& unknowns, const element_operator_options& options,
                  const patch_options& patches = {});
  /// y has other functions. Where y has constrained numbers, applications need `rows` = zero.
  global_operator(const element_nodes<T>& nodes, const restriction& x, const restriction& y,
                  const element_operator_options& options, const patch_options& patches = {});
  /// D of the calling code, as for element_operator, for the elements of the restriction.
  global_operator(int dim, const T* D, const restriction& unknowns, const element_operator_options& options,
                  const patch_options& patches = {});
  global_operator(const compiled_function<T>& function, const T* D, const restriction& x, const restriction& y,
                  const element_operator_options& options, const patch_options& patches = {});

  index_t size() const { return evaluation_.test().size(); }         ///< of y
  index_t trial_size() const { return evaluation_.trial().size(); }  ///< of x
  /// The operator on E-vectors; its element k is element kernel().order()[k]. A copy of one that computes D at each
  /// application must not outlive this.
  const element_operator<T>& elements() const { return elements_; }
  const global_evaluation<T>& kernel() const { return evaluation_; }

  /// Another D, as given to the constructor. Throws where D is computed at each application.
  void set_data(const T* D);
  /// D of all elements in the caller's order, as set_data() takes it: factor f of point k of element e at
  /// D[f + factors (k + points e)].
  void get_data(T* D) const;

  /// Where it runs.
  space_kind space() const { return evaluation_.kernel().space(); }

  /// y = A x.
  void apply(const T* x, T* y, stream_view on = {}) const { apply({.x = x, .y = y, .in = on}); }
  /// Also *dot = x.y, in the vectors' memory. y is the same but for rounding (`global_application::dot`).
  void apply_with_dot(const T* x, T* y, double* dot, stream_view on = {}) const;
  /// y += A x.
  void add(const T* x, T* y, stream_view on = {}) const { apply({.x = x, .y = y, .add = true, .in = on}); }
  void apply(const global_application<T>& a) const { evaluation_.apply(a, elements_.data()); }
  /// In parts: `run(part)` for each, then `end()`.
  typename global_evaluation<T>::running begin(const global_application<T>& a) const {
    return evaluation_.begin(a, elements_.data(), kept_);
  }
  /// The diagonal of A, to memory of either space: 1 at constrained numbers. Throws unless x and y have one
  /// restriction.
  void diagonal(T* y) const;

  /// For given values: b has them at constrained numbers and the load elsewhere. From the load it subtracts A of the
  /// values, A without constraints, so that the solution of A x = b has these values (with constrained_rows::identity).
  /// b is in memory of either space, and complete on return; groups of elements without such a number are skipped.
  /// Throws unless x and y have one restriction, and for a function that is not linear.
  void eliminate(T* b) const;

  /// Sizes, kernel and its tuning, how D is stored, and the patches.
  std::string describe(detail_level how = detail_level::full) const;

 private:
  struct reordered;
  global_operator(const global_evaluation<T>& evaluation, const std::shared_ptr<const reordered>& kept,
                  const element_nodes<T>& nodes, const element_operator_options& options);

  global_evaluation<T> evaluation_;
  std::shared_ptr<const reordered> kept_;  // what D is computed from at each application
  element_operator<T> elements_;
};

extern template class global_operator<float>;
extern template class global_operator<double>;

}  // namespace tessera::fem
