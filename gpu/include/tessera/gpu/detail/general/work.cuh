// SPDX-License-Identifier: BSD-3-Clause
// What the kernel of a general contraction is made for, as one type: digits, tiles, types, and who does what.
#pragma once

#include <tessera/gpu/detail/general/functions.cuh>
#include <tessera/gpu/detail/general/shape.cuh>

namespace tessera::device {

/// What multiplies: as tessera::detail::general_by.
enum class way { f64, tf32, three_tf32, halves, fma };

/// Warps of a block, multiples in which a warp has rows and columns (an instruction's, or its threads), entries of the
/// sum of a step, stages of the pipeline, blocks of a cluster that share a sum, entries written at once, blocks of a
/// multiprocessor, boxes of a panel: see place_in_panels; parts of a sum that come to a workspace, 1 if they do not.
struct general_numbers {
  int warps_down, warps_across, unit_down, unit_across, depth, stages, splits, out_at_once, blocks, panel, parts;
};

/// Where the addend is read.
enum class addend_place { none, out, own };

/// A square matrix by which the sums of a tile are multiplied before they are written: the first digit of the rows, or
/// of the columns, has as many entries, whole, and the result's entry p is the sum over q of entry (p, q) times the
/// sums of q. Strides of p and q in memory. Warps have whole vectors of them.
template <int extent_, index_t row, index_t column, bool of_rows>
struct second_matrix {
  static constexpr int extent = extent_;
  static constexpr index_t of_row = row, of_col = column;
  static constexpr bool down = of_rows;
  /// In shared memory, of entries whose p follow each other: lanes of tensor cores find different banks.
  template <class Entry>
  static constexpr int pitch = extent + 16 / int(sizeof(Entry));
};
using no_second_matrix = second_matrix<0, 0, 0, false>;

/// Rows are on the side of 16 of the instruction, whichever operand has them. Out and Addend: strides of rows, then of
/// columns. Batch: digits that all tensors have, a box of each being 1; strides in left, right, addend and out. Order:
/// digits of rows, then of columns, as blocks count their boxes.
template <class Types, way By, class Rows, class Cols, class Inner, class Left, class Right, class OutRows,
          class OutCols, class AddendRows, class AddendCols, class Order, class Batch, class LeftBatch,
          class RightBatch, class AddendBatch, class OutBatch, addend_place Addend, general_numbers numbers_,
          class Second = no_second_matrix>
struct general_work {
  using types = Types;
  using rows = Rows;
  using cols = Cols;
  using inner = Inner;
  using left = Left;
  using right = Right;
  using out_rows = OutRows;
  using out_cols = OutCols;
  using addend_rows = AddendRows;
  using addend_cols = AddendCols;
  using order = Order;
  using batch = Batch;
  using left_batch = LeftBatch;
  using right_batch = RightBatch;
  using addend_batch = AddendBatch;
  using out_batch = OutBatch;
  using second = Second;
  static constexpr way by = By;
  static constexpr addend_place addend = Addend;
  static constexpr int warps_down = numbers_.warps_down, warps_across = numbers_.warps_across,
                       unit_down = numbers_.unit_down, unit_across = numbers_.unit_across, depth = numbers_.depth,
                       stages = numbers_.stages, splits = numbers_.splits, out_at_once = numbers_.out_at_once,
                       blocks = numbers_.blocks, panel = numbers_.panel, parts = numbers_.parts;
  static constexpr int shares = splits * parts;  // of a sum: blocks
  static constexpr int threads = 32 * warps_down * warps_across;
  /// The threads of the only warp have all lines each, and every so many-th entry of the sum.
  static constexpr bool shares_sum = unit_down * unit_across == 1;
  static constexpr int sharers = shares_sum ? 32 : 1, owners = threads / sharers;
  /// As tessera::detail::groups_of_parts.
  static constexpr int part_groups = owners < 512 ? 512 / owners : 1;
  __host__ __device__ static constexpr int up(int box, int whole) { return (box + whole - 1) / whole * whole; }
  /// Of a warp.
  static constexpr int down = up(Rows::size(), unit_down*warps_down) / warps_down,
                       across = up(Cols::size(), unit_across*warps_across) / warps_across;
  static constexpr int tiles_down = down / 16, tiles_across = across / 8;  // of tensor cores
  static constexpr int steps = Inner::size() / depth, boxes = Inner::all_boxes();
  static constexpr unsigned stage = Left::size_in_bytes + Right::size_in_bytes;
  /// Functions of an operand's entries are applied in shared memory, once for all warps, if entries have the type that
  /// functions are in, or are rounded to their own before they are multiplied; else whenever an entry is read.
  template <class Entry>
  static constexpr bool in_shared = By == way::halves || same_type<Entry, typename Types::sum>;
  static constexpr bool changes_left = in_shared<typename Left::entry> && !left_as_it_is<typename Types::functions>();
  static constexpr bool changes_right =
      in_shared<typename Right::entry> && !right_as_it_is<typename Types::functions>();
  __device__ static typename Types::sum left_of(const typename Left::entry& x) {
    const auto number = converted<typename Types::sum>(x);
    return changes_left ? number : Types::functions::left(number);
  }
  __device__ static typename Types::sum right_of(const typename Right::entry& x) {
    const auto number = converted<typename Types::sum>(x);
    return changes_right ? number : Types::functions::right(number);
  }
  /// Entries of the sum outside of the tensors have to be left out.
  static constexpr bool checks_sum = !Types::zero_adds_nothing && Inner::has_edges();
  static_assert(Inner::size() % depth == 0 && stages >= 1 && (splits == 1 || parts == 1));
  static_assert(!shares_sum || threads == 32);

  __device__ static int lane(int thread = int(threadIdx.x)) { return thread % 32; }
  /// Of a warp's rows and columns.
  __device__ static int first_row(int thread = int(threadIdx.x)) { return thread / 32 % warps_down * down; }
  __device__ static int first_col(int thread = int(threadIdx.x)) { return thread / 32 / warps_down * across; }
};

/// The first index, in each digit, of a box of the sum.
template <class Inner>
struct sum_box {
  int first[Inner::count + 1];

  __device__ explicit sum_box(int number) {
#pragma unroll
    for (int d = 0; d < Inner::count; ++d) {
      first[d] = number % Inner::boxes(d) * Inner::box(d);
      number /= Inner::boxes(d);
    }
  }
};

}  // namespace tessera::device
