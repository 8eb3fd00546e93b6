// SPDX-License-Identifier: BSD-3-Clause
// D of an operator from the passive inputs of a CeedOperator, renewed where they have changed.
#pragma once

#include <tessera/element/evaluation.hpp>

#include <span>
#include <vector>

#include "operator_fields.hpp"
#include "passive_field.hpp"

namespace tessera::ceed {

class point_numbers {
 public:
  /// Factor f of D is number order[f] of a point, or number f where there is no order. At least one factor.
  point_numbers(const operator_fields& fields, const int* order);

  int factors() const { return factors_; }
  /// The first factor of each input; -1: it is active.
  const std::vector<int>& first() const { return first_; }

  /// Sets D, whose element k is element order[k] of libCEED, if a passive input has changed.
  void renew(point_data<double>& D, std::span<const index_t> elements);

 private:
  void write(point_data<double>& D, std::span<const index_t> elements) const;

  index_t points_;
  int factors_ = 0;
  const int* order_;
  std::vector<int> first_;
  std::vector<passive_field> fields_;
};

}  // namespace tessera::ceed
