// SPDX-License-Identifier: BSD-3-Clause
// device_pointer: an iterator over device memory that host code can move, compare and pass on, but not dereference.
#pragma once

#include <compare>
#include <cstddef>
#include <type_traits>

#include <tessera/core/types.hpp>

namespace tessera {

/// How an entry is read or written: defined by <tessera/gpu/thrust.hpp>; without it, dereferencing does not compile.
template <class T>
struct device_access;

/// The result of tensor<T, gpu>::begin(). With <tessera/gpu/thrust.hpp> Thrust's algorithms accept it.
template <class T>
class device_pointer {
 public:
  constexpr device_pointer() = default;
  constexpr explicit device_pointer(T* address) : address_(address) {}
  template <class U>
    requires std::is_same_v<const U, T>
  constexpr device_pointer(device_pointer<U> p) : address_(p.get()) {}

  /// The raw device address.
  constexpr T* get() const { return address_; }

  constexpr decltype(auto) operator*() const { return device_access<T>::at(address_); }
  constexpr decltype(auto) operator[](std::ptrdiff_t n) const { return device_access<T>::at(address_ + n); }

  constexpr device_pointer& operator+=(std::ptrdiff_t n) {
    address_ += n;
    return *this;
  }
  constexpr device_pointer& operator-=(std::ptrdiff_t n) { return *this += -n; }
  constexpr device_pointer& operator++() { return *this += 1; }
  constexpr device_pointer& operator--() { return *this -= 1; }
  constexpr device_pointer operator++(int) {
    const device_pointer before = *this;
    address_ += 1;
    return before;
  }
  constexpr device_pointer operator--(int) {
    const device_pointer before = *this;
    address_ -= 1;
    return before;
  }
  friend constexpr device_pointer operator+(device_pointer p, std::ptrdiff_t n) { return p += n; }
  friend constexpr device_pointer operator+(std::ptrdiff_t n, device_pointer p) { return p += n; }
  friend constexpr device_pointer operator-(device_pointer p, std::ptrdiff_t n) { return p -= n; }
  friend constexpr std::ptrdiff_t operator-(device_pointer a, device_pointer b) { return a.address_ - b.address_; }
  friend constexpr bool operator==(device_pointer a, device_pointer b) = default;
  friend constexpr auto operator<=>(device_pointer a, device_pointer b) = default;

 private:
  T* address_ = nullptr;
};

}  // namespace tessera
