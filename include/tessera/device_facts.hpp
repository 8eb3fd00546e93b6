// SPDX-License-Identifier: BSD-3-Clause
// Names of devices, their cache sizes, and the hash of this build's kernels: what tuning records are matched with.
#pragma once

#include <string>
#include <string_view>

#include <tessera/core/types.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// The name in records of the processor, for a CPU target, or of the GPU that was current at the first call: "AMD EPYC
/// (family 25, model 17)", "NVIDIA H200". "unknown" if the system does not report it, or without a GPU.
const std::string& device_name(target on);

/// If target::cuda is not available, the reason and a remedy; else nothing.
std::string why_no_gpu();

/// 90 for 9.0; 0 on a CPU and without a GPU.
int compute_capability(target on);

/// Bytes of the last-level cache of a core; 0 if unknown.
index_t last_level_cache_bytes(target on);

/// Bytes of the L2 cache of a CPU core; 0 if unknown.
index_t core_cache_bytes();

/// Bytes of the L1 data cache of a CPU core; 0 if unknown.
index_t first_cache_bytes();

/// A hash over the kernel headers of a CPU target or of cuda: records with another one were measured with other
/// kernels.
std::string_view kernel_source_hash(target on);

}  // namespace tessera
