// SPDX-License-Identifier: BSD-3-Clause
// The definition of a contraction as the tests' oracle: sums over all letters; nothing is lowered, no strides are used.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include <tessera/contraction.hpp>
#include <tessera/view.hpp>

namespace tessera::testing {

/// What an operand holds, without its layout: column-major entries, one tensor after the other.
template <class T>
struct entries {
  std::vector<index_t> extent;
  index_t count = 1;
  bool batched = false;
  std::vector<T> value;

  index_t size() const {
    index_t product = 1;
    for (index_t e : extent) product *= e;
    return product;
  }
  T at(index_t linear, index_t b) const { return value[std::size_t((batched ? b * size() : 0) + linear)]; }
};

// visit(entry&, linear, b) for every entry of a view, each found through the view's own layout.
template <any_view View, class Visit>
void for_each_entry(const View& v, Visit visit) {
  index_t index[max_rank]{};
  index_t count = 1;
  if constexpr (View::is_batch) count = v.count();
  for (index_t b = 0; b < count; ++b)
    for (index_t i = 0; i < v.extents().size(); ++i) {
      unravel(i, v.extents(), index);
      if constexpr (View::is_batch)
        visit(v(b).data()[offset_at(v.layout(), index)], i, b);
      else
        visit(v.data()[offset_at(v.layout(), index)], i, b);
    }
}

template <any_view View>
entries<typename View::value_type> read(const View& v) {
  entries<typename View::value_type> result;
  for (int d = 0; d < v.extents().rank(); ++d) result.extent.push_back(v.extents()(d));
  if constexpr (View::is_batch) {
    result.batched = true;
    result.count = v.count();
  }
  for_each_entry(v, [&](const auto& entry, index_t, index_t) { result.value.push_back(entry); });
  return result;
}

/// A small generator of integers in -4..4, the same on every machine.
struct integer_source {
  unsigned state;
  explicit integer_source(unsigned seed) : state(seed * 2654435761u + 12345u) {}
  int operator()() {
    state = state * 1664525u + 1013904223u;
    return int(state >> 16) % 9 - 4;
  }
};

/// Integers in -4..4: products and sums of a few thousand of them are exact in float.
template <any_view View>
void fill_integers(const View& v, unsigned seed) {
  integer_source next(seed);
  for_each_entry(v, [&](auto& entry, index_t, index_t) { entry = typename View::value_type(next()); });
}

/// Values with full mantissas in -1..1.
template <any_view View>
void fill_fractions(const View& v, unsigned seed) {
  unsigned state = seed * 2654435761u + 1u;
  for_each_entry(v, [&](auto& entry, index_t, index_t) {
    state = state * 1664525u + 1013904223u;
    using T = typename View::value_type;
    entry = T(state) / T(2147483648.0) - T(1);
  });
}

/// The result and, entry by entry, the largest error that a correct kernel may make.
struct wanted_result {
  std::vector<long double> value, bound;
};

/// n u / (1 - n u)
template <class T>
long double gamma_bound(index_t n) {
  const long double nu = (long double)(n)*std::numeric_limits<T>::epsilon() / 2;
  return nu / (1 - nu);
}

/// alpha (contraction of the inputs) + beta before, for all batch entries. `before` gives the output's shape.
template <class T>
wanted_result by_definition(const contraction& what, const std::vector<entries<T>>& in, const entries<T>& before) {
  const einsum& e = what.modes();
  std::vector<char> letters(e.out().letter, e.out().letter + e.out().rank);
  std::vector<index_t> extent = before.extent;
  for (int o = 0; o < e.inputs; ++o)
    for (int d = 0; d < e.operand[o].rank; ++d) {
      const char c = e.operand[o].letter[d];
      bool known = false;
      for (char l : letters) known = known || l == c;
      if (known) continue;
      letters.push_back(c);
      extent.push_back(in[std::size_t(o)].extent[std::size_t(d)]);
    }
  index_t inner = 1;
  for (std::size_t i = before.extent.size(); i < extent.size(); ++i) inner *= extent[i];

  wanted_result wanted;
  const long double alpha = T(what.scale().alpha.re), beta = T(what.scale().beta.re);
  std::vector<index_t> index(letters.size());
  for (index_t b = 0; b < before.count; ++b)
    for (index_t i = 0; i < before.size(); ++i) {
      long double sum = 0, size = 0;
      for (index_t k = 0; k < inner; ++k) {
        index_t rest = i + before.size() * k;
        for (std::size_t l = 0; l < letters.size(); ++l) {
          index[l] = rest % extent[l];
          rest /= extent[l];
        }
        long double term = 1;
        for (int o = 0; o < e.inputs; ++o) {
          index_t linear = 0, scale = 1;
          for (int d = 0; d < e.operand[o].rank; ++d) {
            for (std::size_t l = 0; l < letters.size(); ++l)
              if (letters[l] == e.operand[o].letter[d]) linear += index[l] * scale;
            scale *= in[std::size_t(o)].extent[std::size_t(d)];
          }
          term *= in[std::size_t(o)].at(linear, b);
        }
        sum += term;
        size += std::fabs(term);
      }
      const long double old = beta == 0 ? 0 : beta * before.at(i, b);
      wanted.value.push_back(alpha * sum + old);
      // One rounding more where a side is itself a product of two inputs.
      wanted.bound.push_back(gamma_bound<T>(inner + 2 + (e.inputs - 2)) * (std::fabs(alpha) * size + std::fabs(old)));
    }
  return wanted;
}

/// How many entries of the result are outside their bound (a NaN always is).
template <class T>
index_t count_wrong(const entries<T>& result, const wanted_result& wanted) {
  index_t wrong = result.value.size() == wanted.value.size() ? 0 : 1;
  for (std::size_t i = 0; i < result.value.size() && wrong == 0; ++i)
    if (!(std::fabs(result.value[i] - wanted.value[i]) <= wanted.bound[i])) ++wrong;
  return wrong;
}

/// The same for exact integers.
template <class T>
index_t count_different(const entries<T>& result, const wanted_result& wanted) {
  index_t wrong = result.value.size() == wanted.value.size() ? 0 : 1;
  for (std::size_t i = 0; i < result.value.size() && wrong == 0; ++i)
    if (!(result.value[i] == wanted.value[i])) ++wrong;
  return wrong;
}

}  // namespace tessera::testing
