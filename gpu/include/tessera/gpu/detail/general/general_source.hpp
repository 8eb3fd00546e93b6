// SPDX-License-Identifier: BSD-3-Clause
// The source of the kernels of a general contraction, for NVRTC, and how they are launched.
#pragma once

#include <tessera/detail/general_kind.hpp>
#include <tessera/detail/general_tile.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>

namespace tessera::device {

struct general_code {
  jit_source source;  // two kernels: for tensors that begin at multiples of 16 bytes, and for any
  int threads = 0, shared_bytes = 0;
  int together = 1;   // blocks of a multiprocessor
  index_t tiles = 0;  // of one tensor of a batch
};

general_code general_source(const general_form& form, const tessera::detail::general_kind& kind,
                            const tessera::detail::general_tile& tile);

}  // namespace tessera::device
