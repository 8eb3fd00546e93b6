// SPDX-License-Identifier: BSD-3-Clause
// Which instruction set a user's function was compiled for: its own file's compiler flags decide, not the library.
#pragma once

#include <optional>
#include <string>

#include <tessera/element/evaluation.hpp>

namespace tessera::detail {

/// That of the machine code which a CPU calls; nothing where there is none, or where nobody said (a C function).
template <class T>
std::optional<target> function_isa_of(const compiled_function<T>* own) {
  const bool known = own != nullptr && own->isa != target::reference && own->isa != target::cuda;
  return known ? std::optional(own->isa) : std::nullopt;
}

/// "; the function was compiled for sse2, by the flags of its own file; this CPU has avx512: tessera_target_isa(TARGET
/// native) in CMake, else -march=native". The second part only where `best`, of this CPU, is wider. Empty for nothing.
std::string function_isa_text(std::optional<target> function_isa, target best);

}  // namespace tessera::detail
