// SPDX-License-Identifier: BSD-3-Clause
// The CPU instruction sets in numbers: vector bytes, registers, and how far the model of tilings goes.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/target.hpp>

namespace tessera::detail {

struct cpu_isa_numbers {
  target isa;
  int bytes, registers;
  // Limits of the model. Baseline x86 copies an operand for every product, so its tiles stay small.
  int most_vectors, most_columns, longest_unrolled_k;
};
inline constexpr cpu_isa_numbers cpu_isas[] = {{target::sse2, 16, 16, 2, 4, 3},
                                               {target::avx2, 32, 16, 3, 8, 8},
                                               {target::avx512, 64, 32, 4, 12, 12},
                                               {target::neon, 16, 32, 4, 12, 12}};

constexpr cpu_isa_numbers numbers_of(target isa) {
  for (const cpu_isa_numbers& n : cpu_isas)
    if (n.isa == isa) return n;
  return cpu_isas[0];
}

}  // namespace tessera::detail
