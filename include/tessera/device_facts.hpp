// SPDX-License-Identifier: BSD-3-Clause
// What tuning records are about, beside kernels: the names of devices, their caches, and which kernels this build has.
#pragma once

#include <string>
#include <string_view>

#include <tessera/core/types.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// The name under which records know the processor, for a CPU target, or the GPU that was current when this was first
/// asked: "AMD EPYC (family 25, model 17)", "NVIDIA H200". "unknown" where the system does not say, or without a GPU.
const std::string& device_name(target on);

/// Where target::cuda is not available, why, and what to do about it; else nothing.
std::string why_no_gpu();

/// 90 for 9.0; 0 on a CPU and without a GPU.
int compute_capability(target on);

/// Bytes of the last cache in front of memory that a core reaches; 0 where the system does not say.
index_t last_level_cache_bytes(target on);

/// Bytes of the second cache of a CPU's core; 0 where the system does not say.
index_t core_cache_bytes();

/// Bytes of the first data cache of a CPU's core; 0 where the system does not say.
index_t first_cache_bytes();

/// A hash over the kernel headers of a CPU target or of cuda: records with another one were measured with other
/// kernels.
std::string_view kernel_source_hash(target on);

}  // namespace tessera
