// SPDX-License-Identifier: BSD-3-Clause
// Clock, power and energy of this process's GPU 0 from NVML, which is opened at run time; NaN if it is absent, as is
// common.
#pragma once

#include <string>

namespace tessera::bench::nvml {

/// "580.95.05"; "" if it cannot be read.
std::string driver();
double clock_mhz();
double watts();
/// Energy used since the driver was loaded.
double joules();

}  // namespace tessera::bench::nvml
