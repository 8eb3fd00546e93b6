// SPDX-License-Identifier: BSD-3-Clause
// Draws contractions of any types at random: 1 to 6 indices a tensor, strides of every order and sign.
#pragma once

#include "testing/drawn_any.hpp"

namespace tessera::testing {

/// Extents are 0 to `most`, rarely 0; the loops take at most `work` steps.
class any_drawer {
 public:
  any_drawer(unsigned seed, int most, index_t work) : random_(seed), most_(most), work_(work) {}

  any_case draw() {
    draw_types();
    draw_functions();
    draw_digits();
    for (const int t : {0, 1, 2}) draw_memory(t);
    if (made_.types.addend) draw_memory(3);
    return made_;
  }

 private:
  using type = device::any_type;

  int drawn(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  bool once_in(int times) { return drawn(1, times) == 1; }
  type one_of(std::initializer_list<type> types) { return types.begin()[drawn(0, int(types.size()) - 1)]; }
  type real_type() { return one_of({type::f16, type::bf16, type::f32, type::f64, type::i16, type::i32, type::i64}); }
  type complex_type() { return one_of({type::c32, type::c64}); }

  void draw_types() {
    device::any_types& types = made_.types;
    types.sum = one_of({type::f32, type::f64, type::c32, type::c64, type::i32, type::i64});
    is_complex_ = is_complex_type(types.sum);
    const auto in = [&] { return is_complex_ && !once_in(4) ? complex_type() : real_type(); };
    types.left = in();
    types.right = in();
    if (once_in(3)) types.addend = in();
    types.out = is_complex_ ? complex_type() : real_type();
    types.reads_out = !types.addend && once_in(2);
    types.left_conjugated = once_in(4);
    types.right_conjugated = once_in(4);
    made_.alpha = once_in(2) ? 1 : drawn(-2, 2);
    made_.alpha_im = is_complex_ && once_in(3) ? drawn(-2, 2) : 0;
    made_.beta = drawn(-1, 2);
  }
  static bool is_whole(type of) { return of == type::i16 || of == type::i32 || of == type::i64; }
  device::any_function draw_function() {
    using kind = device::any_function_kind;
    if (once_in(2)) return {};
    if (is_complex_) return {kind::conj};
    // Integers next to e^x - 1 would be rounded either way.
    const bool elu = !is_whole(made_.types.sum) && !is_whole(made_.types.out) && once_in(4);
    if (elu) return {kind::elu, drawn(1, 4) / 4.0};
    switch (drawn(0, is_whole(made_.types.sum) ? 1 : 2)) {
      case 0: return {kind::relu};
      case 1: return {kind::conj};
      default: return {kind::leaky_relu, drawn(-1, 3) / 4.0};
    }
  }
  void draw_functions() {
    made_.functions = {draw_function(), draw_function(), draw_function(), draw_function()};
    if (!is_complex_ && once_in(2)) made_.functions.pair = static_cast<device::any_pair>(drawn(1, 4));
  }

  void draw_digits() {
    general_digits* const lists[] = {&made_.form.rows, &made_.form.cols, &made_.form.inner, &made_.form.batch};
    lists[0]->count = drawn(0, 3);
    lists[1]->count = drawn(0, 2);
    lists[2]->count = drawn(0, 3);
    lists[3]->count = once_in(3) ? drawn(1, 2) : 0;
    made_.batch = once_in(3) ? drawn(2, 3) : 1;
    std::vector<general_digit*> all;
    for (general_digits* list : lists)
      for (int i = 0; i < list->count; ++i) {
        list->at[i].extent = once_in(6) ? 1 : drawn(1, most_);
        all.push_back(&list->at[i]);
      }
    while (steps() > work_) {
      general_digit& d = *all[std::size_t(drawn(0, int(all.size()) - 1))];
      d.extent = (d.extent + 1) / 2;
    }
    while (made_.form.inner.size() > most_terms) {
      general_digit& d = lists[2]->at[drawn(0, lists[2]->count - 1)];
      d.extent = (d.extent + 1) / 2;
    }
    if (once_in(25) && !all.empty()) all[std::size_t(drawn(0, int(all.size()) - 1))]->extent = 0;
    // No infinity in an integer.
    const device::any_pair pair = made_.functions.pair;
    if (made_.form.inner.size() == 0 && pair != device::any_pair::plus_times && is_whole(made_.types.out) &&
        !is_whole(made_.types.sum))
      made_.types.out = type::f32;
  }
  index_t steps() const {
    return made_.form.rows.size() * made_.form.cols.size() * made_.form.inner.size() * made_.form.batch.size() *
           made_.batch;
  }

  // Of left, right, the output or the addend, by number.
  void draw_memory(int tensor) {
    index_t general_digit::*const in[] = {&general_digit::left, &general_digit::right, &general_digit::out,
                                          &general_digit::addend};
    general_digits* const lists[] = {&made_.form.rows, &made_.form.cols, &made_.form.inner, &made_.form.batch};
    const int without[] = {1, 0, 2, 2};
    std::vector<general_digit*> digits;
    for (int l = 0; l < 4; ++l)
      for (int i = 0; i < lists[l]->count && l != without[tensor]; ++i) digits.push_back(&lists[l]->at[i]);
    std::shuffle(digits.begin(), digits.end(), random_);
    any_memory* const memories[] = {&made_.left, &made_.right, &made_.out, &made_.addend};
    const type types[] = {made_.types.left, made_.types.right, made_.types.out, made_.types.addend.value_or(type::f64)};
    any_memory& memory = *memories[tensor];
    const bool gaps = once_in(3), signs = once_in(3), repeats = tensor != 2 && once_in(3);
    index_t stride = gaps ? drawn(1, 2) : 1;
    for (general_digit* d : digits) {
      if (repeats && once_in(3)) continue;  // stride 0
      const index_t extent = std::max<index_t>(d->extent, 1);
      d->*in[tensor] = stride;
      if (signs && once_in(2)) {
        d->*in[tensor] = -stride;
        memory.start += (extent - 1) * stride;
      }
      stride *= extent + (gaps ? drawn(0, 1) : 0);
    }
    if (made_.batch > 1) memory.batch_stride = tensor != 2 && once_in(4) ? 0 : stride + (gaps ? drawn(0, 3) : 0);
    fill(memory, types[tensor], stride + (made_.batch - 1) * memory.batch_stride);
  }
  // Small integers, of numbers with fractions also halves.
  void fill(any_memory& memory, type of, index_t entries) {
    memory.type = of;
    memory.bytes.assign(std::size_t(entries * device::size_of(of)), 0);
    const auto number = [&] { return is_whole(of) ? drawn(-4, 4) : drawn(-6, 6) / 2.0L; };
    for (index_t i = 0; i < entries; ++i)
      write_any(of, {number(), is_complex_type(of) ? number() : 0}, memory.bytes.data() + i * device::size_of(of));
  }

  static constexpr index_t most_terms = 1000;  // whose sum is exact in float

  std::mt19937 random_;
  int most_;
  index_t work_;
  any_case made_;
  bool is_complex_ = false;
};

inline any_case draw_any(unsigned seed, int most, index_t work) { return any_drawer(seed, most, work).draw(); }

}  // namespace tessera::testing
