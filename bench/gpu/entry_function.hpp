// SPDX-License-Identifier: BSD-3-Clause
// A pass of its own over a tensor in device memory that takes a function of each entry.
#pragma once

#include <cstddef>

#include <tessera/core/scalar_type.hpp>

namespace tessera::bench::device {

/// to[i] = x > 0 ? x : slope x, where x = from[i], of real types; `to` may be `from`. Queued on the default stream.
void leaky_relu_pass(scalar_type type, const void* from, void* to, std::size_t entries, double slope);

}  // namespace tessera::bench::device
