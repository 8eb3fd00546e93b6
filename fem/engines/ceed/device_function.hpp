// SPDX-License-Identifier: BSD-3-Clause
// A user's QFunction as the pointwise function of an operator on a GPU: its source text, compiled with the kernel.
#pragma once

#include <ceed/backend.h>

#include <memory>
#include <span>
#include <string>

#include "function_arguments.hpp"

namespace tessera::ceed {

class device_function {
 public:
  /// As function_arguments. Throws not_taken where libCEED does not know the file that the QFunction is in.
  device_function(const operator_fields& fields, std::span<const int> first, int dim, int factors);

  const compiled_function<double>& function() const { return function_; }

  /// Holds the QFunction's context on the device while it lives; kernels that are launched meanwhile get it.
  class session {
   public:
    explicit session(device_function& of);
    ~session();
    session(const session&) = delete;
    session& operator=(const session&) = delete;

   private:
    device_function& of_;
  };

 private:
  // What the struct of the text has: its bytes go to the device with each launch.
  struct state {
    void* context = nullptr;
  };

  CeedQFunction code_;
  std::shared_ptr<state> state_ = std::make_shared<state>();
  compiled_function<double> function_;
};

}  // namespace tessera::ceed
