// SPDX-License-Identifier: BSD-3-Clause
// Contractions drawn at random, of any types, layouts, functions and pairs of operations, and how far a plan's run is
// from plain loops.
#pragma once

#include <initializer_list>
#include <memory>
#include <random>

#include "testing/fused_loops.hpp"

namespace tessera::testing {

namespace drawing {

class drawer {
 public:
  explicit drawer(unsigned seed) : random_(seed) {}
  int drawn(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[drawn(0, int(values.size()) - 1)];
  }
  std::mt19937& source() { return random_; }

  scalar_type entry_for(scalar_type sum) {
    using enum scalar_type;
    if (is_integer_type(sum)) return one_of({i16, i32, i64});
    if (is_complex_type(sum)) return one_of({c32, c64, f32, f64, f16, bf16, i16, i32});
    return one_of({f32, f64, f16, bf16, i16, i32, i64});
  }
  scalar_type output_for(scalar_type sum) {
    using enum scalar_type;
    if (is_integer_type(sum)) return one_of({i16, i32, i64, f32, f64});
    if (is_complex_type(sum)) return one_of({c32, c64});
    return one_of({f32, f64, f16, bf16, c32, c64});
  }
  entry_function function_for(scalar_type sum) {
    if (is_complex_type(sum)) return drawn(0, 1) == 0 ? entry_function{} : conjugate;
    if (is_integer_type(sum)) return drawn(0, 1) == 0 ? entry_function{} : relu;
    switch (drawn(0, 7)) {
      case 0: return relu;
      case 1: return leaky_relu(0.125);
      case 2: return elu(0.5);
      case 3: return softsign();
      default: return {};
    }
  }
  operations pair_for(scalar_type sum) {
    if (is_complex_type(sum) || drawn(0, 2) == 0) return plus_times;
    return one_of<operations>({min_plus, max_plus, max_times, or_and, least_difference()});
  }

  // Memory with gaps or without, in any order of dimensions, or with a table of offsets; numbers that all types have.
  void lay_out(drawn_tensor& t, const std::map<char, index_t>& extent, bool batched, index_t count) {
    operand& o = t.o;
    o.type = t.type;
    o.entry_bytes = size_of(t.type);
    o.facts.rank = int(t.letters.size());
    std::string order = t.letters;
    if (drawn(0, 1) == 0) std::shuffle(order.begin(), order.end(), random_);
    const bool gaps = drawn(0, 2) == 0;
    index_t stride = gaps ? drawn(1, 2) : 1;
    o.span = 1;
    for (const char c : order) {
      const auto d = t.letters.find(c);
      o.facts.extent[d] = extent.at(c);
      o.facts.stride[d] = stride;
      o.span += (extent.at(c) - 1) * stride;
      stride *= extent.at(c) + (gaps ? drawn(0, 1) : 0);
    }
    if (drawn(0, 7) == 0) {
      auto table = std::make_shared<std::vector<index_t>>();
      for (index_t i = 0; i < o.entries(); ++i) table->push_back(i);
      std::shuffle(table->begin(), table->end(), random_);
      o.offsets = table;
      o.facts.affine = false;
      stride = o.span = o.entries();
    }
    o.batched = batched;
    o.count = batched ? count : 1;
    o.stride = batched ? stride + drawn(0, 1) : 0;
    t.memory.assign(std::size_t(o.stride * (o.count - 1) + std::max(stride, o.span)) * o.entry_bytes, 0);
    for (index_t b = 0; b < o.count; ++b)
      for (index_t i = 0; i < o.entries(); ++i) {
        const bool is_integer = is_integer_type(t.type);
        const auto part = [&] { return is_integer ? (long double)(drawn(-3, 3)) : drawn(-8, 8) / 4.0L; };
        put_number(t.type, t.at(i, b), is_complex_type(t.type) ? fused_number(part(), part()) : fused_number(part()));
      }
  }

