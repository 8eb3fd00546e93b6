// SPDX-License-Identifier: BSD-3-Clause
// An element operator for a GPU around a pointwise function of your own, compiled from its text while the program runs.
#pragma once

#include <type_traits>

#include <tessera/element/evaluation.hpp>

namespace tessera {

/// `function` is what the source declares: its bytes go to the device with each launch. Write it in a header of your
/// own that the program both includes and gives as text.
template <class T, class Function>
compiled_function<T> source_function(const Function& function, const std::string& name, function_source source) {
  static_assert(std::is_trivially_copyable_v<Function>, "a function that goes to the GPU is copied byte by byte");
  return {.name = name,
          .dim = Function::dim,
          .trial_components = Function::trial.components,
          .test_components = Function::test.components,
          .slopes = Function::trial.gradient || Function::test.gradient,
          .factors = Function::factors,
          .isa = target::cuda,
          .mirrored = nullptr,
          .any_tables = nullptr,
          .state = std::make_shared<const Function>(function),
          .trial = Function::trial,
          .test = Function::test,
          .source = std::move(source)};
}

}  // namespace tessera
