// SPDX-License-Identifier: BSD-3-Clause
// Writes the name of a general contraction's kernel: digits in the order of a tile, types, and how tiles lie in shared
// memory.
#include <tessera/gpu/detail/general/general_source.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <tessera/detail/general_cost.hpp>

#include "../jit_source.hpp"
#include "shared_tile.hpp"

namespace tessera::device {

namespace {

using tessera::detail::general_by;
using tessera::detail::general_kind;
using tessera::detail::general_tile;

constexpr int rows_of_mma = 8;  // of the 16 of an instruction a thread has two
constexpr int most_registers = 255, registers_beside = 44, most_bytes_at_once = 16;
constexpr int least_bytes_of_copy = 4;  // of an asynchronous one
constexpr int bytes_of_banks = 128;     // of shared memory: what lanes read at once
constexpr double wide_gaps = 1.5;       // of a tile in shared memory, where there is room

int bytes_of(scalar_type type) { return int(size_of(type)); }
// Of the part that decides where an entry may begin.
int alignment_of(scalar_type type) { return bytes_of(type) / (is_complex_type(type) ? 2 : 1); }

const char* text_of_way(general_by by) {
  switch (by) {
    case general_by::mma_f64: return "f64";
    case general_by::mma_tf32: return "tf32";
    case general_by::mma_3xtf32: return "three_tf32";
    case general_by::mma_16: return "halves";
    case general_by::fma: break;
  }
  return "fma";
}

// Entries of the sum of an instruction, the least.
int depth_of(general_by by, const tessera::detail::warp_unit& unit) {
  return unit.shares_sum() ? 1 : by == general_by::mma_16 ? 8 : 4;
}

// The order in which a tile counts its lines: as in the output if its nearest index is among them, so that lanes write
// side by side; else as in the operand.
void in_order_of_tile(boxed_list& lines, stride_of in) {
  const bool has_nearest =
      std::any_of(lines.begin(), lines.end(), [](const boxed_entry& d) { return distance(d.of.out) == 1; });
  by_distance(lines, has_nearest ? &general_digit::out : in);
}

// Lines that a matrix multiplies follow each other in a tile.
void put_first(boxed_list& lines, const general_digit& digit) {
  const auto at = std::find_if(lines.begin(), lines.end(), [&](const boxed_entry& d) {
    return d.of.right == digit.right && d.of.out == digit.out && d.of.extent == digit.extent;
  });
  std::rotate(lines.begin(), at, at + 1);
}

// One of whole instructions first, or of all lanes that share the sum, so that the entries of a group are so many
// apart; a box beyond its extent where that is needed for whole instructions.
void in_order_of_sum(boxed_list& inner, int depth, int group) {
  if (inner.empty()) inner.push_back({});
  while (size_of(inner) % depth != 0) ++inner[0].box;
  const auto whole = std::find_if(inner.begin(), inner.end(), [&](const boxed_entry& d) { return d.box % group == 0; });
  if (whole != inner.end()) std::rotate(inner.begin(), whole, whole + 1);
}

// Blocks that run together write side by side. With panels all boxes of one side come first.
std::string order_of_blocks(const boxed_list& rows, const boxed_list& cols, bool by_panels) {
  boxed_list all = rows;
  all.insert(all.end(), cols.begin(), cols.end());
  std::vector<int> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return distance(all[std::size_t(a)].of.out) < distance(all[std::size_t(b)].of.out);
  });
  if (by_panels && !order.empty()) {
    const int of_rows = int(rows.size());
    const bool rows_first = order[0] < of_rows;
    std::stable_partition(order.begin(), order.end(), [&](int d) { return (d < of_rows) == rows_first; });
  }
  return numbers_text(order);
}

// One side of the product: its digits, and how its tile is read from shared memory.
struct side {
  boxed_list lines;
  stride_of in;
  scalar_type type;
  int threads_along;        // lanes of a warp that have different lines, by multiply-adds
  int count;                // of a thread's lines, by multiply-adds
  bool shares_sum = false;  // all lanes have the same lines, and of the sum entries that follow each other
};

int most_together(const side& s) {
  int most = most_bytes_at_once / bytes_of(s.type);
  while (most > 1 && s.count % most != 0) most /= 2;
  return most;
}

