// SPDX-License-Identifier: BSD-3-Clause
// Entries in device memory with guards around them: writes outside of them are detected.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include <tessera/memory.hpp>

#include "measure/gpu/device.hpp"

namespace tessera::tune {

/// Entries on the device between two zones of NaN.
template <class T>
class guarded_entries {
 public:
  guarded_entries(std::size_t entries, index_t shift)
      : start_(zone + std::size_t(shift)),
        host_(start_ + entries + zone, std::numeric_limits<T>::quiet_NaN()),
        device_(space_kind::gpu, host_.size() * sizeof(T)),
        entries_(entries) {}

  T& operator[](std::size_t i) { return host_[start_ + i]; }
  std::size_t size() const { return entries_; }
  T* send() {
    bench::device::upload(device_.data(), host_.data(), host_.size() * sizeof(T));
    return static_cast<T*>(device_.data()) + start_;
  }
  /// The entries on the device now, and whether the zones are unchanged.
  std::vector<T> fetch(bool& intact) const {
    std::vector<T> now(host_.size());
    bench::device::download(now.data(), device_.data(), now.size() * sizeof(T));
    const std::size_t end = start_ + entries_;
    intact = std::memcmp(now.data(), host_.data(), start_ * sizeof(T)) == 0 &&
             std::memcmp(now.data() + end, host_.data() + end, zone * sizeof(T)) == 0;
    return {now.begin() + std::ptrdiff_t(start_), now.begin() + std::ptrdiff_t(end)};
  }
  bool unchanged() const {
    std::vector<T> now(host_.size());
    bench::device::download(now.data(), device_.data(), now.size() * sizeof(T));
    return std::memcmp(now.data(), host_.data(), now.size() * sizeof(T)) == 0;
  }

 private:
  static constexpr std::size_t zone = 256;
  std::size_t start_;
  std::vector<T> host_;
  buffer device_;
  std::size_t entries_;
};

}  // namespace tessera::tune
