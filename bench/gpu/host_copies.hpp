// SPDX-License-Identifier: BSD-3-Clause
// Times of copies between page-locked host memory and the GPU.
#pragma once

#include <vector>

#include "models/transfer.hpp"

namespace tessera::bench::device {

enum class copy_direction { to_device, to_host };

/// The median time of `reps` blocking copies of each size in bytes, by the calling thread, from memory that it locked.
/// Throws where what comes back is not what was sent.
std::vector<models::transfer_sample> time_host_copies(copy_direction direction, const std::vector<double>& sizes,
                                                      int reps);

}  // namespace tessera::bench::device