shared_tile tile_in_shared(const side& s, const boxed_list& inner, general_by by, double gaps) {
  const int bytes = bytes_of(s.type);
  if (by == general_by::fma) {
    // As many entries of the sum as the banks have in one go.
    const auto along_sum = [&](int together) {
      return s.shares_sum ? std::clamp(bytes_of_banks / (together * bytes), 1, tessera::detail::lanes_of_sum) : 1;
    };
    shared_tile simple(s.lines, inner, s.in, bytes, {s.threads_along, 1, along_sum(1), 1, bytes}, gaps);
    const auto ordered = [&](shared_order order, int together) {
      return shared_tile(s.lines, inner, s.in, bytes,
                         {s.threads_along, together, along_sum(together), 1, together * bytes}, gaps, order);
    };
    const int most = most_together(s);
    const int as_in_memory = simple.lines_side_by_side(most);
    if (!s.shares_sum && as_in_memory < most && bytes >= least_bytes_of_copy) {
      const int together = ordered(shared_order::lines_first, 1).lines_side_by_side(most);
      if (together > as_in_memory) return ordered(shared_order::lines_first, together);
    }
    return as_in_memory == 1 ? simple : ordered(shared_order::of_memory, as_in_memory);
  }
  if (by == general_by::mma_16) {
    // Squares of 8 lines by 8 entries of the sum, whichever lie side by side.
    shared_tile squares(s.lines, inner, s.in, bytes, {1, 8, 8, 1, 16}, gaps);
    if (squares.lines_side_by_side(8) == 8) return squares;
    shared_tile turned(s.lines, inner, s.in, bytes, {8, 1, 1, 8, 16}, gaps);
    if (turned.inner_side_by_side(8) == 8) return turned;
    shared_tile pairs(s.lines, inner, s.in, bytes, {8, 1, 4, 2, 4}, gaps);
    if (pairs.inner_side_by_side(2) == 2) return pairs;
    return {s.lines, inner, s.in, bytes, {8, 1, 4, 2, 2}, gaps};
  }
  if (by == general_by::mma_f64) return {s.lines, inner, s.in, bytes, {4, 1, 4, 1, 8}, gaps};
  return {s.lines, inner, s.in, bytes, {8, 1, 4, 1, 4}, gaps};
}

std::string staged_text(const side& s, const boxed_list& inner, const shared_tile& tile, const boxed_list& batch,
                        bool aligned) {
  const int at_once = aligned ? tile.entries_at_once(batch) : 1;
  const int copied = aligned ? std::min(most_bytes_at_once, at_once * bytes_of(s.type)) : alignment_of(s.type);
  std::string text = "tessera::device::staged<" + type_text(s.type) + ", " + numbers_text(s.lines, s.in) + ", " +
                     numbers_text(inner, s.in) + ", " + tile.order() + ", " + tile.of_lines() + ", " + tile.of_inner();
  for (const int value : {tile.size(), at_once, copied, tile.lines_side_by_side(8), tile.inner_side_by_side(8)})
    text += ", " + std::to_string(value);
  return text + ">";
}

// Entries of the output that a thread may write at once.
int out_at_once(const boxed_list& rows, const boxed_list& cols, const boxed_list& batch, int together, int bytes) {
  const auto may = [&](int count) {
    if (cols.empty() || cols[0].of.out != 1 || cols[0].box % count != 0 || cols[0].of.extent % count != 0) return false;
    const auto fits = [&](const boxed_entry& d) { return d.of.out % count == 0; };
    return count * bytes <= most_bytes_at_once && std::all_of(cols.begin() + 1, cols.end(), fits) &&
           std::all_of(rows.begin(), rows.end(), fits) && std::all_of(batch.begin(), batch.end(), fits);
  };
  while (together > 1 && !may(together)) together /= 2;
  return together;
}

// Columns that a lane of tensor cores may write at once: it has 2 of each tile of 8, and lanes exchange entries of 2
// bytes.
int columns_of_lane(int bytes) { return bytes == 2 ? 8 : 2; }

std::string functions_text(const general_kind& kind, bool exchanged) {
  std::string text = kind.functions.empty() ? "tessera::device::plain_functions" : "general_functions";
  const auto flag = [](bool value) { return value ? std::string("true") : std::string("false"); };
  if (kind.left_conjugated || kind.right_conjugated)
    text = "tessera::device::conjugated_functions<" + text + ", " + flag(kind.left_conjugated) + ", " +
           flag(kind.right_conjugated) + ">";
  return exchanged ? "tessera::device::exchanged_functions<" + text + ">" : text;
}

