// SPDX-License-Identifier: BSD-3-Clause
// compensated<T>: a number kept as the sum of two, for reference sums where long double is no wider or too slow.
#pragma once

#include <cmath>

namespace tessera {

/// About twice the digits of T: products and sums are exact up to the square of T's round-off. Needs strict arithmetic
/// (no -ffast-math).
template <class T>
class compensated {
 public:
  constexpr compensated() = default;
  constexpr compensated(T value) : high_(value) {}

  explicit operator T() const { return high_ + low_; }
  T high() const { return high_; }
  T low() const { return low_; }

  friend compensated operator+(const compensated& a, const compensated& b) {
    const T sum = a.high_ + b.high_, part = sum - a.high_;
    const T lost = (a.high_ - (sum - part)) + (b.high_ - part);
    return normalised(sum, lost + (a.low_ + b.low_));
  }
  friend compensated operator*(const compensated& a, const compensated& b) {
    const T product = a.high_ * b.high_;
    return normalised(product, std::fma(a.high_, b.high_, -product) + (a.high_ * b.low_ + a.low_ * b.high_));
  }
  friend compensated operator-(const compensated& a) { return compensated(-a.high_, -a.low_); }
  friend compensated operator-(const compensated& a, const compensated& b) { return a + (-b); }
  friend compensated abs(const compensated& a) { return a.high_ < T(0) ? -a : a; }
  compensated& operator+=(const compensated& b) { return *this = *this + b; }

 private:
  constexpr compensated(T high, T low) : high_(high), low_(low) {}
  static compensated normalised(T high, T low) {
    const T sum = high + low;
    return compensated(sum, low - (sum - high));
  }

  T high_ = T(0), low_ = T(0);
};

}  // namespace tessera
