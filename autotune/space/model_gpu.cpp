// SPDX-License-Identifier: BSD-3-Clause
// The GPU model: one block of products against the issue rate, shared memory bandwidth and memory latency of a
// multiprocessor.
#include <algorithm>
#include <cmath>

#include "space/model.hpp"
#include "space/shared_banks.hpp"

namespace tessera::tune {

namespace {

constexpr double shared_width = 128;       // bytes a cycle
constexpr double instruction_rate = 4;     // of warps, a cycle
constexpr double memory_latency = 1.2e-6;  // seconds from a block's start to its data, and from its stores to its end
constexpr double block_start = 0.1e-6;     // seconds between starts of blocks on a multiprocessor
constexpr double shared_latency = 25, fma_latency = 4;  // cycles
// A multiplication on tensor cores: 16 x 8 x 4, sixteen multiply-adds of a warp, in the time of eight.
constexpr double fmas_of_tensor = 8, tensor_latency = 16;
constexpr double block_instructions = 150;  // of a warp, beside its products: chunks, barriers, addresses
constexpr double tile_instructions = 25;    // of a warp, to find its tile in the block

struct machine {
  double clock, multiprocessors, fma_rate, shared;
};

// `fma_rate`: warps of multiply-adds a cycle and multiprocessor.
machine machine_of(const tuning_case& c, const machine_limits& limits) {
  machine has{};
  has.clock = limits.clock > 0 ? limits.clock : 1.5e9;
  has.multiprocessors = limits.multiprocessors > 0 ? limits.multiprocessors : 100;
  const double all = has.clock * has.multiprocessors;
  const double peak = c.type == scalar_type::f32 ? limits.flops_f32 : limits.flops_f64;
  has.fma_rate = peak > 0 ? peak / (2 * 32 * all) : instruction_rate;
  has.shared = limits.shared_bandwidth > 0 ? limits.shared_bandwidth / all : shared_width;
  return has;
}

// The number of resident blocks of a multiprocessor.
struct residency {
  int blocks;
  double occupancy;
};

residency residency_of(const gpu_gemm_tuning& t, const gemm_form& f, const gpu_limits& gpu, bool add) {
  // Registers are allocated in multiples of 8 per thread; the system reserves 1 KiB of shared memory per block.
  const int registers = std::min(registers_of(t, f), registers_allowed(t, gpu)) / 8 * 8 + 8;
  const int by_registers = gpu.registers / (registers * t.threads), by_threads = gpu.all_threads / t.threads;
  const int by_shared = int(gpu.all_shared_bytes / (shared_bytes_of(t, f, add) + 1024));
  const int blocks = std::max(1, std::min({by_registers, by_threads, by_shared, gpu.blocks}));
  return {blocks, double(blocks * t.threads) / gpu.all_threads};
}

// Seconds from one block's end to the next one's: `blocks` resident blocks queue for the launch, for memory and for the
// multiprocessor. Mean value analysis of that closed queue: with many blocks the slowest of these limits, with few the
// sum of all.
double time_of_a_block(int blocks, double memory, double inside, double waits) {
  const double service[] = {block_start, memory, inside};
  double there[] = {0, 0, 0}, rate = 0;
  for (int n = 1; n <= blocks; ++n) {
    double turn[3], all = waits;
    for (int i = 0; i < 3; ++i) all += turn[i] = service[i] * (1 + there[i]);
    rate = n / all;
    for (int i = 0; i < 3; ++i) there[i] = rate * turn[i];
  }
  return 1 / rate;
}

// Entries per product; operands shared by all products stay in cache.
double streamed_inputs(const gemm_form& f) {
  return (is_shared(f.layouts.left) ? 0 : double(f.m * f.k)) + (is_shared(f.layouts.right) ? 0 : double(f.k * f.n));
}

// Of one block, in cycles of warp instructions or shared memory accesses.
struct block_work {
  tile_warps warps;
  bank_cycles banks;
  double steps, fmas, instructions, shared_cycles, conflicts, loads, stores;
};

block_work work_of(const gpu_gemm_tuning& t, const gemm_form& f, const gpu_limits& gpu, bool add) {
  block_work b{};
  b.warps = warps_of(t, f);
  b.banks = bank_cycles_of(t, f);
  // By warps: lanes without a tile cost the same.
  const double tiles = b.warps.count, k = steps_of(t, f), rows = t.tile_rows, cols = t.tile_cols, entries = rows * cols;
  const access_widths width = widths_of(t, f);
  // Accesses and multiplications a step.
  const double of_a = rows / width.left, of_b = (t.tensor_cores ? cols / 2 : cols) / width.right;
  const double multiplied = t.tensor_cores ? std::ceil(rows / 2) * cols / 2 : entries;
  const bool old_direct = add && takes_place_of_input(t.over_a, add), old_staged = add && !old_direct;
  const auto of_block = [&](packed_layout layouts, index_t each) {
    return double(each * (is_shared(layouts) ? 1 : t.matrices));
  };
  const double touched = of_block(f.layouts.left, f.m * f.k) + of_block(f.layouts.right, f.k * f.n) +
                         of_block(f.layouts.out, f.m * f.n) * (old_staged ? 2 : 1);
  const double staged_bytes = touched * double(size_of(f.type.in)), passes_of_c = old_staged ? 2 : 1;
  const auto reads_and_writes = [&](double left, double right, double out) {
    return tiles * (k * (of_a * left + of_b * right) + entries * out * passes_of_c);
  };
  const double tile_cycles = reads_and_writes(b.banks.left, b.banks.right, b.banks.out);
  b.conflicts = tile_cycles - reads_and_writes(b.banks.least_left, b.banks.least_right, b.banks.least_out);
  b.shared_cycles = tile_cycles + staged_bytes / shared_width;
  b.steps = k;
  b.fmas = tiles * k * multiplied * (t.tensor_cores ? fmas_of_tensor : 1);
  b.loads = tiles * (k * (of_a + of_b) + (add ? entries : 0));
  b.stores = tiles * entries;
  const double by_threads = t.loads || !gpu.bulk_copies ? 4 * staged_bytes / (16 * 32) : 0;
  b.instructions = tiles * (k * (multiplied + of_a + of_b + 1) + entries * (add ? 6 : 4) + tile_instructions) +
                   by_threads + (old_direct ? tiles * entries : 0) + block_instructions * t.threads / 32;
  return b;
}

prediction predict_one(const gpu_gemm_tuning& t, const tuning_case& c, const machine_limits& limits,
                       const gpu_limits& gpu, bool add) {
  const gemm_form f{c.type, c.m, c.n > 0 ? c.n : c.k, c.k, c.in, c.layouts};
  const block_work b = work_of(t, f, gpu, add);
  const residency resident = residency_of(t, f, gpu, add);
  const double word = double(size_of(c.type)), products = t.matrices, results = double(f.m * f.n) * word;

  prediction p;
  p.bytes = streamed_inputs(f) * word + results * (add ? 2 : 1);
  p.fmas = b.fmas * (t.tensor_cores ? 2 : 1) * 32 / products;
  p.loads = b.loads * 32 / products;
  p.stores = b.stores * 32 / products;
  p.shared_bytes = b.shared_cycles * shared_width / products;
  p.conflicts = b.conflicts / products;
  p.registers = registers_of(t, f);
  p.occupancy = resident.occupancy;

  const machine has = machine_of(c, limits);
  // Lanes read such entries of C in the order of tiles: sectors that several warps access are read more than once.
  const bool old_direct = add && takes_place_of_input(t.over_a, add);
  const double moved = p.bytes + (old_direct ? results * (b.banks.sectors - 1) : 0);
  const double bandwidth = c.in == memory_regime::stream ? limits.bandwidth_stream : limits.bandwidth_cache;
  const double memory = bandwidth > 0 ? moved * products * has.multiprocessors / bandwidth : 0;
  const limiting_time inside = combined<3>({{"multiply-adds", b.fmas / has.fma_rate / has.clock},
                                            {"shared memory", b.shared_cycles * shared_width / has.shared / has.clock},
                                            {"instructions", b.instructions / instruction_rate / has.clock}});
  // A block waits for its data, computes the passes one after the other, and waits for its stores.
  const access_widths width = widths_of(t, f);
  const double reads = double(t.tile_rows) / width.left * b.banks.left +
                       double(t.tile_cols) / (t.tensor_cores ? 2 : width.right) * b.banks.right;
  const double pass_cycles = b.steps * ((t.tensor_cores ? tensor_latency : fma_latency) + (reads + shared_latency) / 4);
  const double waits = memory_latency * (old_direct ? 1.4
                                         : t.loads  ? 1.5
                                                    : 1) +
                       b.warps.passes * pass_cycles / has.clock;
  const limiting_time all = combined<3>(
      {{c.in == memory_regime::stream ? "memory" : "cache", memory}, inside, {"latency", waits / resident.blocks}});
  p.seconds = time_of_a_block(resident.blocks, memory, inside.seconds, waits) / (has.multiprocessors * products);
  p.limited_by = all.name;
  return p;
}

}  // namespace

prediction predict(const gpu_gemm_tuning& t, const tuning_case& c, const machine_limits& limits,
                   const gpu_limits& gpu) {
  return mean_of(c.layouts, predict_one(t, c, limits, gpu, false), predict_one(t, c, limits, gpu, true));
}

}  // namespace tessera::tune
