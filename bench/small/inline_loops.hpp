// SPDX-License-Identifier: BSD-3-Clause
// The loops of inline_rows.hpp, instantiated for each type in a file of its own.
#pragma once

#include <algorithm>
#include <utility>

#include <tessera/cpu/contract.hpp>
#include <tessera/tessera.hpp>

#include "small/inline_rows.hpp"

namespace tessera::bench {
namespace {

/// The operands' sizes; `shared`: all entries have one A.
template <class A, class B, class C, bool shared>
struct sizes_of {
  static constexpr index_t step_a = shared ? 0 : A{}.size(), step_b = B{}.size(), step_c = C{}.size();

  template <class T>
  static const T* a(const grouped_entries& in, index_t e) {
    return static_cast<const T*>(in.a) + e * step_a;
  }
  template <class T>
  static const T* b(const grouped_entries& in, index_t e) {
    return static_cast<const T*>(in.b) + e * step_b;
  }
  template <class T>
  static T* c(const grouped_entries& in, index_t e) {
    return static_cast<T*>(in.c) + e * step_c;
  }
  /// One for all, or a batch.
  template <class T>
  static auto left(const T* a, index_t count) {
    if constexpr (shared)
      return view(a, A{});
    else
      return view_batch(a, A{}, count);
  }
};

template <fixed_string text, class T, class A, class B, class C, bool shared>
struct loops {
  using sizes = sizes_of<A, B, C, shared>;

  static void one_by_one(const grouped_entries& in) {
    for (index_t g = 0, e = 0; g < in.groups; ++g)
      for (index_t i = 0; i < in.at_once; ++i, ++e)
        contract<text>(view(sizes::template a<T>(in, e), A{}), view(sizes::template b<T>(in, e), B{}),
                       view(sizes::template c<T>(in, e), C{}));
  }
  static void by_batch(const grouped_entries& in) {
    for (index_t g = 0, e = 0; g < in.groups; ++g, e += in.at_once)
      contract<text>(sizes::left(sizes::template a<T>(in, e), in.at_once),
                     view_batch(sizes::template b<T>(in, e), B{}, in.at_once),
                     view_batch(sizes::template c<T>(in, e), C{}, in.at_once));
  }
  static void by_plan(const grouped_entries& in, const plan& planned) {
    for (index_t g = 0, e = 0; g < in.groups; ++g, e += in.at_once)
      planned.run(sizes::left(sizes::template a<T>(in, e), in.at_once),
                  view_batch(sizes::template b<T>(in, e), B{}, in.at_once),
                  view_batch(sizes::template c<T>(in, e), C{}, in.at_once));
  }
};

template <class Loops>
inline_row row_of(bool square, int size) {
  return {square, size, Loops::one_by_one, Loops::by_batch, Loops::by_plan};
}

template <class T, int N>
inline_row square_row() {
  using matrix = extents<N, N>;
  return row_of<loops<"ik,kj->ij", T, matrix, matrix, matrix, false>>(true, N);
}

template <class T, int P>
inline_row middle_row() {
  constexpr int d = P + 1, q = P + 2;
  return row_of<loops<"kj,ajc->akc", T, extents<q, d>, extents<d, d, d>, extents<d, q, d>, true>>(false, P);
}

template <class T>
std::vector<inline_row> all_rows() {
  std::vector<inline_row> rows;
  [&]<int... I>(std::integer_sequence<int, I...>) { (rows.push_back(square_row<T, I + 2>()), ...); }
  (std::make_integer_sequence<int, std::min(largest_inline_square, TESSERA_LARGEST_PEER) - 1>{});
  [&]<int... I>(std::integer_sequence<int, I...>) { (rows.push_back(middle_row<T, I + 1>()), ...); }
  (std::make_integer_sequence<int, largest_inline_order>{});
  return rows;
}

}  // namespace
}  // namespace tessera::bench
