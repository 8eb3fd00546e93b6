// SPDX-License-Identifier: BSD-3-Clause
// A list of contractions and chains over one piece of memory, and what it means: the items one after the other, by
// definition.
#pragma once

#include <array>
#include <list>
#include <map>
#include <utility>
#include <vector>

#include <tessera/executor.hpp>

#include "testing/definition.hpp"

namespace tessera::testing {

/// Items are described by offsets; `over` gives them addresses, in host or in device memory.
template <class T>
class listed {
 public:
  /// Entries hold small integers.
  explicit listed(index_t entries, unsigned seed = 1) {
    integer_source next(seed);
    for (index_t i = 0; i < entries; ++i) memory_.push_back(T(next()));
  }

  /// A tensor that starts at an offset; without strides it is packed.
  operand tensor(index_t offset, const std::vector<index_t>& extents, std::vector<index_t> strides = {}) const {
    operand o;
    o.type = scalar_of<T>;
    o.entry_bytes = sizeof(T);
    o.data = memory_.data() + offset;
    o.facts.rank = int(extents.size());
    index_t packed = 1;
    o.span = 1;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      o.facts.extent[d] = extents[d];
      o.facts.stride[d] = strides.empty() ? packed : strides[d];
      packed *= extents[d];
      o.span += (extents[d] - 1) * o.facts.stride[d];
    }
    if (o.entries() == 0) o.span = 0;
    return o;
  }
  void add(const contraction& what, std::vector<operand> operands) { items_.push_back({what, std::move(operands)}); }
  void add(const std::vector<chain_step>& steps, const operand& in, const operand& out) {
    items_.push_back({steps.back().what, {in, out}, steps});
  }

  const std::vector<T>& memory() const { return memory_; }
  const std::vector<executor_item>& items() const { return items_; }

  /// The items over a copy of memory() that starts at `base`.
  std::vector<executor_item> over(T* base, space_kind space = space_kind::cpu) const {
    std::vector<executor_item> moved = items_;
    const auto move = [&](operand& o) {
      o.data = base + (static_cast<const T*>(o.data) - memory_.data());
      o.space = space;
    };
    for (executor_item& item : moved) {
      for (operand& o : item.operands) move(o);
      for (chain_step& step : item.steps)
        for (operand& o : step.inputs) move(o);
    }
    return moved;
  }

  /// What memory() holds once the items have run one after the other.
  std::vector<T> after() const {
    std::vector<T> now = memory_;
    for (const executor_item& item : over(now.data())) {
      const operand& out = item.operands.back();
      for (index_t b = 0; b < (out.batched ? out.count : 1); ++b)
        item.steps.empty() ? run_by_definition(item, b) : run_steps(item, b);
    }
    return now;
  }

 private:
  static T* entry(const operand& o, index_t b, const modes& letters, std::map<char, index_t>& index) {
    index_t linear = 0;
    for (int d = letters.rank - 1; d >= 0; --d) linear = linear * o.facts.extent[d] + index[letters.letter[d]];
    return static_cast<T*>(const_cast<void*>(o.data)) + o.offset(linear, b);
  }

  // Every combination of the letters' values, first letter fastest.
  template <class Visit>
  static void for_each_index(const std::vector<std::pair<char, index_t>>& letters, Visit visit) {
    index_t steps = 1;
    for (const auto& [letter, extent] : letters) steps *= extent;
    for (index_t step = 0; step < steps; ++step) {
      std::map<char, index_t> index;
      index_t rest = step;
      for (const auto& [letter, extent] : letters) {
        index[letter] = rest % extent;
        rest /= extent;
      }
      visit(index);
    }
  }

  // Each step as an item of its own.
  void run_steps(const executor_item& chain, index_t b) const {
    operand previous = chain.operands.front();
    std::list<std::vector<T>> between;
    for (const chain_step& step : chain.steps) {
      const einsum& e = step.what.modes();
      executor_item item{step.what, step.inputs};
      item.operands.push_back(previous);
      std::map<char, index_t> extent;
      for (int o = 0; o < e.inputs; ++o)
        for (int d = 0; d < e.operand[o].rank; ++d)
          extent[e.operand[o].letter[d]] = item.operands[std::size_t(o)].facts.extent[d];
      std::vector<index_t> extents;
      for (int d = 0; d < e.out().rank; ++d) extents.push_back(extent[e.out().letter[d]]);
      operand result = tensor(0, extents);
      between.emplace_back(std::size_t(result.entries()));
      result.data = between.back().data();
      item.operands.push_back(&step == &chain.steps.back() ? chain.operands.back() : result);
      run_by_definition(item, b);
      previous = item.operands.back();
    }
  }

  // Results are put aside until all are known: the output of an entry-by-entry product may be its input.
  static void run_by_definition(const executor_item& item, index_t b) {
    const einsum& e = item.what.modes();
    const operand& out = item.operands.back();
    std::vector<std::pair<char, index_t>> kept, summed;
    for (int d = 0; d < e.out().rank; ++d) kept.push_back({e.out().letter[d], out.facts.extent[d]});
    for (int o = 0; o < e.inputs; ++o)
      for (int d = 0; d < e.operand[o].rank; ++d) {
        const std::pair letter{e.operand[o].letter[d], item.operands[std::size_t(o)].facts.extent[d]};
        if (!e.out().has(letter.first) && std::find(summed.begin(), summed.end(), letter) == summed.end())
          summed.push_back(letter);
      }
    std::vector<std::pair<T*, T>> results;
    for_each_index(kept, [&](std::map<char, index_t>& index) {
      T sum = 0;
      for_each_index(summed, [&](const std::map<char, index_t>& inner) {
        for (const auto& [letter, value] : inner) index[letter] = value;
        T term = 1;
        for (int o = 0; o < e.inputs; ++o) term *= *entry(item.operands[std::size_t(o)], b, e.operand[o], index);
        sum += term;
      });
      T* const to = entry(out, b, e.out(), index);
      const auto& [alpha, beta] = item.what.scale();
      results.push_back({to, T(alpha.re) * sum + (beta == 0 ? T(0) : T(beta.re) * *to)});
    });
    for (const auto& [to, value] : results) *to = value;
  }

  std::vector<T> memory_;
  std::vector<executor_item> items_;
};

/// `count` products of each of four sizes, listed in turn, each operand `gap` entries behind the one of its size
/// before.
template <class T>
listed<T> mixed_list(index_t count, index_t gap) {
  listed<T> list(60000);
  const contraction product("ik,kj->ij");
  index_t at = 0;
  const auto place = [&](index_t entries) { return std::exchange(at, at + count * (entries + gap)); };
  std::vector<std::vector<executor_item>> by_size;
  for (const auto& [m, n, k] : {std::array<index_t, 3>{1, 1, 1}, {2, 3, 4}, {5, 1, 3}, {8, 8, 8}}) {
    const index_t a = place(m * k), b = place(k * n), c = place(m * n);
    by_size.emplace_back();
    for (index_t i = 0; i < count; ++i)
      by_size.back().push_back({product,
                                {list.tensor(a + i * (m * k + gap), {m, k}), list.tensor(b + i * (k * n + gap), {k, n}),
                                 list.tensor(c + i * (m * n + gap), {m, n})}});
  }
  for (std::size_t i = 0; i < std::size_t(count); ++i)
    for (const std::vector<executor_item>& items : by_size) list.add(items[i].what, items[i].operands);
  return list;
}

}  // namespace tessera::testing
