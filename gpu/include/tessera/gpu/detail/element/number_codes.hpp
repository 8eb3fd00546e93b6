// SPDX-License-Identifier: BSD-3-Clause
// How a kernel's lists name numbers of an L-vector: a number and three marks in an unsigned integer.
#pragma once

namespace tessera::device {

/// Code: an unsigned type.
template <class Code>
struct number_code {
  static constexpr int bits = 8 * int(sizeof(Code)) - 3;
  static constexpr Code below = (Code(1) << bits) - 1;  ///< numbers are less than this
  static constexpr Code opposite = Code(1) << bits;     ///< the sign is the opposite
  static constexpr Code shared = opposite << 1;         ///< other patches have it: a place among the shared terms
  static constexpr Code first = shared << 1;            ///< no element was here before: y is written, not added to
  static constexpr Code left_out = below;               ///< 0 in x, not written in y

  static constexpr bool is_there(Code code) { return (code & below) != left_out; }
  static constexpr Code number(Code code) { return code & below; }
};

}  // namespace tessera::device
