// SPDX-License-Identifier: BSD-3-Clause
// The length of SVE's vectors, which Linux may set for each process.
#include <sys/prctl.h>

#include "compiled_parts.hpp"

namespace tessera {

int detail::sve_bits() {
  const int found = prctl(PR_SVE_GET_VL);  // negative where the processor or the kernel has no SVE
  return found < 0 ? 0 : 8 * (found & PR_SVE_VL_LEN_MASK);
}

}  // namespace tessera
