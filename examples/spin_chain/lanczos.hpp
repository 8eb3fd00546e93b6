// SPDX-License-Identifier: BSD-3-Clause
// The lowest eigenvector of a symmetric operator by Lanczos' method, with vectors where the operator takes them.
#pragma once

#include <functional>
#include <vector>

#include <tessera/plan.hpp>

#include "packed_tensor.hpp"

namespace tessera::spin_chain {

struct lanczos_result {
  double value = 0;
  /// |H x - value x| of the result x, as the method has it.
  double residual = 0;
  int applications = 0;
};

/// Made once for vectors of one shape, which stand for rows x columns: sums go over the rows first, so that a GPU has
/// many at a time.
class lanczos {
 public:
  using apply_function = std::function<void(const operand& in, const operand& out)>;

  /// At most `most` vectors.
  lanczos(space_kind where, const std::vector<index_t>& extents, index_t rows, int most,
          const plan_options& plans = {});

  /// From x, which is not 0, to x of norm 1. Ends where the residual is at most `tolerance`, or after `most`
  /// applications. Throws where a number is not finite.
  lanczos_result run(packed_tensor& x, const apply_function& apply, double tolerance);

 private:
  // What the host reads at the end of a step.
  struct step_sums {
    double along = 0;   // of H v and v, the last vector
    double beyond = 0;  // |H v| without its components along the vectors
  };
  step_sums orthogonalise(index_t vectors);
  double norm(const packed_tensor& x);
  void dots(double* vectors, index_t count, const packed_tensor& with, index_t first_result);
  void scale(const packed_tensor& from, double factor, double* to);
  operand matrix(double* vector) const { return packed_operand(where_, vector, {rows_, columns_}); }
  operand results(index_t first) const { return packed_operand(where_, results_.data() + first, {most_}); }

  space_kind where_;
  index_t rows_, columns_, most_;
  packed_tensor vectors_, next_;                     // (extents, most), (extents)
  packed_tensor partial_, ones_, factor_, weights_;  // (columns, most), (columns), (1), (most)
  packed_tensor results_;                            // components, components again, a square: (2 most + 1)
  plan over_rows_, over_columns_, subtract_, combine_, scale_;
};

}  // namespace tessera::spin_chain
