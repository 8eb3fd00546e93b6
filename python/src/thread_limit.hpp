// SPDX-License-Identifier: BSD-3-Clause
// without_lock: what runs a kernel, on as many threads as set_num_threads says, while others hold the interpreter.
#pragma once

#include <omp.h>

#include "interpreter_lock.hpp"
#include "settings.hpp"

namespace tessera::python {

/// While it lives, the calling thread does not hold the interpreter's lock.
class without_lock {
 public:
  without_lock() : threads_(default_threads()) {
    if (threads_ <= 0) return;
    before_ = omp_get_max_threads();
    omp_set_num_threads(threads_);
  }
  ~without_lock() {
    if (threads_ > 0) omp_set_num_threads(before_);
  }
  without_lock(const without_lock&) = delete;
  without_lock& operator=(const without_lock&) = delete;

 private:
  released_lock released_;
  int threads_, before_ = 0;
};

}  // namespace tessera::python
