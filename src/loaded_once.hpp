// SPDX-License-Identifier: BSD-3-Clause
// GPU kernels that this process compiled: each is loaded once and stays until the end of the process, since queued runs
// and captured graphs outlive the plans and chains that it was compiled for.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <tessera/detail/jit.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::detail {

/// The reason why kernels cannot be compiled: TESSERA_JIT in the environment, or no NVRTC. Empty if they can.
std::string why_nothing_is_compiled();

template <class Kernel>
struct loaded_kernel {
  std::once_flag once;
  std::optional<Kernel> kernel;
  std::string refusal;  // the compiler's error
};

template <class Kernel>
loaded_kernel<Kernel>& slot_of(const std::string& key) {
  static std::mutex guard;
  // Never destroyed: CUDA may be shut down by then.
  static auto& all = *new std::map<std::string, loaded_kernel<Kernel>>;
  const std::lock_guard lock(guard);
  return all[key];
}

/// The kernel of that key on the current device: compile() returns its code if it is new, load(code) the kernel. Null
/// if that fails, with the reason in `why_not`.
template <class Kernel, class Compile, class Load>
const Kernel* loaded_once(const std::string& key, Compile compile, Load load, std::string& why_not) try {
  loaded_kernel<Kernel>& slot = slot_of<Kernel>("device " + std::to_string(device::current()) + " " + key);
  std::call_once(slot.once, [&] {
    const jit_code code = compile();
    if (code.machine_code.empty())
      slot.refusal = "NVRTC refuses it: " + code.first_error();
    else
      slot.kernel.emplace(load(code));
  });
  why_not = slot.refusal;
  return slot.kernel ? &*slot.kernel : nullptr;
} catch (const error& e) {
  why_not = e.what();
  return nullptr;
}

}  // namespace tessera::detail
