// SPDX-License-Identifier: BSD-3-Clause
// The version of these headers.
#pragma once

namespace tessera {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 2;
inline constexpr int version_patch = 0;
inline constexpr int version_number = version_major * 10000 + version_minor * 100 + version_patch;

}  // namespace tessera
