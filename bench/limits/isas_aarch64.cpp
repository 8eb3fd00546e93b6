// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets of an AArch64 machine that the limit kernels know.
#include "limits/isa.hpp"

namespace tessera::bench {

std::vector<const isa_kernels*> available_isas() { return {&neon_kernels()}; }

}  // namespace tessera::bench
