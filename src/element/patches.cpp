// SPDX-License-Identifier: BSD-3-Clause
// Cuts elements into patches, and gives every entry of their elements a slot.
#include "patches.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/error.hpp>

namespace tessera::detail {

std::vector<element_patch> patches_of(std::span<const index_t> elements_of_parts, index_t lanes, index_t most) {
  std::vector<element_patch> patches;
  index_t first = 0;
  for (const index_t elements : elements_of_parts) {
    const index_t end = first + elements;
    while (first < end) {
      const index_t cut = std::max((first + most) / lanes * lanes, (first / lanes + 1) * lanes);
      patches.push_back({first, std::min(cut, end)});
      first = patches.back().last;
    }
  }
  return patches;
}

namespace {

constexpr index_t nobody = -1, several = -2;

class list_builder {
 public:
  list_builder(const restriction_state& r, std::span<const index_t> order, std::span<const element_patch> patches,
               index_t lanes)
      : r_(r), order_(order), patches_(patches), owner_(std::size_t(r.size), nobody), slot_(std::size_t(r.size)) {
    made_.of = &r;
    made_.lanes = lanes;
    find_owners();
  }

  patch_lists lists(std::span<const index_t> position) {
    count_slots();
    const bool wide = made_.most_slots > patch_lists::most_narrow;
    if (wide)
      fill(made_.wide);
    else
      fill(made_.narrow);
    find_constrained();
    made_.interior = number_list(all_interior_, r_.size);
    order_terms(position);
    find_untouched();
    return std::move(made_);
  }

 private:
  template <class F>
  void each_entry(const element_patch& p, const F& f) const {
    for (index_t k = p.first; k < p.last; ++k)
      for (index_t i = 0; i < r_.entries; ++i) f(k, i, i + r_.entries * order_[std::size_t(k)]);
  }
  index_t& owner(index_t number) { return owner_[std::size_t(number)]; }

  void find_owners() {
    for (std::size_t p = 0; p < patches_.size(); ++p)
      each_entry(patches_[p], [&](index_t, index_t, index_t j) {
        index_t& by = owner(r_.number(j));
        by = by == nobody || by == index_t(p) ? index_t(p) : several;
      });
  }

  // Sets every piece but its constrained slots, and the numbers of slots.
  void count_slots() {
    index_t list = 0;
    for (const element_patch& p : patches_) {
      patch_lists::piece piece{.list = list, .shared = index_t(outer_.size()), .run = index_t(made_.runs.size())};
      interior_.clear();
      each_entry(p, [&](index_t, index_t, index_t j) {
        (owner(r_.number(j)) != several ? interior_ : outer_).push_back(r_.number(j));
      });
      std::sort(interior_.begin(), interior_.end());
      interior_.erase(std::unique(interior_.begin(), interior_.end()), interior_.end());
      for (std::size_t s = 0; s < interior_.size(); ++s) slot_[std::size_t(interior_[s])] = index_t(s);
      add_runs();
      piece.run_end = index_t(made_.runs.size());
      piece.first_interior = index_t(all_interior_.size());
      piece.interior = index_t(interior_.size());
      all_interior_.insert(all_interior_.end(), interior_.begin(), interior_.end());
      piece.slots = piece.interior + index_t(outer_.size()) - piece.shared;
      list += ((p.last - 1) / made_.lanes - p.first / made_.lanes + 1) * made_.lanes * r_.entries;
      made_.most_slots = std::max(made_.most_slots, piece.slots);
      made_.pieces.push_back(piece);
    }
    list_size_ = list;
    const index_t shared = index_t(outer_.size());
    if (shared > std::numeric_limits<std::int32_t>::max() || made_.most_slots * r_.components >= index_t(1) << 31)
      throw error("operator on unknowns: patches share " + std::to_string(shared) +
                      " entries, more than 32 bits count; larger patches share fewer",
                  status::overflow);
  }

  // Runs of the interior, unless they are so short that going number by number is faster.
  void add_runs() {
    constexpr std::size_t long_enough = 24;
    const std::size_t before = made_.runs.size();
    for (std::size_t s = 0; s < interior_.size(); ++s) {
      if (s == 0 || interior_[s] != interior_[s - 1] + 1) made_.runs.push_back({interior_[s], 0});
      ++made_.runs.back().length;
    }
    if (interior_.size() < long_enough * (made_.runs.size() - before)) made_.runs.resize(before);
  }

