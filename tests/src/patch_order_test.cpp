// SPDX-License-Identifier: BSD-3-Clause
// Orders of elements and of sums behind operators between L-vectors, against their definitions on random lists.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "src/element/l_vector_lists.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::detail;

namespace {

std::shared_ptr<restriction_state> random_lists(index_t elements, index_t entries, index_t size, std::uint32_t seed) {
  auto made = std::make_shared<restriction_state>();
  made->elements = elements;
  made->entries = entries;
  made->size = size;
  std::mt19937 random(seed);
  for (index_t j = 0; j < elements * entries; ++j) made->narrow.push_back(std::int32_t(random() % std::uint32_t(size)));
  return made;
}

std::set<index_t> numbers_of(const restriction_state& r, index_t e) {
  std::set<index_t> all;
  for (index_t i = 0; i < r.entries; ++i) all.insert(r.number(i + r.entries * e));
  return all;
}

// Lanes of a warp of sums that have a number.
index_t lanes_of(const std::vector<std::uint32_t>& numbers, index_t warp) {
  const auto first = numbers.begin() + shared_sums::warp * warp;
  return std::count_if(first, first + shared_sums::warp,
                       [](std::uint32_t n) { return device::number_code<std::uint32_t>::is_there(n); });
}

}  // namespace

TEST_CASE("patches: elements join the group that they share the most numbers with", "[patches]") {
  for (const auto& [elements, entries, size, together] :
       {std::tuple{60, 8, 100, 12}, {60, 27, 300, 60}, {40, 3, 400, 7}, {1, 4, 9, 3}}) {
    const auto r = random_lists(elements, entries, size, std::uint32_t(size));
    const std::vector<index_t> order = close_order(*r, together);
    REQUIRE(std::set<index_t>(order.begin(), order.end()).size() == std::size_t(elements));
    REQUIRE(index_t(order.size()) == elements);
    std::set<index_t> group;
    for (index_t k = 0; k < elements; ++k) {
      if (k % together == 0) group.clear();
      // How many numbers of the group an element has, numbers of the group counted once for each of its entries.
      const auto shares = [&](index_t e) {
        index_t count = 0;
        for (index_t i = 0; i < r->entries; ++i) count += index_t(group.count(r->number(i + r->entries * e)));
        return count;
      };
      index_t most = 0;
      for (index_t later = k; later < elements; ++later) most = std::max(most, shares(order[std::size_t(later)]));
      CHECK(shares(order[std::size_t(k)]) == most);
      group.merge(numbers_of(*r, order[std::size_t(k)]));
    }
  }
}

TEST_CASE("lists of a GPU: numbers in place, and sums of terms in the order of elements", "[patches]") {
  using code = device::number_code<std::uint32_t>;
  constexpr index_t warp = shared_sums::warp;
  for (const auto& [elements, entries, size] : {std::tuple{300, 9, 60}, {120, 4, 90}, {50, 8, 2000}, {80, 3, 3}}) {
    const auto lists = random_lists(elements, entries, size, std::uint32_t(entries));
    const auto r = std::make_shared<restriction_state>(*lists);
    // The first entry of each element is no other's.
    for (index_t e = 0; e < elements; ++e) r->narrow[std::size_t(r->entries * e)] = std::int32_t(size + e);
    r->size += elements + 1;  // and a number is none's
    const std::vector<index_t> all{r->elements};
    const auto made = l_vector_lists_of({r, r, {.order = element_order::as_given}, all});
    CHECK(made->untouched.back() == r->size - 1);
    REQUIRE(made->places[0] == -1);
    // The entry of each place of an element.
    std::vector<index_t> entry(std::size_t(made->element_terms), -1);
    for (std::size_t i = 0; i < made->places.size(); ++i)
      if (made->places[i] >= 0) entry[std::size_t(made->places[i])] = index_t(i);
    std::map<index_t, index_t> terms_of;
    for (index_t w = 0; w + 1 < index_t(made->sums.first.size()); ++w) {
      const index_t lanes = lanes_of(made->sums.numbers.narrow, w);
      for (index_t lane = 0; lane < warp; ++lane) {
        const std::uint32_t number = made->sums.numbers.narrow[std::size_t(warp * w + lane)];
        if (!code::is_there(number)) continue;
        index_t before = -1;
        for (index_t t = made->sums.first[std::size_t(w)] + lane; t < made->sums.first[std::size_t(w) + 1];
             t += lanes) {
          const index_t place = made->sums.terms.narrow[std::size_t(t)], k = place / made->element_terms;
          const index_t j = entry[std::size_t(place % made->element_terms)] + r->entries * k;
          CHECK(r->number(j) == index_t(number));
          CHECK(j > before);
          before = j;
          ++terms_of[number];
        }
      }
    }
    // Every entry is in place, or a term of its number.
    std::map<index_t, index_t> wanted;
    for (index_t j = 0; j < r->elements * r->entries; ++j) {
      CHECK(index_t(made->y.codes.narrow[std::size_t(j)]) == r->number(j));
      if (made->places[std::size_t(j % r->entries)] >= 0) ++wanted[r->number(j)];
    }
    CHECK(terms_of == wanted);
  }
}

TEST_CASE("lists of a GPU: gather and transposed gather of E-vectors", "[patches]") {
  using code = device::number_code<std::uint32_t>;
  constexpr index_t warp = shared_sums::warp;
  const auto r = random_lists(40, 6, 70, 1);
  r->components = 2;
  r->stride = 70;
  r->size = 140;
  r->constrained = {3};
  const auto made = e_vector_lists_of(*r);
  CHECK(made->y.lists == 1);
  std::vector<index_t> terms_of(70, 0);
  for (std::size_t s = 0; s < made->sums.numbers.narrow.size(); ++s) {
    const std::uint32_t number = made->sums.numbers.narrow[s];
    if (!code::is_there(number)) continue;
    const index_t w = index_t(s) / warp, lane = index_t(s) % warp, lanes = lanes_of(made->sums.numbers.narrow, w);
    for (index_t t = made->sums.first[std::size_t(w)] + lane; t < made->sums.first[std::size_t(w) + 1]; t += lanes) {
      const index_t place = made->sums.terms.narrow[std::size_t(t)], e = place / 12, i = place % 12;
      CHECK(i < 6);
      CHECK(r->number(i + 6 * e) == index_t(number));
      ++terms_of[number];
    }
  }
  for (index_t j = 0; j < 240; ++j) {
    CHECK(index_t(made->y.codes.narrow[std::size_t(j)]) == r->number(j));
    --terms_of[std::size_t(r->number(j))];
  }
  CHECK(terms_of == std::vector<index_t>(70, 0));
}
