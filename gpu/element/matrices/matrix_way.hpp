// SPDX-License-Identifier: BSD-3-Clause
// One way to make element matrices on a GPU: its kernel, what that is given, and how it is launched. A new way is a
// file beside this one, a line below, and a line in matrix_way.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tessera/element/element_tuning.hpp>
#include <tessera/element/matrix_storage.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/fits.hpp>
#include <tessera/gpu/element/constants.hpp>
#include <tessera/gpu/element/kernel.hpp>
#include <tessera/gpu/element/pair_arguments.hpp>
#include <tessera/gpu/element/pair_tables.hpp>

namespace tessera::detail {

/// The matrices that are asked for, of a built-in operator.
struct matrix_request {
  operator_kind kind;
  const element_kernel_facts& facts;
  int components;
  const std::string& function;  // its type, for the compiler
  const device::direction_tables& tables;
  const gpu_limits& limits;
  matrix_storage how;

  int dim() const { return facts.dim; }
  int functions() const { return facts.trial; }
  int points() const { return facts.points; }
  bool packed() const { return how == matrix_storage::lower_packed; }
  /// Of one component, x and y of the same functions.
  bool symmetric() const { return !tables.own_test() && components == 1 && is_symmetric(kind); }
  /// Symmetric ones of derivatives, in double, that kernels for pairs of functions can make.
  bool of_slopes(int entry_bytes) const {
    return entry_bytes == 8 && symmetric() && dim() > 1 && facts.of_trial.components == 1 && facts.of_trial.gradient;
  }
  /// Derivatives of the functions at the points, given or by C.
  std::vector<double> slopes() const {
    if (!tables.gradients.empty()) return tables.gradients;
    return device::slopes_of(tables.differentiate, tables.interpolate, points(), functions());
  }
};

/// Those of elements first, first + 1, ... to M; tables are in device memory.
template <class T>
struct matrix_job {
  const void* D;
  T* M;
  index_t first, count;
  device::entry_places places;
  const T* fragments;
};

template <class T>
struct matrix_way {
  std::string text;          // "strips of columns on tensor cores by 128", namely threads
  const char* problem = "";  // why it cannot run
  std::function<device::jit_source(scalar_type stored)> source;
  std::vector<T> constants;  // of the launch
  device::place_table places;
  std::vector<double> fragments;
  int elements = 1;   // of a block
  index_t parts = 1;  // blocks that have them together
  int threads = 0, bytes = 0;
  /// Calls launch(&arguments), with the kernel's own.
  std::function<void(const matrix_job<T>& job, const std::function<void(void* arguments)>& launch)> launch_with;
};

/// "1 matrix", "3 matrices".
inline std::string matrices_text(int count) { return std::to_string(count) + (count == 1 ? " matrix" : " matrices"); }

/// Its code for D of another type.
template <class Kernel>
std::function<device::jit_source(scalar_type)> source_by(Kernel kernel) {
  return [kernel](scalar_type stored) {
    Kernel of_stored = kernel;
    of_stored.stored = stored;
    return device::source_of(of_stored);
  };
}

// Nothing where the way is not for these, or does not fit; by columns always there, perhaps with a problem.
template <class T>
std::optional<matrix_way<T>> by_distinct_numbers(const matrix_request& r);
template <class T>
std::optional<matrix_way<T>> by_lines_in_halves(const matrix_request& r);
template <class T>
std::optional<matrix_way<T>> by_strips(const matrix_request& r);
template <class T>
std::optional<matrix_way<T>> by_parities(const matrix_request& r);
template <class T>
std::optional<matrix_way<T>> by_pairs(const matrix_request& r);
template <class T>
std::optional<matrix_way<T>> by_columns(const matrix_request& r);

/// The fastest of them that is there.
template <class T>
matrix_way<T> matrix_way_for(const matrix_request& r);

}  // namespace tessera::detail
