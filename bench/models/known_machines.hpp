// SPDX-License-Identifier: BSD-3-Clause
// GPUs by their data sheets: those of Sinkin's thesis as its tables have them, and the H200.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include <tessera/core/types.hpp>

namespace tessera::bench::models {

struct known_machine {
  const char* name;
  double bandwidth;                      // bytes/s
  double peak_f64, peak_f32, peak_tf32;  // flop/s; f64 and f32 by multiply-adds, without matrix instructions
  index_t memory_bytes, shared_bytes;    // of the device, of a multiprocessor
  index_t l2_bytes;
  double nvlink;  // bytes/s to and from all others together
};

inline constexpr std::array<known_machine, 4> known_machines{{
    {"a100-40gb", 1555e9, 9.7e12, 19.5e12, 156e12, 40'000'000'000, 164 * 1024, 40'000'000, 600e9},
    {"a100-80gb", 2039e9, 9.7e12, 19.5e12, 156e12, 80'000'000'000, 164 * 1024, 40'000'000, 600e9},
    {"h100-sxm5", 3350e9, 33.5e12, 67e12, 494e12, 80'000'000'000, 228 * 1024, 50'000'000, 900e9},
    {"h200", 4800e9, 33.5e12, 67e12, 494e12, 141'000'000'000, 228 * 1024, 60'000'000, 900e9},
}};

/// "a100-40gb, a100-80gb, ..."
std::string names_of_machines();

/// Throws naming the known ones.
const known_machine& machine_called(std::string_view name);

}  // namespace tessera::bench::models
