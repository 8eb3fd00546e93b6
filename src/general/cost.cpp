// SPDX-License-Identifier: BSD-3-Clause
// The time of a tile's kernel: the slowest of four parts of a GPU, a share of the others, and what does not overlap.
#include <algorithm>
#include <cmath>
#include <limits>

#include <tessera/detail/general_cost.hpp>

namespace tessera::detail {

namespace {

constexpr int line_bytes = 128, most_at_once = 16;
constexpr int most_registers = 255, registers_beside = 44;  // of a thread
constexpr index_t shared_of_system = 1024;

// By 288 tiles of the 48 rows of TCCG on an H200, whose times they put in order with a rank correlation of 0.96 (0.50
// among the 6 tiles of a row): without whole lines 0.93 (0.40), with writes like reads 0.95 (0.50), without warps on
// idle schedulers 0.94 (0.44), without synchronisation 0.96 (0.40), without scattered writes 0.94 (0.41).
constexpr double share_of_others = 0.25;
constexpr double share_of_lines = 0.25;  // of DRAM's traffic, by whole lines
constexpr double writes = 1.5;           // DRAM's traffic of a byte written
constexpr double scattered_writes = 1.15;
// DRAM's traffic of a sector that is written in parts: in 16-bit numbers, rows 31, 32 and 33 of TCCG took 114, 60 and
// 28 us where there were 0.67, 0.33 and no such sectors for each whole one.
constexpr double write_in_parts = 4;
constexpr double synchronisation = 7e-8;  // of a block, for each box of the sum, seconds
constexpr double warps_at_full_speed = 8;
constexpr double steady = 0.96;  // of the multiprocessors' time where blocks follow each other
// Of the second kernel of sums in parts: how long a thread waits for parts, and how many it reads at once.
constexpr double wait_for_parts = 6e-7;
constexpr int parts_at_once = 4;
// Of the blocks of a cluster: until they run, wait for each other twice and have read each other's sums, seconds. And
// the least time between entries of a block's sum, which follow each other. Of two-site updates in double the model's
// choice took 1.33 times as long as the best of about 20 without these and what blocks on all multiprocessors add, 1.05
// with them; in float 1.26 and 1.15.
constexpr double start_of_cluster = 5e-7, block_of_cluster = 2.5e-7;
double least_of_entry(general_by by) { return by == general_by::mma_f64 ? 1.5e-8 : by == general_by::fma ? 4e-8 : 0; }

index_t pieces(index_t whole, index_t piece) { return (whole + piece - 1) / piece; }

index_t distance_of(const general_digit& d) { return d.out < 0 ? -d.out : d.out; }

double dram_bytes(const traffic& t) {
  return (1 - share_of_lines) * sector_bytes * double(t.sectors) + share_of_lines * line_bytes * double(t.lines);
}

}  // namespace

traffic traffic_of(const boxed_digits& tensor, int entry_bytes) {
  return {transactions(tensor, sector_bytes / entry_bytes), transactions(tensor, line_bytes / entry_bytes)};
}

index_t first_cut(const int (&box)[max_rank], const general_digits& of) {
  index_t nearest_cut = std::numeric_limits<index_t>::max();
  for (int i = 0; i < of.count; ++i)
    if (box[i] < of.at[i].extent) nearest_cut = std::min(nearest_cut, distance_of(of.at[i]));
  return nearest_cut;
}

index_t nearest(const general_digits& of) {
  index_t least = std::numeric_limits<index_t>::max();
  for (int i = 0; i < of.count; ++i) least = std::min(least, distance_of(of.at[i]));
  return least;
}

// Complex products take four multiply-adds, integers and pairs of operations twice the instructions.
kind_facts facts_of(const general_kind& kind, const gpu_rates& gpu) {
  kind_facts facts{.by = kind.by,
                   .left_bytes = int(size_of(kind.left)),
                   .right_bytes = int(size_of(kind.right)),
                   .out_bytes = int(size_of(kind.out)),
                   .sum_bytes = int(size_of(kind.sum)),
                   .addend_bytes = kind.addend ? int(size_of(*kind.addend)) : 0,
                   .second = kind.second.extent};
  switch (kind.by) {
    case general_by::mma_f64: facts.flops = gpu.flops; break;
    case general_by::mma_tf32: facts.flops = gpu.flops_tf32; break;
    case general_by::mma_3xtf32: facts.flops = gpu.flops_tf32 / 3; break;
    case general_by::mma_16: facts.flops = gpu.flops_16; break;
    case general_by::fma: {
      const bool is_complex = is_complex_type(kind.sum),
                 is_float = kind.sum == scalar_type::f32 || kind.sum == scalar_type::c32;
      facts.flops = (is_float ? gpu.flops_fma32 : gpu.flops_fma64) / (is_complex ? 4 : 1) / (kind.scales ? 1 : 2);
    }
  }
  return facts;
}

int lines_together(const int (&box)[max_rank], const general_digits& of, index_t general_digit::*input, int bytes) {
  // The tile counts its lines as in the output if the nearest of that is among them, else as in the operand.
  bool has_nearest = false;
  for (int i = 0; i < of.count; ++i) has_nearest = has_nearest || distance_of(of.at[i]) == 1;
  const auto distance = [&](const general_digit& d) {
    const index_t stride = has_nearest ? d.out : d.*input;
    return stride < 0 ? -stride : stride;
  };
  int first = -1;
  for (int i = 0; i < of.count; ++i)
    if (box[i] > 1 && (first < 0 || distance(of.at[i]) < distance(of.at[first]))) first = i;
  // Entries of less than an asynchronous copy stay as they lie in memory.
  if (first < 0 || (bytes < 4 && of.at[first].*input != 1)) return 1;
  int most = std::max(1, most_at_once / bytes);
  while (box[first] % most != 0) most /= 2;
  return most;
}

general_work work_of(const general_tile& tile, const general_form& of, const kind_facts& kind) {
  general_work work;
  const int rows = size_of_box(tile.rows, of.rows), cols = size_of_box(tile.cols, of.cols);
  work.left_repeats = boxes_of(tile.cols, of.cols);
  work.right_repeats = boxes_of(tile.rows, of.rows);
  work.tiles = work.left_repeats * work.right_repeats * of.batch.size();
  work.steps = boxes_of(tile.inner, of.inner);
  work.left = traffic_of(left_of(tile, of), kind.left_bytes);
  work.right = traffic_of(right_of(tile, of), kind.right_bytes);
  work.out = traffic_of(out_of(tile, of), kind.out_bytes);
  work.out_entries = of.rows.size() * of.cols.size() * of.batch.size();
  work.rows_together = lines_together(tile.rows, of.rows, &general_digit::left, kind.left_bytes);
  work.cols_together = lines_together(tile.cols, of.cols, &general_digit::right, kind.right_bytes);
  work.exchanged = tile.exchanged;
  work.box_down = tile.exchanged ? cols : rows;
  work.box_across = tile.exchanged ? rows : cols;
  work.box_inner = size_of_box(tile.inner, of.inner);
  work.warps_down = tile.warps_down;
  work.warps_across = tile.warps_across;
  work.unit = unit_of(kind.by, work.box_down, work.warps_down, work.box_across, work.warps_across);
  work.stages = tile.stages;
  work.splits = tile.splits;
  work.is_scattered = is_scattered(tile.exchanged, nearest(of.rows) < nearest(of.cols), first_cut(tile.rows, of.rows),
                                   first_cut(tile.cols, of.cols));
  return work;
}

namespace {

// Of the sides of 16 and of 8.
struct side_bytes {
  int down, across;
};
side_bytes bytes_of_sides(const general_work& work, const kind_facts& kind) {
  if (work.exchanged) return {kind.right_bytes, kind.left_bytes};
  return {kind.left_bytes, kind.right_bytes};
}

}  // namespace

namespace {

// Columns that a thread of multiply-adds reads and writes at once: those side by side, by which its own divide.
int across_together(const general_work& work) {
  int together = work.exchanged ? work.rows_together : work.cols_together;
  while (together > 1 && work.cols_of_thread() % together != 0) together /= 2;
  return together;
}

// In how many parts sectors of the output are written, where threads write less than one side by side.
double parts_of_sectors(const general_work& work, const kind_facts& kind) {
  if (kind.by != general_by::fma) return 1;
  return std::max(1.0, double(sector_bytes) / (work.unit.across * across_together(work) * kind.out_bytes));
}

}  // namespace

int registers_of(const general_work& work, const kind_facts& kind) {
  const int down = work.down() / work.warps_down, across = work.across() / work.warps_across;
  const int words = kind.sum_bytes / 4, accumulators = down * across / (work.unit.shares_sum() ? 1 : 32) * words;
  const int fragments = kind.by == general_by::fma      ? (work.rows_of_thread() + work.cols_of_thread()) * words
                        : kind.by == general_by::mma_16 ? down / 8 + across / 8
                                                        : (down / 8 + across / 8) * words;
  const int of_second = registers_of_second(
      kind.by, kind.second, work.exchanged ? work.rows_of_thread() : work.cols_of_thread(), kind.sum_bytes);
  const int exchanged_words = kind.by == general_by::mma_16 && kind.out_bytes == 2 ? 16 : 0;
  return accumulators + 2 * fragments + down / 8 + across / 8 + registers_beside + exchanged_words + of_second;
}

index_t shared_bytes_of(const general_work& work, const kind_facts& kind) {
  const side_bytes bytes = bytes_of_sides(work, kind);
  const int of_box = (work.box_down * bytes.down + work.box_across * bytes.across) * work.inner(kind.by);
  const index_t boxes =
      work.stages * index_t(std::ceil(of_box * shared_gaps(kind.by))) + bytes_of_second(kind.second, kind.sum_bytes);
  // Blocks of a cluster put their parts of a sum in the place of the boxes.
  return std::max(boxes,
                  work.splits > 1 && !work.has_parts() ? index_t(work.down()) * work.across() * kind.sum_bytes : 0);
}

int blocks_together(const general_work& work, const kind_facts& kind, const gpu_rates& gpu) {
  const int registers = registers_of(work, kind);
  const index_t shared = shared_bytes_of(work, kind);
  if (registers > most_registers || shared > gpu.shared_of_block) return 0;
  const int allotted = (registers + 7) / 8 * 8;
  const index_t most =
      std::min({gpu.registers / (work.threads() * allotted), gpu.threads / work.threads(), most_blocks_together});
  return int(std::min(most, gpu.shared_of_multiprocessor / (shared + shared_of_system)));
}

general_costs cost_of(const general_work& work, const kind_facts& kind, const gpu_rates& gpu) {
  const int fitting = blocks_together(work, kind, gpu);
  const bool has_room = !work.has_parts() || work.sums_of_parts() * kind.sum_bytes <= double(most_workspace_of_sum);
  if (fitting == 0 || !has_room) {
    constexpr double never = std::numeric_limits<double>::infinity();
    return {never, never, never, never, never};
  }
  general_costs costs;
  const index_t blocks = work.tiles * work.splits;
  const index_t rounds = std::max<index_t>(1, pieces(blocks, gpu.multiprocessors));
  const double together = double(std::min<index_t>(fitting, rounds));
  double fill = std::max<double>(1, double(blocks)) / double(rounds * gpu.multiprocessors);
  if (rounds > 8 * fitting) fill = std::max(fill, steady);
  // A block whose warps are no multiple of 4 leaves one of the four schedulers with less to do.
  const index_t warps_in_turn = work.warps() == 1 ? index_t(together) : work.warps();
  const double even = double(warps_in_turn) / double(pieces(warps_in_turn, 4) * 4);
  const double busy = std::min(1.0, std::sqrt(together * work.warps() / warps_at_full_speed));

  const double down = work.down(), across = work.across();
  const double entries = double(work.tiles) * double(work.steps) * work.inner(kind.by);
  // Each block multiplies its part of the sums.
  const double of_second = double(blocks) * kind.second;
  costs.mma = 2 * (entries + of_second) * down * across / (kind.flops * fill * even * busy);

  const double out = work.is_scattered ? scattered_writes : 1;
  // The addend is taken to lie as the output does.
  const double addend = double(kind.addend_bytes) / kind.out_bytes;
  const double all = double(work.left.sectors) * double(work.left_repeats) +
                     double(work.right.sectors) * double(work.right_repeats) +
                     (out * parts_of_sectors(work, kind) + addend) * double(work.out.sectors);
  // Few blocks use more than their share of what all have in common.
  const double reach = std::max(fill, 0.3);
  costs.l2 = sector_bytes * all / (gpu.l2 * reach);
  const double in_parts =
      std::max(0.0, double(work.out.sectors) * sector_bytes - double(work.out_entries) * kind.out_bytes);
  costs.dram = (dram_bytes(work.left) + dram_bytes(work.right) + (writes * out + addend) * dram_bytes(work.out) +
                write_in_parts * in_parts) /
               gpu.dram;

  // Parts of sums are written and read again, most of them in the L2 cache.
  if (work.has_parts()) {
    const double parts = double(blocks) * work.box_down * work.box_across * kind.sum_bytes;
    costs.l2 += 2 * parts / gpu.l2;
    costs.dram += parts / gpu.dram;
  }

  const side_bytes bytes = bytes_of_sides(work, kind);
  double of_down = bytes.down * down * work.warps_across, of_across = bytes.across * across * work.warps_down;
  if (kind.by == general_by::fma) {
    // What all threads get counts, the same or not.
    of_down *= work.unit.across;
    of_across *= work.unit.down;
  }
  const double read = entries * (of_down + of_across);
  const double written = double(work.tiles) * double(work.steps) * work.box_inner *
                         (bytes.down * work.box_down + bytes.across * work.box_across);
  const double exchanged =
      work.has_parts() ? 0 : double(work.tiles) * down * across * 2 * (work.splits - 1) * kind.sum_bytes;
  costs.shared = (read + written + exchanged) / (gpu.shared * reach);

  const double most = std::max({costs.mma, costs.l2, costs.dram, costs.shared});
  const double sum = costs.mma + costs.l2 + costs.dram + costs.shared;
  const double waiting = synchronisation * double(pieces(work.steps, work.splits) * rounds) / together;
  // Nothing multiplies while the only block of a multiprocessor writes. (Tensor cores are quick: in double the best
  // tile for row 1 of TCCG is alone.)
  const bool waits = together < 2 && kind.by == general_by::fma;
  const double share = waits ? 2 * share_of_others : share_of_others;
  const double in_turn =
      work.unit.shares_sum() ? 0 : double(pieces(work.steps, work.splits) * work.box_inner * rounds) / together;
  const double busy_share = std::min(1.0, double(blocks) / gpu.multiprocessors);
  costs.seconds = std::max(most + share * (sum - most), least_of_entry(kind.by) * in_turn) + waiting + gpu.launch +
                  gpu.on_all * busy_share;
  if (work.has_parts()) {
    const int of_group = work.splits / groups_of_parts(work.unit.shares_sum() ? 1 : work.threads());
    const int waits_of_group = 1 + of_group / parts_at_once;
    costs.seconds += gpu.launch + gpu.on_all + wait_for_parts * waits_of_group;
  } else if (work.splits > 1) {
    costs.seconds += start_of_cluster + block_of_cluster * work.splits;
  }
  return costs;
}

general_costs cost_of(const general_tile& tile, const general_form& of, const gpu_rates& gpu,
                      const general_kind& kind) {
  const kind_facts facts = facts_of(kind, gpu);
  return cost_of(work_of(tile, of, facts), facts, gpu);
}

}  // namespace tessera::detail
