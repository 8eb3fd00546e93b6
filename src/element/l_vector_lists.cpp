// SPDX-License-Identifier: BSD-3-Clause
// Writes the lists that the GPU's kernels of L-vectors read.
#include "l_vector_lists.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

namespace tessera::detail {

namespace {

std::size_t as_size(index_t i) { return std::size_t(i); }

// Elements that are close in the order: as many as have about 2^13 entries, and such groups for all multiprocessors.
index_t elements_of_group(index_t elements, index_t entries) {
  constexpr index_t enough_groups = 2048, enough_entries = 1 << 13;
  return std::clamp<index_t>(enough_entries / entries, 1, std::max<index_t>(1, elements / enough_groups));
}

class l_vector_list_builder {
 public:
  /// `all_terms`: every entry of an element is a term, in its place of a conventional E-vector.
  explicit l_vector_list_builder(const patch_request& request, bool all_terms = false)
      : request_(request), y_(*request.y), all_terms_(all_terms) {}

  std::shared_ptr<l_vector_lists> lists() {
    made_ = std::make_shared<l_vector_lists>();
    made_->order = order_of_sums(request_, elements_of_group(y_.elements, y_.entries));
    rank_ = positions_in(made_->order);
    sort_by_parts(request_, made_->order);
    made_->first_of_part.assign(1, 0);
    for (const index_t elements : request_.elements_of_parts)
      made_->first_of_part.push_back(made_->first_of_part.back() + elements);
    count_entries();
    find_places();
    if (request_.x != request_.y) made_->x = codes_of(*request_.x);
    made_->y = codes_of(y_);
    order_sums();
    find_untouched();
    return std::move(made_);
  }

 private:
  template <class F>
  void each_entry(const restriction_state& r, const F& f) const {  // f(position, entry, j)
    for (std::size_t k = 0; k < made_->order.size(); ++k)
      for (index_t i = 0; i < r.entries; ++i) f(index_t(k), i, i + r.entries * made_->order[k]);
  }

  // How often a number is an entry.
  void count_entries() {
    count_.assign(as_size(y_.size), 0);
    for (index_t j = 0; j < y_.elements * y_.entries; ++j) ++count_[as_size(y_.number(j))];
  }

  void find_places() {
    if (all_terms_) {
      for (index_t i = 0; i < y_.entries; ++i) made_->places.push_back(int(i));
      made_->element_terms = int(y_.entries * y_.components);
      made_->terms = made_->element_terms * y_.elements;
      return;
    }
    std::vector<char> alone(as_size(y_.entries), 1);
    for (index_t e = 0, j = 0; e < y_.elements; ++e)
      for (index_t i = 0; i < y_.entries; ++i, ++j)
        if (count_[as_size(y_.number(j))] > 1) alone[as_size(i)] = 0;
    for (const char one : alone) made_->places.push_back(one != 0 ? -1 : made_->element_terms++);
    made_->terms = made_->element_terms * y_.elements;
  }

  number_codes codes_of(const restriction_state& r) const {
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
    if (r.size < index_t(device::number_code<std::uint32_t>::below))
      write(r, constrained, made.lists, made.codes.narrow);
    else
      write(r, constrained, made.lists, made.codes.wide);
    return made;
  }
  template <class Code>
  void write(const restriction_state& r, const std::vector<bool>& constrained, int lists,
             std::vector<Code>& codes) const {
    using code = device::number_code<Code>;
    codes.resize(as_size(r.elements * r.entries * lists));
    each_entry(r, [&](index_t k, index_t i, index_t j) {
      const Code one = Code(r.number(j)) | (r.is_negative(j) ? code::opposite : 0);
      for (int c = 0; c < lists; ++c)
        codes[as_size(i + r.entries * (c + lists * k))] =
            constrained[as_size(r.number(j) + c * r.stride)] ? code::left_out : one;
    });
  }

  struct term {
    index_t key, place;
    bool opposite;
  };
  struct sum {
    index_t number, piece, first, count, first_place;
  };

  // The terms of each number of component 0 that has some, by their elements' rank, entries of one element in order.
  std::vector<sum> all_sums(std::vector<term>& terms) {
    std::vector<index_t> next(as_size(y_.size), 0);  // of a number's terms
    const auto each_term = [&](const auto& f) {
      each_entry(y_, [&](index_t k, index_t i, index_t j) {
        if (const int place = made_->places[as_size(i)]; place >= 0) f(y_.number(j), k, i, j, place);
      });
    };
    each_term([&](index_t number, index_t, index_t, index_t, int) { ++next[as_size(number)]; });
    std::vector<sum> sums;
    index_t first = 0;
    for (index_t k = 0; k < y_.size; ++k) {
      const index_t count = next[as_size(k)];
      if (count > 0) sums.push_back({k, 0, first, count, 0});
      if (count > 1) ++made_->shared_numbers;
      next[as_size(k)] = first;
      first += count;
    }
    terms.resize(as_size(first));
    each_term([&](index_t number, index_t k, index_t i, index_t j, int place) {
      terms[as_size(next[as_size(number)]++)] = {rank_[as_size(made_->order[as_size(k)])] * y_.entries + i,
                                                 k * made_->element_terms + place, y_.is_negative(j)};
    });
    constexpr index_t piece = 1024;  // elements
    for (sum& s : sums) {
      const auto from = terms.begin() + s.first, end = from + s.count;
      std::sort(from, end, [](const term& a, const term& b) { return a.key < b.key; });
      s.piece = (end - 1)->key / y_.entries / piece;
    }
    return sums;
  }

