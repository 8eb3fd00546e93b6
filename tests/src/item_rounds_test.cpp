// SPDX-License-Identifier: BSD-3-Clause
// Rounds of random lists against the definition: compare every item with every earlier one, entry by entry.
#include "item_rounds.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "testing/catch.hpp"
#include "testing/listed.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

std::set<const char*> bytes_of(const operand& o) {
  std::set<const char*> all;
  for (index_t b = 0; b < (o.batched ? o.count : 1); ++b)
    for (index_t i = 0; i < o.entries(); ++i)
      for (std::size_t byte = 0; byte < o.entry_bytes; ++byte)
        all.insert(static_cast<const char*>(o.data) + o.offset(i, b) * index_t(o.entry_bytes) + byte);
  return all;
}

bool meet(const std::set<const char*>& a, const std::set<const char*>& b) {
  return std::any_of(a.begin(), a.end(), [&](const char* byte) { return b.contains(byte); });
}

// Both read, or their entries are apart.
std::vector<int> rounds_by_definition(const std::vector<executor_item>& items) {
  struct touched {
    std::set<const char*> read, written;
  };
  std::vector<touched> all;
  std::vector<int> rounds;
  for (const executor_item& item : items) {
    touched now;
    for (const operand& o : item.operands) (&o == &item.operands.back() ? now.written : now.read).merge(bytes_of(o));
    int round = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (meet(all[i].written, now.read) || meet(all[i].written, now.written) || meet(all[i].read, now.written))
        round = std::max(round, rounds[i] + 1);
    all.push_back(std::move(now));
    rounds.push_back(round);
  }
  return rounds;
}

}  // namespace

TEST_CASE("rounds of random lists", "[executor]") {
  std::mt19937 random(11);
  const auto up_to = [&](index_t n) { return index_t(random() % std::uint64_t(n + 1)); };
  int largest = 0;
  for (int attempt = 0; attempt < 200; ++attempt) {
    const index_t room = attempt % 2 == 0 ? 300 : 3000;  // crowded, and mostly apart
    listed<float> list(room + 500);
    const auto matrix = [&](index_t rows, index_t cols) {
      operand o = list.tensor(up_to(room), {rows, cols}, {1, rows + up_to(9)});
      if (up_to(5) == 0) {
        o.batched = true;
        o.count = up_to(3);
        o.stride = 20 + up_to(40);
      }
      return o;
    };
    for (int i = 0; i < 25; ++i) {
      const index_t m = up_to(3), n = up_to(3), k = up_to(3);
      list.add(contraction("ik,kj->ij"), {matrix(m, k), matrix(k, n), matrix(m, n)});
    }
    const std::vector<int> found = tessera::detail::rounds_of(list.items());
    CHECK(found == rounds_by_definition(list.items()));
    largest = std::max(largest, *std::max_element(found.begin(), found.end()));
  }
  CHECK(largest > 3);
}

TEST_CASE("what one scalar of eight bytes shares with two of four", "[executor]") {
  double eight[2] = {};
  const auto four = [&](int at) { return view(reinterpret_cast<float*>(eight) + at, of_size(1, 1)); };
  const contraction product("ik,kj->ij");
  double x = 1;
  float y = 1;
  const auto xs = view(&x, of_size(1, 1));
  const auto ys = view(&y, of_size(1, 1));
  CHECK(tessera::detail::rounds_of({make_item(product, xs, xs, view(eight, of_size(1, 1))),
                                    make_item(product, ys, ys, four(1)), make_item(product, ys, ys, four(2)),
                                    make_item(product, ys, ys, four(1))}) == std::vector<int>{0, 1, 0, 2});
}
