// SPDX-License-Identifier: BSD-3-Clause
// The tables of compiled CPU kernels, one per instruction set. Plain C++: no SIMD header is needed.
#pragma once

#include <optional>
#include <span>
#include <type_traits>

#include <tessera/cpu/detail/entry_functions.hpp>
#include <tessera/detail/problem.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/scalar.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// Runs batch entries [first, last). An entry's result does not depend on how the batch is split.
template <class T>
using problem_function = void (*)(const problem<T>&, index_t first, index_t last);

/// A kernel in both types; a specialised row has one of them.
struct problem_functions {
  problem_function<float> f32 = nullptr;
  problem_function<double> f64 = nullptr;

  template <class T>
  constexpr problem_function<T> get() const {
    if constexpr (std::is_same_v<T, float>)
      return f32;
    else
      return f64;
  }
};

/// A kernel for one size and type. n = 0 takes any n.
struct gemm_row {
  index_t m = 0, n = 0, k = 0;
  scalar_type type = scalar_type::f64;
  cpu_gemm_tuning tuning;
  problem_functions run;

  template <class T>
  constexpr problem_function<T> function() const {
    return run.get<T>();
  }
};

/// The kernels compiled for one instruction set, or for the reference target, which has no specialised rows.
struct isa_rows {
  target isa = target::reference;
  std::span<const gemm_row> specialised;  // of a type: exact sizes before the rows of any n
  problem_functions gemm_functions;
  problem_functions pointwise_functions;
  problem_functions gemm_functions_in[2] = {};  // by memory_regime, where it is forced
  entry_functions entries = {};

  /// The kernel for any sizes and maps, one or two factors a side. Without a regime it goes by the size of the batch.
  template <class T>
  constexpr problem_function<T> generic(std::optional<memory_regime> forced = {}) const {
    const problem_function<T> in_regime = forced ? gemm_functions_in[int(*forced)].get<T>() : nullptr;
    return in_regime != nullptr ? in_regime : gemm_functions.get<T>();
  }
  /// The kernel for problems of canonical form `pointwise`, any maps.
  template <class T>
  constexpr problem_function<T> pointwise() const {
    return pointwise_functions.get<T>();
  }
};

/// The rows of `isa`; nullptr if this build does not have it. is_available tells whether the machine can run them.
const isa_rows* rows_of(target isa);

/// Whether this machine has that instruction set; false for one that this build has no kernels for.
bool machine_runs(target isa);

/// True where the row may run the problem: its sizes and type, one factor a side, packed column-major maps or
/// a table in any layout that all products share (any loop).
bool accepts(const gemm_row& row, const problem<float>& p);
bool accepts(const gemm_row& row, const problem<double>& p);

}  // namespace tessera
