// SPDX-License-Identifier: BSD-3-Clause
// Orders elements of a patch in steps, and writes the lists that the GPU's kernels of L-vectors read.
#include "patch_steps.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

namespace tessera::detail {

namespace {

std::size_t as_size(index_t i) { return std::size_t(i); }

constexpr index_t no_owner = -1, many_owners = -2;
// A number of more elements counts as shared: else its elements would each need a step of their own.
constexpr index_t most_in_a_patch = 64;

// The elements of each number, an element as often as it has it.
class number_elements {
 public:
  explicit number_elements(const restriction_state& r)
      : first_(as_size(r.size) + 1), elements_(as_size(r.elements * r.entries)) {
    const index_t count = r.elements * r.entries;
    for (index_t j = 0; j < count; ++j) ++first_[as_size(r.number(j)) + 1];
    for (index_t k = 0; k < r.size; ++k) first_[as_size(k) + 1] += first_[as_size(k)];
    std::vector<index_t> next(first_.begin(), first_.end() - 1);
    for (index_t j = 0; j < count; ++j) elements_[as_size(next[as_size(r.number(j))]++)] = j / r.entries;
  }
  std::span<const index_t> of(index_t number) const {
    const index_t from = first_[as_size(number)];
    return std::span(elements_).subspan(as_size(from), as_size(first_[as_size(number) + 1] - from));
  }

 private:
  std::vector<index_t> first_, elements_;
};

// Numbers so that elements of a number have different ones, small ones first in the order. 64 of them at a time, as
// bits of what the elements of each number have; elements that find all taken wait for the next 64.
std::vector<int> colours_of(const restriction_state& r, const number_elements& near, std::span<const index_t> order) {
  constexpr int at_once = 64;
  std::vector<int> colour(as_size(r.elements), -1);
  std::vector<std::uint64_t> taken;  // by the elements of each number
  std::vector<index_t> left(order.begin(), order.end()), waiting;
  for (int base = 0; !left.empty(); base += at_once) {
    taken.assign(as_size(r.size), 0);
    waiting.clear();
    for (const index_t e : left) {
      std::uint64_t by_others = 0;
      for (index_t i = 0; i < r.entries; ++i) by_others |= taken[as_size(r.number(i + r.entries * e))];
      const int free = std::countr_one(by_others);
      if (free == at_once) {
        waiting.push_back(e);
        continue;
      }
      colour[as_size(e)] = base + free;
      for (index_t i = 0; i < r.entries; ++i)
        if (const index_t number = r.number(i + r.entries * e); index_t(near.of(number).size()) <= most_in_a_patch)
          taken[as_size(number)] |= std::uint64_t(1) << free;
    }
    left.swap(waiting);
  }
  return colour;
}

class step_builder {
 public:
  // `close`: elements that are close in the order, whatever patches are.
  step_builder(const patch_request& request, index_t step, index_t patch, index_t close)
      : request_(request), y_(*request.y), step_(step), patch_(patch), close_(close), near_(y_) {}

  std::shared_ptr<patch_steps> steps() {
    made_ = std::make_shared<patch_steps>();
    made_->order = order_of_sums(request_, close_);
    rank();
    sort_by_parts(request_, made_->order);
    patches_ = patches_of(request_.elements_of_parts, 1, patch_);
    made_->first_of_part = first_patches_of_parts(request_, patches_);
    for (const element_patch& p : patches_) made_->most = std::max(made_->most, p.last - p.first);
    find_owners();
    order_steps();
    find_places();
    if (request_.x != request_.y)
      made_->x = codes_of(*request_.x, [](index_t, index_t, index_t number) { return named{number}; });
    std::vector<index_t> seen(as_size(y_.size), no_owner);  // the element that wrote it first
    index_t place = 0;
    made_->y = codes_of(y_, [&](index_t e, index_t, index_t number) {
      if (owner(number) == many_owners) return named{place++, true};
      index_t& by = seen[as_size(number)];
      const bool first = by == no_owner;
      if (first) by = e;
      return named{number, false, first};
    });
    order_sums();
    find_untouched();
    return std::move(made_);
  }

