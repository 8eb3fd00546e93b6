// SPDX-License-Identifier: BSD-3-Clause
// The check that every kernel's source passes: NVRTC takes it without a warning, and it needs little local memory.
#pragma once

#include <tessera/gpu/detail/element/kernel.hpp>

#include <limits>
#include <string>

#include "stack_of_code.hpp"
#include "testing/catch.hpp"
#include "testing/skip.hpp"

namespace tessera::testing {

/// Where local memory is not limited.
inline constexpr unsigned any_frame = std::numeric_limits<unsigned>::max();

inline std::string pointwise_name(const char* name, int dim) {
  return std::string("tessera::pointwise::") + name + "<" + std::to_string(dim) + ">";
}

template <class Kernel>
void check_compiles(const Kernel& kernel, int architecture, unsigned most_frame = any_frame) {
  const device::jit_source source = device::source_of(kernel);
  const jit_code code = device::compile_source(source, {}, architecture);
  INFO(source.kernels.front() << ", sm_" << architecture << "\n" << code.log);
  REQUIRE_FALSE(code.machine_code.empty());
  CHECK(code.entries.size() == source.kernels.size());
  CHECK(code.log.find("warning") == std::string::npos);
  const std::optional<unsigned> frame = largest_frame(code.machine_code);
  REQUIRE(frame.has_value());
  CHECK(*frame <= most_frame);
}

}  // namespace tessera::testing
