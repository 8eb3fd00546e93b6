// SPDX-License-Identifier: BSD-3-Clause
// The tuning of the kernel of symmetric element matrices by lines in halves, as a type of integers.
#pragma once

#include <tessera/element/halved_room.hpp>
#include <tessera/gpu/element/pair_arguments.hpp>

namespace tessera::device {

/// halved_tuning and what else is no size of one direction.
template <bool Packed, bool Sliced, int Tiled, int Waves, bool Along, int AtOnce, int Threads, int Blocks>
struct halved_shape {
  static constexpr bool packed = Packed;
  static constexpr halved_tuning tuning{Sliced, Tiled, Waves, Along, AtOnce, Threads, Blocks};
};

}  // namespace tessera::device
