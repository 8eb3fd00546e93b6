// SPDX-License-Identifier: BSD-3-Clause
// The machine code of an ELF object, in pieces that can be compared whatever their names are.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::tune {

/// A place in a piece that the linker, or the driver, fills with an address.
struct code_reference {
  static constexpr std::size_t elsewhere = ~std::size_t{0};
  std::uint64_t at = 0, kind = 0;
  std::int64_t offset = 0;     // from the start of what it refers to
  std::size_t to = elsewhere;  // another piece of the object
  std::string name;            // where it is elsewhere: of the symbol
};

/// A function; or a section of data, constants or code without functions.
struct code_piece {
  std::string name;
  bool is_function = false;
  std::uint64_t own = 0;  // hash over its bytes, and over where its references are, not what they refer to
  std::vector<code_reference> references;
};

struct object_code {
  std::string name;
  int machine = 0;       // of ELF: 62 x86-64, 183 aarch64, 190 CUDA
  std::string compiler;  // as it signed the object
  std::vector<code_piece> pieces;
};

/// The pieces that are loaded to run: no debug information, no unwinding tables, no names of types. Throws
/// tessera::error for what is no 64-bit ELF object of these three machines, or holds no machine code yet (-flto).
object_code read_object(std::string_view elf, const std::string& name);

/// A hash for each piece: over the piece and what it refers to, so far as that is `depth` references away. Symbols
/// elsewhere count by name where `known` has it, else all alike.
inline constexpr int depth = 8;
std::vector<std::uint64_t> hashes_of(const object_code& object, const std::set<std::string>& known);

/// The names of the symbols elsewhere.
std::set<std::string> names_elsewhere(const object_code& object);

}  // namespace tessera::tune
