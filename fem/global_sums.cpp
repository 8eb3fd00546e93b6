// SPDX-License-Identifier: BSD-3-Clause
// What solvers need of an operator once: its diagonal, and the load of given values. Sums are in the caller's order of
// elements, so that they are the same bits for any parts.
#include <tessera/error.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/memory.hpp>

#include "element_columns.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::fem {

namespace {

index_t number_of(index_t offset) { return offset < 0 ? -1 - offset : offset; }

// Entries i < j of element e that are one number.
std::vector<std::pair<index_t, index_t>> pairs_of_one_number(const restriction& r, index_t e) {
  std::vector<std::pair<index_t, index_t>> numbers, pairs;
  for (index_t i = 0; i < r.entries(); ++i) numbers.push_back({number_of(r.offset(i, e)), i});
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t a = 0; a < numbers.size(); ++a)
    for (std::size_t b = a + 1; b < numbers.size() && numbers[b].first == numbers[a].first; ++b)
      pairs.push_back({numbers[a].second, numbers[b].second});
  return pairs;
}

template <class T>
void check_square(const std::string& name, const global_evaluation<T>& by, const char* vector, const T* at) {
  if (!by.has_one_restriction()) throw error(name + ": x and y have different restrictions", status::shape_mismatch);
  if (at == nullptr && by.test().size() > 0)
    throw error(name + ": " + vector + " is a null pointer", status::null_pointer);
}

}  // namespace

template <class T>
void global_operator<T>::diagonal(T* y) const {
  const restriction& by = evaluation_.test();
  check_square("global_operator::diagonal", evaluation_, "y", y);
  const index_t n = by.entries(), components = by.components(), all = n * components;
  const auto computed = [&](index_t count, const auto& compute) {  // where the operator runs, then on the host
    const buffer there(evaluation_.kernel().space(), std::size_t(count) * sizeof(T));
    compute(static_cast<T*>(there.data()));
    std::vector<T> here(static_cast<std::size_t>(count));
    copy_memory(here.data(), there.data(), there.bytes());
    return here;
  };
  const std::vector<T> of_elements = computed(all * by.elements(), [&](T* to) { elements_.diagonal(to); });
  std::vector<T> sums(std::size_t(by.size()));
  std::vector<index_t> position(std::size_t(by.elements()));
  for (index_t k = 0; k < by.elements(); ++k) position[std::size_t(evaluation_.order()[std::size_t(k)])] = k;
  for (index_t e = 0; e < by.elements(); ++e) {
    const index_t k = position[std::size_t(e)];
    const T* from = of_elements.data() + k * all;
    for (index_t c = 0; c < components; ++c)
      for (index_t i = 0; i < n; ++i)
        sums[std::size_t(number_of(by.offset(i, e)) + c * by.component_stride())] += *from++;
    const auto pairs = pairs_of_one_number(by, e);
    if (pairs.empty()) continue;
    const std::vector<T> M = computed(all * all, [&](T* to) { elements_.assemble(k, 1, to); });
    for (const auto& [i, j] : pairs)
      for (index_t c = 0; c < components; ++c) {
        const T sum = M[std::size_t(i + n * c + all * (j + n * c))] + M[std::size_t(j + n * c + all * (i + n * c))];
        const bool opposite = (by.offset(i, e) < 0) != (by.offset(j, e) < 0);
        sums[std::size_t(number_of(by.offset(i, e)) + c * by.component_stride())] += opposite ? -sum : sum;
      }
  }
  for (const index_t k : by.constrained()) sums[std::size_t(k)] = T(1);
  copy_memory(y, sums.data(), sums.size() * sizeof(T));
}

template <class T>
void global_operator<T>::eliminate(T* b) const {
  check_square("global_operator::eliminate", evaluation_, "b", b);
  const restriction& by = evaluation_.test();
  detail::check_linear("global_operator::eliminate", elements_, 0, elements_.elements());
  if (by.constrained().empty()) return;
  std::vector<T> sums(std::size_t(by.size()));
  copy_memory(sums.data(), b, sums.size() * sizeof(T));
  std::vector<bool> is_given(sums.size());
  for (const index_t k : by.constrained()) is_given[std::size_t(k)] = true;

  // Entry j of element e, all components one after the other: f(j, its number, its sign).
  const index_t n = by.entries(), all = n * by.components();
  const auto each_entry = [&](index_t e, const auto& f) {
    for (index_t j = 0; j < all; ++j) {
      const index_t offset = by.offset(j % n, e);
      f(j, std::size_t(number_of(offset) + j / n * by.component_stride()), T(offset < 0 ? -1 : 1));
    }
  };
  // Elements with such a number, and of each group of them, in the order of the evaluation, the results.
  constexpr index_t at_once = 512;
  std::vector<std::pair<index_t, std::size_t>> touched;  // element of the caller, place in `results`
  std::vector<T> results, entries(std::size_t(std::min(at_once, evaluation_.elements()) * all));
  const buffer x(space(), entries.size() * sizeof(T)), y(space(), entries.size() * sizeof(T));
  for (index_t first = 0; first < evaluation_.elements(); first += at_once) {
    const index_t last = std::min(first + at_once, evaluation_.elements());
    std::fill(entries.begin(), entries.end(), T(0));
    std::vector<index_t> in_group;
    for (index_t k = first; k < last; ++k) {
      bool is_touched = false;
      each_entry(evaluation_.order()[std::size_t(k)], [&](index_t j, std::size_t number, T sign) {
        if (!is_given[number]) return;
        is_touched = true;
        entries[std::size_t(j + all * (k - first))] = sign * sums[number];
      });
      if (is_touched) in_group.push_back(k);
    }
    if (in_group.empty()) continue;
    copy_memory(x.data(), entries.data(), entries.size() * sizeof(T));
    elements_.apply(element_set::range(first, last), {.x = static_cast<const T*>(x.data()),
                                                      .x_layout = elements_.x_layout().from(first),
                                                      .y = static_cast<T*>(y.data()),
                                                      .y_layout = elements_.y_layout().from(first)});
    copy_memory(entries.data(), y.data(), std::size_t(all * (last - first)) * sizeof(T));
    for (const index_t k : in_group) {
      touched.push_back({evaluation_.order()[std::size_t(k)], results.size()});
      const auto from = entries.begin() + all * (k - first);
      results.insert(results.end(), from, from + all);
    }
  }
  std::sort(touched.begin(), touched.end());
  for (const auto& [e, place] : touched)
    each_entry(e, [&, from = results.data() + place](index_t j, std::size_t number, T sign) {
      if (!is_given[number]) sums[number] -= sign * from[j];
    });
  copy_memory(b, sums.data(), sums.size() * sizeof(T));
}

template void global_operator<float>::diagonal(float*) const;
template void global_operator<double>::diagonal(double*) const;
template void global_operator<float>::eliminate(float*) const;
template void global_operator<double>::eliminate(double*) const;

}  // namespace tessera::fem
