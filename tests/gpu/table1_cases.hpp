// SPDX-License-Identifier: BSD-3-Clause
// core/table1_rows.hpp as types: einsum and packed layouts of every row for any order, for kernels written in tests.
#pragma once

#include <tessera/core/einsum.hpp>
#include <tessera/core/layout.hpp>

namespace tessera::testing {

/// A row: its einsum, and the letters that count quadrature points; the others count nodes.
struct table1_text {
  const char* einsum;
  const char* quadrature;
};
inline constexpr table1_text table1_texts[] = {
    {"kj,ij->ik", "k"},           {"kj,jl->kl", "kl"},      {"kl,kl->kl", "kl"},        {"li,kl->ki", "lk"},
    {"ki,kj->ij", "k"},           {"kj,abj->abk", "k"},     {"kj,ajc->akc", "kc"},      {"kj,jbc->kbc", "kbc"},
    {"abc,abc->abc", "abc"},      {"ki,abk->abi", "kab"},   {"ki,akc->aic", "ka"},      {"ki,kbc->ibc", "k"},
    {"ki,kj,kl->ilj", "kl"},      {"ki,kj,akb->aibj", "k"}, {"ki,kj,klm->ilmj", "klm"}, {"ki,kj,akmb->aimbj", "km"},
    {"ki,kj,abkcd->abicdj", "k"},
};
/// Rows 3a-3d, D, 4a-4f, D; behind them those of kernel (9).
inline constexpr int table1_products = 12, table1_count = 17;

/// Row R for polynomials of order P: P + 1 nodes and P + 2 points on every axis. P = 0: no two axes alike.
template <int R, int P>
struct table1_case {
  static constexpr auto text = [] {
    char copy[32]{};
    for (int i = 0; table1_texts[R].einsum[i] != 0; ++i) copy[i] = table1_texts[R].einsum[i];
    return fixed_string<32>(copy);
  }();
  static constexpr einsum e = parse_einsum(text.text);
  static constexpr int inputs = e.inputs;

  static constexpr index_t extent(char letter) {
    bool counts_points = false;
    for (const char* q = table1_texts[R].quadrature; *q; ++q) counts_points = counts_points || *q == letter;
    return P == 0 ? 2 + (letter - 'a') % 4 : counts_points ? P + 2 : P + 1;
  }
  template <int O>
  static constexpr auto layout_of() {
    return []<int... D>(sequence<D...>) { return column_major<extents<extent(e.operand[O].letter[D])...>>{}; }
    (iota<e.operand[O].rank>{});
  }
  /// The layout of input O, or of the output.
  template <int O>
  using layout = decltype(layout_of<O>());
};

}  // namespace tessera::testing
