// SPDX-License-Identifier: BSD-3-Clause
// lower_general: a contraction of two tensors as a product of matrices whose rows, columns and inner index are lists of
// merged indices, each with a stride in every tensor. Any order of letters, any strides, any list may be empty.
#pragma once

#include <tessera/core/lower.hpp>

namespace tessera {

/// A merged index: its extent, and its stride in each tensor, 0 where that lacks it.
struct general_digit {
  index_t extent = 1;
  index_t left = 0, right = 0, out = 0;
  index_t addend = 0;  // of a tensor of the output's indices that is added
};

struct general_digits {
  int count = 0;
  general_digit at[max_rank]{};

  constexpr index_t size() const {
    index_t product = 1;
    for (int i = 0; i < count; ++i) product *= at[i].extent;
    return product;
  }
};

/// out(r, c, b) = alpha sum_k left(r, k, b) right(k, c, b) + beta out(r, c, b), left being input 0, right input 1.
/// Rows and columns are by distance in the output, nearest first, inner indices by distance in the left input.
struct general_form {
  general_digits rows, cols, inner, batch;
};

namespace detail {

// The tensors by which a list is sorted: the second one decides where strides of the first are equal.
struct nearest_first {
  index_t general_digit::*first;
  index_t general_digit::*second;

  static constexpr index_t distance(index_t stride) { return stride < 0 ? -stride : stride; }
  constexpr bool operator()(const general_digit& a, const general_digit& b) const {
    const index_t of_a = distance(a.*first), of_b = distance(b.*first);
    return of_a != of_b ? of_a < of_b : distance(a.*second) < distance(b.*second);
  }
};

// Keeps the list sorted.
constexpr void insert(general_digits& into, const general_digit& added, const nearest_first& before) {
  int at = into.count++;
  for (; at > 0 && before(added, into.at[at - 1]); --at) into.at[at] = into.at[at - 1];
  into.at[at] = added;
}

constexpr general_digits merged(const general_digits& sorted) {
  general_digits result;
  for (int i = 0; i < sorted.count; ++i) {
    const general_digit& next = sorted.at[i];
    if (result.count > 0) {
      // A tensor without them, or with one value along both, has strides 0, which follow each other, too.
      general_digit& last = result.at[result.count - 1];
      if (next.left == last.left * last.extent && next.right == last.right * last.extent &&
          next.out == last.out * last.extent) {
        last.extent *= next.extent;
        continue;
      }
    }
    result.at[result.count++] = next;
  }
  return result;
}

}  // namespace detail

/// Of a contraction of two affine inputs whose sizes fit. Letters that follow each other in memory in every tensor that
/// has them are one digit, whatever the order in which they are written; those of extent 1 are none.
constexpr general_form lower_general(const einsum& e, const operand_facts (&facts)[max_inputs + 1]) {
  const detail::lowering in{e, {facts[0], facts[1], facts[2], facts[3]}};
  constexpr detail::nearest_first in_rows{&general_digit::out, &general_digit::left};
  constexpr detail::nearest_first in_cols{&general_digit::out, &general_digit::right};
  constexpr detail::nearest_first in_inner{&general_digit::left, &general_digit::right};
  general_form result;
  for (int o = 0; o < 2; ++o)
    for (int i = 0; i < e.operand[o].rank; ++i) {
      const char c = e.operand[o].letter[i];
      const bool shared = e.operand[1 - o].has(c);
      const digit d = in.digit_of(c);
      if (d.extent == 1 || (o == 1 && shared)) continue;
      const general_digit added{d.extent, d.stride[0], d.stride[1], d.stride[output]};
      if (shared && e.out().has(c))
        detail::insert(result.batch, added, in_rows);
      else if (shared)
        detail::insert(result.inner, added, in_inner);
      else if (o == 0)
        detail::insert(result.rows, added, in_rows);
      else
        detail::insert(result.cols, added, in_cols);
    }
  return {detail::merged(result.rows), detail::merged(result.cols), detail::merged(result.inner),
          detail::merged(result.batch)};
}

}  // namespace tessera
