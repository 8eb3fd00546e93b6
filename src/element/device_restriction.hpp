// SPDX-License-Identifier: BSD-3-Clause
// A restriction's lists in device memory, brought there when they are first needed.
#pragma once

#include <memory>
#include <mutex>

#include <tessera/core/types.hpp>

namespace tessera::detail {

struct restriction_state;

/// What restriction says, queued in a stream. Defined in gpu/element/device_restriction.cpp.
class device_restriction {
 public:
  explicit device_restriction(const restriction_state& of);
  template <class T>
  void to_elements(const T* x, T* E, void* stream) const;
  template <class T>
  void add_from_elements(const T* E, T* y, void* stream) const;

 private:
  struct lists;
  std::shared_ptr<const lists> lists_;
};

/// Made once; copies start without.
class lazy_device_restriction {
 public:
  lazy_device_restriction() = default;
  lazy_device_restriction(const lazy_device_restriction&) noexcept {}
  lazy_device_restriction& operator=(const lazy_device_restriction&) = delete;
  const device_restriction& of(const restriction_state& state) const {
    std::call_once(once_, [&] { made_ = std::make_unique<const device_restriction>(state); });
    return *made_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const device_restriction> made_;
};

}  // namespace tessera::detail
