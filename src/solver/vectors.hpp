// SPDX-License-Identifier: BSD-3-Clause
// Loops over vectors in either memory space.
#pragma once

#include <tessera/cpu/detail/vectors.hpp>
#include <tessera/gpu/detail/vectors.hpp>
#include <tessera/space.hpp>
#include <tessera/stream.hpp>

namespace tessera::detail {

template <class T>
void multiply(space_kind space, index_t n, double s, const T* d, const T* x, T* y, stream_view on) {
  if (space == space_kind::gpu)
    device::multiply(n, s, d, x, y, on.handle());
  else
    multiply(n, s, d, x, y);
}

template <class T>
void chebyshev_step(space_kind space, index_t n, double a, double b, const T* d, const T* r, const T* q,
                    const T* before, T* step, T* z, stream_view on) {
  if (space == space_kind::gpu)
    device::chebyshev_step(n, a, b, d, r, q, before, step, z, on.handle());
  else
    chebyshev_step(n, a, b, d, r, q, before, step, z);
}

template <class From, class To>
void convert(space_kind space, index_t n, const From* from, To* to, stream_view on) {
  if (space == space_kind::gpu)
    device::convert(n, from, to, on.handle());
  else
    convert(n, from, to);
}

/// A vector of `n` numbers in zeroed memory.
template <class T>
class vector_memory {
 public:
  vector_memory() = default;
  vector_memory(space_kind space, index_t n) : memory_(space, std::size_t(n) * sizeof(T)) {}
  T* data() const { return static_cast<T*>(memory_.data()); }

 private:
  buffer memory_;
};

}  // namespace tessera::detail