  template <class Slot>
  void fill(std::vector<Slot>& list) const {
    constexpr Slot opposite = Slot(1) << (8 * sizeof(Slot) - 1);
    list.resize(std::size_t(list_size_));
    for (std::size_t p = 0; p < patches_.size(); ++p) {
      const patch_lists::piece& piece = made_.pieces[p];
      const index_t block = patches_[p].first / made_.lanes;
      index_t next = piece.interior;
      each_entry(patches_[p], [&](index_t k, index_t i, index_t j) {
        const index_t number = r_.number(j);
        const bool is_shared = owner_[std::size_t(number)] == several;
        const index_t slot = is_shared ? next++ : slot_[std::size_t(number)];
        const index_t at = k % made_.lanes + made_.lanes * (i + r_.entries * (k / made_.lanes - block));
        list[std::size_t(piece.list + at)] = Slot(Slot(slot) | (r_.is_negative(j) ? opposite : Slot(0)));
      });
    }
  }

  void find_constrained() {
    if (r_.constrained.empty()) return;
    std::vector<bool> is(std::size_t(r_.size));
    for (const index_t k : r_.constrained) is[std::size_t(k)] = true;
    for (patch_lists::piece& piece : made_.pieces) {
      piece.constrained = index_t(made_.constrained.size());
      for (int c = 0; c < r_.components; ++c) {
        index_t slot = piece.slots * c;
        const auto look_at = [&](index_t number) {
          if (is[std::size_t(number + c * r_.stride)]) made_.constrained.push_back(std::int32_t(slot));
          ++slot;
        };
        for (index_t s = 0; s < piece.interior; ++s) look_at(all_interior_[std::size_t(piece.first_interior + s)]);
        for (index_t s = 0; s < piece.slots - piece.interior; ++s) look_at(outer_[std::size_t(piece.shared + s)]);
      }
      piece.constrained_end = index_t(made_.constrained.size());
    }
  }

  // Terms of a number that patches share: by their elements' positions, entries of one element in its order.
  void order_terms(std::span<const index_t> position) {
    std::vector<index_t> keys;  // of shared slots
    keys.reserve(outer_.size());
    for (const element_patch& p : patches_)
      each_entry(p, [&](index_t k, index_t i, index_t j) {
        if (owner(r_.number(j)) == several)
          keys.push_back(position[std::size_t(order_[std::size_t(k)])] * r_.entries + i);
      });
    std::vector<index_t>& count = slot_;  // of a number: its terms, then where the next one goes
    std::vector<index_t> shared;
    for (index_t k = 0; k < r_.size; ++k)
      if (owner(k) == several) shared.push_back(k), count[std::size_t(k)] = 0;
    for (const index_t k : outer_) ++count[std::size_t(k)];
    std::stable_sort(shared.begin(), shared.end(),
                     [&](index_t a, index_t b) { return count[std::size_t(a)] < count[std::size_t(b)]; });
    index_t term = 0;
    for (std::size_t s = 0; s < shared.size(); ++s) {
      index_t& of = count[std::size_t(shared[s])];
      if (made_.groups.empty() || made_.groups.back().count != of)
        made_.groups.push_back({.count = of, .first = index_t(s), .last = index_t(s), .term = term});
      ++made_.groups.back().last;
      term += std::exchange(of, term);
    }
    made_.terms.resize(outer_.size());
    for (std::size_t t = 0; t < outer_.size(); ++t)
      made_.terms[std::size_t(count[std::size_t(outer_[t])]++)] = std::int32_t(t);
    for (const patch_lists::group& g : made_.groups)
      for (index_t s = g.first; s < g.last; ++s) {
        const auto first = made_.terms.begin() + g.term + g.count * (s - g.first);
        std::sort(first, first + g.count,
                  [&](std::int32_t a, std::int32_t b) { return keys[std::size_t(a)] < keys[std::size_t(b)]; });
      }
    made_.shared = number_list(shared, r_.size);
    made_.outer = number_list(outer_, r_.size);
  }

