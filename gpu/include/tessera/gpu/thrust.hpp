// SPDX-License-Identifier: BSD-3-Clause
// Lets Thrust's algorithms take iterators of device tensors and batches: thrust::fill(t.begin(), t.end(), 9) runs on
// the GPU.
#pragma once

#include <iterator>

#include <thrust/device_ptr.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <tessera/device_pointer.hpp>

namespace tessera {

/// For kernels only, Thrust's among them: host code that dereferences it crashes.
template <class T>
struct device_access {
  static constexpr T& at(T* address) { return *address; }
};

/// The same address as one of Thrust's pointers.
template <class T>
thrust::device_ptr<T> thrust_pointer(device_pointer<T> p) {
  return thrust::device_ptr<T>(p.get());
}

}  // namespace tessera

// The iterator's category carries "device" in it, which is how Thrust dispatches.
template <class T>
struct std::iterator_traits<tessera::device_pointer<T>> : std::iterator_traits<thrust::device_ptr<T>> {
  using pointer = tessera::device_pointer<T>;
  using reference = T&;
};

THRUST_NAMESPACE_BEGIN
template <class T>
struct proclaim_contiguous_iterator<tessera::device_pointer<T>> : true_type {};
THRUST_NAMESPACE_END
