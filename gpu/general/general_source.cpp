// SPDX-License-Identifier: BSD-3-Clause
// Writes the name of a general contraction's kernel: digits in the order of a tile, and shared memory without bank
// conflicts.
#include <tessera/gpu/detail/general/general_source.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <tessera/detail/general_cost.hpp>

namespace tessera::device {

namespace {

using tessera::detail::general_tile;

struct boxed_digit {
  general_digit of;
  int box = 1;
};
using boxed_digits = std::vector<boxed_digit>;
using stride_of = index_t (*)(const general_digit&);

index_t in_left(const general_digit& d) { return d.left; }
index_t in_right(const general_digit& d) { return d.right; }
index_t in_out(const general_digit& d) { return d.out; }
index_t distance(index_t stride) { return stride < 0 ? -stride : stride; }

boxed_digits with_boxes(const general_digits& digits, const int (&box)[max_rank]) {
  boxed_digits made;
  for (int i = 0; i < digits.count; ++i) made.push_back({digits.at[i], box[i]});
  return made;
}
int size_of(const boxed_digits& digits) {
  int product = 1;
  for (const boxed_digit& d : digits) product *= d.box;
  return product;
}
index_t boxes_of(const boxed_digits& digits) {
  index_t product = 1;
  for (const boxed_digit& d : digits) product *= (d.of.extent + d.box - 1) / d.box;
  return product;
}
void by_distance(boxed_digits& digits, stride_of in) {
  std::stable_sort(digits.begin(), digits.end(),
                   [&](const boxed_digit& a, const boxed_digit& b) { return distance(in(a.of)) < distance(in(b.of)); });
}

std::string list(const char* name, const boxed_digits& digits, const std::function<index_t(const boxed_digit&)>& of) {
  std::string text = std::string("tessera::device::") + name + "<";
  for (std::size_t i = 0; i < digits.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(of(digits[i]));
  return text + ">";
}
std::string numbers_of(const boxed_digits& digits, stride_of in) {
  return list("numbers", digits, [&](const boxed_digit& d) { return in(d.of); });
}
std::string boxed_of(const boxed_digits& digits) {
  return "tessera::device::boxed<" + numbers_of(digits, [](const general_digit& d) { return d.extent; }) + ", " +
         list("numbers", digits, [](const boxed_digit& d) { return index_t(d.box); }) + ">";
}
std::string numbers_of(const std::vector<int>& values) {
  std::string text = "tessera::device::numbers<";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(values[i]);
  return text + ">";
}

// A tile of an operand in shared memory, in the order that it has in memory, with gaps between digits so that lanes
// that read at once find different banks.
class shared_tile {
 public:
  shared_tile(const boxed_digits& lines, const boxed_digits& inner, stride_of in) : lines_(lines), inner_(inner) {
    for (const boxed_digits* list : {&lines, &inner})
      for (const boxed_digit& d : *list) digits_.push_back({int(digits_.size()), d.box, distance(in(d.of))});
    std::stable_sort(digits_.begin(), digits_.end(),
                     [](const placed& a, const placed& b) { return a.distance < b.distance; });
    std::vector<int> gaps(digits_.size(), 0);
    try_gaps(gaps, first_level(), 0);
  }

  int size() const { return best_size_; }
  std::string order() const {
    std::vector<int> numbers;
    for (const placed& d : digits_) numbers.push_back(d.number);
    return numbers_of(numbers);
  }
  std::string of_lines() const { return numbers_of({best_.begin(), best_.begin() + index_t(lines_.size())}); }
  std::string of_inner() const { return numbers_of({best_.begin() + index_t(lines_.size()), best_.end()}); }
  // Whether pairs lie side by side at even places in memory, if the operand begins at one.
  bool has_pairs(stride_of in) const {
    const auto digit = [&](const placed& d) -> const boxed_digit& {
      return d.number < int(lines_.size()) ? lines_[std::size_t(d.number)]
                                           : inner_[std::size_t(d.number) - lines_.size()];
    };
    const boxed_digit& first = digit(digits_[0]);
    if (in(first.of) != 1 || first.box % 2 != 0 || first.of.extent % 2 != 0) return false;
    return std::all_of(digits_.begin() + 1, digits_.end(), [&](const placed& d) {
      return in(digit(d).of) % 2 == 0 && best_[std::size_t(d.number)] % 2 == 0;
    });
  }

 private:
  struct placed {
    int number, box;
    index_t distance;
  };
  static constexpr int banks = 16, most_levels = 3;  // banks of 8 bytes

  std::size_t first_level() const {
    std::size_t i = 0;
    while (i < digits_.size() && digits_[i].box == 1) ++i;
    return i + 1;  // nothing is before the first digit of more than one entry
  }
  void try_gaps(std::vector<int>& gaps, std::size_t digit, int level) {
    while (digit < digits_.size() && digits_[digit].box == 1) ++digit;
    if (digit >= digits_.size() || level == most_levels) return keep_if_better(gaps);
    for (int gap = 0; gap < banks; gap += 2) {
      gaps[digit] = gap;
      try_gaps(gaps, digit + 1, level + 1);
    }
    gaps[digit] = 0;
  }
  void keep_if_better(const std::vector<int>& gaps) {
    std::vector<int> stride(digits_.size());
    int next = 1;
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      next += gaps[i];
      stride[std::size_t(digits_[i].number)] = next;
      if (digits_[i].box > 1) next *= digits_[i].box;
    }
    int size = 1;
    for (const placed& d : digits_) size += stride[std::size_t(d.number)] * (d.box - 1);
    size = (size + banks - 1) / banks * banks;
    const int least = size_of(lines_) * size_of(inner_);
    if (!best_.empty() && double(size) > tessera::detail::shared_gaps * least) return;  // the model counts on no more
    const int waits = conflicts(stride);
    if (!best_.empty() && (waits > best_waits_ || (waits == best_waits_ && size >= best_size_))) return;
    best_ = stride;
    best_size_ = size;
    best_waits_ = waits;
  }
  // How many lanes of 16 meet in the fullest bank, summed over some of the reads: of 4 lines by 4 of the sum.
  int conflicts(const std::vector<int>& stride) const {
    const int lines = size_of(lines_), sum = size_of(inner_);
    int all = 0;
    for (int line = 0; line < std::min(lines, 16); line += 4)
      for (int k = 0; k < std::min(sum, 8); k += 4) {
        int in_bank[banks]{};
        for (int g = 0; g < 4; ++g)
          for (int t = 0; t < 4; ++t)
            ++in_bank[(place(lines_, line + g, stride, 0) + place(inner_, k + t, stride, lines_.size())) % banks];
        all += *std::max_element(in_bank, in_bank + banks);
      }
    return all;
  }
  static int place(const boxed_digits& digits, int number, const std::vector<int>& stride, std::size_t from) {
    int sum = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) {
      sum += number % digits[i].box * stride[from + i];
      number /= digits[i].box;
    }
    return sum;
  }

