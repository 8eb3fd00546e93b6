// SPDX-License-Identifier: BSD-3-Clause
// The kernel of a fused chain as text for NVRTC.
#pragma once

#include <tessera/gpu/detail/chain_blocks.hpp>

#include "jit_source.hpp"

namespace tessera::device {

jit_source source_of(const chain_form& form, const chain_blocks& blocks);

}  // namespace tessera::device
