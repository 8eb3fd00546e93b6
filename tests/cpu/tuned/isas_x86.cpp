// SPDX-License-Identifier: BSD-3-Clause
// The tuned rows of a build for x86-64.
#include "rows.hpp"

namespace tessera::testing {

const isa_rows* tuned_rows_of(target isa) {
  switch (isa) {
    case target::sse2: return &compiled_tuned_rows<target::sse2>();
    case target::avx2: return &compiled_tuned_rows<target::avx2>();
    case target::avx512: return &compiled_tuned_rows<target::avx512>();
    default: return nullptr;
  }
}

}  // namespace tessera::testing
