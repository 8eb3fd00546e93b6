// SPDX-License-Identifier: BSD-3-Clause
// Copies of host numbers in device memory.
#pragma once

#include <vector>

#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

namespace tessera::device {

template <class T>
buffer uploaded(const T* from, index_t count) {
  if (count == 0) return {};
  buffer there(space_kind::gpu, std::size_t(count) * sizeof(T));
  copy(there.data(), from, there.bytes(), direction::host_to_device);
  return there;
}
template <class T>
buffer uploaded(const std::vector<T>& from) {
  return uploaded(from.data(), index_t(from.size()));
}

/// `count` numbers in place, if they are in device memory, else a copy there.
template <class T>
class on_device {
 public:
  on_device() = default;
  on_device(const T* from, index_t count) {
    if (from == nullptr || count == 0) return;
    const bool is_there = is_device_pointer(from);
    if (!is_there) copy_ = uploaded(from, count);
    at_ = is_there ? from : static_cast<const T*>(copy_.data());
  }
  explicit on_device(const std::vector<T>& from) : on_device(from.data(), index_t(from.size())) {}
  const T* data() const { return at_; }

 private:
  buffer copy_;
  const T* at_ = nullptr;
};

}  // namespace tessera::device
