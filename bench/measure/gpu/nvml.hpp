// SPDX-License-Identifier: BSD-3-Clause
// Clock, power and energy of this process's GPU 0 from NVML, which is opened at run time; NaN where it is absent, as it
// often is.
#pragma once

#include <string>

namespace tessera::bench::nvml {

/// "580.95.05"; "" where it cannot be read.
std::string driver();
double clock_mhz();
double watts();
/// Used since the driver was loaded.
double joules();

}  // namespace tessera::bench::nvml