 private:
  std::mt19937 random_;
};

}  // namespace drawing

/// 1 to 6 letters a tensor, extents of 1 to 17 and primes, `most` products of two entries at most.
inline drawn_fused drawn_fused_case(unsigned seed, index_t most) {
  drawing::drawer draw(seed);
  drawn_fused c;
  std::string letters[3];  // of a, b, out
  while (letters[0].empty() || letters[1].empty() || letters[0].size() > 6 || letters[1].size() > 6 ||
         letters[2].empty() || letters[2].size() > 6) {
    for (std::string& l : letters) l.clear();
    c.extent.clear();
    char next = 'a';
    const auto add = [&](int count, std::initializer_list<int> tensors) {
      for (int i = 0; i < count; ++i, ++next) {
        c.extent[next] = draw.drawn(0, 4) == 0 ? draw.one_of({19, 23, 29, 31}) : draw.drawn(1, 17);
        for (const int t : tensors) letters[t] += next;
      }
    };
    add(draw.drawn(0, 3), {0, 2});
    add(draw.drawn(0, 3), {1, 2});
    add(draw.drawn(0, 3), {0, 1});
    add(draw.drawn(0, 3) == 0 ? draw.drawn(1, 2) : 0, {0, 1, 2});
  }
  c.batch = draw.drawn(0, 3) == 0 ? draw.drawn(2, 3) : 1;
  const auto work = [&] {
    index_t all = c.batch;
    for (const auto& [letter, extent] : c.extent) all *= extent;
    return all;
  };
  while (work() > most) {
    auto shrunk = std::next(c.extent.begin(), draw.drawn(0, int(c.extent.size()) - 1));
    shrunk->second = std::max<index_t>(1, shrunk->second / 2);
  }
  for (std::string& l : letters) std::shuffle(l.begin(), l.end(), draw.source());

  c.sum = draw.one_of(
      {scalar_type::f32, scalar_type::f64, scalar_type::c32, scalar_type::c64, scalar_type::i32, scalar_type::i64});
  const bool batched = c.batch > 1 || draw.drawn(0, 3) == 0;
  const auto tensor = [&](drawn_tensor& t, const std::string& of, scalar_type type, bool in_batch) {
    t.letters = of;
    t.type = type;
    draw.lay_out(t, c.extent, in_batch, c.batch);
  };
  tensor(c.a, letters[0], draw.entry_for(c.sum), batched && draw.drawn(0, 2) > 0);
  tensor(c.b, letters[1], draw.entry_for(c.sum), batched && draw.drawn(0, 2) > 0);
  tensor(c.out, letters[2], draw.output_for(c.sum), batched);
  // The output may be an addend of its own where sums take its type.
  const bool readable = (!is_complex_type(c.out.type) || is_complex_type(c.sum)) &&
                        (!is_integer_type(c.sum) || is_integer_type(c.out.type));
  c.a.o.conjugated = is_complex_type(c.a.type) && draw.drawn(0, 3) == 0;
  std::string text = letters[0] + "," + letters[1];
  const bool has_addend = draw.drawn(0, 1) == 0 || !readable;
  c.in_place = has_addend && readable && !c.out.o.offsets && draw.drawn(0, 3) == 0;
  if (has_addend) {
    std::string order = letters[2];
    std::shuffle(order.begin(), order.end(), draw.source());
    tensor(c.d, order, c.in_place ? c.out.type : draw.entry_for(c.sum),
           batched && (c.in_place || draw.drawn(0, 2) > 0));
    if (c.in_place) {
      c.d.o = c.out.o;
      c.d.memory.clear();
      for (std::size_t i = 0; i < order.size(); ++i) {
        const auto from = letters[2].find(order[i]);
        c.d.o.facts.extent[i] = c.out.o.facts.extent[from];
        c.d.o.facts.stride[i] = c.out.o.facts.stride[from];
      }
    }
    text += "+" + order;
  }
  const operations pair = draw.pair_for(c.sum);
  const double part = is_integer_type(c.sum) ? 1 : 0.5;
  complex<double> alpha = draw.drawn(-3, 3) * part, beta = draw.drawn(-2, 2) * part;
  if (is_complex_type(c.sum)) alpha.im = draw.drawn(-1, 1);
  if (pair != plus_times) alpha = 1, beta = draw.drawn(0, 1);
  if (!has_addend && !readable) beta = 0;
  c.what = contraction(text + "->" + letters[2], {alpha, beta}, c.sum)
               .with({.a = draw.function_for(c.sum),
                      .b = draw.function_for(c.sum),
                      .addend = draw.function_for(c.sum),
                      .result = draw.function_for(c.sum)})
               .over(pair);
  c.text = c.what.text() + " " + text_of(c.what.functions()) + " " + text_of(pair);
  for (const drawn_tensor* t : {&c.a, &c.b, &c.d, &c.out}) c.text += "; " + text_of(t->o);
  return c;
}

/// The worst error of what run() makes of the case's memory, in units of what is tolerated: at most 1. Infinity where
/// bytes between entries changed.
template <class Run>
double worst_of(drawn_fused& c, const Run& run) {
  // What is not read may hold anything.
  if (c.what.scale().beta == 0.)
    for (drawn_tensor* t : {&c.out, &c.d})
      if (!is_integer_type(t->type) && !t->memory.empty())
        for (index_t b = 0; b < t->o.count; ++b)
          for (index_t i = 0; i < t->o.entries(); ++i)
            put_number(t->type, t->at(i, b), std::numeric_limits<long double>::quiet_NaN());
  const std::vector<wanted_entry> wanted = plain_loops(c);
  std::vector<unsigned char> gaps = c.out.memory;
  run();
  double worst = 0;
  for (index_t b = 0; b < c.batch; ++b)
    for (index_t i = 0; i < c.out.o.entries(); ++i) {
      const wanted_entry& entry = wanted[std::size_t(b * c.out.o.entries() + i)];
      unsigned char rounded[16];
      put_number(c.out.type, rounded, entry.value);
      const fused_number got = number_at(c.out.type, c.out.at(i, b));
      const fused_number nearest = number_at(c.out.type, rounded);
      const long double error = std::abs(got - (is_integer_type(c.out.type) ? nearest : entry.value));
      // Both may be too large for half.
      if (got != nearest && !(error <= entry.tolerance))
        worst = std::max(worst, entry.tolerance > 0 && error < HUGE_VALL ? double(error / entry.tolerance) : HUGE_VAL);
      std::memcpy(gaps.data() + (c.out.at(i, b) - c.out.memory.data()), c.out.at(i, b), c.out.o.entry_bytes);
    }
  return gaps == c.out.memory ? worst : HUGE_VAL;
}

/// Of a plan's run on a CPU.
inline double worst_of_run(drawn_fused& c, const plan_options& options = {}) {
  return worst_of(c, [&] {
    const std::vector<operand> all = c.operands();
    make_plan_of(c.what, all.data(), int(all.size()), options).run_operands(all.data(), int(all.size()), {});
  });
}

}  // namespace tessera::testing
