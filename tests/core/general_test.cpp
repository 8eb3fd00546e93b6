// SPDX-License-Identifier: BSD-3-Clause
// lower_general: known forms at compile time; random contractions address the same entries as loops over letters.
#include <tessera/core/general.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

struct extent_of_letter {
  char letter;
  index_t extent;
};

// Packed: first letter nearest, or last letter nearest.
template <int N>
constexpr general_form general_packed(const char* text, const extent_of_letter (&sizes)[N], bool last_nearest = false) {
  const einsum e = parse_einsum(text);
  operand_facts facts[max_inputs + 1];
  for (const int o : {0, 1, output}) {
    facts[o].rank = e.operand[o].rank;
    index_t stride = 1;
    for (int i = 0; i < facts[o].rank; ++i) {
      const int d = last_nearest ? facts[o].rank - 1 - i : i;
      for (const extent_of_letter& size : sizes)
        if (size.letter == e.operand[o].letter[d]) facts[o].extent[d] = size.extent;
      facts[o].stride[d] = stride;
      stride *= facts[o].extent[d];
    }
  }
  return lower_general(e, facts);
}

constexpr bool same(const general_digit& a, const general_digit& b) {
  return a.extent == b.extent && a.left == b.left && a.right == b.right && a.out == b.out;
}
template <int N>
constexpr bool is(const general_digits& list, const general_digit (&wanted)[N]) {
  if (list.count != N) return false;
  for (int i = 0; i < N; ++i)
    if (!same(list.at[i], wanted[i])) return false;
  return true;
}

// Row 1 of TCCG: nothing follows anything.
constexpr general_form tccg_1 = general_packed("bda,dc->abc", {{'a', 312}, {'b', 312}, {'c', 24}, {'d', 312}});
static_assert(is(tccg_1.rows, {{312, 312 * 312, 0, 1}, {312, 1, 0, 312}}));
static_assert(is(tccg_1.cols, {{24, 0, 312, 312 * 312}}));
static_assert(is(tccg_1.inner, {{312, 312, 1, 0}}));
static_assert(tccg_1.batch.count == 0);

// Row 9: three columns are one.
constexpr general_form tccg_9 =
    general_packed("ea,ebcd->abcd", {{'a', 72}, {'b', 72}, {'c', 72}, {'d', 72}, {'e', 72}});
static_assert(is(tccg_9.rows, {{72, 72, 0, 1}}));
static_assert(is(tccg_9.cols, {{72 * 72 * 72, 0, 72, 72}}));
static_assert(is(tccg_9.inner, {{72, 1, 1, 0}}));

// Row 13: the summed letters are c then d in the left input, d then c (with b last) in the right one.
constexpr general_form tccg_13 = general_packed("acd,dbc->ab", {{'a', 312}, {'b', 296}, {'c', 296}, {'d', 312}});
static_assert(is(tccg_13.rows, {{312, 1, 0, 1}}));
static_assert(is(tccg_13.cols, {{296, 0, 312, 312}}));
static_assert(is(tccg_13.inner, {{296, 312, 312 * 296, 0}, {312, 312 * 296, 1, 0}}));

// Row 40: a and b are one column, in a place of the input that is not its first. Row 33 is its mirror.
constexpr extent_of_letter of_40[] = {{'a', 24}, {'b', 16}, {'c', 16}, {'d', 16}, {'e', 24}, {'f', 16}, {'g', 24}};
constexpr general_form tccg_40 = general_packed("gdab,efgc->abcdef", of_40);
static_assert(is(tccg_40.rows, {{24 * 16, 24 * 16, 0, 1}, {16, 24, 0, 24 * 16 * 16}}));
static_assert(is(tccg_40.cols, {{16, 0, 24 * 16 * 24, 24 * 16}, {24 * 16, 0, 1, 24 * 16 * 16 * 16}}));
static_assert(is(tccg_40.inner, {{24, 1, 24 * 16, 0}}));

