// SPDX-License-Identifier: BSD-3-Clause
// Contractions of two tensors of any layout, drawn at random, over integers, and what plain loops make of them.
#pragma once

#include <tessera/core/lower.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tessera::testing {

struct general_case {
  std::string text;  // "ak,kb->ab"
  operand_facts facts[max_inputs + 1];
  std::vector<double> left, right, out;
  index_t first[3]{};  // of left, right and out: the place of the entry whose indices are 0
  double alpha = 1, beta = 0;

  einsum modes() const { return parse_einsum(text.c_str()); }
  operand_facts& of(int o) { return facts[o == 2 ? output : o]; }

  /// The output afterwards, by loops over all letters.
  std::vector<double> after() const {
    return after(
        left, right, out, 0.0, [](double sum, double a, double b) { return sum + a * b; },
        [&](double sum, double old, index_t) { return alpha * sum + (beta == 0 ? 0 : beta * old); });
  }
  /// The same with entries of any kind: a sum begins with `start`, term(sum, a, b) adds a product, and what
  /// finish(sum, old, place) makes of it is the entry at that place.
  template <class Number, class Term, class Finish>
  std::vector<Number> after(const std::vector<Number>& lefts, const std::vector<Number>& rights,
                            const std::vector<Number>& outs, Number start, const Term& term,
                            const Finish& finish) const {
    const einsum e = modes();
    std::string letters;
    std::map<char, index_t> extent;
    for (const int o : {output, 0, 1})
      for (int d = 0; d < e.operand[o].rank; ++d)
        if (extent.emplace(e.operand[o].letter[d], facts[o].extent[d]).second) letters += e.operand[o].letter[d];
    const std::size_t outer = std::size_t(e.out().rank);
    std::vector<index_t> stride[3];  // of the letters, in left, right and out
    for (int t = 0; t < 3; ++t)
      for (const char c : letters) {
        const int o = t == 2 ? output : t;
        stride[t].push_back(e.operand[o].has(c) ? facts[o].stride[e.operand[o].find(c)] : 0);
      }
    std::vector<Number> made = outs;
    const auto walk = [&](std::size_t from, std::size_t to, const auto& body) {
      index_t all = 1;
      for (std::size_t i = from; i < to; ++i) all *= extent[letters[i]];
      for (index_t n = 0; n < all; ++n) {
        index_t at[3]{}, rest = n;
        for (std::size_t i = from; i < to; ++i) {
          const index_t x = rest % extent[letters[i]];
          rest /= extent[letters[i]];
          for (int t = 0; t < 3; ++t) at[t] += x * stride[t][i];
        }
        body(at);
      }
    };
    walk(0, outer, [&](const index_t* at) {
      Number sum = start;
      walk(outer, letters.size(), [&](const index_t* more) {
        sum =
            term(sum, lefts[std::size_t(first[0] + at[0] + more[0])], rights[std::size_t(first[1] + at[1] + more[1])]);
      });
      Number& now = made[std::size_t(first[2] + at[2])];
      now = finish(sum, now, first[2] + at[2]);
    });
    return made;
  }
};

/// Tensors of these letters and extents, in any order and with gaps or without.
inline general_case case_of_letters(std::mt19937& random, std::string (&in)[3], std::map<char, index_t> extent) {
  const auto drawn = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  general_case made;
  const bool gaps = drawn(0, 2) == 0;
  std::vector<double>* const memory[] = {&made.left, &made.right, &made.out};
  for (int t = 0; t < 3; ++t) {
    std::shuffle(in[t].begin(), in[t].end(), random);
    // The order in memory is another one than that of the letters.
    std::string order = in[t];
    if (drawn(0, 1) == 0) std::shuffle(order.begin(), order.end(), random);
    operand_facts& facts = made.of(t);
    facts.rank = int(in[t].size());
    index_t stride = gaps ? drawn(1, 2) : 1;
    for (const char c : order) {
      const auto d = in[t].find(c);
      facts.extent[d] = extent[c];
      facts.stride[d] = stride;
      stride *= extent[c] + (gaps ? drawn(0, 1) : 0);
    }
    for (index_t i = 0; i < stride; ++i) memory[t]->push_back(drawn(-4, 4));
  }
  made.text = in[0] + "," + in[1] + "->" + in[2];
  made.alpha = drawn(-2, 2);
  made.beta = drawn(0, 1) * drawn(-1, 2);
  return made;
}

/// Letters' extents are 1 to `most`.
inline general_case drawn_case(unsigned seed, int most) {
  std::mt19937 random(seed);
  const auto drawn = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  std::string in[3];  // left, right, out
  std::map<char, index_t> extent;
  char next = 'a';
  const auto add = [&](int count, std::initializer_list<int> tensors) {
    for (int i = 0; i < count; ++i, ++next) {
      extent[next] = drawn(0, 5) == 0 ? 1 : drawn(1, most);
      for (const int t : tensors) in[t] += next;
    }
  };
  add(drawn(0, 3), {0, 2});
  add(drawn(0, 2), {1, 2});
  add(drawn(0, 2), {0, 1});
  add(drawn(0, 3) == 0 ? 1 : 0, {0, 1, 2});
  return case_of_letters(random, in, std::move(extent));
}

/// The same with some dimensions backwards, and some of the inputs' with stride 0.
inline general_case with_other_strides(general_case of, unsigned seed) {
  std::mt19937 random(seed);
  const auto once_in = [&](int times) { return std::uniform_int_distribution<int>(1, times)(random) == 1; };
  for (int t = 0; t < 3; ++t) {
    operand_facts& facts = of.of(t);
    for (int d = 0; d < facts.rank; ++d)
      if (t != 2 && once_in(6)) {
        facts.stride[d] = 0;
      } else if (once_in(2)) {
        of.first[t] += (facts.extent[d] - 1) * facts.stride[d];
        facts.stride[d] = -facts.stride[d];
      }
  }
  return of;
}

/// Twelve letters a tensor, of extent 2 and one 3: products of 64 x 64 x 64 or more.
inline general_case case_of_twelve_letters(unsigned seed) {
  std::mt19937 random(seed);
  std::string in[3] = {"abcdefghijkl", "ghijklmnopqr", "abcdefmnopqr"};
  std::map<char, index_t> extent;
  for (char c = 'a'; c <= 'r'; ++c) extent[c] = 2;
  extent[char('a' + seed % 18)] = 3;
  return case_of_letters(random, in, std::move(extent));
}

}  // namespace tessera::testing
