// SPDX-License-Identifier: BSD-3-Clause
// A CeedOperator that runs by the library's own kernels.
#pragma once

#include <ceed/backend.h>

#include <tessera/element/global_evaluation.hpp>

#include <memory>
#include <string>

#include "operator_fields.hpp"
#include "point_call.hpp"
#include "point_numbers.hpp"

namespace tessera::ceed {

class taken_operator {
 public:
  /// Throws not_taken, or tessera::error, where the operator is none that the kernels compute.
  explicit taken_operator(CeedOperator op);

  /// Takes the passive inputs as they are now.
  void renew() { numbers_.renew(D_, run_.order()); }
  /// Of the L-vectors x and y, which do not overlap.
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
  static evaluation<double> evaluation_of(const parts& p, const std::shared_ptr<point_call>& call, int factors);
  explicit taken_operator(const parts& p);

  point_numbers numbers_;
  std::shared_ptr<point_call> call_;  // none: a built-in operator
  restriction x_, y_;
  global_evaluation<double> run_;
  point_data<double> D_;
};

}  // namespace tessera::ceed
