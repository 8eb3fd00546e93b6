// SPDX-License-Identifier: BSD-3-Clause
// Programmatic dependent launch, from sm_90 on: blocks of a kernel may become resident before the previous kernel of
// the stream has ended, and wait before their first access to memory.
#pragma once

#include <nv/target>

namespace tessera::device {

/// For the host: whether wait_for_earlier_kernels() has an effect in a kernel that was compiled for this PTX version
/// (90: sm_90).
constexpr bool can_come_early(int ptx_version) { return ptx_version >= 90; }

// clang-format off
/// Every thread of a kernel calls this before it reads or writes memory: it lets the stream's next kernel start as soon
/// as all blocks of this one have started, and waits until everything earlier in the stream is complete and visible.
/// The next kernel waits here likewise.
__device__ inline void wait_for_earlier_kernels() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");))
}
// clang-format on

}  // namespace tessera::device
