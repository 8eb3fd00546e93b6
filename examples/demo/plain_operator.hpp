// SPDX-License-Identifier: BSD-3-Clause
// The plain element loop with its data: tables and D computed by dense sums, independently of Tessera's kernels.
#pragma once

#include <vector>

#include "bent_box.hpp"
#include "peers.hpp"
#include "sizes.hpp"

namespace tessera::demo {

class plain_operator {
 public:
  plain_operator(const bent_box& mesh, const element_sizes& s);

  void apply(const double* x, double* y) const {
    loop_({B_.data(), Bt_.data(), C_.data(), Ct_.data()}, D_.data(), elements_, x, y);
  }
  const std::vector<double>& D() const { return D_; }

 private:
  void compute(const bent_box& mesh, const element_sizes& s);

  index_t elements_;
  plain_loop loop_;
  std::vector<double> B_, Bt_, C_, Ct_, D_;
};

}  // namespace tessera::demo
