// SPDX-License-Identifier: BSD-3-Clause
// What Tessera throws: one exception type with a code (the C API's status) and a text naming operation and extents.
#pragma once

#include <stdexcept>
#include <string>

namespace tessera {

enum class status {
  ok = 0,
  invalid_argument = 1,  // a bad value that no other code names
  bad_einsum = 2,        // the einsum string is not a contraction
  shape_mismatch = 3,    // extents, ranks or layouts disagree
  null_pointer = 4,      // a view of nothing
  overlap = 5,           // the output shares memory with an input or with itself
  overflow = 6,          // a negative extent, or a size that does not fit 63 bits
  wrong_space = 7,       // host memory where device memory is needed, or the reverse
  wrong_type = 8,        // scalar types disagree
  no_target = 9,         // the forced target is not available
  no_device = 10,        // no usable GPU, or built without CUDA
  out_of_memory = 11,
  launch_failure = 12,  // a CUDA call failed
  internal = 13,        // a bug in the library
};

class error : public std::runtime_error {
 public:
  explicit error(const std::string& text, status code = status::invalid_argument)
      : std::runtime_error(text), code_(code) {}
  status code() const noexcept { return code_; }

 private:
  status code_;
};

}  // namespace tessera
