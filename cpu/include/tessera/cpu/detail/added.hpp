// SPDX-License-Identifier: BSD-3-Clause
// beta times an old number and a new one, with the bits that a vector of them has.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::simd {

/// value + beta old as Isa::fma has it: the compiler might round value later, and not beta old.
template <class Isa, class T>
[[gnu::always_inline]] inline T added(T beta, T old, T value) {
  if constexpr (!Isa::fused)
    return value + beta * old;
  else if constexpr (same_type<T, float>)
    return __builtin_fmaf(beta, old, value);
  else
    return __builtin_fma(beta, old, value);
}

}  // namespace tessera::simd
