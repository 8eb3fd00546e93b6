// SPDX-License-Identifier: BSD-3-Clause
// cuBLAS, opened at run time, with a context on the default stream.
#pragma once

#include <string>

#include "measure/shared_library.hpp"

namespace tessera::bench {

// cuBLAS's C interface, version 2: an opaque handle, operations 0 (none) and 1 (transpose), status 0 for success.
using cublas_handle = void*;

struct cublas {
  shared_library library{"libcublas.so.13", "libcublas.so.12", "libcublas.so", "/usr/local/cuda/lib64/libcublas.so"};
  cublas_handle context = nullptr;  // null: not usable
  std::string version = "libcublas was not found";

  cublas();
};

/// Opened at the first call.
const cublas& opened_cublas();

}  // namespace tessera::bench
