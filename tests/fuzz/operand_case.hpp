// SPDX-License-Identifier: BSD-3-Clause
// Operands of the C API that an input describes, where their entries lie by the header's formula, and memory for them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tessera/tessera.h>

#include "bytes.hpp"
#include "entries.hpp"

namespace fuzz {

/// Memory of exactly so many bytes: the sanitizer watches the byte behind it.
class block {
 public:
  explicit block(std::size_t bytes);
  char* data() { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }
  std::vector<char> content() const { return {memory_.get(), memory_.get() + bytes_}; }

 private:
  struct release {
    void operator()(char* memory) const;
  };
  std::unique_ptr<char, release> memory_;
  std::size_t bytes_;
};

struct operand_case {
  tessera_operand o{};
  std::string letters;            // of the einsum; as many as the rank unless that was distorted
  std::vector<void*> members;     // of a group
  std::shared_ptr<block> memory;  // null where it is too large to exist

  /// Where entry `index` of batch entry b is, from the first byte of `memory`; of an operand that has some.
  std::ptrdiff_t place(const std::int64_t* index, std::int64_t b) const;
  std::int64_t batches() const { return o.batched ? o.count : 1; }
  std::int64_t tensor_entries() const;
};

inline constexpr std::int64_t most_entries = 1 << 16;

/// The bytes of a tensor in front of its first entry, which has the lowest address unless strides are negative.
/// Precondition: entries_spanned.
std::int64_t bytes_before(const tessera_operand& o);

/// How many entries it takes from the lowest to the highest one; nothing where that is more than most_entries, or where
/// the operand breaks the header's rules, so that the library has to refuse it.
std::optional<std::int64_t> entries_spanned(const tessera_operand& o);

/// A layout for the extents that are set: `lanes` tensors interleaved, dimensions in any order, gaps now and then.
void lay_out(tessera_operand& o, bytes& from);

/// Overwrites a field with something absurd.
void distort(tessera_operand& o, bytes& from);

/// As members of a group: tensors that lie one behind the other in a block, in any order, some twice.
void scatter(operand_case& c, bytes& from);

/// Gives it memory, where entries_spanned says how much, filled with small integers.
void fill(operand_case& c, bytes& from);

std::string text_of(const operand_case& c);

}  // namespace fuzz
