// SPDX-License-Identifier: BSD-3-Clause
// Declares the kernels of corner forces of the instruction sets' translation units.
#pragma once

#include <vector>

#include <tessera/cpu/detail/hydro/force_block.hpp>

namespace tessera::detail {

/// Defined in hydro_<isa>.cpp.
template <target isa>
const force_kernels& compiled_force_kernels();

/// Of this build, narrow instruction sets first. Never empty.
std::vector<const force_kernels*> all_force_kernels();

}  // namespace tessera::detail
