// SPDX-License-Identifier: BSD-3-Clause
// What a kernel of a general contraction works with, beside the form: types, what multiplies, functions of entries.
#pragma once

#include <optional>
#include <string>

#include <tessera/core/scalar_type.hpp>

namespace tessera::detail {

/// What multiplies and adds: tensor cores in double; in TF32, once or as three products that keep most of float's
/// digits; of 16-bit numbers with sums in float; or multiply-adds of any type and any pair of operations.
enum class general_by { mma_f64, mma_tf32, mma_3xtf32, mma_16, fma };

/// A square matrix of the sums' type that the sums are multiplied by before they are written: the columns' digit number
/// `digit` of the form, of `extent` entries in the right operand and in the output, gets the sum over q of entry (p, q)
/// times the sums of q. Its strides in memory.
struct general_second {
  int extent = 0, digit = 0;  // 0: none
  index_t row = 0, column = 0;

  friend bool operator==(const general_second&, const general_second&) = default;
};

/// out = result(alpha sum_k left(A) right(B) + beta addend(D)), the addend being the output itself, or another tensor
/// of the output's indices.
struct general_kind {
  scalar_type left = scalar_type::f64, right = scalar_type::f64, out = scalar_type::f64, sum = scalar_type::f64;
  general_by by = general_by::mma_f64;
  bool reads_out = false;               // beta is not 0, and the output is the addend
  std::optional<scalar_type> addend{};  // of a tensor of its own
  bool left_conjugated = false, right_conjugated = false;
  /// Source of a struct `general_functions` with static functions of any of the types: left, right, addend, result
  /// (of an entry), multiply (of two), add (of a sum and a product), neutral<S>() (what a sum begins with). Empty:
  /// entries as they are, multiplied and added. Its name, for records and texts.
  std::string functions{}, functions_name{};
  /// Whether multiply takes an entry of 0 on either side to the neutral element of add: what is outside of a tensor
  /// may be read as 0.
  bool zero_adds_nothing = true;
  /// Whether alpha and beta apply. Without it the addend joins the sum by the pair's own addition.
  bool scales = true;
  /// Of sums in float and double.
  general_second second{};

  friend bool operator==(const general_kind&, const general_kind&) = default;
};

/// "f64 by tensor cores", "f16, f16 -> f32 with sums in f32 by multiply-adds, relu(A)".
std::string text_of(const general_kind& kind);

/// The kinds of plain products: of these types, by the fastest instructions that round no more than the types do.
general_kind exact_kind(scalar_type in, scalar_type out, scalar_type sum);

}  // namespace tessera::detail
