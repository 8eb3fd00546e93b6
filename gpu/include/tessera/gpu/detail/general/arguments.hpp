// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of general contractions are given at each launch.
#pragma once

#include <tessera/core/complex.hpp>

namespace tessera::device {

/// out = result(alpha sum + beta addend). Tensors of a batch are so many entries apart. For a kernel left is the
/// operand of its rows. The addend is the output itself, unless the kernel was made for another tensor.
struct general_arguments {
  const void *left = nullptr, *right = nullptr, *addend = nullptr;
  void* out = nullptr;
  complex<double> alpha = 1, beta = 0;
  index_t left_stride = 0, right_stride = 0, addend_stride = 0, out_stride = 0;
  void* parts = nullptr;         // of sums, where a kernel has them in a workspace; set by the launcher
  const void* second = nullptr;  // the matrix by which the sums are multiplied before they are written, if any
  index_t tiles = 0;             // of all tensors; set by the launcher
  index_t first_block = 0;       // of a launch: large batches take several
};

}  // namespace tessera::device
