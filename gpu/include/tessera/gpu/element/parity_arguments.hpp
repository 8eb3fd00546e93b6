// SPDX-License-Identifier: BSD-3-Clause
// The tuning of the kernel of symmetric element matrices by even and odd parts, as a type of integers.
#pragma once

#include <tessera/element/parity_room.hpp>
#include <tessera/gpu/element/product_arguments.hpp>

namespace tessera::device {

/// parity_tuning and what else is no size of one direction.
template <bool Packed, int Elements, int Columns, int Pad, int AtOnce, int Threads, int Blocks>
struct parity_shape {
  static constexpr bool packed = Packed;
  static constexpr parity_tuning tuning{Elements, Columns, Pad, AtOnce, Threads, Blocks};
};

}  // namespace tessera::device
