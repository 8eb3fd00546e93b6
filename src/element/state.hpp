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

#include "dense_state.hpp"
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
class device_operator;
template <class T>
class device_matrices;
template <class T>
class device_diagonal;
template <class T>
class host_matrices;
template <class T>
class host_diagonal;
template <class T>
class dense_matrices;

template <class T>
struct evaluation_state {
  std::string name;                   // of the operator
  std::optional<operator_kind> kind;  // a built-in one
  int dim;
  int components;               // of x
  int trial_parts, test_parts;  // components of u and of v that the function couples
  int factors;                  // numbers of D a point
  index_t d, q, t;              // a direction; of dense tables, an element
  target isa;
  bool for_reference = false;          // that was wanted: it has no element kernels
  std::optional<target> function_isa;  // that a user's function is compiled for, on a CPU
  bool compiled_for_sizes = false, nodal = false, mirrored = false;
  bool symmetric = false;  // as far as is known
  owned_table<T> interpolate, differentiate, differentiate_transposed, test_transposed, trial_slopes, test_slopes;
  evaluation_tables<T> tables;
  std::vector<double> slopes;  // C as given, empty where it was not
  bool own_slopes = false;     // derivatives are given, not C times the functions
  const element_kernels<T>* kernels;
  element_function<T> function;
  index_t scratch;                              // vectors that it needs
  element_runs runs;                            // how applications go over the elements, on a CPU
  bool D_in_order = false;                      // its kernel reads D from start to end, point by point
  std::shared_ptr<const dense_state<T>> dense;  // what `function` is given, where tables are dense
  std::shared_ptr<const void> pointwise;        // the user's function
  std::optional<direct_function<T>> direct;     // what `function` is given, where it is the direct kernel
  // Where it runs on a GPU; `kernels` are then those that compute D from the geometry.
  std::shared_ptr<const device_operator<T>> device;
  std::shared_ptr<const device_matrices<T>> matrices;        // of built-in operators
  std::shared_ptr<const host_matrices<T>> on_host;           // of the mass, where it runs on a CPU
  std::shared_ptr<const host_diagonal<T>> diagonal;          // of built-in operators, x and y alike, on a CPU
  std::shared_ptr<const device_diagonal<T>> diagonal_there;  // on a GPU
  std::shared_ptr<const dense_matrices<T>> matrices_of_dense;

  /// Times that the function applies to an element: to each component alike, or to all at once.
  int repeats() const { return components / trial_parts; }
  index_t lanes() const { return device != nullptr ? 1 : kernels->lanes; }
  index_t power(index_t base) const {
    if (dense != nullptr) return base;
    return dim == 3 ? base * base * base : dim == 2 ? base * base : base;
  }
  index_t trial_size() const { return power(d); }
  index_t test_size() const { return power(t); }
  index_t points() const { return power(q); }
  /// Numbers of D of one element.
  index_t entries() const { return points() * factors; }
  /// What a pointwise function is called with.
  const void* state_of_function() const {
    static constexpr char none = 0;  // built-in functions have no state
    return pointwise != nullptr ? pointwise.get() : &none;
  }
  /// What kernels are given as the function.
  const void* given_function() const {
    if (dense != nullptr) return &dense->function;
    return direct ? static_cast<const void*>(&*direct) : state_of_function();
  }
  /// Steps of an application to a block of elements, in which it reads ahead.
  index_t steps() const { return dense != nullptr ? dense->function.steps() : function.steps(d, q, t); }
  /// A rough count of those of an element, for the question whether threads are worth waking.
  double flops() const {
    constexpr double a_point = 50;
    return double(points() * repeats()) * (a_point + (dense != nullptr ? 2 * double(d + t) : 0));
  }
};

/// The transpose of (m,n), both column-major.
std::vector<double> transposed(const std::vector<double>& entries, index_t m, index_t n);

}  // namespace tessera::detail
