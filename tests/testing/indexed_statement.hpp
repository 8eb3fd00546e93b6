// SPDX-License-Identifier: BSD-3-Clause
// Statements in index notation, drawn at random, over one array of integers, and what plain loops make of them.
#pragma once

#include <tessera/indexed.hpp>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace tessera::testing {

/// A tensor in the array: column-major with gaps, from `start` on.
struct placed_tensor {
  index_t start = 0;
  std::vector<index_t> extents{}, strides{};
  std::vector<subscript> at{};
};

/// left = factor a b + beta left, beta 0 or 1.
struct indexed_statement {
  placed_tensor left, a, b;
  double factor = 1, beta = 0;
  std::vector<double> memory{};

  /// The array afterwards, by loops over all indices.
  std::vector<double> after() const {
    struct range {
      index_t first, count;
    };
    std::map<char, range> of;
    for (const placed_tensor* t : {&left, &a, &b})
      for (std::size_t d = 0; d < t->at.size(); ++d) {
        const subscript& s = t->at[d];
        if (s.letter == 0) continue;
        const bool known = of.count(s.letter) != 0;
        if (s.ranged)
          of[s.letter] = {s.first, s.last - s.first + 1};
        else if (!known)
          of[s.letter] = {0, t->extents[d]};
      }
    std::vector<char> outer, summed;
    for (const auto& [letter, _] : of) {
      bool in_left = false;
      for (const subscript& s : left.at) in_left = in_left || s.letter == letter;
      (in_left ? outer : summed).push_back(letter);
    }
    std::map<char, index_t> value;
    const auto over = [&](const std::vector<char>& letters, const auto& body) {
      index_t all = 1;
      for (const char c : letters) all *= of[c].count;
      for (index_t i = 0; i < all; ++i) {
        index_t rest = i;
        for (const char c : letters) {
          value[c] = of[c].first + rest % of[c].count;
          rest /= of[c].count;
        }
        body();
      }
    };
    const auto entry = [&](const placed_tensor& t) {
      index_t at = t.start;
      for (std::size_t d = 0; d < t.at.size(); ++d)
        at += t.strides[d] * (t.at[d].letter == 0 ? t.at[d].first : value[t.at[d].letter]);
      return std::size_t(at);
    };
    std::vector<double> made = memory;
    over(outer, [&] {
      double sum = 0;
      over(summed, [&] { sum += memory[entry(a)] * memory[entry(b)]; });
      double& out = made[entry(left)];
      out = factor * sum + (beta == 0 ? 0 : out);
    });
    return made;
  }
};

/// Of so many letters to a tensor at most, with ranges, numbers as subscripts and gaps.
inline indexed_statement drawn_statement(unsigned seed, int letters) {
  std::mt19937 random(seed);
  const auto drawn = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  const std::string names = "ijkmnp";
  std::map<char, index_t> full;
  std::map<char, subscript> range;
  for (const char c : names) {
    full[c] = drawn(1, 5);
    if (drawn(0, 2) == 0) {
      const int first = drawn(0, int(full[c]) - 1);
      range.emplace(c, subscript(c, true, first, drawn(first, int(full[c]) - 1)));
    }
  }
  // Each letter is in the left side, a and b or in two of them; few sum a letter of one tensor alone.
  std::string in[3];
  for (int i = 0; i < letters; ++i) {
    const int kind = drawn(0, 3);
    if (kind != 2) in[0] += names[std::size_t(i)];
    if (kind != 1) in[1] += names[std::size_t(i)];
    if (kind != 0) in[2] += names[std::size_t(i)];
  }
  indexed_statement made;
  made.factor = drawn(-2, 2);
  made.beta = drawn(0, 1);
  index_t end = 0;
  placed_tensor* const tensors[] = {&made.left, &made.a, &made.b};
  for (int t = 0; t < 3; ++t) {
    placed_tensor& to = *tensors[t];
    std::string order = in[t];
    std::shuffle(order.begin(), order.end(), random);
    to.start = end;
    index_t stride = drawn(1, 2);
    for (std::size_t d = 0; d <= order.size(); ++d) {
      if (drawn(0, 3) == 0 && int(to.extents.size() + order.size() - d) < max_rank) {  // a number
        to.extents.push_back(drawn(1, 4));
        to.at.emplace_back(drawn(0, int(to.extents.back()) - 1));
        to.strides.push_back(stride);
        stride *= to.extents.back();
      }
      if (d == order.size()) break;
      const char c = order[d];
      // Where it has a range, a dimension may be longer.
      to.extents.push_back(full[c] + (range.count(c) != 0 ? drawn(0, 2) : 0));
      to.at.push_back(range.count(c) != 0 && (t == 0 || in[0].find(c) == std::string::npos)
                          ? range.at(c)
                          : subscript(c, false, 0, 0));
      to.strides.push_back(stride);
      stride *= to.extents.back() + drawn(0, 1);
    }
    end += stride;
  }
  for (index_t i = 0; i < end; ++i) made.memory.push_back(drawn(-4, 4));
  return made;
}

/// The statement over `memory`, of the host or a GPU.
inline void run_statement(const indexed_statement& s, double* memory, const indexed_options& how,
                          space_kind space = space_kind::cpu) {
  const auto part = [&](const placed_tensor& t) {
    operand o{.type = scalar_type::f64, .entry_bytes = sizeof(double), .space = space, .data = memory + t.start};
    o.facts.rank = int(t.extents.size());
    o.span = 1;
    for (std::size_t d = 0; d < t.extents.size(); ++d) {
      o.facts.extent[d] = t.extents[d];
      o.facts.stride[d] = t.strides[d];
      o.span += (t.extents[d] - 1) * t.strides[d];
    }
    return indexed_part(o, t.at, how);
  };
  if (s.beta == 0)
    part(s.left) = s.factor * part(s.a) * part(s.b);
  else
    part(s.left) += s.factor * part(s.a) * part(s.b);
}

}  // namespace tessera::testing
