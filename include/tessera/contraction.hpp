// SPDX-License-Identifier: BSD-3-Clause
// contraction: what is to be computed, as a run-time value: an einsum and its scaling. The batch index is implicit.
#pragma once

#include <string>
#include <string_view>

#include <tessera/core/einsum.hpp>
#include <tessera/scaling.hpp>

namespace tessera {

class contraction {
 public:
  /// Throws status::bad_einsum saying what is wrong with the text.
  explicit contraction(std::string_view text, scaling scale = assign);

  const std::string& text() const { return text_; }
  const einsum& modes() const { return modes_; }
  const scaling& scale() const { return scale_; }
  contraction scaled(double alpha, double beta) const { return contraction(text_, {alpha, beta}); }

 private:
  std::string text_;
  einsum modes_;
  scaling scale_;
};

/// What a fault means, in words ("output letter 'z' is in no input").
std::string text_of(const einsum& e);

}  // namespace tessera
