// SPDX-License-Identifier: BSD-3-Clause
// Steps of a network: layouts from the output down to the inputs, then a sequence from the inputs up.
#include "steps.hpp"

#include <algorithm>
#include <utility>

namespace tessera::detail {

namespace {

template <class Keep>
std::string selected(const std::string& letters, Keep keep) {
  std::string chosen;
  for (const char c : letters)
    if (keep(c)) chosen += c;
  return chosen;
}

std::string in_alphabetical_order(letter_set set) {
  std::string letters;
  for (int i = 0; i < batch_number; ++i)
    if ((set >> i & 1) != 0) letters += letter_of(i);
  return letters;
}

// A node of the tree: an input, an input summed over its lonely letters, or a pair.
struct tree_node {
  int first = -1, second = -1;  // of a pair
  letter_set set = 0;           // of its result
  std::string letters;          // in the order in which they are stored
  bool made = false;            // by a step: its letters may be in any order
  double bytes = 0, peak = 0;   // of its result, and of the workspace while it is made
};

class step_maker {
 public:
  step_maker(const network_letters& letters, const network_sizes& sizes, const network_order& order)
      : letters_(letters), sizes_(sizes), inputs_(int(letters.inputs.size())) {
    for (std::size_t i = 0; i < letters.inputs.size(); ++i) {
      tree_node leaf{.set = sizes.inputs[i], .letters = letters.inputs[i]};
      leaf.made = !lonely_letters(letters, i).empty();
      nodes_.push_back(leaf);
    }
    for (const network_pair& p : order.pairs)
      nodes_.push_back({.first = p.first, .second = p.second, .set = p.result, .letters = {}, .made = true});
    nodes_.back().letters = letters.out;
  }

  std::vector<network_step> steps() {
    arrange(root());
    weigh(root());
    make(root());
    return shared_first();
  }

 private:
  int root() const { return int(nodes_.size()) - 1; }
  tree_node& at(int number) { return nodes_[std::size_t(number)]; }

  // Gives the operands of a pair, where they are made, layouts in which the product is one of packed matrices: as the
  // result, with the sum in place of the letters of the other operand, "kba,bj->kja". Where those are apart: rows, sum,
  // loop and sum, columns, loop, of which rows and columns are in the result's order.
  void arrange(int number) {
    if (number < inputs_) return;
    tree_node& pair = at(number);
    const std::string& out = pair.letters;
    if (!out.empty() && !has(at(pair.first).set, out.front())) std::swap(pair.first, pair.second);
    tree_node &left = at(pair.first), &right = at(pair.second);
    const letter_set in_both = left.set & right.set, summed = in_both & ~set_of(out);
    const std::string like = !left.made ? left.letters : !right.made ? right.letters : in_alphabetical_order(summed);
    const std::string inner = selected(like, [&](char c) { return has(summed, c); });
    const std::string loop = selected(out, [&](char c) { return has(in_both, c); });
    const auto alone = [&](const tree_node& of) {
      return selected(out, [&](char c) { return has(of.set & ~in_both, c); });
    };
    const auto in_place = [&](const tree_node& of) {
      std::string letters;
      int blocks = 0;
      for (std::size_t i = 0; i < out.size(); ++i) {
        if (has(of.set, out[i]))
          letters += out[i];
        else if ((i == 0 || has(of.set, out[i - 1])) && ++blocks == 1)
          letters += inner;
      }
      return blocks == 1 ? letters : std::string();
    };
    const auto layout = [&](const tree_node& of, const std::string& otherwise) {
      const std::string letters = in_place(of);
      return letters.empty() ? otherwise : letters;
    };
    if (left.made) left.letters = layout(left, alone(left) + inner + loop);
    if (right.made) right.letters = layout(right, inner + alone(right) + loop);
    arrange(pair.first);
    arrange(pair.second);
  }

  void weigh(int number) {
    tree_node& n = at(number);
    n.bytes = n.made && number != root() ? sizes_.size(n.set) * sizes_.entry_bytes : 0;
    n.peak = n.bytes;
    if (number < inputs_) return;
    weigh(n.first);
    weigh(n.second);
    const tree_node &a = at(n.first), &b = at(n.second);
    n.peak = std::max(std::min(peak_of(a, b), peak_of(b, a)), a.bytes + b.bytes + n.bytes);
  }
  static double peak_of(const tree_node& before, const tree_node& after) {
    return std::max(before.peak, before.bytes + after.peak);
  }

