// SPDX-License-Identifier: BSD-3-Clause
// The sse2 element kernels in double.
#include <tessera/cpu/element/row_table.hpp>
#include <tessera/cpu/isa_sse2.hpp>
#include <tessera/cpu/selection.hpp>

#include "own_element_rows.hpp"
#include "tables.hpp"

namespace tessera {

namespace {
// Local to this file: so are all kernels made of it, whatever other translation units instantiate.
struct here;
}  // namespace

template <>
const element_kernels<double>& compiled_element_kernels<target::sse2, double>() {
  return simd::element_kernel_table<simd::sse2<here>, double, simd::full_rows, true, simd::own_element_rows>::kernels;
}

}  // namespace tessera
