// SPDX-License-Identifier: BSD-3-Clause
// Which records this build compiles: the few marked smoke.
#pragma once

namespace tessera::simd {

inline constexpr bool full_rows = false;

}  // namespace tessera::simd
