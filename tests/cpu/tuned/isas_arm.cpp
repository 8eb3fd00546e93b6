// SPDX-License-Identifier: BSD-3-Clause
// The tuned rows of a build for 64-bit ARM.
#include "rows.hpp"

namespace tessera::testing {

const isa_rows* tuned_rows_of(target isa) {
  return isa == target::neon ? &compiled_tuned_rows<target::neon>() : nullptr;
}

}  // namespace tessera::testing
