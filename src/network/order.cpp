// SPDX-License-Identifier: BSD-3-Clause
// Orders of pairs: dynamic programming over subsets of the inputs, and for many inputs pair by pair.
#include "order.hpp"

#include <bit>
#include <cstddef>
#include <limits>

#include <tessera/core/types.hpp>

namespace tessera::detail {

namespace {

constexpr double no_cost = std::numeric_limits<double>::infinity();

int letters_in(letter_set set) { return std::popcount(set & ~batch_index); }

// The letters of the product of a subset: those that the output or an input outside of it has.
struct subset_letters {
  std::vector<letter_set> all;  // of the subset's inputs
  explicit subset_letters(const network_sizes& sizes) : all(std::size_t{1} << sizes.inputs.size()) {
    for (std::size_t set = 1; set < all.size(); ++set)
      all[set] = all[set & (set - 1)] | sizes.inputs[std::size_t(std::countr_zero(set))];
  }
  letter_set kept(std::size_t set, letter_set out) const { return all[set] & (out | all[all.size() - 1 - set]); }
};

// The pairs of the subset's tree, those of its parts first. Returns the number of its result.
int append_pairs(std::size_t set, const std::vector<std::size_t>& split, const std::vector<letter_set>& result,
                 int inputs, std::vector<network_pair>& to) {
  if (std::has_single_bit(set)) return std::countr_zero(set);
  const std::size_t part = split[set], rest = set & ~part;
  const int first = append_pairs(part, split, result, inputs, to);
  const int second = append_pairs(rest, split, result, inputs, to);
  to.push_back({first, second, result[part] | result[rest], result[set]});
  return inputs + int(to.size()) - 1;
}

// Operands that are left, and who else has a letter.
struct left_over {
  int number;
  letter_set letters;
};

letter_set result_of(const network_sizes& sizes, const std::vector<left_over>& left, std::size_t a, std::size_t b) {
  letter_set others = sizes.out;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (i != a && i != b) others |= left[i].letters;
  return (left[a].letters | left[b].letters) & others;
}

// What a pair is chosen by: the smaller, the earlier.
struct wish {
  double first = no_cost, second = no_cost;
  friend bool operator<(const wish& a, const wish& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  }
};

network_order pair_by_pair(const network_sizes& sizes, bool by_growth) {
  network_order order;
  std::vector<left_over> left;
  for (std::size_t i = 0; i < sizes.inputs.size(); ++i) left.push_back({int(i), sizes.inputs[i]});
  while (left.size() > 1) {
    wish best;
    std::size_t first = 0, second = 0;
    for (std::size_t a = 0; a < left.size(); ++a)
      for (std::size_t b = a + 1; b < left.size(); ++b) {
        const letter_set letters = left[a].letters | left[b].letters, result = result_of(sizes, left, a, b);
        if (!fits_a_plan(letters, result)) continue;
        const double flops = flops_of_pair(sizes, letters, result), made = sizes.size(result);
        const double growth = made - sizes.size(left[a].letters) - sizes.size(left[b].letters);
        const wish now = by_growth ? wish{growth, flops} : wish{flops, made};
        if (now < best) best = now, first = a, second = b;
      }
    if (first == second) return {};
    const letter_set letters = left[first].letters | left[second].letters,
                     result = result_of(sizes, left, first, second);
    order.pairs.push_back({left[first].number, left[second].number, letters, result});
    order.cost.flops += flops_of_pair(sizes, letters, result);
    if (left.size() > 2) order.cost.bytes += sizes.size(result) * sizes.entry_bytes;
    left[first] = {int(sizes.inputs.size() + order.pairs.size()) - 1, result};
    left.erase(left.begin() + std::ptrdiff_t(second));
  }
  return order;
}

}  // namespace

double network_sizes::size(letter_set letters) const {
  double product = 1;
  for (; letters != 0; letters &= letters - 1) product *= extent[std::countr_zero(letters)];
  return product;
}

double flops_of_pair(const network_sizes& sizes, letter_set letters, letter_set result) {
  return sizes.size(letters) * (letters == result ? 1 : 2);
}

bool fits_a_plan(letter_set letters, letter_set result) {
  return letters_in(result) <= max_rank && letters_in(letters & ~result) <= max_rank;
}

network_order exact_order(const network_sizes& sizes) {
  const int inputs = int(sizes.inputs.size());
  const subset_letters letters(sizes);
  const std::size_t sets = letters.all.size();
  std::vector<network_cost> cost(sets, {no_cost, no_cost});
  std::vector<std::size_t> split(sets, 0);
  std::vector<letter_set> result(sets, 0);
  for (std::size_t set = 1; set < sets; ++set) {
    if (std::has_single_bit(set)) {
      cost[set] = {};
      result[set] = sizes.inputs[std::size_t(std::countr_zero(set))];
      continue;
    }
    const bool last = set == sets - 1;
    result[set] = last ? sizes.out : letters.kept(set, sizes.out);
    const network_cost of_result{0, last ? 0 : sizes.size(result[set]) * sizes.entry_bytes};
    // Each split once: the part that has the subset's first input.
    const std::size_t lowest = set & (~set + 1);
    for (std::size_t part = (set - 1) & set; part != 0; part = (part - 1) & set) {
      if ((part & lowest) == 0) continue;
      const std::size_t rest = set & ~part;
      const letter_set held = result[part] | result[rest];
      if (cost[part].flops == no_cost || cost[rest].flops == no_cost || !fits_a_plan(held, result[set])) continue;
      const network_cost now =
          cost[part] + cost[rest] + of_result + network_cost{flops_of_pair(sizes, held, result[set]), 0};
      if (now < cost[set]) cost[set] = now, split[set] = part;
    }
  }
  network_order order;
  if (cost[sets - 1].flops == no_cost) return order;
  order.cost = cost[sets - 1];
  append_pairs(sets - 1, split, result, inputs, order.pairs);
  return order;
}

network_order greedy_order(const network_sizes& sizes) {
  network_order by_flops = pair_by_pair(sizes, false), by_growth = pair_by_pair(sizes, true);
  if (by_flops.pairs.empty()) return by_growth;
  return by_growth.pairs.empty() || by_flops.cost <= by_growth.cost ? by_flops : by_growth;
}

}  // namespace tessera::detail
