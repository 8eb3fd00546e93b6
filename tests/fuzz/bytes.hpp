// SPDX-License-Identifier: BSD-3-Clause
// An input of a fuzzer as a source of decisions; where it ends, zeros follow, which stand for the ordinary choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace fuzz {

/// For what 63 bits do not hold.
__extension__ typedef __int128 wide;

class bytes {
 public:
  bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::uint8_t next() { return at_ < size_ ? data_[at_++] : std::uint8_t{0}; }
  int below(int n) { return next() % n; }
  /// Seldom: true for one value of 256 / n.
  bool one_in(int n) { return next() % n == n - 1; }

  template <class T, std::size_t N>
  T one_of(const T (&choices)[N]) {
    return choices[next() % N];
  }

  /// Numbers at which sizes overflow, or that are no sizes.
  std::int64_t absurd() {
    static constexpr int powers[] = {31, 32, 33, 40, 47, 52, 56, 58, 59, 60, 61, 62, 63};
    static constexpr std::int64_t near[] = {0, 1, -1, 2, -2, 63, 64, 100};
    const std::uint8_t which = next();
    if (which < 32) return std::int64_t{which} - 8;
    const std::uint64_t power = std::uint64_t{1} << one_of(powers);
    const std::uint64_t value = power + std::uint64_t(one_of(near));
    return std::int64_t(which % 4 == 0 ? 0 - value : value);
  }
  int absurd_int() {
    static constexpr int known[] = {-1, 0, 1, 2, 9, 100, 100000, 1 << 30, 2147483647, -2147483647 - 1, -2147483647};
    const std::uint8_t which = next();
    return which < 64 ? which - 8 : one_of(known);
  }

  std::string rest() {
    std::string text(reinterpret_cast<const char*>(data_) + at_, size_ - at_);
    at_ = size_;
    return text;
  }
  bool empty() const { return at_ >= size_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace fuzz