 private:
  struct named {
    index_t number;
    bool shared = false, first = false;
  };

  index_t& owner(index_t number) { return owner_[as_size(number)]; }
  template <class F>
  void each_entry(const restriction_state& r, const F& f) const {  // f(element, entry, j)
    for (const index_t e : made_->order)
      for (index_t i = 0; i < r.entries; ++i) f(e, i, i + r.entries * e);
  }

  // Sums go by colour, then by position.
  void rank() {
    const std::vector<int> colour = colours_of(y_, near_, made_->order);
    std::vector<index_t> sorted = made_->order;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](index_t a, index_t b) { return colour[as_size(a)] < colour[as_size(b)]; });
    rank_ = positions_in(sorted);
  }

  void find_owners() {
    owner_.assign(as_size(y_.size), no_owner);
    std::vector<index_t> of(as_size(y_.elements));
    for (std::size_t p = 0; p < patches_.size(); ++p)
      for (index_t k = patches_[p].first; k < patches_[p].last; ++k) of[as_size(made_->order[as_size(k)])] = index_t(p);
    for (index_t number = 0; number < y_.size; ++number) {
      const auto elements = near_.of(number);
      if (elements.empty()) continue;
      const index_t by = of[as_size(elements.front())];
      bool alone = index_t(elements.size()) <= most_in_a_patch;
      for (std::size_t k = 1; k < elements.size() && alone; ++k)
        alone = of[as_size(elements[k])] == by && elements[k] != elements[k - 1];
      owner(number) = alone ? by : many_owners;
    }
  }

  // Elements by rank, each in the first step with room after those that it has a number in common with.
  void order_steps() {
    std::vector<index_t> ready(as_size(y_.size), 0);  // the first step in which a number may be added to
    std::vector<std::pair<index_t, index_t>> placed;  // step, element
    std::vector<index_t> filled, by_rank;
    for (const element_patch& p : patches_) {
      by_rank.assign(made_->order.begin() + p.first, made_->order.begin() + p.last);
      const std::vector<index_t> as_they_were = by_rank;
      std::sort(by_rank.begin(), by_rank.end(),
                [&](index_t a, index_t b) { return rank_[as_size(a)] < rank_[as_size(b)]; });
      filled.clear();
      placed.clear();
      for (const index_t e : by_rank) {
        const auto each_interior = [&](const auto& f) {
          for (index_t i = 0; i < y_.entries; ++i)
            if (const index_t number = y_.number(i + y_.entries * e); owner(number) != many_owners)
              f(ready[as_size(number)]);
        };
        index_t s = 0;
        each_interior([&](index_t first) { s = std::max(s, first); });
        while (as_size(s) < filled.size() && filled[as_size(s)] == step_) ++s;
        if (as_size(s) >= filled.size()) filled.resize(as_size(s) + 1, 0);
        ++filled[as_size(s)];
        each_interior([&](index_t& first) { first = s + 1; });
        placed.push_back({s, e});
      }
      std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      made_->first_step.push_back(index_t(made_->first_element.size()));
      index_t at = p.first;
      for (const index_t count : filled) {
        made_->first_element.push_back(at);
        at += count;
      }
      for (index_t k = p.first; k < p.last; ++k) made_->order[as_size(k)] = placed[as_size(k - p.first)].second;
    }
    made_->first_step.push_back(index_t(made_->first_element.size()));
    made_->first_element.push_back(y_.elements);
  }

  void find_places() {
    each_entry(y_, [&](index_t, index_t, index_t j) {
      if (owner(y_.number(j)) == many_owners) made_->outer.push_back(y_.number(j));
    });
    made_->terms = index_t(made_->outer.size());
  }

