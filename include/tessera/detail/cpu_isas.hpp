// SPDX-License-Identifier: BSD-3-Clause
// The properties of the CPU instruction sets, one row each. All C++ code that handles every instruction set loops over
// this table.
#pragma once

#include <iterator>
#include <string>

#include <tessera/core/types.hpp>
#include <tessera/target.hpp>

namespace tessera::detail {

struct cpu_isa_numbers {
  target isa;
  int bytes, registers;  // of a vector, and how many of them
  bool fused;            // multiplies and adds in one instruction
  bool streams;          // has non-temporal stores
  bool masks;            // loads and stores a part of a vector in one instruction
  bool halves;           // has registers of half the width, for short tails
  // Limits of the model. Baseline x86 copies an operand for every product, so its tiles stay small.
  int most_vectors, most_columns, longest_unrolled_k;
};
/// In the order of the enumeration.
inline constexpr cpu_isa_numbers cpu_isas[] = {{target::sse2, 16, 16, false, true, false, false, 2, 4, 3},
                                               {target::avx2, 32, 16, true, true, false, false, 3, 8, 8},
                                               {target::avx512, 64, 32, true, true, true, true, 4, 12, 12},
                                               {target::neon, 16, 32, true, false, false, false, 4, 12, 12},
                                               {target::sve256, 32, 32, true, false, true, false, 4, 12, 12},
                                               {target::sve512, 64, 32, true, false, true, false, 4, 12, 12}};

constexpr bool has_row_for_each_cpu_target() {
  std::size_t next = 0;
  for (const target t : all_targets)
    if (t != target::reference && t != target::cuda && (next == std::size(cpu_isas) || cpu_isas[next++].isa != t))
      return false;
  return next == std::size(cpu_isas);
}
static_assert(has_row_for_each_cpu_target());

constexpr cpu_isa_numbers numbers_of(target isa) {
  for (const cpu_isa_numbers& n : cpu_isas)
    if (n.isa == isa) return n;
  return cpu_isas[0];
}

/// "sse2, avx2, avx512, neon, sve256, sve512"
inline std::string cpu_isa_names() {
  std::string names;
  for (const cpu_isa_numbers& n : cpu_isas) names += (names.empty() ? "" : ", ") + std::string(name_of(n.isa));
  return names;
}

}  // namespace tessera::detail
