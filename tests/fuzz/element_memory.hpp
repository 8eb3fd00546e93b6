// SPDX-License-Identifier: BSD-3-Clause
// E-vectors in memory of their very size: where a layout of the C API puts each entry, by the header's formula.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tessera/fem/tessera_fem.h>

#include "bytes.hpp"

namespace fuzz {

/// The entries of some elements of a vector: i < entries, c < components, right hand sides r < sides.
struct vector_shape {
  std::int64_t entries = 0, components = 0;
  std::vector<std::int64_t> elements;
  std::int64_t sides = 1, side = 0;
  tessera_element_layout layout{};  // never all zero

  /// From where the library is given to where the entry lies; nothing where that leaves 63 bits of bytes.
  std::optional<std::int64_t> place(std::int64_t i, std::int64_t c, std::int64_t e, std::int64_t r) const;
};

tessera_element_layout conventional(std::int64_t entries, std::int64_t components);
bool says_nothing(const tessera_element_layout& l);

/// One of the usual layouts, or anything.
tessera_element_layout layout_from(bytes& from, std::int64_t entries, std::int64_t components, std::int64_t elements);

/// A vector whose entries lie inside a block of their very size; without memory where that would be too large.
class vector_memory {
 public:
  vector_memory(const vector_shape& shape, bool in_float);

  bool exists() const { return memory_ != nullptr; }
  /// What the library is given; null where there is no memory.
  void* given() const { return exists() ? memory_.get() - lowest_ * bytes_ : nullptr; }
  double get(std::int64_t i, std::int64_t c, std::int64_t e, std::int64_t r = 0) const;
  void set(std::int64_t i, std::int64_t c, std::int64_t e, std::int64_t r, double value);
  /// Small integers everywhere, gaps included.
  void fill(unsigned seed);

  std::vector<char> content() const { return {memory_.get(), memory_.get() + size_}; }
  /// The same with what the vector's entries hold now.
  std::vector<char> with_entries(std::vector<char> other) const;
  /// Whether two entries share an address.
  bool entries_meet() const;

 private:
  std::size_t at(std::int64_t place) const { return std::size_t((place - lowest_) * bytes_); }
  std::vector<std::int64_t> places() const;
  double get_at(std::size_t at) const;
  void set_at(std::size_t at, double value);

  struct release {
    void operator()(char* memory) const;
  };
  vector_shape shape_;
  std::int64_t bytes_, lowest_ = 0;
  std::size_t size_ = 0;
  std::unique_ptr<char, release> memory_;
};

}  // namespace fuzz
