// SPDX-License-Identifier: BSD-3-Clause
// Inside the GPU component: the compiled gemm rows, by parts of the record list, and the generic rows for all sizes.
#pragma once

#include <span>

#include <tessera/gpu/detail/kernel_name.hpp>
#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::device {

/// Launches in a stream; the name is for errors.
template <class T>
using row_function = void (*)(const problem<T>& p, const kernel_name& name, void* stream);

struct compiled_row {
  static constexpr int none = -1;  // an earlier row has the same kernel
  int record;
  row_function<float> f32;  // one of the two, by the record's type
  row_function<double> f64;
};

/// Records of a part: gemm_rows.cu is compiled once for each part.
inline constexpr int records_a_part = 8;

template <int Part>
std::span<const compiled_row> rows_of_part();

/// The parts of this build, one span each: parts_full.cpp or parts_smoke.cpp.
std::span<const std::span<const compiled_row>> compiled_parts();

template <class T>
void launch_generic(const problem<T>& p, const kernel_name& name, void* stream);
template <class T>
void launch_pointwise(const problem<T>& p, const kernel_name& name, void* stream);
template <class T>
void launch_groups(const problem<T>& p, const problem_members<T>& from, const kernel_name& name, void* stream);

/// Types other than float and double; `from` is all null if no operand is a group.
void launch_generic_any(const any_problem& p, const any_members& from, const kernel_name& name, void* stream);

}  // namespace tessera::device
