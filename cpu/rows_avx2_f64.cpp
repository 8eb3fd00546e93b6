// SPDX-License-Identifier: BSD-3-Clause
// The avx2 kernels in double.
#include <tessera/cpu/isa_avx2.hpp>
#include <tessera/cpu/row_table.hpp>
#include <tessera/cpu/selection.hpp>

#include "tables.hpp"

namespace tessera {

namespace {
// Local to this file: so are all kernels made of it, whatever other translation units instantiate.
struct here;
constexpr isa_rows rows = simd::make_rows<simd::avx2<here>, double, simd::full_rows>();
}  // namespace

template <>
const isa_rows& compiled_rows<target::avx2, double>() {
  return rows;
}

}  // namespace tessera
