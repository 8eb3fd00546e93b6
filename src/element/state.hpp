// SPDX-License-Identifier: BSD-3-Clause
// What an evaluation consists of once it is made: sizes, tables in the form that its kernel takes, and the kernel.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tessera/cpu/element/direct_function.hpp>
#include <tessera/cpu/element/rows.hpp>
#include <tessera/element/evaluation.hpp>
#include <tessera/memory.hpp>

#include "element_runs.hpp"

namespace tessera::detail {

/// A table with its entries: whole, and in halves where it mirrors itself.
template <class T>
class owned_table {
 public:
  owned_table() = default;
  /// From (m,n) column-major; `sign` is +1 or -1, how it would mirror itself.
  owned_table(const std::vector<double>& entries, index_t m, index_t n, int sign);

  bool mirrored() const { return mirrored_; }
  /// For a kernel of any sizes or of just these, which wants `width` copies of each entry. What it names stays here.
  line_table<T> lay_out(bool any_sizes, int width);

 private:
  index_t m_ = 0, n_ = 0;
  bool mirrored_ = false;
  std::vector<double> entries_;  // (m,n)
  buffer memory_;
};

template <class T>
class device_evaluation;
template <class T>
class device_matrices;
template <class T>
class host_matrices;
template <class T>
class host_diagonal;

template <class T>
struct evaluation_state {
  std::string name;                   // of the operator
  std::optional<operator_kind> kind;  // a built-in one
  int dim;
  int components;               // of x
  int trial_parts, test_parts;  // components of u and of v that the function couples
  int factors;                  // numbers of D a point
  index_t d, q, t;              // a direction
  target isa;
  bool compiled_for_sizes, nodal, mirrored;
  bool symmetric = false;  // as far as is known
  owned_table<T> interpolate, differentiate, differentiate_transposed, test_transposed, trial_slopes, test_slopes;
  evaluation_tables<T> tables;
  std::vector<double> slopes;  // C as given, empty where it was not
  bool own_slopes = false;     // derivatives are given, not C times the functions
  const element_kernels<T>* kernels;
  element_function<T> function;
  index_t scratch;                           // vectors that it needs
  element_runs runs;                         // how applications go over the elements, on a CPU
  std::shared_ptr<const void> pointwise;     // the user's function
  std::optional<direct_function<T>> direct;  // what `function` is given, where it is the direct kernel
  // Where it runs on a GPU; `kernels` are then those that compute D from the geometry.
  std::shared_ptr<const device_evaluation<T>> device;
  std::shared_ptr<const device_matrices<T>> matrices;  // of built-in operators
  std::shared_ptr<const host_matrices<T>> on_host;     // of the mass, where it runs on a CPU
  std::shared_ptr<const host_diagonal<T>> diagonal;    // of built-in operators, x and y alike, on a CPU

  /// Times that the function applies to an element: to each component alike, or to all at once.
  int repeats() const { return components / trial_parts; }
  index_t lanes() const { return device != nullptr ? 1 : kernels->lanes; }
  index_t power(index_t base) const { return dim == 3 ? base * base * base : dim == 2 ? base * base : base; }
  index_t trial_size() const { return power(d); }
  index_t test_size() const { return power(t); }
  index_t points() const { return power(q); }
  /// Numbers of D of one element.
  index_t entries() const { return points() * factors; }
};

/// The transpose of (m,n), both column-major.
std::vector<double> transposed(const std::vector<double>& entries, index_t m, index_t n);

}  // namespace tessera::detail
