// SPDX-License-Identifier: BSD-3-Clause
// The functions of an element at points, and the transpose: products of lines by sum factorisation, others by tables.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/fem/dense_element.hpp>
#include <tessera/fem/simplex.hpp>

#include <span>
#include <vector>

namespace tessera::fem::detail {

/// Functions, n of them, at Q points, all of an element or of a face. Sums have one order, whatever else runs.
template <class T>
class point_tables {
 public:
  point_tables() = default;
  /// Products of the functions, at the points of one rule a direction.
  point_tables(const basis& functions, std::span<const quadrature_rule> axes);
  /// Functions by their tables. Throws, naming `what`, if these have other sizes; they may be empty.
  point_tables(const char* what, int dim, index_t points, const dense_basis& functions);

  index_t functions() const { return functions_; }
  index_t points() const { return points_; }
  bool has_values() const { return !values_.empty(); }
  bool has_gradients() const { return !slopes_.empty(); }
  /// Numbers that a call needs as `work`.
  index_t work(index_t components) const { return 2 * largest_ * components; }

  /// out (Q, components) = values of u (n, components).
  void values(const T* u, index_t components, T* out, T* work) const;
  /// The same of the derivatives in direction a of the reference element.
  void slopes(int a, const T* u, index_t components, T* out, T* work) const;
  /// The transposes: out (n, components) of v (Q, components).
  void transposed_values(const T* v, index_t components, T* out, T* work) const;
  void transposed_slopes(int a, const T* v, index_t components, T* out, T* work) const;

 private:
  /// (rows, columns), column-major.
  struct table {
    index_t rows = 0, columns = 0;
    std::vector<T> entries;
    table transposed() const;
  };
  static table converted(index_t rows, index_t columns, const double* from);
  using product = std::vector<table>;  // one a direction, or one of all functions
  void multiply(const product& by, const T* in, index_t components, T* out, T* work) const;
  void finish();

  index_t functions_ = 1, points_ = 1, largest_ = 1;
  product values_, values_back_;
  std::vector<product> slopes_, slopes_back_;  // one a direction
};

}  // namespace tessera::fem::detail