  // name(element, entry, number) once for each entry.
  template <class Name>
  number_codes codes_of(const restriction_state& r, const Name& name) const {
    number_codes made;
    // Components that are constrained alike have the same codes.
    std::vector<bool> constrained(as_size(r.size));
    for (const index_t k : r.constrained) constrained[as_size(k)] = true;
    bool alike = true;
    each_entry(r, [&](index_t, index_t, index_t j) {
      for (int c = 1; c < r.components && alike; ++c)
        alike = constrained[as_size(r.number(j))] == constrained[as_size(r.number(j) + c * r.stride)];
    });
    made.lists = alike ? 1 : r.components;
    const index_t most = std::max(r.size, made_->terms);
    if (most < index_t(device::number_code<std::uint32_t>::below))
      write(r, name, constrained, made.lists, made.codes.narrow);
    else
      write(r, name, constrained, made.lists, made.codes.wide);
    return made;
  }
  template <class Name, class Code>
  void write(const restriction_state& r, const Name& name, const std::vector<bool>& constrained, int lists,
             std::vector<Code>& codes) const {
    using code = device::number_code<Code>;
    codes.resize(as_size(r.elements * r.entries * lists));
    index_t first = 0;
    for (const index_t e : made_->order) {
      for (index_t i = 0; i < r.entries; ++i) {
        const index_t j = i + r.entries * e;
        const named n = name(e, i, r.number(j));
        Code one = Code(n.number);
        if (n.shared) one |= code::shared;
        if (n.first) one |= code::first;
        if (r.is_negative(j)) one |= code::opposite;
        for (int c = 0; c < lists; ++c)
          codes[as_size(first + i + r.entries * c)] =
              constrained[as_size(r.number(j) + c * r.stride)] ? code::left_out : one;
      }
      first += r.entries * lists;
    }
  }

  // Terms by their elements' rank, entries of one element in its order.
  void order_sums() {
    std::vector<index_t> at(as_size(y_.size), no_owner), numbers, first{0};
    for (index_t k = 0; k < y_.size; ++k)
      if (owner(k) == many_owners) {
        at[as_size(k)] = index_t(numbers.size());
        numbers.push_back(k);
        first.push_back(first.back() + index_t(near_.of(k).size()));
      }
    made_->shared_numbers = index_t(numbers.size());
    std::vector<std::pair<index_t, index_t>> terms(as_size(first.back()));  // key, place
    std::vector<index_t> next(first.begin(), first.end() - 1);
    index_t place = 0;
    each_entry(y_, [&](index_t e, index_t i, index_t j) {
      if (const index_t s = at[as_size(y_.number(j))]; s != no_owner)
        terms[as_size(next[as_size(s)]++)] = {rank_[as_size(e)] * y_.entries + i, place++};
    });
    for (std::size_t s = 0; s < numbers.size(); ++s) std::sort(terms.begin() + first[s], terms.begin() + first[s + 1]);
    const auto count_of = [&](index_t s) { return first[as_size(s) + 1] - first[as_size(s)]; };
    // What is summed: numbers of component 0 for all components, or each number where they are constrained differently.
    std::vector<bool> constrained(as_size(y_.size));
    for (const index_t k : y_.constrained) constrained[as_size(k)] = true;
    const bool alike = made_->y.lists == 1;
    struct sum {
      index_t number, shared, first_place;
    };
    std::vector<sum> all;
    for (int c = 0; c < (alike ? 1 : y_.components); ++c)
      for (std::size_t s = 0; s < numbers.size(); ++s)
        if (const index_t k = numbers[s] + c * y_.stride; !constrained[as_size(k)])
          all.push_back({k, index_t(s), c * made_->terms});
    std::stable_sort(all.begin(), all.end(),
                     [&](const sum& a, const sum& b) { return count_of(a.shared) < count_of(b.shared); });
    shared_sums& sums = made_->sums;
    sums.components = alike ? y_.components : 1;
    for (std::size_t s = 0; s < all.size(); ++s) {
      const index_t count = count_of(all[s].shared);
      if (sums.groups.empty() || sums.groups.back().count != count)
        sums.groups.push_back({count, index_t(s), index_t(s), sums.groups.empty() ? 0 : end_of(sums.groups.back())});
      sums.groups.back().last = index_t(s) + 1;
      sums.numbers.push_back(all[s].number);
    }
    sums.terms.resize(as_size(sums.groups.empty() ? 0 : end_of(sums.groups.back())));
    for (const shared_sums::group& g : sums.groups)
      for (index_t s = g.first; s < g.last; ++s)
        for (index_t t = 0; t < g.count; ++t)
          sums.terms[as_size(g.term + s - g.first + t * (g.last - g.first))] =
              terms[as_size(first[as_size(all[as_size(s)].shared)] + t)].second + all[as_size(s)].first_place;
  }
  static index_t end_of(const shared_sums::group& g) { return g.term + g.count * (g.last - g.first); }

