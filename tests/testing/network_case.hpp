// SPDX-License-Identifier: BSD-3-Clause
// Networks by their definition: one loop over all letters, in integers that every type holds exactly.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <tessera/network.hpp>

#include "testing/arranged.hpp"

namespace tessera::testing {

class network_numbers {
 public:
  explicit network_numbers(unsigned seed) : state_(seed * 2654435761u + 5u) {}
  int below(int n) {
    state_ = state_ * 1664525u + 1013904223u;
    return int((state_ >> 16) % unsigned(n));
  }

 private:
  unsigned state_;
};

/// Operands by their letters, inputs first, the output last. extent[c - 'a'] is that of letter c.
struct network_case {
  std::vector<std::string> letters;
  std::vector<index_t> extent;

  std::string text() const {
    std::string all;
    for (std::size_t o = 0; o < letters.size(); ++o)
      all += (o == 0 ? "" : o + 1 < letters.size() ? "," : "->") + letters[o];
    return all;
  }
  table1::tensor_shape shape_of(std::size_t o) const {
    table1::tensor_shape sizes;
    sizes.rank = int(letters[o].size());
    for (int d = 0; d < sizes.rank; ++d) sizes.extent[d] = extent[std::size_t(letters[o][std::size_t(d)] - 'a')];
    return sizes;
  }
  // The entry's number in operand o at this point of the loop nest, column-major.
  index_t linear(std::size_t o, const std::vector<index_t>& index) const {
    index_t number = 0;
    for (std::size_t d = letters[o].size(); d-- > 0;) {
      const auto l = std::size_t(letters[o][d] - 'a');
      number = number * extent[l] + index[l];
    }
    return number;
  }
};

/// Letters that are in some inputs, at least one, and perhaps in the output, in any order.
inline network_case draw_network(network_numbers& next, int inputs) {
  network_case drawn{std::vector<std::string>(std::size_t(inputs) + 1), {}};
  const int letters = 1 + next.below(7);
  for (int l = 0; l < letters; ++l) {
    drawn.extent.push_back(next.below(40) == 0 ? 0 : 1 + next.below(letters > 5 ? 2 : 3));
    const int holder = next.below(inputs);
    for (int o = 0; o <= inputs; ++o) {
      if (o != holder && next.below(5) >= 2) continue;
      std::string& of = drawn.letters[std::size_t(o)];
      of.insert(std::size_t(next.below(int(of.size()) + 1)), 1, char('a' + l));
    }
  }
  return drawn;
}

/// The operands of a case in memory, filled with integers in -2..2; count < 0 of each: one tensor.
template <class T>
struct network_memory {
  std::vector<std::unique_ptr<arranged<T>>> memory;
  std::vector<operand> all;

  network_memory(const network_case& of, const std::vector<index_t>& counts, const std::vector<arrangement>& how,
                 network_numbers& next) {
    for (std::size_t o = 0; o < of.letters.size(); ++o) {
      memory.push_back(std::make_unique<arranged<T>>(of.shape_of(o), counts[o], how[o]));
      for (index_t b = 0; b < std::max<index_t>(1, counts[o]); ++b)
        for (index_t i = 0; i < of.shape_of(o).size(); ++i) memory.back()->at(i, b) = T(float(next.below(5) - 2));
      all.push_back(memory.back()->get());
    }
  }

  std::vector<T> output(const network_case& of) const {
    std::vector<T> values;
    const operand& out = all.back();
    for (index_t b = 0; b < out.count; ++b)
      for (index_t i = 0; i < of.shape_of(of.letters.size() - 1).size(); ++i) values.push_back(memory.back()->at(i, b));
    return values;
  }
  void set_output(const network_case& of, const std::vector<T>& values) {
    std::size_t next = 0;
    for (index_t b = 0; b < all.back().count; ++b)
      for (index_t i = 0; i < of.shape_of(of.letters.size() - 1).size(); ++i) memory.back()->at(i, b) = values[next++];
  }

  /// alpha (contraction) + beta (what the output holds), in the order of output().
  std::vector<double> wanted(const network_case& of, double alpha, double beta) const {
    const std::size_t inputs = of.letters.size() - 1;
    index_t points = 1;
    for (const index_t e : of.extent) points *= e;
    const index_t entries = of.shape_of(inputs).size();
    std::vector<double> sums(std::size_t(entries * all.back().count), 0.0);
    std::vector<index_t> index(of.extent.size());
    for (index_t b = 0; b < all.back().count; ++b)
      for (index_t p = 0; p < points; ++p) {
        index_t rest = p;
        for (std::size_t l = 0; l < index.size(); ++l) index[l] = rest % of.extent[l], rest /= of.extent[l];
        double term = 1;
        for (std::size_t o = 0; o < inputs; ++o)
          term *= double(memory[o]->at(of.linear(o, index), all[o].batched ? b : 0));
        sums[std::size_t(b * entries + of.linear(inputs, index))] += term;
      }
    const std::vector<T> before = output(of);
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] = alpha * sums[i] + (beta == 0 ? 0 : beta * double(before[i]));
    return sums;
  }
};

}  // namespace tessera::testing