std::string types_text(const general_kind& kind, bool exchanged) {
  std::string text = "tessera::device::general_types<" + type_text(kind.addend.value_or(kind.out)) + ", " +
                     type_text(kind.out) + ", " + type_text(kind.sum) + ", " + functions_text(kind, exchanged);
  for (const bool value : {kind.zero_adds_nothing, kind.scales}) text += value ? ", true" : ", false";
  return text + ">";
}

std::string second_text(const general_kind& kind, bool exchanged) {
  const tessera::detail::general_second& second = kind.second;
  if (second.extent == 0) return "";
  return ", tessera::device::second_matrix<" + std::to_string(second.extent) + ", " + std::to_string(second.row) +
         ", " + std::to_string(second.column) + (exchanged ? ", true>" : ", false>");
}

// A thread of the first kernel with sums of its own has a thread in each of several groups, and a block a row of each.
adding_launch adding_of(const general_tile& tile, const tessera::detail::warp_unit& unit, int rows_of_thread,
                        int bytes_of_sum) {
  const int owners = unit.shares_sum() ? 1 : tile.threads();
  const int threads = owners * tessera::detail::groups_of_parts(owners);
  return {rows_of_thread, threads, threads * bytes_of_sum};
}

}  // namespace

general_code general_source(const general_form& form, const general_kind& kind, const general_tile& tile,
                            const gpu_limits& gpu) {
  side left{with_boxes(form.rows, tile.rows), &general_digit::left, kind.left, 1, 0},
      right{with_boxes(form.cols, tile.cols), &general_digit::right, kind.right, 1, 0};
  boxed_list inner = with_boxes(form.inner, tile.inner);
  if (tile.exchanged) {
    std::swap(left, right);
  }
  const boxed_list &rows = left.lines, &cols = right.lines;
  in_order_of_tile(left.lines, left.in);
  in_order_of_tile(right.lines, right.in);
  if (kind.second.extent > 0) put_first(tile.exchanged ? left.lines : right.lines, form.cols.at[kind.second.digit]);
  const tessera::detail::warp_unit unit =
      tessera::detail::unit_of(kind.by, size_of(rows), tile.warps_down, size_of(cols), tile.warps_across);
  in_order_of_sum(inner, depth_of(kind.by, unit),
                  unit.shares_sum() ? tessera::detail::lanes_of_sum : depth_of(kind.by, unit));
  const int down = tessera::detail::padded(size_of(rows), tile.warps_down, unit.down) / tile.warps_down,
            across = tessera::detail::padded(size_of(cols), tile.warps_across, unit.across) / tile.warps_across;
  left.threads_along = unit.down;
  right.threads_along = unit.across;
  left.count = down / unit.down;
  right.count = across / unit.across;
  left.shares_sum = right.shares_sum = unit.shares_sum();
  const auto tile_of = [&](const side& s, double most) { return tile_in_shared(s, inner, kind.by, most); };
  const double gaps = tessera::detail::shared_gaps(kind.by);
  const shared_tile tight_left = tile_of(left, gaps), tight_right = tile_of(right, gaps),
                    wide_left = tile_of(left, wide_gaps), wide_right = tile_of(right, wide_gaps);
  boxed_list batch;
  for (int i = 0; i < form.batch.count; ++i) batch.push_back({form.batch.at[i], 1});

  // Registers of sums, two sets of fragments, and others.
  const int words_of_sum = bytes_of(kind.sum) / 4,
            numbers = down * across / (unit.shares_sum() ? 1 : 32) * words_of_sum;
  const int others = numbers + down / 8 + across / 8 + registers_beside +
                     tessera::detail::registers_of_second(
                         kind.by, kind.second.extent, tile.exchanged ? left.count : right.count, bytes_of(kind.sum));
  int depth = depth_of(kind.by, unit), fragments = 0;  // words of a set of the least depth
  switch (kind.by) {
    case general_by::mma_f64: fragments = 2 * (down / 8 + across / 8); break;
    case general_by::mma_tf32: fragments = down / 8 + across / 8; break;
    case general_by::mma_3xtf32: fragments = 2 * (down / 8 + across / 8); break;
    case general_by::mma_16: fragments = down / 8 + across / 8; break;
    case general_by::fma: fragments = (left.count + right.count) * words_of_sum; break;
  }
  if (kind.by != general_by::fma && size_of(inner) % (2 * depth) == 0 && others + 4 * fragments <= most_registers) {
    depth *= 2;
    fragments *= 2;
  }
  const int registers = std::min(most_registers, others + 2 * fragments);
  const int sums = 4 * tile.threads() * numbers;
  const bool is_in_cluster = tile.splits > 1 && !tile.has_parts();
  const auto shared_bytes = [&](const shared_tile& a, const shared_tile& b) {
    const int second = tessera::detail::bytes_of_second(kind.second.extent, bytes_of(kind.sum));
    return std::max(tile.stages * (a.bytes() + b.bytes()) + second, is_in_cluster ? sums : 0);
  };
  const int by_registers =
      std::max(1, std::min({gpu.registers / (tile.threads() * ((registers + 7) / 8 * 8)),
                            gpu.all_threads / tile.threads(), tessera::detail::most_blocks_together}));
  const auto together = [&](int bytes) {
    if (bytes > gpu.shared_bytes) return 0;
    return std::min(by_registers, gpu.all_shared_bytes / (bytes + gpu.reserved_bytes));
  };
  // Wider gaps where they cost no block.
  const bool is_wide = together(shared_bytes(wide_left, wide_right)) >= together(shared_bytes(tight_left, tight_right));
  const shared_tile &left_tile = is_wide ? wide_left : tight_left, &right_tile = is_wide ? wide_right : tight_right;
  general_code made{.source = {"#include <tessera/gpu/detail/general/contract.cuh>\n" + kind.functions, {}},
                    .threads = tile.threads(),
                    .shared_bytes = shared_bytes(left_tile, right_tile),
                    .tiles = boxes_of(rows) * boxes_of(cols)};
  for (const boxed_entry& d : batch) made.tiles *= d.of.extent;
  made.together = std::max(1, together(made.shared_bytes));
  if (tile.has_parts()) {
    made.adding =
        adding_of(tile, unit, kind.by == general_by::fma ? left.count : down / rows_of_mma, bytes_of(kind.sum));
    made.part_bytes =
        made.tiles * tile.splits * down * across * tile.warps_down * tile.warps_across * bytes_of(kind.sum);
  }
  const int cols_together = kind.by == general_by::fma ? right_tile.lines_side_by_side(most_together(right))
                                                       : columns_of_lane(bytes_of(kind.out));
  const char* const addend = kind.addend ? "own" : kind.reads_out ? "out" : "none";
  std::vector<std::string> adding;
  for (const bool aligned : {true, false}) {
    std::string name = "tessera::device::general_work<" + types_text(kind, tile.exchanged) +
                       ", tessera::device::way::" + text_of_way(kind.by) + ", " + boxed_text(rows) + ", " +
                       boxed_text(cols) + ", " + boxed_text(inner) + ", " +
                       staged_text(left, inner, left_tile, batch, aligned) + ", " +
                       staged_text(right, inner, right_tile, batch, aligned) + ", ";
    for (const stride_of in : {&general_digit::out, &general_digit::addend})
      name += numbers_text(rows, in) + ", " + numbers_text(cols, in) + ", ";
    name += order_of_blocks(rows, cols, tile.panel > 0) + ", " +
            numbers_text(batch, [](const boxed_entry& d) { return d.of.extent; });
    for (const stride_of in : {left.in, right.in, &general_digit::addend, &general_digit::out})
      name += ", " + numbers_text(batch, in);
    name += std::string(", tessera::device::addend_place::") + addend + ", tessera::device::general_numbers{";
    for (const int value : {tile.warps_down, tile.warps_across, unit.down, unit.across, depth, tile.stages,
                            is_in_cluster ? tile.splits : 1,
                            aligned ? out_at_once(rows, cols, batch, cols_together, bytes_of(kind.out)) : 1,
                            made.together, tile.panel, tile.has_parts() ? tile.splits : 1})
      name += std::to_string(value) + ", ";
    name.resize(name.size() - 2);
    name += "}" + second_text(kind, tile.exchanged) + ">>";
    const std::string begin = "tessera::device::";
    made.source.kernels.push_back(begin + (is_in_cluster ? "contract_general_in_parts<" : "contract_general<") + name);
    if (tile.has_parts()) adding.push_back(begin + "add_general_parts<" + name);
  }
  made.source.kernels.insert(made.source.kernels.end(), adding.begin(), adding.end());
  return made;
}

}  // namespace tessera::device
