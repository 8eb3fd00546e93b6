// SPDX-License-Identifier: BSD-3-Clause
// contraction: the computation as a run-time value: an einsum and its scaling. The batch index is implicit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tessera/core/einsum.hpp>
#include <tessera/scaling.hpp>

namespace tessera {

class contraction {
 public:
  /// Throws status::bad_einsum with the fault in the text. `sum`: the type of sums, alpha and beta; empty: the inputs'
  /// type, or float for 16-bit inputs.
  explicit contraction(std::string_view text, scaling scale = assign, std::optional<scalar_type> sum = std::nullopt);
  /// contraction("ik,kj->ij", sums_in<double>(add))
  template <class Sum>
  contraction(std::string_view text, const scaling_in<Sum>& scale)
      : contraction(text, scaling(scale), scalar_of<Sum>) {}

  const std::string& text() const { return text_; }
  const einsum& modes() const { return modes_; }
  const scaling& scale() const { return scale_; }
  const std::optional<scalar_type>& sum() const { return sum_; }
  contraction scaled(complex<double> alpha, complex<double> beta) const {
    return contraction(text_, {alpha, beta}, sum_);
  }

 private:
  std::string text_;
  einsum modes_;
  scaling scale_;
  std::optional<scalar_type> sum_;
};

/// The text of a fault ("output letter 'z' is in no input").
std::string text_of(const einsum& e);

}  // namespace tessera
