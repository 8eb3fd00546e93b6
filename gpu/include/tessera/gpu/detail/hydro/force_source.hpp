// SPDX-License-Identifier: BSD-3-Clause
// Kernels of corner forces: which one, its blocks, its source for NVRTC.
#pragma once

#include <tessera/detail/hydro/zone_program.hpp>
#include <tessera/gpu/detail/hydro/force_arguments.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>

namespace tessera::device {

struct force_kernel {
  int dim = 3, nodes = 2, energies = 1, points = 2;  // of a direction
  tessera::detail::force_task task{};
  bool wide = false;  // numbers of 64 bits
};

/// Shared memory of a block.
int bytes_of(const force_kernel& what, const force_shape& shape);
/// With as many zones as shared memory of a block has place for, at least one.
force_shape ruled_force_shape(const force_kernel& what, int shared_bytes);
jit_source source_of(const force_kernel& what, const force_shape& shape);
jit_source source_of_highest_rate();

}  // namespace tessera::device
