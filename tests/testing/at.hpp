// SPDX-License-Identifier: BSD-3-Clause
// An index as the standard library's containers want it.
#pragma once

#include <cstddef>

#include <tessera/core/types.hpp>

namespace tessera::testing {

constexpr std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

}  // namespace tessera::testing
