// SPDX-License-Identifier: BSD-3-Clause
// Which records this build compiles: all of them.
#pragma once

namespace tessera::simd {

inline constexpr bool full_rows = true;

}  // namespace tessera::simd
