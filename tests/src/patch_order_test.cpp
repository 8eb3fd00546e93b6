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

#include "src/element/patch_steps.hpp"
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

// The smallest colour that no element before has with which e has a number in common, one of at most 64 elements.
std::vector<int> plain_colours(const restriction_state& r) {
  std::vector<index_t> entries_of(std::size_t(r.size));
  for (index_t j = 0; j < r.elements * r.entries; ++j) ++entries_of[std::size_t(r.number(j))];
  std::vector<int> colour;
  for (index_t e = 0; e < r.elements; ++e) {
    std::set<int> taken;
    const std::set<index_t> mine = numbers_of(r, e);
    for (index_t f = 0; f < e; ++f)
      for (const index_t k : numbers_of(r, f))
        if (mine.count(k) != 0 && entries_of[std::size_t(k)] <= 64) taken.insert(colour[std::size_t(f)]);
    int c = 0;
    while (taken.count(c) != 0) ++c;
    colour.push_back(c);
  }
  return colour;
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

TEST_CASE("patches: sums go by colours, of which there may be many", "[patches]") {
  for (const auto& [elements, entries, size] : {std::tuple{300, 9, 60}, {120, 4, 90}, {50, 8, 20}, {80, 3, 3}}) {
    const auto r = random_lists(elements, entries, size, std::uint32_t(entries));
    const std::vector<int> colour = plain_colours(*r);
    if (size == 60) CHECK(*std::max_element(colour.begin(), colour.end()) > 64);
    const std::vector<index_t> all{r->elements};
    const auto made = steps_of({r, r, {.order = element_order::as_given, .patch_elements = 7}, all}, 3);
    using codes = device::number_code<std::uint32_t>;
    std::vector<index_t> element_of;  // of places: those of shared entries, element after element
    for (std::size_t j = 0; j < made->y.codes.narrow.size(); ++j)
      if ((made->y.codes.narrow[j] & codes::shared) != 0) element_of.push_back(made->order[j / std::size_t(entries)]);
    REQUIRE(index_t(element_of.size()) == made->terms);
    index_t sums = 0;
    for (const shared_sums::group& g : made->sums.groups)
      for (index_t s = g.first; s < g.last; ++s, ++sums) {
        std::vector<std::pair<int, index_t>> ranks;
        for (index_t t = 0; t < g.count; ++t) {
          const index_t place = made->sums.terms[std::size_t(g.term + s - g.first + t * (g.last - g.first))];
          CHECK(made->outer[std::size_t(place)] == made->sums.numbers[std::size_t(s)]);
          const index_t e = element_of[std::size_t(place)];
          ranks.push_back({colour[std::size_t(e)], e});
        }
        CHECK(std::is_sorted(ranks.begin(), ranks.end()));
      }
    CHECK(sums == made->shared_numbers);
    // Elements of a step have no number in common but shared ones.
    std::size_t code = 0;
    for (std::size_t step = 0; step + 1 < made->first_element.size(); ++step) {
      std::map<std::uint32_t, index_t> seen;
      for (index_t k = made->first_element[step]; k < made->first_element[step + 1]; ++k)
        for (index_t i = 0; i < r->entries; ++i, ++code) {
          const std::uint32_t one = made->y.codes.narrow[code];
          if ((one & codes::shared) != 0) continue;
          const std::uint32_t number = one & ~(codes::first | codes::opposite);
          CHECK(seen.insert({number, made->order[std::size_t(k)]}).first->second == made->order[std::size_t(k)]);
        }
    }
  }
}
