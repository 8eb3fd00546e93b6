// SPDX-License-Identifier: BSD-3-Clause
// What the model of general contractions takes a GPU's limits and rates to be.
#pragma once

#include <string_view>

#include <tessera/detail/general_cost.hpp>
#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::detail {

/// By its name where that is known, else by its compute capability, as so many multiprocessors of an H100.
gpu_rates rates_of(const device::device_info& gpu);
/// Those of the current device if it has that name, else by the name alone; of an unknown one those of an H200.
gpu_rates rates_of_device(std::string_view name);

}  // namespace tessera::detail
