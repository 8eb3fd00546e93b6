// SPDX-License-Identifier: BSD-3-Clause
// The neon kernels in float.
#include <tessera/cpu/isa_neon.hpp>
#include <tessera/cpu/row_table.hpp>
#include <tessera/cpu/selection.hpp>

#include "tables.hpp"

namespace tessera {

namespace {
// Local to this file: so are all kernels made of it, whatever other translation units instantiate.
struct here;
constexpr isa_rows rows = simd::make_rows<simd::neon<here>, float, simd::full_rows>();
}  // namespace

template <>
const isa_rows& compiled_rows<target::neon, float>() {
  return rows;
}

}  // namespace tessera
