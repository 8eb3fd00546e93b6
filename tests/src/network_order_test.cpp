// SPDX-License-Identifier: BSD-3-Clause
// Orders of pairs against all trees; greedy orders against exact ones; what cannot be a plan is avoided.
#include "src/network/order.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <tessera/core/types.hpp>

#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::detail;

namespace {

network_sizes sizes_from(const std::vector<std::string>& inputs, const std::string& out,
                         const std::vector<std::pair<char, double>>& extents) {
  network_sizes sizes;
  for (const std::string& letters : inputs) sizes.inputs.push_back(set_of(letters));
  sizes.out = set_of(out);
  for (double& extent : sizes.extent) extent = 1;
  for (const auto& [letter, extent] : extents) sizes.extent[number_of(letter)] = extent;
  sizes.entry_bytes = 8;
  return sizes;
}

// The cheapest way to contract what is left, by trying every pair.
network_cost cheapest_of_all(const network_sizes& sizes, const std::vector<letter_set>& left) {
  if (left.size() == 1) return {};
  network_cost best{1e300, 1e300};
  for (std::size_t a = 0; a < left.size(); ++a)
    for (std::size_t b = a + 1; b < left.size(); ++b) {
      std::vector<letter_set> rest;
      letter_set others = sizes.out;
      for (std::size_t i = 0; i < left.size(); ++i)
        if (i != a && i != b) rest.push_back(left[i]), others |= left[i];
      const letter_set letters = left[a] | left[b], result = letters & others;
      if (!fits_a_plan(letters, result)) continue;
      network_cost now{sizes.size(letters) * (letters == result ? 1 : 2),
                       rest.empty() ? 0 : sizes.size(result) * sizes.entry_bytes};
      rest.push_back(result);
      now = now + cheapest_of_all(sizes, rest);
      best = std::min(best, now);
    }
  return best;
}

class random_numbers {
 public:
  explicit random_numbers(unsigned seed) : state_(seed * 2654435761u + 77u) {}
  int below(int n) {
    state_ = state_ * 1664525u + 1013904223u;
    return int((state_ >> 16) % unsigned(n));
  }

 private:
  unsigned state_;
};

// Every letter in two operands or more, one of which is an input.
network_sizes drawn_sizes(random_numbers& next, int inputs, int letters) {
  std::vector<std::string> in(std::size_t(inputs), "");
  std::string out;
  std::vector<std::pair<char, double>> extents;
  for (int l = 0; l < letters; ++l) {
    const char c = letter_of(l);
    extents.emplace_back(c, 1 + next.below(7));
    const int first = next.below(inputs), second = next.below(inputs + 1);
    in[std::size_t(first)] += c;
    if (second == inputs || second == first)
      out += c;
    else
      in[std::size_t(second)] += c;
    for (int o = 0; o < inputs; ++o)
      if (o != first && o != second && next.below(6) == 0) in[std::size_t(o)] += c;
  }
  if (out.size() > std::size_t(max_rank)) out.resize(std::size_t(max_rank));
  network_sizes sizes = sizes_from(in, out, extents);
  // Without lonely letters.
  for (int o = 0; o < inputs; ++o) {
    letter_set others = sizes.out;
    for (int i = 0; i < inputs; ++i)
      if (i != o) others |= sizes.inputs[std::size_t(i)];
    sizes.inputs[std::size_t(o)] &= others;
  }
  return sizes;
}

// The cost of an order, counted again, and whether it is one: each operand is used once.
network_cost cost_again(const network_sizes& sizes, const network_order& order) {
  std::vector<letter_set> letters = sizes.inputs;
  std::vector<int> uses(sizes.inputs.size() + order.pairs.size(), 0);
  network_cost cost;
  for (std::size_t i = 0; i < order.pairs.size(); ++i) {
    const network_pair& p = order.pairs[i];
    REQUIRE(std::max(p.first, p.second) < int(letters.size()));
    ++uses[std::size_t(p.first)], ++uses[std::size_t(p.second)];
    CHECK(p.letters == (letters[std::size_t(p.first)] | letters[std::size_t(p.second)]));
    letter_set others = sizes.out;
    for (std::size_t o = 0; o < letters.size(); ++o)
      if (uses[o] == 0) others |= letters[o];
    CHECK(p.result == (p.letters & others));
    CHECK(fits_a_plan(p.letters, p.result));
    letters.push_back(p.result);
    const bool last = i + 1 == order.pairs.size();
    cost = cost +
           network_cost{flops_of_pair(sizes, p.letters, p.result), last ? 0 : sizes.size(p.result) * sizes.entry_bytes};
  }
  CHECK(letters.back() == sizes.out);
  for (std::size_t o = 0; o + 1 < uses.size(); ++o) CHECK(uses[o] == 1);
  return cost;
}

}  // namespace

