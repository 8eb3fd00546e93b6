// SPDX-License-Identifier: BSD-3-Clause
// The neon element kernels in double.
#include <tessera/cpu/element/row_table.hpp>
#include <tessera/cpu/isa_neon.hpp>
#include <tessera/cpu/selection.hpp>

#include "own_element_rows.hpp"
#include "tables.hpp"

namespace tessera {

namespace {
// Local to this file: so are all kernels made of it, whatever other translation units instantiate.
struct here;
}  // namespace

template <>
const element_kernels<double>& compiled_element_kernels<target::neon, double>() {
  return simd::element_kernel_table<simd::neon<here>, double, simd::full_rows, true, simd::own_element_rows>::kernels;
}

}  // namespace tessera
