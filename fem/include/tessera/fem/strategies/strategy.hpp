// SPDX-License-Identifier: BSD-3-Clause
// The five ways to apply y = B^T D B x on elements: their storage and cost.
#pragma once

#include <tessera/core/types.hpp>

#include <cstddef>
#include <vector>

namespace tessera::fem {

/// With d functions and q points a direction, dim directions:
enum class strategy {
  full_assembly,            ///< M from the dense q^dim x d^dim table, stored; y = M x
  decomposed_evaluation,    ///< the dense table and D are stored; y = B^T (D (B x))
  near_optimal_assembly,    ///< M from a chain over the 1-D tables, stored; y = M x
  near_optimal_evaluation,  ///< the 1-D tables and D are stored (partial assembly); y from a chain over them
  matrix_free               ///< nothing is stored: D is computed from the geometry, block by block, then as above
};

inline constexpr strategy all_strategies[] = {strategy::full_assembly, strategy::decomposed_evaluation,
                                              strategy::near_optimal_assembly, strategy::near_optimal_evaluation,
                                              strategy::matrix_free};

constexpr const char* name_of(strategy how) {
  switch (how) {
    case strategy::full_assembly: return "full assembly";
    case strategy::decomposed_evaluation: return "decomposed evaluation";
    case strategy::near_optimal_assembly: return "near-optimal assembly";
    case strategy::near_optimal_evaluation: return "near-optimal evaluation";
    case strategy::matrix_free: return "matrix-free";
  }
  return "unknown";
}

/// The parameters of a mass operator's cost.
struct mass_sizes {
  int d = 2;             ///< functions a direction
  std::vector<int> q;    ///< points, one number a direction
  int geometry = 2;      ///< geometry nodes a direction
  bool varying = false;  ///< the coefficient is not constant: matrix_free reads it at points
  std::size_t entry_bytes = 8;
};

/// The cost of one element. Flops: 2 per multiply-add. Bytes: each input read once, each output written once, without
/// tables shared by all elements. Assembly is from D to M (matrix_free: from the geometry).
struct element_cost {
  double assembly_flops = 0, assembly_bytes = 0;
  double apply_flops = 0, apply_bytes = 0;
  double stored = 0;         ///< entries stored for each element between applications
  double stored_shared = 0;  ///< entries stored once for all elements: tables
};

element_cost cost_of_mass(strategy how, const mass_sizes& sizes);

}  // namespace tessera::fem
