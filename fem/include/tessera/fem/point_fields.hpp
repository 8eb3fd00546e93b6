// SPDX-License-Identifier: BSD-3-Clause
// Fields at quadrature points, as numbers of D: what a pointwise function takes beside the u that it is linear in.
#pragma once

#include <tessera/element/point_field.hpp>
#include <tessera/element/restriction.hpp>
#include <tessera/fem/element_operator.hpp>

#include <string>

namespace tessera::fem {

/// Where the numbers of a field go: number i of point k of element e to D[first + i + factors (k + points e)]; what
/// else a point has of D stays as it is.
template <class T>
struct field_numbers {
  T* D = nullptr;
  int factors = 0;  ///< of the operator, per point
  int first = 0;    ///< the field's first one
};

/// Evaluates fields at the points of operators: values, and derivatives in the element's own directions, in the order
/// of `field_in`. Made once, for any number of elements and fields.
template <class T>
class point_fields {
 public:
  /// Of the field: `parts`, and `trial` of the options. Of the operators: the other options, from which the points
  /// follow. Where `options.points` is 0 they follow from the order of `trial`, so that fields of another order than
  /// the operator's need it given. On a GPU, x and D are in device memory.
  point_fields(int dim, const point_shape& parts, const element_operator_options& options);

  int size() const { return size_; }  ///< numbers of the field at a point
  int components() const { return evaluation_.components(); }
  index_t trial_size() const { return evaluation_.trial_size(); }
  index_t points() const { return evaluation_.points(); }  ///< of an element
  const evaluation<T>& kernel() const { return evaluation_; }

  /// Of a conventional E-vector x; on a GPU queued in `in`.
  void evaluate(index_t elements, const T* x, const field_numbers<T>& to, stream_view in = {}) const;
  /// Of an L-vector. Constrained numbers are as x has them. On a GPU complete on return.
  void evaluate(const restriction& unknowns, const T* x, const field_numbers<T>& to, stream_view in = {}) const;

  std::string describe(detail_level how = detail_level::full) const { return evaluation_.describe(how); }

 private:
  void check(index_t elements, const field_numbers<T>& to) const;

  int size_;
  evaluation<T> evaluation_;
  index_t block_;       // elements of an application
  point_data<T> none_;  // the function reads no D
};

extern template class point_fields<float>;
extern template class point_fields<double>;

}  // namespace tessera::fem