// A matrix product with the last index nearest, and merged although its letters are not written in that order.
constexpr general_form by_rows = general_packed("ik,kj->ij", {{'i', 5}, {'j', 7}, {'k', 9}}, true);
static_assert(is(by_rows.rows, {{5, 9, 0, 7}}) && is(by_rows.cols, {{7, 0, 1, 1}}) &&
              is(by_rows.inner, {{9, 1, 7, 0}}));
constexpr general_form by_rows_6 =
    general_packed("abk,kcd->abcd", {{'a', 2}, {'b', 3}, {'c', 4}, {'d', 5}, {'k', 6}}, true);
static_assert(is(by_rows_6.rows, {{6, 6, 0, 20}}) && is(by_rows_6.cols, {{20, 0, 1, 1}}));

// Dot product, outer product, a matrix and a vector, products entry by entry, and extents of 1.
constexpr general_form dot = general_packed("ab,ab->", {{'a', 3}, {'b', 4}});
static_assert(dot.rows.count == 0 && dot.cols.count == 0 && dot.batch.count == 0 && is(dot.inner, {{12, 1, 1, 0}}));
static_assert(dot.rows.size() == 1);
constexpr general_form outer = general_packed("a,b->ab", {{'a', 3}, {'b', 4}});
static_assert(outer.inner.count == 0 && is(outer.rows, {{3, 1, 0, 1}}) && is(outer.cols, {{4, 0, 1, 3}}));
constexpr general_form vector = general_packed("ab,b->a", {{'a', 3}, {'b', 4}});
static_assert(is(vector.rows, {{3, 1, 0, 1}}) && vector.cols.count == 0 && is(vector.inner, {{4, 3, 1, 0}}));
constexpr general_form by_entry = general_packed("ab,ab->ab", {{'a', 3}, {'b', 4}});
static_assert(by_entry.rows.count == 0 && by_entry.inner.count == 0 && is(by_entry.batch, {{12, 1, 1, 1}}));
constexpr general_form ones = general_packed("akb,kc->abc", {{'a', 3}, {'b', 4}, {'k', 1}, {'c', 1}});
static_assert(is(ones.rows, {{12, 1, 0, 1}}) && ones.cols.count == 0 && ones.inner.count == 0);

constexpr operand_facts facts_with(int rank, const index_t (&extent)[3], const index_t (&stride)[3]) {
  operand_facts facts{.rank = rank};
  for (int d = 0; d < rank; ++d) facts.extent[d] = extent[d], facts.stride[d] = stride[d];
  return facts;
}

// Backwards in memory: nearest is by distance, and digits merge all the same.
constexpr operand_facts backwards[] = {
    facts_with(3, {4, 5, 6}, {-1, -4, 20}), facts_with(2, {6, 7}, {1, 6}), {}, facts_with(3, {4, 5, 7}, {-1, -4, 20})};
constexpr general_form turned = lower_general(parse_einsum("abk,kc->abc"), backwards);
static_assert(is(turned.rows, {{20, -1, 0, -1}}) && is(turned.inner, {{6, 20, 1, 0}}));

// Left repeats along a and b (strides 0), which is one digit where the output has them next to each other.
constexpr operand_facts repeated[] = {
    facts_with(3, {4, 5, 6}, {0, 0, 1}), facts_with(2, {6, 7}, {1, 6}), {}, facts_with(3, {4, 5, 7}, {1, 4, 20})};
constexpr general_form constant_rows = lower_general(parse_einsum("abk,kc->abc"), repeated);
static_assert(is(constant_rows.rows, {{20, 0, 0, 1}}));
constexpr operand_facts half_repeated[] = {
    facts_with(3, {4, 5, 6}, {1, 0, 4}), facts_with(2, {6, 7}, {1, 6}), {}, facts_with(3, {4, 5, 7}, {1, 4, 20})};
constexpr general_form two_rows = lower_general(parse_einsum("abk,kc->abc"), half_repeated);
static_assert(is(two_rows.rows, {{4, 1, 0, 1}, {5, 0, 0, 4}}));

