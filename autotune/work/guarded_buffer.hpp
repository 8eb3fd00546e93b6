// SPDX-License-Identifier: BSD-3-Clause
// Memory between two zones of known bytes: whoever writes outside is seen, and whoever reads outside reads NaN.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>

#include <tessera/error.hpp>

namespace tessera::tune {

template <class T>
class guarded_buffer {
 public:
  /// `shift` entries behind an address that is a multiple of 64.
  explicit guarded_buffer(std::size_t entries, std::size_t shift = 0)
      : bytes_((zone + shift * sizeof(T) + entries * sizeof(T) + zone + zone - 1) / zone * zone),
        start_(zone + shift * sizeof(T)),
        entries_(entries),
        memory_(static_cast<std::byte*>(std::aligned_alloc(zone, bytes_))) {
    if (!memory_) throw error("no " + std::to_string(bytes_) + " bytes of memory", status::out_of_memory);
    std::fill_n(memory_.get(), bytes_, mark);
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
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  std::size_t bytes_, start_, entries_;
  std::unique_ptr<std::byte[], release> memory_;
};

}  // namespace tessera::tune
