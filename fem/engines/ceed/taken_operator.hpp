// SPDX-License-Identifier: BSD-3-Clause
// A CeedOperator that runs by the library's own kernels.
#pragma once

#include <ceed/backend.h>

#include <tessera/element/global_evaluation.hpp>

#include <memory>
#include <string>

#include "device_function.hpp"
#include "operator_fields.hpp"
#include "place.hpp"
#include "point_call.hpp"
#include "point_numbers.hpp"

namespace tessera::ceed {

class taken_operator {
 public:
  /// Throws not_taken, or tessera::error, where the operator is none that the kernels compute.
  explicit taken_operator(CeedOperator op);

  place at() const { return at_; }
  /// Takes the passive inputs as they are now.
  void renew() { numbers_.renew(D_, run_.order()); }
  /// Of the L-vectors x and y, which do not overlap; on a GPU in device memory, and queued in the default stream.
  void apply(const double* x, double* y, bool add);
  index_t x_size() const { return run_.trial().size(); }
  index_t y_size() const { return run_.test().size(); }

  /// Whether add_diagonal is available.
  bool has_diagonal() const;
  void add_diagonal(double* y);

  std::string describe() const;

 private:
  struct parts;
  static parts parts_of(CeedOperator op);
  evaluation<double> evaluation_of(const parts& p) const;
  explicit taken_operator(const parts& p);

  place at_;
  point_numbers numbers_;
  // A user's QFunction, on a CPU or on a GPU; neither: a built-in operator.
  std::shared_ptr<point_call> call_;
  std::unique_ptr<device_function> text_;
  restriction x_, y_;
  global_evaluation<double> run_;
  point_data<double> D_;
};

}  // namespace tessera::ceed