  // Sums follow the elements, in pieces that stay in a GPU's cache: in a piece those of as many terms, by number.
  void order_sums() {
    std::vector<term> terms;
    const std::vector<sum> of_one = all_sums(terms);
    // What is summed: numbers of component 0 for all components, or each number where they are constrained differently.
    std::vector<bool> constrained(as_size(y_.size));
    for (const index_t k : y_.constrained) constrained[as_size(k)] = true;
    const bool alike = made_->y.lists == 1;
    std::vector<sum> all;
    for (int c = 0; c < (alike ? 1 : y_.components); ++c)
      for (const sum& s : of_one)
        if (const index_t k = s.number + c * y_.stride; !constrained[as_size(k)])
          all.push_back({k, s.piece, s.first, s.count, c * made_->terms});
    std::sort(all.begin(), all.end(), [](const sum& a, const sum& b) {
      return std::tie(a.piece, a.count, a.number) < std::tie(b.piece, b.count, b.number);
    });
    made_->sums.components = alike ? y_.components : 1;
    const index_t codes = std::max(y_.size, made_->terms * y_.components);
    if (codes < index_t(device::number_code<std::uint32_t>::below))
      write_sums(terms, all, made_->sums.numbers.narrow, made_->sums.terms.narrow);
    else
      write_sums(terms, all, made_->sums.numbers.wide, made_->sums.terms.wide);
  }
  template <class Code>
  void write_sums(const std::vector<term>& terms, const std::vector<sum>& all, std::vector<Code>& numbers,
                  std::vector<Code>& codes) const {
    using code = device::number_code<Code>;
    constexpr std::size_t warp = shared_sums::warp;
    std::vector<index_t>& first = made_->sums.first;
    first.assign(1, 0);
    for (std::size_t s = 0, end = 0; s < all.size(); s = end) {
      while (end < all.size() && end < s + warp && all[end].count == all[s].count) ++end;
      numbers.resize(numbers.size() + warp, code::left_out);
      const std::size_t lanes = end - s;
      codes.resize(codes.size() + as_size(all[s].count) * lanes);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const sum& of = all[s + lane];
        numbers[numbers.size() - warp + lane] = Code(of.number);
        for (index_t t = 0; t < of.count; ++t) {
          const term& from = terms[as_size(of.first + t)];
          codes[as_size(first.back()) + lane + lanes * as_size(t)] =
              Code(from.place + of.first_place) | (from.opposite ? code::opposite : 0);
        }
      }
      first.push_back(index_t(codes.size()));
    }
  }

  void find_untouched() {
    std::vector<bool> touched(as_size(y_.size));
    for (index_t k = 0; k < y_.size; ++k)
      for (int c = 0; c < y_.components && count_[as_size(k)] > 0; ++c) touched[as_size(k + c * y_.stride)] = true;
    for (const index_t k : y_.constrained) touched[as_size(k)] = true;
    for (index_t k = 0; k < y_.size; ++k)
      if (!touched[as_size(k)]) made_->untouched.push_back(k);
  }

  const patch_request& request_;
  const restriction_state& y_;
  bool all_terms_;
  std::vector<index_t> rank_, count_;  // of elements; of numbers
  std::shared_ptr<l_vector_lists> made_;
};

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

std::shared_ptr<l_vector_lists> l_vector_lists_of(const patch_request& request) {
  if (request.options.order == element_order::as_given) return l_vector_list_builder(request).lists();

  const std::vector<index_t> order = by_lowest_number(*request.y);
  patch_request sorted = request;
  sorted.y = in_order(*request.y, order);
  sorted.x = request.x == request.y ? sorted.y : in_order(*request.x, order);
  std::vector<int> part;
  if (!request.options.part.empty())
    for (const index_t e : order) part.push_back(request.options.part[as_size(e)]);
  sorted.options.part = part;
  std::shared_ptr<l_vector_lists> made = l_vector_list_builder(sorted).lists();
  for (index_t& e : made->order) e = order[as_size(e)];
  return made;
}

std::shared_ptr<l_vector_lists> e_vector_lists_of(const restriction_state& r) {
  const auto free = std::make_shared<restriction_state>(r);
  free->constrained.clear();
  const std::vector<index_t> all{r.elements};
  return l_vector_list_builder({free, free, {.order = element_order::as_given}, all}, true).lists();
}

}  // namespace tessera::detail
