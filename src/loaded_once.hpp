// SPDX-License-Identifier: BSD-3-Clause
// GPU kernels that this process compiled: each is loaded once for all plans and chains, and stays as kept_code says.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <tessera/detail/jit.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/kept_code.hpp>
#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::detail {

/// The reason why kernels cannot be compiled: TESSERA_JIT in the environment, or no NVRTC. Empty if they can.
std::string why_nothing_is_compiled();

template <class Kernel>
struct loaded_kernel {
  std::optional<Kernel> kernel;
  std::string refusal;  // the compiler's error
};

/// The kernel of that key, which no other type's kernel has, on the current device: compile() returns its code if it is
/// new, load(code) the kernel. Null if that fails, with the reason in `why_not`.
template <class Kernel, class Compile, class Load>
std::shared_ptr<const Kernel> loaded_once(const std::string& key, Compile compile, Load load,
                                          std::string& why_not) try {
  const auto make = [&]() -> device::kept_code::made {
    auto fresh = std::make_shared<loaded_kernel<Kernel>>();
    const jit_code code = compile();
    if (code.machine_code.empty())
      fresh->refusal = "NVRTC refuses it: " + code.first_error();
    else
      fresh->kernel.emplace(load(code));
    return {std::move(fresh), code.machine_code.size()};
  };
  const auto kept = std::static_pointer_cast<const loaded_kernel<Kernel>>(
      device::loaded_kernels().get("device " + std::to_string(device::current()) + " " + key, make));
  why_not = kept->refusal;
  if (!kept->kernel) return nullptr;
  return {kept, &*kept->kernel};
} catch (const error& e) {
  why_not = e.what();
  return nullptr;
}

}  // namespace tessera::detail
