// SPDX-License-Identifier: BSD-3-Clause
// D of elements in device memory, from the order in which users have it to that of the kernels.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// to[k + points (f + factors e)] = from[f + factors (k + points e)], both in device memory, in stream 0.
template <class T, class Stored>
void store_points(const T* from, index_t elements, index_t points, int factors, Stored* to);

}  // namespace tessera::device
