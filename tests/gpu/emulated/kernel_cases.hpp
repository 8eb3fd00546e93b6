// SPDX-License-Identifier: BSD-3-Clause
// The kernels that a test runs on the host: every way to multiply, every way to copy, read and write.
#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "kernel_case.hpp"

namespace tessera::testing {

namespace kernel_rows {

using tessera::detail::general_by, tessera::detail::general_kind, tessera::detail::general_tile;
using type = scalar_type;
using device::any_functions, device::any_function_kind, device::any_pair;

struct row {
  const char* text;
  std::map<char, index_t> extents;
  general_kind kind;
  general_tile tile;  // its boxes are in the order of the form's digits
  double alpha = 1, beta = 0;
  any_functions functions{};
  int batch = 1;
  bool adds_one = false, many_digits = false;

  row by(double new_alpha, double new_beta) const {
    return with([&](row& r) { r.alpha = new_alpha, r.beta = new_beta; });
  }
  row of(const any_functions& f) const {
    return with([&](row& r) { r.functions = f; });
  }
  row in_batch_of(int count) const {
    return with([&](row& r) { r.batch = count; });
  }
  row adding_one() const {
    return with([](row& r) { r.adds_one = true; });
  }
  row of_many_digits() const {
    return with([](row& r) { r.many_digits = true; });
  }
  row exchanged() const {
    return with([](row& r) { r.tile.exchanged = true; });
  }
  row in_parts(int splits) const {
    return with([&](row& r) { r.tile.splits = splits; });
  }
  // A packed matrix behind the sum, for the columns' digit of that number; p is nearest, or q.
  row times_matrix(int extent, int digit, bool p_is_nearest) const {
    return with([&](row& r) { r.kind.second = {extent, digit, p_is_nearest ? 1 : extent, p_is_nearest ? extent : 1}; });
  }
  row by_panels(int boxes) const {
    return with([&](row& r) { r.tile.panel = boxes; });
  }

