// SPDX-License-Identifier: BSD-3-Clause
// A tuning case, which has one winner: a product of fixed sizes, or an element operator of one order, or its element
// matrices, in one type, on one target, in one memory regime.
#pragma once

#include <optional>
#include <string>

#include <tessera/core/packed_layout.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/element/matrix_storage.hpp>
#include <tessera/element/operator_kind.hpp>
#include <tessera/scalar.hpp>
#include <tessera/target.hpp>

namespace tessera::tune {

/// y = B^T D(B x) of one order with q points in each direction: on a GPU streamed from memory, on a CPU in either
/// regime.
struct element_case {
  operator_kind kind = operator_kind::mass;
  int dim = 3, p = 1, q = 3;
  bool nodal = false;  // the points are the Gauss-Lobatto nodes: on a CPU only
  int repeats = 1;     // applications to an element, to components of their own: on a GPU only
  // Its element matrices, instead of applications: on a GPU only.
  std::optional<matrix_storage> matrices = {};
  bool either = false;  // of a record: it serves the other storage, too

  friend bool operator==(const element_case&, const element_case&) = default;
};

/// The data of one element in memory.
struct element_numbers {
  index_t entries = 0;  // of x, and of y
  index_t of_D = 0;
  index_t of_matrix = 0;  // where that is what the case is about

  /// What has to be read and written.
  index_t moved() const { return (of_matrix > 0 ? of_matrix : 2 * entries) + of_D; }
};
element_numbers numbers_of(const element_case& c);

/// Packed C = A B and C += A B, column-major or, on a GPU, as `layouts` says; a candidate's time is the geometric mean
/// of both, see of_both.
struct tuning_case {
  target on = target::reference;
  scalar_type type = scalar_type::f64;
  memory_regime in = memory_regime::cache;
  index_t m = 1, n = 1, k = 1;
  packed_layouts layouts = {};
  std::optional<element_case> element = {};  // of an element operator; the sizes above are then ignored

  friend bool operator==(const tuning_case&, const tuning_case&) = default;

  bool is_of_matrices() const { return element && element->matrices; }
};

/// The weighted geometric mean of the times of C = A B and C += A B. They have equal weight; but with an operand shared
/// by all products, a table, C += A B has a quarter, because of the steps of an element operator only the last one
/// adds.
double of_both(const packed_layouts& layouts, double assign, double add);

/// "avx2 f64 cache 5x5x5", "cuda f64 stream 3x4x2, A shared", "cuda f64 mass 3-D p1 q3", "avx2 f64 stream mass 3-D p1
/// q2 gll": names a case in journals, recordings and messages.
std::string key_of(const tuning_case& c);

}  // namespace tessera::tune
