// SPDX-License-Identifier: BSD-3-Clause
// Kernels behind each other in a stream: from sm_90 on, a kernel's blocks may take their places while the last ones of
// the kernel before still run, up to where they touch memory.
#pragma once

#include <nv/target>

namespace tessera::device {

/// On the host, of a kernel that calls take_turn(): whether that does anything in code of this PTX version (90: sm_90).
constexpr bool can_come_early(int ptx_version) { return ptx_version >= 90; }

// clang-format off
/// Every thread calls this first: nothing is read or written before the stream's earlier work is complete, and the
/// stream's next kernel may come in as soon as all blocks of this one have. It waits here in turn.
__device__ inline void take_turn() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");))
}
// clang-format on

}  // namespace tessera::device
