// SPDX-License-Identifier: BSD-3-Clause
// Searches the gaps of a tile in shared memory that cost the fewest waits for banks, and the least memory.
#include "shared_tile.hpp"

#include <algorithm>

namespace tessera::device {

namespace {

constexpr int all_bytes_of_banks = 128, bank_bytes = 4, gap_bytes = 16, most_levels = 3, most_at_once = 16;
// Waits of one copy count as those of so many reads: asynchronous copies of 4 bytes to the same bank are slow.
constexpr int weight_of_copies = 8;

int place(const boxed_list& digits, int number, const std::vector<int>& stride, std::size_t from) {
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    sum += number % digits[i].box * stride[from + i];
    number /= digits[i].box;
  }
  return sum;
}

// Accesses of a warp, word by word: how many words meet in the fullest bank.
class bank_use {
 public:
  void add(int byte, int bytes) {
    for (int more = 0; more < bytes; more += bank_bytes) {
      const int word = (byte + more) / bank_bytes;
      if (std::find(words_, words_ + count_, word) == words_ + count_) words_[count_++] = word;
    }
  }
  int fullest() const {
    int in_bank[all_bytes_of_banks / bank_bytes]{}, most = 0;
    for (int i = 0; i < count_; ++i) most = std::max(most, ++in_bank[words_[i] % (all_bytes_of_banks / bank_bytes)]);
    return most;
  }

 private:
  int words_[32 * most_at_once / bank_bytes], count_ = 0;
};

}  // namespace

shared_tile::shared_tile(const boxed_list& lines, const boxed_list& inner, stride_of in, int entry_bytes,
                         const read_pattern& reads, double most_gaps, shared_order order)
    : lines_(lines), inner_(inner), in_(in), entry_bytes_(entry_bytes), reads_(reads), most_gaps_(most_gaps) {
  for (const boxed_list* list : {&lines, &inner})
    for (const boxed_entry& d : *list) digits_.push_back({int(digits_.size()), d.box, distance(d.of.*in)});
  std::stable_sort(digits_.begin(), digits_.end(),
                   [](const placed& a, const placed& b) { return a.distance < b.distance; });
  in_shared_ = digits_;
  if (order == shared_order::lines_first) {
    const auto first = std::find_if(lines.begin(), lines.end(), [](const boxed_entry& d) { return d.box > 1; });
    const auto at = std::find_if(in_shared_.begin(), in_shared_.end(),
                                 [&](const placed& d) { return d.number == int(first - lines.begin()); });
    if (first != lines.end()) std::rotate(in_shared_.begin(), at, at + 1);
  }
  std::vector<int> gaps(digits_.size(), 0);
  try_gaps(gaps, first_level(), 0);
}

std::string shared_tile::order() const {
  std::vector<int> numbers;
  for (const placed& d : digits_) numbers.push_back(d.number);
  return numbers_text(numbers);
}

int shared_tile::entries_at_once(const boxed_list& batch) const {
  const auto are_multiples = [&](int of) {
    if (digits_.empty()) return false;
    const boxed_entry& first = digit(digits_[0]);
    if (first.of.*in_ != 1 || first.box % of != 0 || first.of.extent % of != 0) return false;
    if (best_[std::size_t(digits_[0].number)] != 1) return false;
    return std::all_of(digits_.begin() + 1, digits_.end(),
                       [&](const placed& d) {
                         return (digit(d).of.*in_) % of == 0 && (d.box == 1 || best_[std::size_t(d.number)] % of == 0);
                       }) &&
           std::all_of(batch.begin(), batch.end(), [&](const boxed_entry& d) { return (d.of.*in_) % of == 0; });
  };
  int most = std::max(1, most_at_once / entry_bytes_);
  while (most > 1 && !are_multiples(most)) most /= 2;
  return most;
}

