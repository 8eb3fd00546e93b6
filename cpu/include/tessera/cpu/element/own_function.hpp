// SPDX-License-Identifier: BSD-3-Clause
// An element operator around a pointwise function of your own, compiled where you call this.
#pragma once

#include <string>

#include <tessera/cpu/detail/element/at_points.hpp>
#include <tessera/cpu/detail/element/evaluate.hpp>
#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/cpu/detail/isa.hpp>
#include <tessera/element/evaluation.hpp>

namespace tessera {

/// Compiles the fused kernel around `function` for the instruction set of this translation unit, for any sizes.
/// <tessera/element/pointwise.hpp> says what a function is, and has examples.
template <class T, class Function>
compiled_function<T> own_function(const Function& function, const std::string& name) {
  const auto kernel = []<class Tables>(const Tables*) {
    using k = simd::element_kernel<simd::native_isa, T, Function, Tables>;
    return std::make_shared<const element_function<T>>(element_function<T>{&k::run, &k::scratch, &k::steps});
  };
  return {.name = name,
          .dim = Function::dim,
          .trial_components = Function::trial.components,
          .test_components = Function::test.components,
          .slopes = Function::trial.gradient || Function::test.gradient,
          .factors = Function::factors,
          .isa = simd::native_isa::name,
          .mirrored = kernel(static_cast<const simd::run_time_tables<T, true>*>(nullptr)),
          .any_tables = kernel(static_cast<const simd::run_time_tables<T, false>*>(nullptr)),
          .state = std::make_shared<const Function>(function),
          .trial = Function::trial,
          .test = Function::test,
          .at_points = &simd::function_at_points<simd::native_isa, T, Function>::run};
}

}  // namespace tessera
