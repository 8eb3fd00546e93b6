// SPDX-License-Identifier: BSD-3-Clause
// What an operator consists of on a CPU once it is made: sizes, tables in the form that its kernel takes, the kernel.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <tessera/cpu/detail/element/direct_function.hpp>
#include <tessera/cpu/detail/element/rows.hpp>

#include "dense_state.hpp"
#include "element_runs.hpp"
#include "owned_table.hpp"
#include "src/element/operator_sizes.hpp"

namespace tessera::detail {

template <class T>
struct cpu_operator : operator_sizes {
  target isa = target::reference;
  bool for_reference = false;          // that was wanted: it has no element kernels
  std::optional<target> function_isa;  // that a user's function is compiled for
  bool compiled_for_sizes = false;
  owned_table<T> interpolate, differentiate, differentiate_transposed, test_transposed, trial_slopes, test_slopes;
  evaluation_tables<T> tables;
  const element_kernels<T>* kernels = nullptr;
  element_function<T> function;
  index_t scratch = 0;                                 // vectors that it needs
  element_runs runs;                                   // how applications go over the elements
  bool D_in_order = false;                             // its kernel reads D from start to end, point by point
  std::shared_ptr<const dense_state<T>> dense_tables;  // what `function` is given, where tables are dense
  std::shared_ptr<const void> pointwise;               // the user's function
  std::optional<direct_function<T>> direct;            // what `function` is given, where it is the direct kernel

  index_t lanes() const { return kernels->lanes; }
  /// What a pointwise function is called with.
  const void* state_of_function() const {
    static constexpr char none = 0;  // built-in functions have no state
    return pointwise != nullptr ? pointwise.get() : &none;
  }
  /// What kernels are given as the function.
  const void* given_function() const {
    if (dense_tables != nullptr) return &dense_tables->function;
    return direct ? static_cast<const void*>(&*direct) : state_of_function();
  }
  /// Steps of an application to a block of elements, at each of which it prefetches.
  index_t steps() const { return dense_tables != nullptr ? dense_tables->function.steps() : function.steps(d, q, t); }
  /// A rough count of those of an element, for the question whether threads are worth waking.
  double flops() const {
    constexpr double a_point = 50;
    return double(points() * repeats()) * (a_point + (dense ? 2 * double(d + t) : 0));
  }
};

}  // namespace tessera::detail
