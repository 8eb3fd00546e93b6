// SPDX-License-Identifier: BSD-3-Clause
// Some numbers of a vector one after the other, as they are sent.
#pragma once

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/element/restriction.hpp>
#include <tessera/space.hpp>

#include <span>
#include <vector>

namespace tessera::fem::detail {

/// Numbers of a vector: packed, and added where they are from. On a GPU each is an element of one entry.
class packed_numbers {
 public:
  packed_numbers(std::span<const index_t> numbers, index_t size)
      : numbers_(numbers.begin(), numbers.end()),
        on_gpu_({.elements = index_t(numbers.size()), .entries = 1, .size = size, .offsets64 = numbers_.data()}) {}

  index_t count() const { return index_t(numbers_.size()); }
  template <class T>
  void pack(space_kind space, const T* from, T* to, stream_view on) const {
    if (space == space_kind::gpu) return on_gpu_.to_elements(from, to, on);
    each([=](index_t k, std::int64_t number) { to[k] = from[number]; });
  }
  template <class T>
  void add(space_kind space, const T* from, T* to, stream_view on) const {
    if (space == space_kind::gpu) return on_gpu_.add_from_elements(from, to, on);
    each([=](index_t k, std::int64_t number) { to[number] += from[k]; });
  }

 private:
  // f(k, the k-th number), each of which is there once.
  template <class F>
  void each(const F& f) const {
    constexpr index_t few = 16384;  // stay on the calling thread
    const auto some = [&](index_t first, index_t last) {
      for (index_t k = first; k < last; ++k) f(k, numbers_[std::size_t(k)]);
    };
    if (count() < few)
      some(0, count());
    else
      for_batch_chunks(count(), some);
  }

  std::vector<std::int64_t> numbers_;
  restriction on_gpu_;
};

}  // namespace tessera::fem::detail