TEST_CASE("an exact order costs as little as the best of all trees", "[network]") {
  random_numbers next(1);
  for (int i = 0; i < 300; ++i) {
    const int inputs = 2 + i % 5;
    const network_sizes sizes = drawn_sizes(next, inputs, 1 + next.below(9));
    const network_order order = exact_order(sizes);
    REQUIRE(order.pairs.size() == sizes.inputs.size() - 1);
    CHECK(order.cost == cost_again(sizes, order));
    CHECK(order.cost == cheapest_of_all(sizes, sizes.inputs));
  }
}

TEST_CASE("orders of many operands are orders, and improving them only helps", "[network]") {
  random_numbers next(2);
  int improved_ones = 0, exact_ones = 0;
  for (int i = 0; i < 60; ++i) {
    const network_sizes sizes = drawn_sizes(next, 8 + i % 3, 8 + next.below(10));
    const network_order greedy = greedy_order(sizes), improved = improved_order(sizes, greedy),
                        exact = exact_order(sizes);
    if (greedy.pairs.empty()) continue;
    CHECK(greedy.cost == cost_again(sizes, greedy));
    CHECK(improved.cost == cost_again(sizes, improved));
    CHECK(improved.cost <= greedy.cost);
    CHECK(exact.cost <= improved.cost);
    improved_ones += improved.cost < greedy.cost;
    exact_ones += improved.cost == exact.cost;
  }
  CHECK(improved_ones > 5);
  CHECK(exact_ones > 30);
}

TEST_CASE("thirty-two matrices in a row", "[network]") {
  std::vector<std::string> inputs;
  std::vector<std::pair<char, double>> extents;
  for (int i = 0; i < 32; ++i) {
    inputs.push_back({letter_of(i), letter_of(i + 1)});
    extents.emplace_back(letter_of(i), 2 + i * 7 % 11);
  }
  extents.emplace_back(letter_of(32), 5);
  const network_sizes sizes = sizes_from(inputs, {letter_of(0), letter_of(32)}, extents);
  const network_order order = improved_order(sizes, greedy_order(sizes));
  CHECK(order.cost == cost_again(sizes, order));
  // The cheapest product of a chain of matrices, by the rule of textbooks.
  double least[33][33] = {};
  for (int length = 2; length <= 32; ++length)
    for (int from = 0; from + length <= 32; ++from) {
      double& best = least[from][from + length] = 1e300;
      for (int cut = from + 1; cut < from + length; ++cut)
        best = std::min(best, least[from][cut] + least[cut][from + length] +
                                  2 * sizes.extent[from] * sizes.extent[cut] * sizes.extent[from + length]);
    }
  CHECK(order.cost.flops >= least[0][32]);
  CHECK(order.cost.flops <= 1.1 * least[0][32]);
}

TEST_CASE("of orders with as many operations the one with the smallest intermediates is taken", "[network]") {
  // (ab bc) cd and ab (bc cd) both need 2 (60 + 60) operations; the intermediates ac and bd have 15 and 8 entries.
  const network_sizes sizes = sizes_from({"ab", "bc", "cd"}, "ad", {{'a', 3}, {'b', 4}, {'c', 4}, {'d', 3}});
  const network_order order = exact_order(sizes);
  CHECK(order.cost == network_cost{2 * (48 + 36), 12 * 8});
  const network_sizes uneven = sizes_from({"ab", "b", "bc"}, "ac", {{'a', 6}, {'b', 5}, {'c', 2}});
  // b times bc, then ab: 10 + 120 operations with 10 entries between them, against 30 + 120.
  CHECK(exact_order(uneven).cost == network_cost{10 + 120, 10 * 8});
  CHECK(exact_order(uneven).pairs.front().first == 1);
}

TEST_CASE("a result with more letters than a tensor can have is avoided, or no order is found", "[network]") {
  // The cheapest pair of all would have max_rank + 2 letters.
  std::string a, b;
  std::vector<std::pair<char, double>> extents;
  for (int i = 0; i < max_rank / 2 + 1; ++i) {
    a += letter_of(i);
    b += letter_of(i + 20);
    extents.emplace_back(letter_of(i), 2);
    extents.emplace_back(letter_of(i + 20), 2);
  }
  const network_sizes sizes = sizes_from({a, b, a, b}, "", extents);
  const network_order order = exact_order(sizes);
  REQUIRE(order.pairs.size() == 3);
  cost_again(sizes, order);
  // Any two of five inputs share a quarter of their letters: every first pair would keep three halves of max_rank.
  std::vector<std::string> inputs(5);
  std::vector<std::pair<char, double>> twos;
  int letter = 0;
  for (std::size_t one = 0; one < 5; ++one)
    for (std::size_t other = one + 1; other < 5; ++other)
      for (int i = 0; i < max_rank / 4; ++i, ++letter) {
        inputs[one] += letter_of(letter);
        inputs[other] += letter_of(letter);
        twos.emplace_back(letter_of(letter), 2);
      }
  const network_sizes none = sizes_from(inputs, "", twos);
  CHECK(exact_order(none).pairs.empty());
  CHECK(greedy_order(none).pairs.empty());
  CHECK(improved_order(none, greedy_order(none)).pairs.empty());
}