  const boxed_digits &lines_, &inner_;
  std::vector<placed> digits_;
  std::vector<int> best_;
  int best_size_ = 0, best_waits_ = 0;
};

// The order in which a tile counts its lines: as in the output if its nearest index is among them, so that lanes write
// side by side; else as in the operand.
void in_order_of_tile(boxed_digits& lines, bool has_nearest, stride_of in) {
  by_distance(lines, has_nearest ? in_out : in);
}

// One of four entries first, so that the four of a lane's group are so many apart; a box beyond its extent where that
// is needed for whole instructions.
void in_order_of_sum(boxed_digits& inner) {
  if (inner.empty()) inner.push_back({});
  if (size_of(inner) % 4 != 0) {
    int& box = inner[0].box;
    box = (box + 3) / 4 * 4;
  }
  const auto whole = std::find_if(inner.begin(), inner.end(), [](const boxed_digit& d) { return d.box % 4 == 0; });
  if (whole != inner.end()) std::rotate(inner.begin(), whole, whole + 1);
}

// Blocks that run together write side by side.
std::string order_of_blocks(const boxed_digits& rows, const boxed_digits& cols) {
  boxed_digits all = rows;
  all.insert(all.end(), cols.begin(), cols.end());
  std::vector<int> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return distance(all[std::size_t(a)].of.out) < distance(all[std::size_t(b)].of.out);
  });
  return numbers_of(order);
}

bool is_nearest(const boxed_digits& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const boxed_digit& d) { return d.of.out == 1; });
}

}  // namespace