  void find_untouched() {
    std::vector<bool> touched(as_size(y_.size));
    for (index_t k = 0; k < y_.size; ++k)
      for (int c = 0; c < y_.components && owner(k) != no_owner; ++c) touched[as_size(k + c * y_.stride)] = true;
    for (const index_t k : y_.constrained) touched[as_size(k)] = true;
    for (index_t k = 0; k < y_.size; ++k)
      if (!touched[as_size(k)]) made_->untouched.push_back(k);
  }

  const patch_request& request_;
  const restriction_state& y_;
  index_t step_, patch_, close_;
  number_elements near_;
  std::vector<element_patch> patches_;
  std::vector<index_t> rank_, owner_;  // of elements; of numbers
  std::shared_ptr<patch_steps> made_;
};

// So many elements that a patch has about 2^13 entries, and that there are patches for all multiprocessors.
index_t patch_for_blocks_of_threads(index_t elements, index_t entries) {
  constexpr index_t enough_patches = 2048, enough_entries = 1 << 13;
  return std::clamp<index_t>(enough_entries / entries, 1, std::max<index_t>(1, elements / enough_patches));
}

// Elements by their lowest number: a mesh's generator may have shuffled them, and then each look at a neighbour would
// miss the caches.
std::vector<index_t> by_lowest_number(const restriction_state& r) {
  std::vector<std::pair<index_t, index_t>> all;  // number, element
  all.reserve(as_size(r.elements));
  for (index_t e = 0; e < r.elements; ++e) {
    index_t lowest = r.size;
    for (index_t i = 0; i < r.entries; ++i) lowest = std::min(lowest, r.number(i + r.entries * e));
    all.push_back({lowest, e});
  }
  std::sort(all.begin(), all.end());
  std::vector<index_t> order;
  order.reserve(all.size());
  for (const auto& [number, e] : all) order.push_back(e);
  return order;
}

std::shared_ptr<const restriction_state> in_order(const restriction_state& r, const std::vector<index_t>& order) {
  const auto made = std::make_shared<restriction_state>(r);
  const auto bring = [&](const auto& from, auto& to) {
    auto at = to.begin();
    for (const index_t e : order) at = std::copy_n(from.begin() + r.entries * e, r.entries, at);
  };
  if (r.is_wide())
    bring(r.wide, made->wide);
  else
    bring(r.narrow, made->narrow);
  return made;
}

}  // namespace

std::shared_ptr<patch_steps> steps_of(const patch_request& request, index_t step) {
  const restriction_state& y = *request.y;
  const index_t given = request.options.patch_elements, by_rule = patch_for_blocks_of_threads(y.elements, y.entries);
  const index_t patch = given > 0 ? std::min(given, std::max<index_t>(y.elements, 1)) : std::max(by_rule, step);
  if (request.options.order == element_order::as_given) return step_builder(request, step, patch, by_rule).steps();

  const std::vector<index_t> order = by_lowest_number(y);
  patch_request sorted = request;
  sorted.y = in_order(y, order);
  sorted.x = request.x == request.y ? sorted.y : in_order(*request.x, order);
  std::vector<int> part;
  if (!request.options.part.empty())
    for (const index_t e : order) part.push_back(request.options.part[as_size(e)]);
  sorted.options.part = part;
  std::shared_ptr<patch_steps> made = step_builder(sorted, step, patch, by_rule).steps();
  for (index_t& e : made->order) e = order[as_size(e)];
  return made;
}

}  // namespace tessera::detail
