// SPDX-License-Identifier: BSD-3-Clause
// Memory transactions of boxes, without walking the tensor: the starts of runs are only counted modulo a block's size.
#include <algorithm>
#include <array>

#include <tessera/detail/general_cost.hpp>

namespace tessera::detail {

namespace {

constexpr int most_entries = 64;

// How many runs start at each place of a block.
struct run_starts {
  int entries = 1;
  std::array<index_t, most_entries> count{};

  int place(index_t at) const { return int((at % entries + entries) % entries); }
  // Every run starts once more at each of x * stride, x < times.
  void repeat(index_t times, index_t stride) {
    const run_starts before = *this;
    count = {};
    const index_t step = place(stride);
    for (index_t x = 0; x < std::min<index_t>(times, entries); ++x) {
      const index_t alike = (times - x + entries - 1) / entries;  // those at x, x + entries, ...
      for (int p = 0; p < entries; ++p) count[std::size_t(place(p + x * step))] += alike * before.count[std::size_t(p)];
    }
  }
  // Blocks that runs of a length touch, moved by an offset.
  index_t blocks(index_t length, index_t offset) const {
    index_t sum = 0;
    for (int p = 0; p < entries; ++p)
      if (count[std::size_t(p)] > 0) sum += count[std::size_t(p)] * ((place(p + offset) + length - 1) / entries + 1);
    return sum;
  }
};

struct sorted_tensor {
  boxed_digits digits;          // by stride, none negative or 0
  index_t repeats = 1;          // of boxes at the same place
  index_t base = 0;             // of the lowest address
  bool turned[3 * max_rank]{};  // where the boxes are laid from the far end
  bool empty = false;
};

sorted_tensor sorted(const boxed_digits& tensor) {
  sorted_tensor result;
  for (int i = 0; i < tensor.count; ++i) {
    boxed_digit d = tensor.at[i];
    if (d.extent == 0) result.empty = true;
    if (d.extent <= 1) continue;
    if (d.stride == 0) {
      result.repeats *= (d.extent + d.box - 1) / d.box;
      continue;
    }
    const bool turn = d.stride < 0;
    if (turn) {
      result.base += d.stride * (d.extent - 1);
      d.stride = -d.stride;
    }
    int at = result.digits.count++;
    for (; at > 0 && d.stride < result.digits.at[at - 1].stride; --at) {
      result.digits.at[at] = result.digits.at[at - 1];
      result.turned[at] = result.turned[at - 1];
    }
    result.digits.at[at] = d;
    result.turned[at] = turn;
  }
  return result;
}

// Digits whose whole extent a run has, and their entries.
struct whole_digits {
  int count = 0;
  index_t entries = 1;
};
whole_digits whole_run(const boxed_digits& sorted_digits) {
  whole_digits run;
  while (run.count < sorted_digits.count) {
    const boxed_digit& d = sorted_digits.at[run.count];
    if (d.stride != run.entries || d.box != d.extent) break;
    run.entries *= d.extent;
    ++run.count;
  }
  return run;
}

}  // namespace

index_t transactions(const boxed_digits& tensor, int entries, index_t base) {
  const sorted_tensor from = sorted(tensor);
  if (from.empty) return 0;
  const boxed_digits& digits = from.digits;
  const whole_digits run = whole_run(digits);
  const bool is_cut = run.count < digits.count && digits.at[run.count].stride == run.entries;

  run_starts starts{.entries = entries};
  starts.count[std::size_t(starts.place(base + from.base))] = 1;
  for (int i = run.count + int(is_cut); i < digits.count; ++i) starts.repeat(digits.at[i].extent, digits.at[i].stride);
  if (!is_cut) return from.repeats * starts.blocks(run.entries, 0);

  // Of the digit that ends the runs: its boxes, and a smaller one at an edge.
  const boxed_digit& last = digits.at[run.count];
  const index_t boxes = last.extent / last.box, rest = last.extent % last.box;
  const bool turned = from.turned[run.count];
  index_t sum = 0;
  if (rest > 0) sum += starts.blocks(rest * run.entries, turned ? 0 : boxes * last.box * run.entries);
  const index_t first = turned ? rest * run.entries : 0;
  starts.repeat(boxes, last.box * run.entries);
  return from.repeats * (sum + starts.blocks(last.box * run.entries, first));
}

index_t run_of(const boxed_digits& tensor) {
  const boxed_digits digits = sorted(tensor).digits;
  const whole_digits run = whole_run(digits);
  const bool is_cut = run.count < digits.count && digits.at[run.count].stride == run.entries;
  return run.entries * (is_cut ? digits.at[run.count].box : 1);
}

namespace {

void add_boxes(boxed_digits& to, const general_digits& list, index_t general_digit::*tensor,
               const int (&box)[max_rank]) {
  for (int i = 0; i < list.count; ++i) to.add(list.at[i].extent, list.at[i].*tensor, box[i]);
}
boxed_digits boxes_in(const general_form& of, index_t general_digit::*tensor, const general_digits& first,
                      const int (&first_box)[max_rank], const general_digits& second,
                      const int (&second_box)[max_rank]) {
  boxed_digits result;
  add_boxes(result, first, tensor, first_box);
  add_boxes(result, second, tensor, second_box);
  for (int i = 0; i < of.batch.count; ++i) result.add(of.batch.at[i].extent, of.batch.at[i].*tensor, 1);
  return result;
}

}  // namespace

boxed_digits left_of(const general_tile& tile, const general_form& of) {
  return boxes_in(of, &general_digit::left, of.rows, tile.rows, of.inner, tile.inner);
}
boxed_digits right_of(const general_tile& tile, const general_form& of) {
  return boxes_in(of, &general_digit::right, of.cols, tile.cols, of.inner, tile.inner);
}
boxed_digits out_of(const general_tile& tile, const general_form& of) {
  return boxes_in(of, &general_digit::out, of.rows, tile.rows, of.cols, tile.cols);
}

}  // namespace tessera::detail
