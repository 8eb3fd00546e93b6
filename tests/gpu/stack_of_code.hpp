// SPDX-License-Identifier: BSD-3-Clause
// What kernels of a CUDA binary keep in local memory, read from the binary itself: no GPU and no tools needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace tessera::testing {

namespace detail {

template <class T>
T at(std::span<const char> bytes, std::size_t place) {
  T value{};
  const auto from = bytes.subspan(place, sizeof(T));
  std::memcpy(&value, from.data(), sizeof(T));
  return value;
}

// Of an ELF file; empty where there is none of that name.
inline std::span<const char> section(std::span<const char> file, const std::string& name) {
  const auto headers = at<std::uint64_t>(file, 0x28);
  const auto size = at<std::uint16_t>(file, 0x3a), count = at<std::uint16_t>(file, 0x3c);
  const auto header = [&](std::size_t i) { return file.subspan(headers + i * size, size); };
  const auto content = [&](std::size_t i) {
    return file.subspan(at<std::uint64_t>(header(i), 0x18), at<std::uint64_t>(header(i), 0x20));
  };
  const std::span<const char> names = content(at<std::uint16_t>(file, 0x3e));
  for (std::size_t i = 1; i < count; ++i)
    if (name == names.data() + at<std::uint32_t>(header(i), 0)) return content(i);
  return {};
}

}  // namespace detail

/// Bytes of the largest frame of the binary's kernels; nothing where it does not say.
inline std::optional<unsigned> largest_frame(std::span<const char> binary) {
  constexpr char with_size = 4, frame_size = 0x11;  // an attribute's format and number
  const std::span<const char> attributes = detail::section(binary, ".nv.info");
  std::optional<unsigned> largest;
  for (std::size_t i = 0; i + 4 <= attributes.size();) {
    const auto size = detail::at<std::uint16_t>(attributes, i + 2);
    if (attributes[i] == with_size && attributes[i + 1] == frame_size)
      largest = std::max(largest.value_or(0), detail::at<std::uint32_t>(attributes, i + 8));
    i += attributes[i] == with_size ? 4 + std::size_t(size) : 4;
  }
  return largest;
}

}  // namespace tessera::testing
