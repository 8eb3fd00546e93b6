// SPDX-License-Identifier: BSD-3-Clause
// How a kernel's lists name numbers: a number and the mark of a sign in an unsigned integer.
#pragma once

namespace tessera::device {

/// Code: an unsigned type.
template <class Code>
struct number_code {
  static constexpr int bits = 8 * int(sizeof(Code)) - 1;
  static constexpr Code opposite = Code(1) << bits;  ///< the sign is the opposite
  static constexpr Code below = opposite - 1;        ///< numbers are less than this
  static constexpr Code left_out = below;            ///< 0 in x, not written in y

  static constexpr bool is_there(Code code) { return (code & below) != left_out; }
  static constexpr Code number(Code code) { return code & below; }
  template <class T>
  static constexpr T signed_as(Code code, T value) {
    return (code & opposite) != 0 ? -value : value;
  }
};

}  // namespace tessera::device
