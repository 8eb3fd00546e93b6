// SPDX-License-Identifier: BSD-3-Clause
// A tile of an operand in shared memory: in the order that it has in memory, or with lines nearest, with gaps between
// digits so that lanes that read at once find different banks.
#pragma once

#include <string>
#include <vector>

#include "boxed_list.hpp"

namespace tessera::device {

/// What lanes read at once: `lines` lines, `line_step` apart, of `inner` entries of the sum, `inner_step` apart, so
/// many bytes each.
struct read_pattern {
  int lines = 4, line_step = 1, inner = 4, inner_step = 1, bytes = 8;
};

/// What is nearest in shared memory: as in memory, or the tile's first digit of more than one line. Then entries are
/// copied one by one.
enum class shared_order { of_memory, lines_first };

class shared_tile {
 public:
  /// Of entries of so many bytes; gaps make it at most `most_gaps` times as large. The lists are kept by reference.
  shared_tile(const boxed_list& lines, const boxed_list& inner, stride_of in, int entry_bytes,
              const read_pattern& reads, double most_gaps, shared_order order = shared_order::of_memory);

  /// Entries, gaps included.
  int size() const { return best_size_; }
  int bytes() const { return (best_size_ * entry_bytes_ + 15) / 16 * 16; }
  /// Digits by their distance in memory, nearest first, those of the sum counted after those of lines.
  std::string order() const;
  std::string of_lines() const { return numbers_text({best_.begin(), best_.begin() + index_t(lines_.size())}); }
  std::string of_inner() const { return numbers_text({best_.begin() + index_t(lines_.size()), best_.end()}); }

  /// Entries that lie side by side in memory and in shared memory at multiples of their number, at most 16 bytes, if
  /// the operand and the tensors of a batch begin at such places.
  int entries_at_once(const boxed_list& batch) const;
  /// Lines, or entries of the sum, that lie side by side in shared memory at multiples of their number, at most `most`.
  int lines_side_by_side(int most) const { return side_by_side(0, lines_, most); }
  int inner_side_by_side(int most) const { return side_by_side(lines_.size(), inner_, most); }

 private:
  struct placed {
    int number, box;
    index_t distance;
  };
  const boxed_entry& digit(const placed& d) const {
    return d.number < int(lines_.size()) ? lines_[std::size_t(d.number)]
                                         : inner_[std::size_t(d.number) - lines_.size()];
  }
  int side_by_side(std::size_t first, const boxed_list& list, int most) const;
  std::size_t first_level() const;
  void try_gaps(std::vector<int>& gaps, std::size_t digit, int level);
  void keep_if_better(const std::vector<int>& gaps);
  int conflicts(const std::vector<int>& stride) const;
  int conflicts_of_copies(const std::vector<int>& stride) const;

  const boxed_list &lines_, &inner_;
  stride_of in_;
  int entry_bytes_;
  read_pattern reads_;
  double most_gaps_;
  std::vector<placed> digits_, in_shared_;  // nearest first in memory, and in shared memory
  std::vector<int> best_;
  int best_size_ = 0, best_waits_ = 0;
};

}  // namespace tessera::device
