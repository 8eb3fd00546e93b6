// SPDX-License-Identifier: BSD-3-Clause
// Kernels from source text that belong to the caller alone: nothing of the process keeps them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <tessera/gpu/detail/loaded_code.hpp>

namespace tessera::device {

struct sized_code {
  std::shared_ptr<const loaded_code> code;
  std::uint64_t bytes = 0;  // of machine code
};

/// The source's kernels on the current device, compiled or found on disk, and loaded; throws as ready_code does.
sized_code fresh_code(const std::string& name, const jit_source& source);

}  // namespace tessera::device
