// SPDX-License-Identifier: BSD-3-Clause
// What an evaluation consists of once it is made: sizes, tables in the form that its kernel takes, and the kernel.
#pragma once

#include <vector>

#include <tessera/cpu/element/rows.hpp>
#include <tessera/element/evaluation.hpp>

namespace tessera::detail {

/// A table with its entries: whole, and in halves where it mirrors itself.
template <class T>
class owned_table {
 public:
  owned_table() = default;
  /// From (m,n) column-major; `sign` is +1 or -1, how it would mirror itself; rows are padded for kernels of any size.
  owned_table(const std::vector<double>& entries, index_t m, index_t n, int sign);

  bool mirrored() const { return mirrored_; }
  line_table<T> view(bool padded) const;

 private:
  index_t m_ = 0, n_ = 0;
  bool mirrored_ = false;
  std::vector<T> whole_;                 // rows padded
  std::vector<T> even_, odd_;            // rows as they are
  std::vector<T> even_padded_, odd_padded_;
};

template <class T>
struct evaluation_state {
  operator_kind kind;
  int dim, components, coupled;
  index_t d, q, t;  // a direction
  target isa;
  bool compiled_for_sizes, nodal, mirrored;
  owned_table<T> interpolate, differentiate, differentiate_transposed, test_transposed;
  evaluation_tables<T> tables;
  const element_kernels<T>* kernels;
  element_function<T> function;

  index_t lanes() const { return kernels->lanes; }
  index_t power(index_t base) const { return dim == 3 ? base * base * base : dim == 2 ? base * base : base; }
  index_t trial_size() const { return power(d); }
  index_t test_size() const { return power(t); }
  index_t points() const { return power(q); }
  index_t factors() const { return factors_of(kind, dim); }
  /// Numbers of D of one element.
  index_t entries() const { return points() * factors(); }
};

/// The transpose of (m,n), both column-major.
std::vector<double> transposed(const std::vector<double>& entries, index_t m, index_t n);

}  // namespace tessera::detail