using address_triple = std::array<index_t, 3>;

void add_digits(std::vector<address_triple>& list, index_t extent, const address_triple& strides) {
  std::vector<address_triple> more;
  for (const address_triple& at : list)
    for (index_t x = 0; x < extent; ++x)
      more.push_back({at[0] + x * strides[0], at[1] + x * strides[1], at[2] + x * strides[2]});
  list = std::move(more);
}

struct random_contraction {
  std::string text;
  operand_facts facts[max_inputs + 1];
};

// Of 1 to `most` letters.
random_contraction draw(std::mt19937& random, int most) {
  const auto below = [&](int end) { return int(random() % unsigned(end)); };
  index_t extent[max_rank];
  std::string letters[3];  // left, right, out
  const int count = 1 + below(most);
  for (int i = 0; i < count; ++i) {
    extent[i] = below(8) == 0 ? 1 : count > 6 ? 2 : 2 + below(2);
    const int missing = below(4);  // 3: in every tensor
    for (int t = 0; t < 3; ++t)
      if (t != missing) letters[t] += char('a' + i);
  }
  random_contraction result;
  for (int t = 0; t < 3; ++t) {
    if (below(2) == 0) std::shuffle(letters[t].begin(), letters[t].end(), random);
    operand_facts& facts = result.facts[t == 2 ? output : t];
    facts.rank = int(letters[t].size());
    index_t stride = 1 + below(8) / 7;
    for (int d = 0; d < facts.rank; ++d) {
      facts.extent[d] = extent[letters[t][std::size_t(d)] - 'a'];
      facts.stride[d] = below(12) == 0 ? 0 : below(6) == 0 ? -stride : stride;
      stride *= facts.extent[d] + below(8) / 7;
    }
  }
  result.text = letters[0] + "," + letters[1] + "->" + letters[2];
  return result;
}

}  // namespace

TEST_CASE("general form: digits address what letters address") {
  std::mt19937 random(1);
  int merged_lists = 0;
  for (int round = 0; round < 5100; ++round) {
    const random_contraction drawn = draw(random, round < 5000 ? 6 : max_rank);
    const einsum e = parse_einsum(drawn.text.c_str());
    REQUIRE(e.fault == einsum_fault::none);
    std::vector<address_triple> by_letters{{0, 0, 0}}, by_digits{{0, 0, 0}};
    int letters = 0;
    for (char c = 'a'; c < 'a' + max_rank; ++c) {
      address_triple strides{};
      index_t extent = 0;
      for (int t = 0; t < 3; ++t) {
        const int o = t == 2 ? output : t, d = e.operand[o].find(c);
        if (d < 0) continue;
        strides[std::size_t(t)] = drawn.facts[o].stride[d];
        extent = drawn.facts[o].extent[d];
      }
      if (extent == 0) continue;
      letters += int(extent > 1);
      add_digits(by_letters, extent, strides);
    }
    const general_form form = lower_general(e, drawn.facts);
    int digits = 0;
    for (const general_digits* list : {&form.rows, &form.cols, &form.inner, &form.batch}) {
      digits += list->count;
      for (int i = 0; i < list->count; ++i) {
        const general_digit& d = list->at[i];
        add_digits(by_digits, d.extent, {d.left, d.right, d.out});
      }
    }
    for (int i = 0; i < form.rows.count; ++i) REQUIRE(form.rows.at[i].right == 0);
    for (int i = 0; i < form.cols.count; ++i) REQUIRE(form.cols.at[i].left == 0);
    for (int i = 0; i < form.inner.count; ++i) REQUIRE(form.inner.at[i].out == 0);
    std::sort(by_letters.begin(), by_letters.end());
    std::sort(by_digits.begin(), by_digits.end());
    INFO(drawn.text);
    REQUIRE(by_letters == by_digits);
    REQUIRE(digits <= letters);
    merged_lists += int(digits < letters);
  }
  CHECK(merged_lists > 200);
}
