// SPDX-License-Identifier: BSD-3-Clause
// The source of the kernels of a general contraction, for NVRTC, and how they are launched.
#pragma once

#include <tessera/detail/fits.hpp>
#include <tessera/detail/general_kind.hpp>
#include <tessera/detail/general_tile.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>

namespace tessera::device {

/// How the kernels are launched that add up the parts of sums: so many blocks for each tile.
struct adding_launch {
  int blocks = 0, threads = 0, shared_bytes = 0;
};

struct general_code {
  // Two kernels: for tensors that begin at multiples of 16 bytes, and for any. Of a tile with parts of sums two more of
  // these sorts, which add them up.
  jit_source source;
  int threads = 0, shared_bytes = 0;
  int together = 1;        // blocks of a multiprocessor
  index_t tiles = 0;       // of one tensor of a batch
  adding_launch adding{};  // without parts none
  index_t part_bytes = 0;  // of the parts of one tensor
};

/// For GPUs of such limits.
general_code general_source(const general_form& form, const tessera::detail::general_kind& kind,
                            const tessera::detail::general_tile& tile, const gpu_limits& gpu = gpu_limits_of(90));

}  // namespace tessera::device
