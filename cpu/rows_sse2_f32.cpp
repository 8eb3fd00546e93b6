// SPDX-License-Identifier: BSD-3-Clause
// The sse2 kernels in float.
#include <tessera/cpu/isa_sse2.hpp>
#include <tessera/cpu/row_table.hpp>
#include <tessera/cpu/selection.hpp>

#include "tables.hpp"

namespace tessera {

namespace {
// Local to this file: so are all kernels made of it, whatever other translation units instantiate.
struct here;
constexpr isa_rows rows = simd::make_rows<simd::sse2<here>, float, simd::full_rows>();
}  // namespace

template <>
const isa_rows& compiled_rows<target::sse2, float>() {
  return rows;
}

}  // namespace tessera
