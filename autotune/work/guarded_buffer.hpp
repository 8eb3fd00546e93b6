// SPDX-License-Identifier: BSD-3-Clause
// Memory between two zones of known bytes: writes outside are detected, and reads outside get NaN.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>

#include <tessera/error.hpp>

#include "work/large_pages.hpp"

namespace tessera::tune {

template <class T>
class guarded_buffer {
 public:
  /// `shift` entries behind an address that is a multiple of 64.
  explicit guarded_buffer(std::size_t entries, std::size_t shift = 0)
      : guarded_buffer(static_cast<std::byte*>(std::aligned_alloc(zone, bytes_for(entries, shift))), true, entries,
                       shift) {}
  /// The same in the caller's memory: the next bytes_for(entries) of it.
  guarded_buffer(large_pages& in, std::size_t entries)
      : guarded_buffer(in.take(bytes_for(entries)), false, entries, 0) {}

  /// A multiple of the zone.
  static constexpr std::size_t bytes_for(std::size_t entries, std::size_t shift = 0) {
    return (zone + (shift + entries) * sizeof(T) + zone + zone - 1) / zone * zone;
  }

  T* data() const { return reinterpret_cast<T*>(memory_.get() + start_); }
  T* begin() const { return data(); }
  T* end() const { return data() + entries_; }
  std::size_t size() const { return entries_; }

  bool is_intact() const {
    const auto marked = [](std::byte b) { return b == mark; };
    const std::byte* all = memory_.get();
    return std::all_of(all, all + start_, marked) &&
           std::all_of(all + start_ + entries_ * sizeof(T), all + bytes_, marked);
  }

 private:
  static constexpr std::size_t zone = 256;
  static constexpr std::byte mark{0xff};  // NaN in every type

  struct release {
    bool owned;
    void operator()(std::byte* memory) const {
      if (owned) std::free(memory);
    }
  };

  guarded_buffer(std::byte* memory, bool owned, std::size_t entries, std::size_t shift)
      : bytes_(bytes_for(entries, shift)),
        start_(zone + shift * sizeof(T)),
        entries_(entries),
        memory_(memory, release{owned}) {
    if (!memory_) throw error("no " + std::to_string(bytes_) + " bytes of memory", status::out_of_memory);
    std::fill_n(memory_.get(), bytes_, mark);
  }

  std::size_t bytes_, start_, entries_;
  std::unique_ptr<std::byte[], release> memory_;
};

}  // namespace tessera::tune
