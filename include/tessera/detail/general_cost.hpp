// SPDX-License-Identifier: BSD-3-Clause
// What a tile of a general contraction costs on a GPU: memory transactions, counted exactly, and a model of its time.
#pragma once

#include <tessera/detail/general_kind.hpp>
#include <tessera/detail/general_tile.hpp>

namespace tessera::detail {

/// An index of a tensor that is read box by box.
struct boxed_digit {
  index_t extent = 1, stride = 1, box = 1;
};

struct boxed_digits {
  int count = 0;
  boxed_digit at[3 * max_rank]{};

  void add(index_t extent, index_t stride, index_t box) { at[count++] = {extent, stride, box}; }
};

/// Aligned blocks of `entries` entries that are touched where all boxes of a tensor are read once, one after the other,
/// each run of consecutive entries of a box by itself. The tensor's first entry is `base` behind a block's start;
/// 1 <= entries <= 64. Along a digit of stride 0 every box reads the same. Exact where strides nest, as those of
/// tensors do: digits by stride, each at least the previous one's stride times its extent.
index_t transactions(const boxed_digits& tensor, int entries, index_t base = 0);

/// Entries that follow each other in memory in a box inside the tensor.
index_t run_of(const boxed_digits& tensor);

/// What a tile reads of its inputs and writes, as digits with boxes: those of the batch have boxes of 1.
boxed_digits left_of(const general_tile& tile, const general_form& of);
boxed_digits right_of(const general_tile& tile, const general_form& of);
boxed_digits out_of(const general_tile& tile, const general_form& of);

/// Limits of a GPU, and rates per second: of DRAM those of the data sheet, the others as kernels reach them.
struct gpu_rates {
  int multiprocessors = 132;
  // Tensor cores in double, in TF32 and for 16-bit numbers; multiply-adds in float and double: 2 flops each.
  double flops = 60e12, flops_tf32 = 330e12, flops_16 = 600e12, flops_fma32 = 55e12, flops_fma64 = 28e12;
  double l2 = 6.5e12, shared = 28e12;
  double dram = 3.35e12;
  index_t shared_of_block = 227 * 1024, shared_of_multiprocessor = 228 * 1024;
  int registers = 65536, threads = 2048;  // of a multiprocessor
  int most_splits = most_of_cluster;      // blocks for a sum: of a cluster, which not every GPU has
  int most_parts = 1;                     // the same through a workspace; 1: there is none
  double launch = 2e-6, on_all = 1e-6;    // seconds: of a launch, and what blocks on all multiprocessors add
};

/// Of kernels that are given a workspace, of at most so many bytes.
constexpr gpu_rates with_workspace(gpu_rates gpu) {
  gpu.most_parts = most_parts_of_sum;
  return gpu;
}
inline constexpr index_t most_workspace_of_sum = index_t{64} << 20;

inline constexpr gpu_rates rates_of_h100{};
inline constexpr gpu_rates rates_of_h200{.dram = 4.8e12};

inline constexpr int sector_bytes = 32;  // of a transaction

/// Transactions for all boxes of a tensor, each box once.
struct traffic {
  index_t sectors = 1, lines = 1;  // of 32 and of 128 bytes
};
traffic traffic_of(const boxed_digits& tensor, int entry_bytes = 8);

/// What the cost depends on of a kind of contraction.
struct kind_facts {
  general_by by = general_by::mma_f64;
  int left_bytes = 8, right_bytes = 8, out_bytes = 8, sum_bytes = 8;  // of an entry
  int addend_bytes = 0;                                               // 0: none
  double flops = 0;                                                   // per second, 2 for a product and its sum
  int second = 0;                                                     // extent of the matrix behind the sum; 0: none
};
kind_facts facts_of(const general_kind& kind, const gpu_rates& gpu);

/// What the cost of a tile depends on, of the tile and of its contraction.
struct general_work {
  index_t tiles = 1, steps = 1;  // of the output, and of the sum of each
  traffic left, right, out;
  index_t out_entries = 1;
  index_t left_repeats = 1, right_repeats = 1;      // how often the inputs are read
  int box_down = 1, box_across = 1, box_inner = 1;  // entries of a box; down: on the side of 16
  int warps_down = 1, warps_across = 1, stages = 2, splits = 1;
  bool exchanged = false;                    // the form's columns are on the side of 16
  int rows_together = 1, cols_together = 1;  // lines of an operand that multiply-adds may read at once
  warp_unit unit{};
  /// Nearest entries of the output lie down, and the box that follows in memory lies across: blocks that run together
  /// write far from each other, in pieces.
  bool is_scattered = false;

