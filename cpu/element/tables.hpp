// SPDX-License-Identifier: BSD-3-Clause
// Names what the instruction sets' translation units define: the kernels of element operators.
#pragma once

#include <vector>

#include <tessera/cpu/detail/element/rows.hpp>

namespace tessera::detail {

/// Defined in kernels_<isa>_<type>_<part>.cpp: every parts-th kernel that applies an operator.
template <target isa, class T, int part>
std::span<const element_row<T>> compiled_element_rows();

/// Defined in kernels_<isa>_<type>.cpp: everything but these.
template <target isa, class T>
const element_kernels<T>& compiled_element_kernels();

template <class T>
struct compiled_element_part {
  target isa;
  const element_kernels<T>& (*kernels)();
  std::span<const element_row<T>> (*rows)();
};

/// Of this build, in compiled_parts.cpp: by instruction set, narrow ones first, then by part.
template <class T>
std::vector<compiled_element_part<T>> compiled_element_parts();
template <>
std::vector<compiled_element_part<float>> compiled_element_parts();
template <>
std::vector<compiled_element_part<double>> compiled_element_parts();

}  // namespace tessera::detail
