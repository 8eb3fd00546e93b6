// SPDX-License-Identifier: BSD-3-Clause
// A user's QFunction as the pointwise function of an operator on a CPU: called for blocks of points.
#pragma once

#include <ceed/backend.h>

#include <tessera/element/evaluation.hpp>

#include <atomic>
#include <memory>
#include <span>

#include "function_arguments.hpp"

namespace tessera::ceed {

class point_call {
 public:
  /// As function_arguments.
  point_call(const operator_fields& fields, std::span<const int> first, int dim);

  /// Points that a call has are a multiple of this.
  CeedInt vector_length() const { return vector_length_; }
  bool writes_context() const { return writes_context_; }

  /// Holds the QFunction's context while it lives.
  class session {
   public:
    explicit session(point_call& of);
    ~session();
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    /// Throws the error that a call has returned.
    void finish();

   private:
    point_call& of_;
  };

  /// Around `call`, which operators keep.
  static compiled_function<double> function_of(const std::shared_ptr<point_call>& call, const operator_fields& fields,
                                               int factors);

 private:
  void run(const points_block<double>& block) const;
  static void at_points(const points_block<double>& block, const void* self);

  CeedQFunction function_;
  CeedQFunctionUser code_ = nullptr;
  CeedInt vector_length_ = 1;
  bool writes_context_ = false;
  function_arguments arguments_;
  void* context_ = nullptr;
  mutable std::atomic<int> error_{0};
};

}  // namespace tessera::ceed
