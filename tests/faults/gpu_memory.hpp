// SPDX-License-Identifier: BSD-3-Clause
// Memory of the device with a host copy, and outputs of which a scenario knows how they get there and back.
#pragma once

#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

#include "scenario.hpp"

namespace tessera::faults {

template <class T>
class on_gpu {
 public:
  explicit on_gpu(std::vector<T> values) : host_(std::move(values)), there_(space_kind::gpu, host_.size() * sizeof(T)) {
    send();
  }
  T* data() { return static_cast<T*>(there_.data()); }
  std::vector<T>& host() { return host_; }
  void send() { device::copy(there_.data(), host_.data(), there_.bytes(), device::direction::host_to_device); }
  /// Waits for everything that was queued.
  void fetch() { device::copy(host_.data(), there_.data(), there_.bytes(), device::direction::device_to_host); }

 private:
  std::vector<T> host_;
  buffer there_;
};

/// Whose output is `y`, which lives in `memory`.
template <class T>
scenario with_output(std::function<void(said&)> call, on_gpu<T>& y, std::shared_ptr<void> memory) {
  return {std::move(call), {bytes_of(y.host())}, std::move(memory), [&y] { y.send(); }, [&y] { y.fetch(); }};
}

scenarios gpu_plan_scenarios();
scenarios gpu_memory_scenarios();
scenarios gpu_element_scenarios();
scenarios gpu_compile_scenarios();

}  // namespace tessera::faults