  template <class Change>
  row with(const Change& change) const {
    row made = *this;
    change(made);
    return made;
  }
};

using boxes = std::vector<int>;
inline general_tile tile(const boxes& rows, const boxes& cols, const boxes& inner, int down, int across, int stages) {
  general_tile made{.warps_down = down, .warps_across = across, .stages = stages};
  std::copy(rows.begin(), rows.end(), made.rows);
  std::copy(cols.begin(), cols.end(), made.cols);
  std::copy(inner.begin(), inner.end(), made.inner);
  return made;
}

inline general_kind kind_of(type in, type out, type sum, general_by by) {
  return {.left = in, .right = in, .out = out, .sum = sum, .by = by};
}
inline general_kind reading_out(general_kind kind) {
  kind.reads_out = true;
  return kind;
}
inline general_kind with_addend(general_kind kind, type addend) {
  kind.addend = addend;
  return kind;
}
inline general_kind conjugating(general_kind kind, bool left, bool right) {
  kind.left_conjugated = left;
  kind.right_conjugated = right;
  return kind;
}
inline const general_kind f64 = kind_of(type::f64, type::f64, type::f64, general_by::mma_f64),
                          tf32 = kind_of(type::f32, type::f32, type::f32, general_by::mma_tf32),
                          three_tf32 = kind_of(type::f32, type::f32, type::f32, general_by::mma_3xtf32),
                          f16 = kind_of(type::f16, type::f16, type::f32, general_by::mma_16),
                          f16_to_f32 = kind_of(type::f16, type::f32, type::f32, general_by::mma_16),
                          bf16 = kind_of(type::bf16, type::bf16, type::f32, general_by::mma_16),
                          fma_f32 = kind_of(type::f32, type::f32, type::f32, general_by::fma),
                          fma_f64 = kind_of(type::f64, type::f64, type::f64, general_by::fma),
                          fma_f16 = kind_of(type::f16, type::f16, type::f32, general_by::fma),
                          fma_c32 = kind_of(type::c32, type::c32, type::c32, general_by::fma),
                          fma_c64 = kind_of(type::c64, type::c64, type::c64, general_by::fma);
inline const general_kind mixed{
    .left = type::f16, .right = type::f32, .out = type::f64, .sum = type::f64, .by = general_by::fma};
inline const any_functions leaky{.left = {any_function_kind::leaky_relu, 0.5},
                                 .right = {any_function_kind::leaky_relu, 0.25},
                                 .addend = {any_function_kind::relu},
                                 .result = {any_function_kind::leaky_relu, 0.5}};
inline const any_functions min_plus{.pair = any_pair::min_plus}, max_plus{.pair = any_pair::max_plus};

// The last box of an index is not full nearly everywhere.
inline std::vector<row> tensor_core_rows() {
  return {
      row{"akb,kc->abc", {{'a', 10}, {'b', 5}, {'c', 9}, {'k', 14}}, reading_out(f64), tile({8, 3}, {5}, {6}, 2, 1, 3)}
          .exchanged()
          .by(-2, 2),
      row{"abk,kcb->cab", {{'a', 12}, {'b', 3}, {'c', 18}, {'k', 20}}, f64, tile({7}, {16}, {8}, 2, 1, 2)}
          .exchanged()
          .in_parts(2),
      // More blocks than boxes of the sum; panels.
      row{"ak,kb->ab", {{'a', 40}, {'b', 36}, {'k', 12}}, f64, tile({16}, {8}, {4}, 1, 1, 4)}
          .in_parts(4)
          .by_panels(2)
          .in_batch_of(2),
      row{"ka,kb->ab", {{'a', 33}, {'b', 20}, {'k', 24}}, tf32, tile({32}, {16}, {12}, 2, 1, 1)},
      // What is outside of the tensors would count.
      row{"kal,lbk->ba", {{'a', 18}, {'b', 11}, {'k', 7}, {'l', 5}}, three_tf32, tile({9}, {11}, {4, 2}, 2, 1, 2)}
          .exchanged()
          .adding_one(),
      row{"ak,kb->ba", {{'a', 20}, {'b', 24}, {'k', 24}}, three_tf32, tile({16}, {24}, {8}, 1, 2, 3)}.of_many_digits(),
      // Results of 16 bits: 9 tiles of a warp, 7, 5, 3, 1 and 3; 16, 8 and 4 bytes at once.
      row{"ak,bk->ba", {{'a', 40}, {'b', 72}, {'k', 16}}, f16, tile({16}, {72}, {16}, 1, 1, 2)},
      row{"ka,kb->ba", {{'a', 24}, {'b', 56}, {'k', 40}}, reading_out(f16), tile({24}, {56}, {16}, 1, 1, 2)}
          .in_parts(2)
          .by(2, -1),
      row{"ka,bk->ba", {{'a', 20}, {'b', 80}, {'k', 24}}, reading_out(bf16), tile({16}, {40}, {8}, 1, 1, 4)}
          .by_panels(1)
          .by(1, 1)
          .of(leaky),
      row{"ak,kb->ab", {{'a', 96}, {'b', 21}, {'k', 18}}, f16, tile({48}, {21}, {8}, 2, 2, 3)}.exchanged().by(2, 0),
      row{"ka,bk->ba", {{'a', 30}, {'b', 14}, {'k', 10}}, bf16, tile({30}, {14}, {5}, 2, 2, 1)}.in_batch_of(3),
      row{"ka,kb->ba", {{'a', 17}, {'b', 60}, {'k', 13}}, f16, tile({17}, {20}, {8}, 1, 1, 2)}.adding_one(),
      // Pairs of entries of the sum lie side by side, not 8.
      row{"kal,kbl->ab", {{'a', 17}, {'b', 9}, {'k', 6}, {'l', 4}}, f16_to_f32, tile({17}, {9}, {6, 4}, 2, 2, 3)},
      row{"kal,lkb->bla",
          {{'a', 9}, {'b', 19}, {'k', 11}, {'l', 3}},
          reading_out(f16_to_f32),
          tile({5}, {16}, {8}, 2, 1, 3)}
          .exchanged()
          .in_parts(3)
          .by(1, 3),
  };
}

inline std::vector<row> multiply_add_rows() {
  return {
      // Lines first where the sum is nearest; threads 8 x 4; a loop over groups of steps; 16 bytes at once.
      row{"ak,kb->ab", {{'a', 36}, {'b', 70}, {'k', 40}}, fma_f32, tile({32}, {64}, {32}, 1, 1, 2)}.exchanged().by(2,
                                                                                                                   0),
      // 16 x 2, 2 x 16, 4 x 8.
      row{"ka,kb->ba", {{'a', 72}, {'b', 12}, {'k', 9}}, with_addend(fma_f32, type::f32), tile({64}, {8}, {4}, 1, 1, 3)}
          .by(1, -1),
      row{"ka,bk->ba", {{'a', 11}, {'b', 128}, {'k', 12}}, reading_out(fma_f32), tile({8}, {64}, {4}, 1, 1, 2)}
          .in_parts(2)
          .by(1, 1),
      row{"ka,kb->ba", {{'a', 22}, {'b', 34}, {'k', 10}}, reading_out(fma_f32), tile({16}, {32}, {4}, 1, 1, 1)}
          .by(1, 1)
          .of(min_plus),
      row{"kab,ckb->cab",
          {{'a', 7}, {'b', 3}, {'c', 13}, {'k', 21}},
          with_addend(fma_f64, type::f32),
          tile({7}, {13}, {8}, 2, 1, 3)}
          .exchanged()
          .by_panels(3)
          .by(1, 1)
          .of(max_plus),
      row{"kal,bkl->ab",
          {{'a', 18}, {'b', 10}, {'k', 6}, {'l', 3}},
          conjugating(reading_out(fma_c32), true, true),
          tile({18}, {8}, {4, 1}, 1, 2, 2)}
          .exchanged()
          .by(-2, 1),
      row{"ak,kb->ba", {{'a', 9}, {'b', 6}, {'k', 7}}, conjugating(fma_c64, false, true), tile({8}, {6}, {4}, 1, 1, 2)}
          .in_parts(3),
      row{"ak,kb->ba", {{'a', 19}, {'b', 22}, {'k', 15}}, with_addend(mixed, type::f32), tile({16}, {20}, {8}, 2, 1, 3)}
          .by(3, 2)
          .of(leaky),
      row{"ka,kb->ba", {{'a', 16}, {'b', 40}, {'k', 13}}, fma_f16, tile({16}, {20}, {8}, 1, 2, 2)}.adding_one(),
  };
}

// Few results of long sums: the lanes of a warp share them, or parts of them come to a workspace, or both.
inline std::vector<row> long_sum_rows() {
  const general_kind i32 = kind_of(type::i32, type::i32, type::i32, general_by::fma),
                     i16 = kind_of(type::i16, type::i32, type::i64, general_by::fma);
  return {
      row{"k,k->", {{'k', 1201}}, fma_f64, tile({}, {}, {64}, 1, 1, 3)}.by(-2, 0).in_parts(11),
      row{"k,k->", {{'k', 512}}, fma_f32, tile({}, {}, {128}, 1, 1, 2)}.in_batch_of(3),
      row{"kl,lk->", {{'k', 31}, {'l', 40}}, with_addend(fma_f16, type::f32), tile({}, {}, {6, 7}, 1, 1, 2)}
          .by(1, 3)
          .of(leaky)
          .in_parts(9),
      row{"ka,kb->ab",
          {{'a', 4}, {'b', 3}, {'k', 300}},
          conjugating(fma_c32, true, false),
          tile({4}, {3}, {32}, 1, 1, 4)}
          .in_parts(10),
      row{"ak,kb->ba", {{'a', 7}, {'b', 8}, {'k', 130}}, reading_out(fma_f32), tile({4}, {8}, {64}, 1, 1, 1)}
          .by(1, 1)
          .of(min_plus),
      row{"akc,bkc->cab", {{'a', 2}, {'b', 5}, {'c', 3}, {'k', 270}}, i32, tile({2}, {3}, {18}, 1, 1, 2)}
          .in_parts(15)
          .in_batch_of(2),
      row{"ka,k->a", {{'a', 9}, {'k', 100}}, i16, tile({8}, {}, {32}, 1, 1, 3)}.in_parts(2),
      row{"ak,k->a", {{'a', 70}, {'k', 90}}, reading_out(fma_c64), tile({32}, {}, {4}, 1, 1, 2)}
          .exchanged()
          .by(2, -1)
          .in_parts(13),
      row{"ka,kb->ba", {{'a', 40}, {'b', 33}, {'k', 70}}, fma_f32, tile({32}, {32}, {6}, 2, 2, 2)}
          .adding_one()
          .in_parts(12),
      row{"ak,kb->ab", {{'a', 20}, {'b', 17}, {'k', 60}}, reading_out(f64), tile({16}, {8}, {4}, 2, 1, 3)}
          .by(2, 3)
          .in_parts(14)
          .in_batch_of(2),
      // More parts than boxes of the sum.
      row{"ka,k->a", {{'a', 30}, {'k', 60}}, f64, tile({30}, {}, {8}, 1, 1, 2)}.in_parts(9),
      row{"ka,kb->ba", {{'a', 24}, {'b', 48}, {'k', 90}}, reading_out(f16), tile({16}, {48}, {8}, 1, 1, 2)}
          .by(2, -1)
          .in_parts(10),
      row{"ka,bk->ab", {{'a', 18}, {'b', 10}, {'k', 44}}, tf32, tile({18}, {10}, {4}, 2, 1, 2)}.in_parts(11),
  };
}

// A small matrix behind the sum: vectors in an order that is not the output's; several of them in a warp, down and
// across, and one that fills no whole part of it.
inline std::vector<row> matrix_rows() {
  return {
      row{"rk,kqb->rbq",
          {{'r', 40}, {'k', 14}, {'q', 16}, {'b', 3}},
          reading_out(f64),
          tile({32}, {3, 16}, {8}, 2, 1, 3)}
          .by(-2, 2)
          .times_matrix(16, 1, false),
      row{"kr,qkb->qrb", {{'r', 20}, {'k', 24}, {'q', 8}, {'b', 4}}, f64, tile({16}, {8, 4}, {4}, 1, 2, 2)}
          .in_parts(2)
          .in_batch_of(2)
          .times_matrix(8, 0, true),
      row{"rk,kqb->rbq", {{'r', 34}, {'k', 9}, {'q', 16}, {'b', 4}}, fma_f32, tile({32}, {4, 16}, {4}, 2, 1, 2)}
          .exchanged()
          .times_matrix(16, 1, true),
      row{"kr,qkb->qrb",
          {{'r', 18}, {'k', 20}, {'q', 12}, {'b', 2}},
          reading_out(fma_f32),
          tile({16}, {12, 2}, {4}, 1, 1, 1)}
          .by(1, 3)
          .times_matrix(12, 0, false),
      row{"rk,kqb->rbq", {{'r', 10}, {'k', 12}, {'q', 5}, {'b', 3}}, fma_f64, tile({10}, {3, 5}, {4}, 1, 1, 2)}
          .exchanged()
          .in_parts(3)
          .times_matrix(5, 1, false),
  };
}

inline general_form form_of(const row& of) {
  const einsum e = parse_einsum(of.text);
  operand_facts facts[max_inputs + 1];
  for (const int o : {0, 1, output}) {
    facts[o].rank = e.operand[o].rank;
    index_t stride = 1;
    for (int d = 0; d < facts[o].rank; ++d) {
      facts[o].extent[d] = of.extents.at(e.operand[o].letter[d]);
      facts[o].stride[d] = stride;
      stride *= facts[o].extent[d];
    }
  }
  if (!of.kind.addend) return lower_general(e, facts);
  // The addend's letters lie the other way round.
  general_addend addend{e.out(), facts[output]};
  index_t stride = 1;
  for (int d = e.out().rank - 1; d >= 0; --d) {
    addend.facts.stride[d] = stride;
    stride *= addend.facts.extent[d];
  }
  return lower_general(e, facts, &addend);
}

inline void check_boxes(const general_digits& digits, const int (&box)[max_rank], const std::string& text) {
  for (int d = 0; d < max_rank; ++d)
    if (d < digits.count ? box[d] < 1 || box[d] > digits.at[d].extent : box[d] != 0)
      throw std::logic_error(text + ": box " + std::to_string(d) + " is " + std::to_string(box[d]) + " of " +
                             std::to_string(digits.count) + " indices");
}

inline kernel_case case_of(const row& from, const general_form& form, unsigned seed) {
  kernel_case made;
  made.of.form = form;
  made.of.alpha = from.alpha;
  made.of.beta = from.beta;
  made.of.functions = from.functions;
  made.kind = from.kind;
  made.tile = from.tile;
  made.adds_one = from.adds_one;
  made.many_digits = from.many_digits;
  check_boxes(form.rows, from.tile.rows, from.text);
  check_boxes(form.cols, from.tile.cols, from.text);
  check_boxes(form.inner, from.tile.inner, from.text);
  kernel_case_drawer(seed).complete(made, from.batch);
  return made;
}

}  // namespace kernel_rows

inline std::vector<kernel_case> kernel_cases() {
  using namespace kernel_rows;
  std::vector<kernel_case> made;
  for (const std::vector<row>& rows : {tensor_core_rows(), multiply_add_rows(), long_sum_rows(), matrix_rows()})
    for (const row& r : rows) made.push_back(case_of(r, form_of(r), unsigned(made.size())));
  // Strides of 0, negative ones and gaps.
  general_form form;
  form.rows = {2, {{12, -2, 0, 1}, {3, 0, 0, -24}}};
  form.cols = {1, {{10, 0, -7, 75}}};
  form.inner = {1, {{13, 25, 70, 0}}};
  form.batch = {1, {{2, 0, 1, -800}}};
  const row by_strides{"by strides", {}, reading_out(bf16), tile({8, 2}, {8}, {8}, 1, 2, 2)};
  made.push_back(case_of(by_strides.by(1, -1), form, 100));
  made.push_back(case_of(row{"by strides", {}, fma_f32, tile({8, 2}, {8}, {4}, 1, 2, 3)}.exchanged(), form, 101));
  return made;
}

}  // namespace tessera::testing
