// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of general contractions are given at each launch.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// out = alpha sum + beta out. Tensors of a batch are so many entries apart. For a kernel left is the operand of its
/// rows.
struct general_arguments {
  const double *left = nullptr, *right = nullptr;
  double* out = nullptr;
  double alpha = 1, beta = 0;
  index_t left_stride = 0, right_stride = 0, out_stride = 0;
  index_t first_block = 0;  // of a launch: large batches take several
};

}  // namespace tessera::device
