// SPDX-License-Identifier: BSD-3-Clause
// contraction: the computation as a run-time value: an einsum, its scaling, functions of entries, and the pair of
// operations. The batch index is implicit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tessera/core/einsum.hpp>
#include <tessera/fused.hpp>
#include <tessera/scaling.hpp>

namespace tessera {

/// out = result(alpha sum a(A) b(B) + beta addend(out)), or, with another tensor as the addend, "ik,kj+ij->ij",
/// out = result(alpha sum a(A) b(B) + beta addend(D)). The addend has the output's letters in any order, and is an
/// operand between the inputs and the output.
class contraction {
 public:
  /// Throws status::bad_einsum with the fault in the text. `sum`: the type of sums, alpha and beta; empty: the inputs'
  /// type, float for 16-bit numbers, int for 16-bit integers. Types that are in no row of known_products and are not
  /// all integers of one type need it.
  explicit contraction(std::string_view text, scaling scale, std::optional<scalar_type> sum = std::nullopt);
  /// alpha = 1; beta = 1 where the text has an addend, else 0.
  explicit contraction(std::string_view text);
  /// contraction("ik,kj->ij", sums_in<double>(add))
  template <class Sum>
  contraction(std::string_view text, const scaling_in<Sum>& scale)
      : contraction(text, scaling(scale), scalar_of<Sum>) {}

  const std::string& text() const { return text_; }
  /// Without the addend.
  const einsum& modes() const { return modes_; }
  /// The addend's letters, if the text has one.
  const std::optional<tessera::modes>& addend() const { return addend_; }
  /// Inputs, addend and output.
  int operand_count() const { return modes_.inputs + int(addend_.has_value()) + 1; }
  const scaling& scale() const { return scale_; }
  const std::optional<scalar_type>& sum() const { return sum_; }
  const contraction_functions& functions() const { return functions_; }
  const operations& pair() const { return pair_; }
  /// Whether it is products and sums alone, without an addend but the output.
  bool is_plain() const { return !addend_ && functions_ == contraction_functions{} && pair_ == operations{}; }

  contraction scaled(complex<double> alpha, complex<double> beta) const;
  /// With these functions instead of its own. Of two inputs only.
  contraction with(const contraction_functions& functions) const;
  /// With this pair instead of its own: contraction("ik,kj->ij").over(min_plus). Of two inputs only. Other pairs than
  /// plus_times take alpha = 1 and beta = 0, or 1, which adds the addend by the pair.
  contraction over(const operations& pair) const;

 private:
  std::string text_;
  einsum modes_;
  std::optional<tessera::modes> addend_;
  scaling scale_;
  std::optional<scalar_type> sum_;
  contraction_functions functions_;
  operations pair_;
};

/// The text of a fault ("output letter 'z' is in no input").
std::string text_of(const einsum& e);

}  // namespace tessera
