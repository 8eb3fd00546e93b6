// SPDX-License-Identifier: BSD-3-Clause
// Checks a compiled GPU row: the tests of CPU candidates, as far as they apply, over device memory with guard zones.
#pragma once

#include <string>

#include <tessera/detail/jit.hpp>

#include "tuning_case.hpp"

namespace tessera::tune {

/// Empty if all results are right and nothing else was written; else the fault, in a line.
std::string gpu_fault_of(const jit_kernel& kernel, const tuning_case& c);

}  // namespace tessera::tune
