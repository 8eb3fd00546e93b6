// SPDX-License-Identifier: BSD-3-Clause
// The tuned rows of avx512.
#include <tessera/cpu/isa_avx512.hpp>

#include "rows.hpp"

namespace tessera::testing {

namespace {
// Local to this file: so are all kernels made of it, whatever other translation units instantiate.
struct here;
constexpr isa_rows rows = make_tuned_rows<simd::avx512<here>>();
}  // namespace

template <>
const isa_rows& compiled_tuned_rows<target::avx512>() {
  return rows;
}

}  // namespace tessera::testing
