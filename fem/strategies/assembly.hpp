// SPDX-License-Identifier: BSD-3-Clause
// Near-optimal assembly of element matrices: the chain with its tables and workspace.
#pragma once

#include "grid_tables.hpp"

#include <array>
#include <string>
#include <vector>

namespace tessera::fem::detail {

template <class T>
class near_optimal_assembly {
 public:
  /// For batches with the shapes of D (q1,q2[,q3]) and M (d,d[,d],d,d[,d]) and at most as many elements.
  near_optimal_assembly(const basis& functions, const quadrature_grid& grid, const operand& D, const operand& M,
                        const plan_options& options)
      : pairs_(make_pairs(functions, grid, M.space)),
        steps_(assembly_steps(shared(pairs_)), D, M, options),
        workspace_(M.space, steps_.workspace_bytes(M.count)) {}

  void run(const operand& D, const operand& M, stream_view on) { steps_.run(D, M, workspace_, on); }
  std::string describe() const { return steps_.describe(); }

 private:
  // B(k,i) B(k,j), with the indices in the order that each direction's step needs.
  static std::vector<field<T>> make_pairs(const basis& functions, const quadrature_grid& grid, space_kind space) {
    std::vector<field<T>> pairs;
    for (std::size_t a = 0; a < grid.axis.size(); ++a) {
      const basis_tables t = tabulate(functions, grid.axis[a]);
      // Strides of k, i, j in (i,k,j), (k,i,j), (i,j,k).
      const std::array<int, 3> strides[] = {{t.d, 1, t.d * t.q}, {1, t.q, t.q * t.d}, {t.d * t.d, 1, t.d}};
      const shape sizes[] = {of_size(t.d, t.q, t.d), of_size(t.q, t.d, t.d), of_size(t.d, t.d, t.q)};
      const auto [sk, si, sj] = strides[a];
      std::vector<T> values(static_cast<std::size_t>(t.q * t.d * t.d));
      for (int j = 0; j < t.d; ++j)
        for (int i = 0; i < t.d; ++i)
          for (int k = 0; k < t.q; ++k)
            values[static_cast<std::size_t>(k * sk + i * si + j * sj)] =
                static_cast<T>(t.B[static_cast<std::size_t>(k + t.q * i)] * t.B[static_cast<std::size_t>(k + t.q * j)]);
      pairs.emplace_back(space, sizes[a], 1, values);
    }
    return pairs;
  }
  static std::vector<operand> shared(const std::vector<field<T>>& fields) {
    std::vector<operand> operands;
    for (const field<T>& f : fields) operands.push_back(f.shared());
    return operands;
  }

  std::vector<field<T>> pairs_;
  chain steps_;
  buffer workspace_;
};

}  // namespace tessera::fem::detail