general_code general_source(const general_form& form, const general_tile& tile, bool reads_out) {
  boxed_digits rows = with_boxes(form.rows, tile.rows), cols = with_boxes(form.cols, tile.cols),
               inner = with_boxes(form.inner, tile.inner);
  stride_of of_rows = in_left, of_cols = in_right;
  if (tile.exchanged) {
    std::swap(rows, cols);
    std::swap(of_rows, of_cols);
  }
  in_order_of_tile(rows, is_nearest(rows), of_rows);
  in_order_of_tile(cols, is_nearest(cols), of_cols);
  in_order_of_sum(inner);
  const shared_tile left(rows, inner, of_rows), right(cols, inner, of_cols);
  boxed_digits batch;
  for (int i = 0; i < form.batch.count; ++i) batch.push_back({form.batch.at[i], 1});

  const int down = tessera::detail::padded(size_of(rows), tile.warps_down, 16) / tile.warps_down,
            across = tessera::detail::padded(size_of(cols), tile.warps_across, 8) / tile.warps_across;
  const int numbers = down * across / 16;  // registers of sums of a thread
  const auto pieces = [&](const boxed_digits& lines) {
    return (size_of(lines) * size_of(inner) / 2 + tile.threads() - 1) / tile.threads();
  };
  // Of sums, two sets of fragments, addresses of what is moved, and others.
  const int others = numbers + 2 * (pieces(rows) + pieces(cols)) + 40, fragments = down / 8 + across / 8;
  const int depth = size_of(inner) % 8 == 0 && others + 8 * fragments < 250 ? 8 : 4;
  const int registers = std::min(255, others + depth * fragments);
  const int stage = 8 * (left.size() + right.size()), sums = 8 * tile.threads() * numbers / 2;
  general_code made{.source = {"#include <tessera/gpu/detail/general/contract.cuh>\n", {}},
                    .threads = tile.threads(),
                    .shared_bytes = std::max(tile.stages * stage, tile.splits > 1 ? sums : 0),
                    .blocks = boxes_of(rows) * boxes_of(cols) * tile.splits};
  for (const boxed_digit& d : batch) made.blocks *= d.of.extent;
  constexpr tessera::detail::gpu_rates gpu = tessera::detail::rates_of_h200;  // as every GPU with these instructions
  const int blocks = std::max(1, std::min(gpu.registers / (tile.threads() * registers),
                                          int(gpu.shared_of_multiprocessor) / (made.shared_bytes + 1024)));
  const bool pairs_out =
      !cols.empty() && cols[0].of.out == 1 && cols[0].box % 2 == 0 && cols[0].of.extent % 2 == 0 &&
      std::all_of(cols.begin() + 1, cols.end(), [](const boxed_digit& d) { return d.of.out % 2 == 0; }) &&
      std::all_of(rows.begin(), rows.end(), [](const boxed_digit& d) { return d.of.out % 2 == 0; }) &&
      std::all_of(batch.begin(), batch.end(), [](const boxed_digit& d) { return d.of.out % 2 == 0; });
  const auto even_batch = [&](stride_of in) {
    return std::all_of(batch.begin(), batch.end(), [&](const boxed_digit& d) { return in(d.of) % 2 == 0; });
  };
  const auto staged_of = [&](const boxed_digits& lines, const shared_tile& in_shared, stride_of in, bool pairs) {
    return "tessera::device::staged<" + numbers_of(lines, in) + ", " + numbers_of(inner, in) + ", " +
           in_shared.order() + ", " + in_shared.of_lines() + ", " + in_shared.of_inner() + ", " +
           std::to_string(in_shared.size()) + ", " + (pairs ? "2" : "1") + ">";
  };
  for (const bool aligned : {true, false}) {
    std::string name =
        tile.splits > 1 ? "tessera::device::contract_general_in_parts<" : "tessera::device::contract_general<";
    name += "tessera::device::general_work<" + boxed_of(rows) + ", " + boxed_of(cols) + ", " + boxed_of(inner) + ", " +
            staged_of(rows, left, of_rows, aligned && left.has_pairs(of_rows) && even_batch(of_rows)) + ", " +
            staged_of(cols, right, of_cols, aligned && right.has_pairs(of_cols) && even_batch(of_cols)) + ", " +
            numbers_of(rows, in_out) + ", " + numbers_of(cols, in_out) + ", " + order_of_blocks(rows, cols) + ", " +
            numbers_of(batch, [](const general_digit& d) { return d.extent; }) + ", " + numbers_of(batch, of_rows) +
            ", " + numbers_of(batch, of_cols) + ", " + numbers_of(batch, in_out);
    for (const int value : {tile.warps_down, tile.warps_across, depth, tile.stages, tile.splits})
      name += ", " + std::to_string(value);
    name += std::string(", ") + (reads_out ? "true" : "false") + ", " + (aligned && pairs_out ? "2" : "1") + ", " +
            std::to_string(blocks) + ">>";
    made.source.kernels.push_back(name);
  }
  return made;
}

}  // namespace tessera::device
