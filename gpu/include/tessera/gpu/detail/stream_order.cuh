// SPDX-License-Identifier: BSD-3-Clause
// Kernels behind each other in a stream: from sm_90 on, a kernel's blocks may take their places while the last ones of
// the kernel before still run, up to where they touch memory.
#pragma once

#include <nv/target>

namespace tessera::device {

/// On the host, of a kernel that calls wait_for_earlier_kernels(): whether that does anything in code of this PTX
/// version (90: sm_90).
constexpr bool can_come_early(int ptx_version) { return ptx_version >= 90; }

// clang-format off
/// Programmatic dependent launch. Every thread of a kernel calls this before it reads or writes memory: it lets the
/// stream's next kernel start as soon as all blocks of this one have started, and waits until everything earlier in the
/// stream is complete and visible. The next kernel waits here likewise.
__device__ inline void wait_for_earlier_kernels() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");))
}
// clang-format on

}  // namespace tessera::device
