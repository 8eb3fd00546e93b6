// SPDX-License-Identifier: BSD-3-Clause
// Memory of either side with what the host gives it.
#pragma once

#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

#include <algorithm>
#include <vector>

namespace tessera::testing {

/// A copy of a vector, on the host or the device.
template <class T>
class placed {
 public:
  placed(const std::vector<T>& from, bool on_device)
      : count_(from.size()), memory_(on_device ? space_kind::gpu : space_kind::cpu, from.size() * sizeof(T)) {
    if (on_device)
      device::copy(memory_.data(), from.data(), memory_.bytes(), device::direction::host_to_device);
    else
      std::copy(from.begin(), from.end(), data());
  }
  T* data() const { return static_cast<T*>(memory_.data()); }
  /// Waits for the device.
  std::vector<T> read() const {
    std::vector<T> to(count_);
    if (memory_.space() == space_kind::gpu)
      device::copy(to.data(), data(), memory_.bytes(), device::direction::device_to_host);
    else
      std::copy_n(data(), count_, to.begin());
    return to;
  }

 private:
  std::size_t count_;
  buffer memory_;
};

}  // namespace tessera::testing
