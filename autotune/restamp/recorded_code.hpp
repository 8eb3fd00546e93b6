// SPDX-License-Identifier: BSD-3-Clause
// The machine code of the kernels that a GPU's records name, as this build compiles them: no GPU is needed.
#pragma once

#include <string>
#include <vector>

namespace tessera::tune {

/// `tessera-tune code FILE --hash H [--case KEY]...`: prints, a line each, a hash over the machine code of each winner
/// with that hash, compiled by NVRTC for the file's device, and the winner's case. The first line has the hash of this
/// program's own kernels. Cases that are named are compiled anew, and no others. Throws where NVRTC is missing, or does
/// not take a kernel.
int run_code(const std::string& file, const std::string& hash, const std::vector<std::string>& cases);

struct tuner_of_build {
  std::string program;  // tessera-tune
  std::string own;      // the hash of its kernels
};

struct tuner_comparison {
  std::size_t kernels = 0;
  std::vector<std::string> differences;  // cases whose machine code the two do not make alike
};

/// Of the records with the former's hash. NVRTC 13.0 orders the factors of some products by chance, in about one kernel
/// of fifty: a few that differ are compiled again, until both tuners have made the same code once. Throws where a tuner
/// fails, or is of other kernels than its build.
tuner_comparison compared_tuners(const tuner_of_build& former, const tuner_of_build& latter, const std::string& file);

}  // namespace tessera::tune
