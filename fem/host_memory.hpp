// SPDX-License-Identifier: BSD-3-Clause
// Memory that the host reads or writes.
#pragma once

#include <tessera/error.hpp>
#include <tessera/memory.hpp>

#include <string>

namespace tessera::fem::detail {

inline void need_host(const std::string& what, const void* memory) {
  if (space_of(memory) == space_kind::gpu)
    throw error(what + ": device memory; host memory is needed", status::wrong_space);
}

}  // namespace tessera::fem::detail
