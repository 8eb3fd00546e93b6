// SPDX-License-Identifier: BSD-3-Clause
// Non-temporal stores of results: collected in a small buffer, stored in whole lines of 64 bytes.
#pragma once

#include <cstdint>

#include <tessera/cpu/detail/tile.hpp>

namespace tessera::simd {

/// Writes exactly [out, out + all entries added), for any alignment of out: partial lines at its ends are stored as
/// usual. Kernels put results at place() and then add() them.
template <class Isa, class T>
class line_stream {
 public:
  static constexpr index_t line = 64 / index_t(sizeof(T));

  /// The buffer is aligned to 64 bytes and one line larger than what is added at a time.
  [[gnu::always_inline]] line_stream(T* out, T* buffer)
      : buffer_(buffer), foreign_(index_t(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(T))), held_(foreign_) {
    line_ = out - foreign_;
  }

  [[gnu::always_inline]] T* place() const { return buffer_ + held_; }

  [[gnu::always_inline]] void add(index_t entries) {
    held_ += entries;
    index_t sent = 0;
    if (foreign_ > 0 && held_ >= line) {
      store(foreign_, line);
      foreign_ = 0;
      sent = line;
    }
    for (; sent + line <= held_; sent += line)
      each_vector([&](index_t i) __attribute__((always_inline)) {
        Isa::stream(line_ + sent + i, vector::load_aligned(buffer_ + sent + i));
      });
    if (sent == 0) return;
    held_ -= sent;
    line_ += sent;
    if (held_ > 0)
      each_vector([&](index_t i) __attribute__((always_inline)) {
        vector::load_aligned(buffer_ + sent + i).store_aligned(buffer_ + i);
      });
  }

  /// Stores the rest, followed by a fence: threads that see a later store also see all results.
  [[gnu::always_inline]] void finish() {
    store(foreign_, held_);
    Isa::end_stream();
  }

 private:
  using vector = typename Isa::template vector<T>;

  // f(i) for the start i of each vector of a line.
  template <class F>
  [[gnu::always_inline]] static void each_vector(const F& f) {
    unrolled<int(line / index_t(vector::size))>([&](auto v)
                                                    __attribute__((always_inline)) { f(v * index_t(vector::size)); });
  }
  // Entries [from, to) of the first line.
  [[gnu::always_inline]] void store(index_t from, index_t to) const {
    for (index_t i = from; i < to; ++i) line_[i] = buffer_[i];
  }

  T* buffer_;        // the image of memory from line_ on
  T* line_;          // aligned
  index_t foreign_;  // entries of the first line in front of out
  index_t held_;     // entries in the buffer, those included
};

}  // namespace tessera::simd
