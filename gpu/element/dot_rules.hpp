// SPDX-License-Identifier: BSD-3-Clause
// Whether an element kernel of the GPU sums x.y, or a pass over x and y after it is faster.
#pragma once

#include <tessera/detail/element/element_tuning.hpp>

namespace tessera::detail {

/// What is known before it is compiled.
bool may_sum_dots(const element_kernel_facts& f, const element_tuning& t);
/// Of a kernel with these bytes of shared memory, without those of the sums, and registers of a thread.
bool sums_dots_faster(const element_tuning& t, int shared_bytes, int registers, const gpu_limits& m);

}  // namespace tessera::detail