  constexpr int warps() const { return warps_down * warps_across; }
  constexpr int threads() const { return 32 * warps(); }
  constexpr int down() const { return padded(box_down, warps_down, unit.down); }
  constexpr int across() const { return padded(box_across, warps_across, unit.across); }
  constexpr int inner(general_by by) const {
    return padded(box_inner, 1, unit.shares_sum() ? lanes_of_sum : by == general_by::mma_16 ? 8 : 4);
  }
  constexpr bool has_parts() const { return splits > most_of_cluster; }
  /// Sums of all parts in a workspace, those that fill up boxes included.
  constexpr double sums_of_parts() const { return double(tiles) * splits * down() * across(); }
  /// Of a thread, by multiply-adds.
  constexpr int rows_of_thread() const { return down() / warps_down / unit.down; }
  constexpr int cols_of_thread() const { return across() / warps_across / unit.across; }
};
general_work work_of(const general_tile& tile, const general_form& of, const kind_facts& kind = {});
/// Lines of one side of the product that may lie side by side in shared memory, at most 16 bytes.
int lines_together(const int (&box)[max_rank], const general_digits& of, index_t general_digit::*input, int bytes);

/// The stride in the output of the nearest digit that a box does not hold whole; beyond every stride if it holds all.
index_t first_cut(const int (&box)[max_rank], const general_digits& of);
/// The stride in the output of the nearest digit.
index_t nearest(const general_digits& of);
/// general_work::is_scattered, by first_cut of rows and columns.
constexpr bool is_scattered(bool exchanged, bool rows_are_nearest, index_t cut_rows, index_t cut_cols) {
  return exchanged ? !rows_are_nearest && cut_rows < cut_cols : rows_are_nearest && cut_cols < cut_rows;
}

/// Registers of a thread, about: accumulators, two sets of fragments, addresses.
int registers_of(const general_work& work, const kind_facts& kind = {});
/// What gaps against bank conflicts may add to a box in shared memory.
constexpr double shared_gaps(general_by by) { return by == general_by::mma_16 ? 1.25 : 1.08; }
/// Of general_kind::second in shared memory.
constexpr int bytes_of_second(int extent, int sum_bytes) { return extent * (extent * sum_bytes + 16); }
/// Registers for results of that matrix, of a thread with so many sums along the digit: those of one vector, or four at
/// once of each line.
constexpr int registers_of_second(general_by by, int extent, int lines_of_thread, int sum_bytes) {
  if (extent == 0) return 0;
  return (by == general_by::fma ? 4 * lines_of_thread : extent / 2) * sum_bytes / 4;
}
/// Bytes of shared memory of a block.
index_t shared_bytes_of(const general_work& work, const kind_facts& kind = {});
/// Blocks that fit a multiprocessor; 0 where none does.
int blocks_together(const general_work& work, const kind_facts& kind, const gpu_rates& gpu);

/// Seconds of each part of the machine if it were the only one, and of the whole.
struct general_costs {
  double mma = 0, l2 = 0, dram = 0, shared = 0, seconds = 0;
};
/// Infinite where a block does not fit the GPU, or parts of sums not the workspace.
general_costs cost_of(const general_work& work, const kind_facts& kind, const gpu_rates& gpu);
general_costs cost_of(const general_tile& tile, const general_form& of, const gpu_rates& gpu,
                      const general_kind& kind = {});

}  // namespace tessera::detail