  void find_untouched() {
    std::vector<bool> touched(std::size_t(r_.size));
    for (index_t k = 0; k < r_.size; ++k)
      for (int c = 0; c < r_.components && owner(k) != nobody; ++c) touched[std::size_t(k + c * r_.stride)] = true;
    for (index_t k = 0; k < r_.size; ++k)
      if (!touched[std::size_t(k)]) made_.untouched.push_back(k);
  }

  const restriction_state& r_;
  std::span<const index_t> order_;
  std::span<const element_patch> patches_;
  std::vector<index_t> owner_, slot_;             // of numbers
  std::vector<index_t> interior_, all_interior_;  // numbers of a patch's interior slots, and of all patches'
  std::vector<index_t> outer_;                    // numbers of all shared slots
  index_t list_size_ = 0;
  patch_lists made_;
};

}  // namespace

std::shared_ptr<const patch_lists> lists_of(const std::shared_ptr<const restriction_state>& r,
                                            std::span<const index_t> order, std::span<const index_t> position,
                                            std::span<const element_patch> patches, index_t lanes) {
  return std::make_shared<const patch_lists>(list_builder(*r, order, patches, lanes).lists(position));
}

std::vector<index_t> order_of_sums(const patch_request& request, index_t together) {
  if (request.options.order == element_order::close) return close_order(*request.y, together);
  std::vector<index_t> order(std::size_t(request.y->elements));
  std::iota(order.begin(), order.end(), index_t(0));
  return order;
}

std::vector<index_t> positions_in(std::span<const index_t> order) {
  std::vector<index_t> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[std::size_t(order[k])] = index_t(k);
  return position;
}

void sort_by_parts(const patch_request& request, std::vector<index_t>& order) {
  const std::span<const int> part = request.options.part;
  if (part.empty()) return;
  std::stable_sort(order.begin(), order.end(),
                   [&](index_t a, index_t b) { return part[std::size_t(a)] < part[std::size_t(b)]; });
}

std::vector<index_t> first_patches_of_parts(const patch_request& request, std::span<const element_patch> patches) {
  std::vector<index_t> first;
  index_t end = 0;
  std::size_t patch = 0;
  for (const index_t elements : request.elements_of_parts) {
    while (patch < patches.size() && patches[patch].first < end) ++patch;
    first.push_back(index_t(patch));
    end += elements;
  }
  first.push_back(index_t(patches.size()));
  return first;
}

namespace {

// So many elements that a patch has at most 2^15 entries, and that there are `patches` of them.
index_t elements_of_patch(index_t patches, index_t elements, index_t entries, index_t lanes) {
  const index_t blocks = (elements + lanes - 1) / lanes;
  const index_t most = std::max<index_t>(patch_lists::most_narrow / (entries * lanes), 1);
  return lanes * std::clamp<index_t>(blocks / patches, 1, most);
}

}  // namespace

std::shared_ptr<listed_patches> listed_patches_of(const patch_request& request, index_t lanes) {
  const auto &x = request.x, &y = request.y;
  const index_t entries = std::max(x->entries, y->entries);
  // The order of sums must not depend on the number of threads; the size of patches may.
  const index_t together = elements_of_patch(32, y->elements, entries, lanes), threads = useful_threads();
  const index_t by_rule = elements_of_patch(threads == 1 ? 2 : 8 * threads, y->elements, entries, lanes);
  const index_t given = std::min(request.options.patch_elements, y->elements);
  const index_t most =
      request.options.patch_elements > 0 ? std::max(lanes, (given + lanes - 1) / lanes * lanes) : by_rule;
  auto made = std::make_shared<listed_patches>();
  made->order = order_of_sums(request, together);
  const std::vector<index_t> position = positions_in(made->order);
  sort_by_parts(request, made->order);
  made->patches = patches_of(request.elements_of_parts, lanes, most);
  made->first_of_part = first_patches_of_parts(request, made->patches);
  made->y = lists_of(y, made->order, position, made->patches, lanes);
  made->x = x == y ? made->y : lists_of(x, made->order, position, made->patches, lanes);
  for (const element_patch& one : made->patches) made->most = std::max(made->most, one.last - one.first);
  made->shared_numbers = made->y->shared.size();
  made->terms = made->y->shared_slots();
  return made;
}

}  // namespace tessera::detail