  // Returns the number of the operand.
  int make(int number) {
    tree_node& n = at(number);
    if (number < inputs_) {
      if (!n.made) return number;
      const std::string lonely = lonely_letters(letters_, std::size_t(number));
      const letter_set all = n.set | set_of(lonely);
      return add({.first = number,
                  .second = network_step::ones,
                  .first_letters = letters_.inputs[std::size_t(number)],
                  .second_letters = lonely,
                  .letters = n.letters,
                  .flops = flops_of_pair(sizes_, all, n.set),
                  .batched = (n.set & batch_index) != 0});
    }
    const tree_node &a = at(n.first), &b = at(n.second);
    const bool second_before = peak_of(b, a) < peak_of(a, b);
    int first = 0, second = 0;
    if (second_before) second = make(n.second);
    first = make(n.first);
    if (!second_before) second = make(n.second);
    const letter_set all = a.set | b.set;
    return add({.first = first,
                .second = second,
                .first_letters = a.letters,
                .second_letters = b.letters,
                .letters = n.letters,
                .flops = flops_of_pair(sizes_, all, n.set),
                .batched = ((all | n.set) & batch_index) != 0});
  }
  int add(network_step step) {
    steps_.push_back(std::move(step));
    return inputs_ + int(steps_.size()) - 1;
  }

  std::vector<network_step> shared_first() const {
    std::vector<int> order, place(steps_.size());
    for (const bool batched : {false, true})
      for (std::size_t i = 0; i < steps_.size(); ++i)
        if (steps_[i].batched == batched) {
          place[i] = int(order.size());
          order.push_back(int(i));
        }
    std::vector<network_step> sorted;
    for (const int i : order) {
      sorted.push_back(steps_[std::size_t(i)]);
      for (int* operand : {&sorted.back().first, &sorted.back().second})
        if (*operand >= inputs_) *operand = inputs_ + place[std::size_t(*operand - inputs_)];
    }
    return sorted;
  }

  const network_letters& letters_;
  const network_sizes& sizes_;
  int inputs_;
  std::vector<tree_node> nodes_;
  std::vector<network_step> steps_;
};

}  // namespace

std::string lonely_letters(const network_letters& letters, std::size_t o) {
  letter_set others = set_of(letters.out);
  for (std::size_t i = 0; i < letters.inputs.size(); ++i)
    if (i != o) others |= set_of(letters.inputs[i]);
  return selected(letters.inputs[o], [&](char c) { return !has(others, c); });
}

std::vector<network_step> steps_of(const network_letters& letters, const network_sizes& sizes,
                                   const network_order& order) {
  return step_maker(letters, sizes, order).steps();
}

std::size_t place_results(std::vector<network_step>& steps, const std::vector<std::size_t>& bytes, int inputs,
                          std::size_t alignment) {
  const std::size_t count = steps.size();
  std::vector<std::size_t> last_use(count, count);
  for (std::size_t i = 0; i < count; ++i)
    for (const int operand : {steps[i].first, steps[i].second})
      if (operand >= inputs) {
        const std::size_t made = std::size_t(operand - inputs);
        last_use[made] = steps[i].batched && !steps[made].batched ? count : i;
      }
  std::size_t end_of_all = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes[i] == 0) continue;
    std::vector<std::pair<std::size_t, std::size_t>> taken;  // begin and end
    for (std::size_t j = 0; j < i; ++j)
      if (bytes[j] > 0 && last_use[j] >= i) taken.emplace_back(steps[j].at, steps[j].at + bytes[j]);
    std::sort(taken.begin(), taken.end());
    std::size_t at = 0;
    for (const auto& [begin, end] : taken) {
      if (at + bytes[i] <= begin) break;
      at = std::max(at, (end + alignment - 1) / alignment * alignment);
    }
    steps[i].at = at;
    end_of_all = std::max(end_of_all, at + bytes[i]);
  }
  return end_of_all;
}

}  // namespace tessera::detail
