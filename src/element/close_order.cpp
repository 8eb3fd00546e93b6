// SPDX-License-Identifier: BSD-3-Clause
// Orders elements by growing groups: the element that shares the most numbers with a group joins it next.
#include <algorithm>
#include <deque>
#include <vector>

#include "patches.hpp"

namespace tessera::detail {

namespace {

// The elements of each number that several elements have. Numbers of very many, as one that stands for all that is
// eliminated, make no neighbours.
class neighbours {
 public:
  explicit neighbours(const restriction_state& r) : first_(std::size_t(r.size) + 1) {
    const index_t count = r.elements * r.entries;
    for (index_t j = 0; j < count; ++j) ++first_[std::size_t(r.number(j)) + 1];
    for (index_t k = 0; k < r.size; ++k) {
      index_t& here = first_[std::size_t(k) + 1];
      if (here == 1 || here > most_neighbours) here = 0;
      here += first_[std::size_t(k)];
    }
    elements_.resize(std::size_t(first_.back()));
    std::vector<index_t> next(first_.begin(), first_.end() - 1);
    for (index_t j = 0; j < count; ++j) {
      const std::size_t k = std::size_t(r.number(j));
      if (next[k] < first_[k + 1]) elements_[std::size_t(next[k]++)] = j / r.entries;
    }
  }
  std::span<const index_t> of(index_t number) const {
    const index_t from = first_[std::size_t(number)], to = first_[std::size_t(number) + 1];
    return std::span(elements_).subspan(std::size_t(from), std::size_t(to - from));
  }

 private:
  static constexpr index_t most_neighbours = 512;
  std::vector<index_t> first_, elements_;
};

// Elements by how many numbers they share, the first of those that share the most at first.
class candidate_queue {
 public:
  struct candidate {
    index_t shares, element;
  };
  void push(const candidate& c) {
    if (std::size_t(c.shares) >= by_shares_.size()) by_shares_.resize(std::size_t(c.shares) + 1);
    by_shares_[std::size_t(c.shares)].elements.push_back(c.element);
    most_ = std::max(most_, c.shares);
  }
  bool empty() {
    while (most_ > 0 && by_shares_[std::size_t(most_)].is_empty()) by_shares_[std::size_t(most_--)].clear();
    return most_ == 0;
  }
  candidate pop() {  // not empty()
    list& of = by_shares_[std::size_t(most_)];
    return {most_, of.elements[of.next++]};
  }
  void clear() {
    while (!empty()) by_shares_[std::size_t(most_)].clear();
  }

 private:
  struct list {
    std::vector<index_t> elements;
    std::size_t next = 0;

    bool is_empty() const { return next == elements.size(); }
    void clear() {
      elements.clear();
      next = 0;
    }
  };
  std::vector<list> by_shares_;
  index_t most_ = 0;  // above it all lists are empty
};

class growth {
 public:
  explicit growth(const restriction_state& r)
      : r_(r),
        near_(r),
        placed_(std::size_t(r.elements)),
        queued_(std::size_t(r.elements)),
        group_of_(std::size_t(r.elements), -1),
        shares_(std::size_t(r.elements)),
        touched_at_(std::size_t(r.elements)),
        seen_in_(std::size_t(r.size), -1) {}

  std::vector<index_t> order(index_t together) {
    order_.reserve(std::size_t(r_.elements));
    for (; index_t(order_.size()) < r_.elements; ++group_) {
      candidates_.clear();
      for (index_t k = 0; k < together && index_t(order_.size()) < r_.elements; ++k) place(next());
    }
    return std::move(order_);
  }

 private:
  // The best candidate; else one beside an earlier group; else the first that is left.
  index_t next() {
    while (!candidates_.empty()) {
      const auto [shares, e] = candidates_.pop();
      if (!placed_[std::size_t(e)] && shares == shares_[std::size_t(e)]) return e;
    }
    while (!beside_.empty()) {
      const index_t e = beside_.front();
      beside_.pop_front();
      if (!placed_[std::size_t(e)]) return e;
    }
    while (placed_[std::size_t(first_left_)]) ++first_left_;
    return first_left_;
  }

  void place(index_t e) {
    placed_[std::size_t(e)] = true;
    order_.push_back(e);
    touched_.clear();
    for (index_t i = 0; i < r_.entries; ++i) {
      const index_t number = r_.number(i + r_.entries * e);
      if (seen_in_[std::size_t(number)] == group_) continue;
      seen_in_[std::size_t(number)] = group_;
      for (const index_t f : near_.of(number)) count(f);
    }
    for (const index_t f : touched_) {
      candidates_.push({shares_[std::size_t(f)], f});
      if (!queued_[std::size_t(f)]) beside_.push_back(f);
      queued_[std::size_t(f)] = true;
    }
  }
  // One number more that f shares with the group.
  void count(index_t f) {
    const auto at = std::size_t(f);
    if (placed_[at]) return;
    if (group_of_[at] != group_) group_of_[at] = group_, shares_[at] = 0;
    ++shares_[at];
    if (touched_at_[at] != index_t(order_.size())) touched_.push_back(f);
    touched_at_[at] = index_t(order_.size());
  }

  const restriction_state& r_;
  neighbours near_;
  std::vector<bool> placed_, queued_;
  std::vector<index_t> group_of_, shares_, touched_at_, seen_in_, order_, touched_;
  std::deque<index_t> beside_;
  candidate_queue candidates_;
  index_t group_ = 0, first_left_ = 0;
};

}  // namespace

std::vector<index_t> close_order(const restriction_state& r, index_t together) { return growth(r).order(together); }

}  // namespace tessera::detail
