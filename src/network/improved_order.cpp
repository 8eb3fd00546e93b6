// SPDX-License-Identifier: BSD-3-Clause
// Improves an order of many operands: parts of its tree are replaced by their exact orders.
#include <algorithm>
#include <cstddef>

#include "order.hpp"

namespace tessera::detail {

namespace {

// Exact orders of this many operands take some milliseconds.
constexpr std::size_t part_inputs = 8;
constexpr int most_rounds = 10;

class pair_tree {
 public:
  pair_tree(const network_sizes& sizes, const network_order& from)
      : sizes_(sizes), inputs_(int(sizes.inputs.size())), pairs_(from.pairs) {}

  // Replaces the part of the tree below each pair by a cheaper one. False: there was none.
  bool improve() {
    bool better = false;
    for (int root = 0; root < int(pairs_.size()); ++root) better = improve_below(root) || better;
    return better;
  }

  network_order order() const {
    network_order made;
    append(int(pairs_.size()) - 1, made.pairs);
    for (std::size_t i = 0; i < made.pairs.size(); ++i)
      made.cost = made.cost + cost_of(made.pairs[i], i + 1 == made.pairs.size());
    return made;
  }

 private:
  bool is_pair(int number) const { return number >= inputs_; }
  network_pair& pair_of(int number) { return pairs_[std::size_t(number - inputs_)]; }
  letter_set letters_of(int number) const {
    return number < inputs_ ? sizes_.inputs[std::size_t(number)] : pairs_[std::size_t(number - inputs_)].result;
  }
  network_cost cost_of(const network_pair& p, bool last) const {
    return {flops_of_pair(sizes_, p.letters, p.result), last ? 0 : sizes_.size(p.result) * sizes_.entry_bytes};
  }

  bool improve_below(int root) {
    std::vector<int> leaves{pairs_[std::size_t(root)].first, pairs_[std::size_t(root)].second}, inner{root};
    network_cost now = cost_of(pairs_[std::size_t(root)], true);
    // The pair that costs most becomes a part of what is ordered anew.
    while (leaves.size() < part_inputs) {
      auto most = leaves.end();
      for (auto at = leaves.begin(); at != leaves.end(); ++at)
        if (is_pair(*at) && (most == leaves.end() || cost_of(pair_of(*most), false) < cost_of(pair_of(*at), false)))
          most = at;
      if (most == leaves.end()) break;
      const int number = *most;
      now = now + cost_of(pair_of(number), false);
      inner.push_back(number - inputs_);
      *most = pair_of(number).first;
      leaves.push_back(pair_of(number).second);
    }
    if (leaves.size() < 3) return false;
    network_sizes part = sizes_;
    part.inputs.clear();
    for (const int leaf : leaves) part.inputs.push_back(letters_of(leaf));
    part.out = pairs_[std::size_t(root)].result;
    const network_order made = exact_order(part);
    if (made.pairs.empty() || !(made.cost < now)) return false;
    // The new pairs take the places of the old ones, the last one the root's.
    std::reverse(inner.begin(), inner.end());
    const auto placed = [&](int number) {
      const int count = int(leaves.size());
      return number < count ? leaves[std::size_t(number)] : inputs_ + inner[std::size_t(number - count)];
    };
    for (std::size_t i = 0; i < made.pairs.size(); ++i)
      pairs_[std::size_t(inner[i])] = {placed(made.pairs[i].first), placed(made.pairs[i].second), made.pairs[i].letters,
                                       made.pairs[i].result};
    return true;
  }

  int append(int pair, std::vector<network_pair>& to) const {
    network_pair p = pairs_[std::size_t(pair)];
    if (is_pair(p.first)) p.first = append(p.first - inputs_, to);
    if (is_pair(p.second)) p.second = append(p.second - inputs_, to);
    to.push_back(p);
    return inputs_ + int(to.size()) - 1;
  }

  const network_sizes& sizes_;
  int inputs_;
  std::vector<network_pair> pairs_;
};

}  // namespace

network_order improved_order(const network_sizes& sizes, const network_order& from) {
  if (from.pairs.empty()) return from;
  pair_tree tree(sizes, from);
  for (int round = 0; round < most_rounds && tree.improve(); ++round) {
  }
  const network_order made = tree.order();
  return made.cost < from.cost ? made : from;
}

}  // namespace tessera::detail
