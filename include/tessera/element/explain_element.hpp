// SPDX-License-Identifier: BSD-3-Clause
// Says which tuning an element operator gets, and what was looked at on the way.
#pragma once

#include <string>

#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// Several lines: the device, each source of records in the order of the look-up with what it has for these facts (else
/// the nearest record of other sizes, which is not taken), the default, the tuning that is taken, and why. On a GPU
/// `in` is ignored: all comes from memory. Throws nothing where this machine has no such device.
std::string explain(const element_kernel_facts& f, target on, memory_regime in);

/// As it would be on another device. `compute_capability` is 0 for a CPU.
std::string explain(const element_kernel_facts& f, target on, memory_regime in, const std::string& device,
                    int compute_capability);

}  // namespace tessera
