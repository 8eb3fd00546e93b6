// SPDX-License-Identifier: BSD-3-Clause
// The CPU targets that a build has kernels for. Apart from target.hpp, because the hash of the kernels covers that
// header.
#pragma once

#include <vector>

#include <tessera/target.hpp>

namespace tessera {

/// The CPU targets that this build has kernels for, whether this machine can run them or not, in the order of the
/// enumeration.
std::vector<target> compiled_cpu_targets();

}  // namespace tessera
