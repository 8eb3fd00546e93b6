// SPDX-License-Identifier: BSD-3-Clause
// A GPU by its multiprocessors: the peaks that lanes and clock give, what is resident, and how many bytes are on their
// way to fill a bandwidth.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::bench::models {

struct chip {
  int multiprocessors = 0;
  double clock = 0;  // Hz, at boost, which the data sheets' peaks are for
  // Multiply-adds that a multiprocessor starts in a cycle: by its lanes, and by matrix instructions.
  int f64_lanes = 0, f32_lanes = 0, bf16_lanes = 0, f16_lanes = 0;
  int scalar_16 = 0;  // bf16 and f16 one number at a time
  int f64_matrix = 0, tf32_matrix = 0, f16_matrix = 0;
  // Of a multiprocessor, at most.
  int warps = 0, threads = 0, blocks = 0;
  index_t shared_bytes = 0;
  // Cycles from a load to its value, about.
  double cycles_of_registers = 0, cycles_of_shared = 0, cycles_of_l2 = 0, cycles_of_memory = 0;
};

/// NVIDIA A100 SXM4; bf16 and f16 lanes work on two or four numbers at a time.
inline constexpr chip a100{.multiprocessors = 108,
                           .clock = 1.41e9,
                           .f64_lanes = 32,
                           .f32_lanes = 64,
                           .bf16_lanes = 128,
                           .f16_lanes = 256,
                           .scalar_16 = 64,
                           .f64_matrix = 64,
                           .tf32_matrix = 512,
                           .f16_matrix = 1024,
                           .warps = 64,
                           .threads = 2048,
                           .blocks = 32,
                           .shared_bytes = 164 * 1024,
                           .cycles_of_registers = 1,
                           .cycles_of_shared = 20,
                           .cycles_of_l2 = 200,
                           .cycles_of_memory = 500};

/// Flop/s of `multiply_adds` a cycle on each multiprocessor; a multiply-add is two.
double peak_of(const chip& on, int multiply_adds);

/// A multiprocessor's part of a rate of the whole chip.
double of_one_multiprocessor(const chip& on, double rate);

/// All multiprocessors'.
index_t resident_warps(const chip& on);
index_t resident_threads(const chip& on);

/// Little's law: bytes that have to be on their way at any time, for a bandwidth in bytes/s at a latency in cycles.
double bytes_in_flight(const chip& on, double latency, double bandwidth);

}  // namespace tessera::bench::models
