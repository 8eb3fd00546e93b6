// SPDX-License-Identifier: BSD-3-Clause
// Rounds: a counter for every piece of memory that several items access; operands that nothing else overlaps are
// skipped.
#include "item_rounds.hpp"

#include <algorithm>
#include <cstdint>

namespace tessera::detail {

namespace {

// An operand of an item, or one member of a group.
struct access {
  const operand* of;
  const void* data;
  std::size_t item;
  bool writes;
  std::ptrdiff_t board = -1;

  index_t count() const { return of->batched && !of->grouped ? of->count : 1; }
  std::uintptr_t start() const { return reinterpret_cast<std::uintptr_t>(data); }
  std::uintptr_t first() const { return start() - std::uintptr_t(of->facts.before()) * of->entry_bytes; }
  std::uintptr_t end() const {
    return first() + std::uintptr_t(of->grouped ? of->span : of->reach()) * of->entry_bytes;
  }
};

// The first rounds in which a piece may be written, and read, after the accesses of earlier items.
struct score {
  int to_read = 0, to_write = 0;
};

// The counters of one address range that several items access, at least one of them writing.
class score_board {
 public:
  /// In pieces of that many bytes, a divisor of the size of every entry.
  score_board(std::uintptr_t first, std::uintptr_t end, std::uintptr_t piece)
      : piece_(piece), first_(first / piece), scores_(std::size_t((end + piece - 1) / piece - first_)) {}

  int earliest(const access& a) {
    int round = 0;
    for_each_score(a, [&](const score& s) { round = std::max(round, a.writes ? s.to_write : s.to_read); });
    return round;
  }
  void mark(const access& a, int round) {
    for_each_score(a, [&](score& s) {
      s.to_write = std::max(s.to_write, round + 1);
      if (a.writes) s.to_read = round + 1;
    });
  }

 private:
  template <class Visit>
  void for_each_score(const access& a, Visit visit) {
    const operand& o = *a.of;
    const index_t entries = o.entries();
    for (index_t b = 0; b < a.count(); ++b)
      for (index_t i = 0; i < entries; ++i) {
        const std::uintptr_t at = a.start() + std::uintptr_t(o.offset(i, b)) * o.entry_bytes;
        for (std::uintptr_t p = at / piece_; p * piece_ < at + o.entry_bytes; ++p)
          visit(scores_[std::size_t(p - first_)]);
      }
  }

  std::uintptr_t piece_, first_;
  std::vector<score> scores_;
};

std::vector<access> accesses_of(const std::vector<executor_item>& items) {
  std::vector<access> all;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto add = [&](const operand& o) {
      if (o.reach() == 0) return;
      const bool writes = &o == &items[i].operands.back();
      if (!o.grouped) all.push_back({&o, o.data, i, writes});
      for (index_t b = 0; o.grouped && b < o.count; ++b) all.push_back({&o, o.member(b), i, writes});
    };
    for (const operand& o : items[i].operands) add(o);
    for (const chain_step& step : items[i].steps)
      for (const operand& o : step.inputs) add(o);
  }
  return all;
}

// Makes the counters of every maximal range of overlapping operands.
std::vector<score_board> boards_for(std::vector<access>& all) {
  std::uintptr_t piece = sizeof(float);
  for (const access& a : all) piece = std::min<std::uintptr_t>(piece, a.of->entry_bytes);
  std::vector<access*> by_address;
  by_address.reserve(all.size());
  for (access& a : all) by_address.push_back(&a);
  std::stable_sort(by_address.begin(), by_address.end(),
                   [](const access* a, const access* b) { return a->first() < b->first(); });
  std::vector<score_board> boards;
  for (std::size_t begin = 0, end = 0; begin < by_address.size(); begin = end) {
    std::uintptr_t reached = by_address[begin]->end();
    bool several = false, written = false;
    for (end = begin; end < by_address.size() && by_address[end]->first() < reached; ++end) {
      reached = std::max(reached, by_address[end]->end());
      several = several || by_address[end]->item != by_address[begin]->item;
      written = written || by_address[end]->writes;
    }
    if (!several || !written) continue;
    for (std::size_t i = begin; i < end; ++i) by_address[i]->board = std::ptrdiff_t(boards.size());
    boards.emplace_back(by_address[begin]->first(), reached, piece);
  }
  return boards;
}

}  // namespace

std::vector<int> rounds_of(const std::vector<executor_item>& items) {
  std::vector<access> all = accesses_of(items);
  std::vector<score_board> boards = boards_for(all);
  std::vector<int> rounds(items.size(), 0);
  // Accesses are in the order of items; those of one item do not wait for each other.
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    int& round = rounds[all[begin].item];
    for (end = begin; end < all.size() && all[end].item == all[begin].item; ++end)
      if (all[end].board >= 0) round = std::max(round, boards[std::size_t(all[end].board)].earliest(all[end]));
    for (std::size_t i = begin; i < end; ++i)
      if (all[i].board >= 0) boards[std::size_t(all[i].board)].mark(all[i], round);
  }
  return rounds;
}

}  // namespace tessera::detail