int shared_tile::side_by_side(std::size_t first, const boxed_list& list, int most) const {
  const auto lie_so = [&](int of) {
    std::size_t nearest = 0;
    while (nearest < list.size() && list[nearest].box == 1) ++nearest;
    if (nearest == list.size() || best_[first + nearest] != 1 || list[nearest].box % of != 0) return false;
    for (const placed& d : digits_)
      if (d.box > 1 && std::size_t(d.number) != first + nearest && best_[std::size_t(d.number)] % of != 0) return false;
    return true;
  };
  while (most > 1 && !lie_so(most)) most /= 2;
  return most;
}

std::size_t shared_tile::first_level() const {
  std::size_t i = 0;
  while (i < in_shared_.size() && in_shared_[i].box == 1) ++i;
  return i + 1;  // nothing is before the first digit of more than one entry
}

void shared_tile::try_gaps(std::vector<int>& gaps, std::size_t digit, int level) {
  while (digit < in_shared_.size() && in_shared_[digit].box == 1) ++digit;
  if (digit >= in_shared_.size() || level == most_levels) return keep_if_better(gaps);
  const int step = std::max(1, gap_bytes / entry_bytes_);
  for (int gap = 0; gap * entry_bytes_ < all_bytes_of_banks; gap += step) {
    gaps[digit] = gap;
    try_gaps(gaps, digit + 1, level + 1);
  }
  gaps[digit] = 0;
}

void shared_tile::keep_if_better(const std::vector<int>& gaps) {
  std::vector<int> stride(digits_.size());
  int next = 1;
  for (std::size_t i = 0; i < digits_.size(); ++i) {
    next += gaps[i];
    stride[std::size_t(in_shared_[i].number)] = next;
    if (in_shared_[i].box > 1) next *= in_shared_[i].box;
  }
  int size = 1;
  for (const placed& d : digits_) size += stride[std::size_t(d.number)] * (d.box - 1);
  const int whole = std::max(1, all_bytes_of_banks / entry_bytes_);
  size = (size + whole - 1) / whole * whole;
  const int least = size_of(lines_) * size_of(inner_);
  if (!best_.empty() && double(size) > most_gaps_ * least) return;
  const int waits = conflicts(stride) + weight_of_copies * conflicts_of_copies(stride);
  if (!best_.empty() && (waits > best_waits_ || (waits == best_waits_ && size >= best_size_))) return;
  best_ = stride;
  best_size_ = size;
  best_waits_ = waits;
}

// Waits for banks, summed over some of the reads.
int shared_tile::conflicts(const std::vector<int>& stride) const {
  const int lines = size_of(lines_), sum = size_of(inner_);
  const int lines_of_read = reads_.lines * reads_.line_step, sum_of_read = reads_.inner * reads_.inner_step;
  int all = 0;
  for (int line = 0; line < std::min(lines, 4 * lines_of_read); line += lines_of_read)
    for (int k = 0; k < std::min(sum, 2 * sum_of_read); k += sum_of_read) {
      bank_use use;
      for (int g = 0; g < reads_.lines; ++g)
        for (int t = 0; t < reads_.inner; ++t)
          use.add(entry_bytes_ * (place(lines_, line + g * reads_.line_step, stride, 0) +
                                  place(inner_, k + t * reads_.inner_step, stride, lines_.size())),
                  reads_.bytes);
      all += use.fullest();
    }
  return all;
}

// The same of a copy of a warp, where entries that follow each other in memory do not in shared memory.
int shared_tile::conflicts_of_copies(const std::vector<int>& stride) const {
  if (in_shared_.empty() || in_shared_[0].number == digits_[0].number) return 0;
  constexpr int lanes = 32;
  bank_use use;
  for (int lane = 0; lane < lanes; ++lane) {
    int rest = lane, at = 0;
    for (const placed& d : digits_) {
      at += rest % d.box * stride[std::size_t(d.number)];
      rest /= d.box;
    }
    use.add(entry_bytes_ * at, entry_bytes_);
  }
  return use.fullest();
}

}  // namespace tessera::device
