// SPDX-License-Identifier: BSD-3-Clause
// Run-time problems over guarded storage for the tests of kernel rows: drawn, run, and checked entry by entry.
#pragma once

#include <limits>
#include <random>
#include <string>
#include <vector>

#include <tessera/cpu/detail/gemm_rows.hpp>

#include "wide.hpp"

namespace tessera::testing {

/// How an operand lies in memory.
enum class placement { packed, transposed, leading, interleaved, table, batch_first };

struct gemm_sizes {
  index_t m = 1, n = 1, k = 1, loops = 1, batch = 1;
};

struct gemm_case {
  gemm_sizes size;
  placement left = placement::packed, right = placement::packed, out = placement::packed;
  int left_factors = 1, right_factors = 1;
  bool left_shared = false, right_shared = false;
  index_t lanes = 4;  // of interleaved operands
  index_t shift = 1;  // entries by which views are misaligned
  double alpha = 1, beta = 0;
  unsigned seed = 1;
  canonical form = canonical::eq8a;
};

inline std::string text_of(const gemm_case& c) {
  const auto number = [](auto i) { return std::to_string(i); };
  return "m " + number(c.size.m) + " n " + number(c.size.n) + " k " + number(c.size.k) + " loops " +
         number(c.size.loops) + " batch " + number(c.size.batch) + " left " + number(int(c.left)) + "/" +
         number(c.left_factors) + " right " + number(int(c.right)) + "/" + number(c.right_factors) + " out " +
         number(int(c.out)) + " alpha " + number(c.alpha) + " beta " + number(c.beta) + " lanes " + number(c.lanes) +
         " seed " + number(c.seed);
}

/// One operand's storage: entries reached through a map, canaries everywhere else.
template <class T>
struct guarded {
  std::vector<T> storage;
  std::vector<index_t> table;
  run_time_map map;
  index_t start = 0, stride = 0, lanes = 1;

  guarded() = default;
  guarded(placement p, index_t rows, index_t cols, index_t loops, index_t batch, bool shared, index_t interleaved,
          index_t shift, std::mt19937& draw) {
    const index_t pad = p == placement::leading ? 3 : 0;
    const bool across = p == placement::transposed;
    lanes = p == placement::interleaved ? interleaved : 1;
    const bool first = p == placement::batch_first && !shared;  // entries of a batch are next to each other
    const index_t apart = first ? batch : lanes;
    map.row = apart * (across ? cols + pad : 1);
    map.col = apart * (across ? 1 : rows + pad);
    map.loop_rank = 1;
    map.loop_extent[0] = loops;
    map.loop_stride[0] = apart * ((across ? rows : cols) * (across ? cols : rows + pad) + pad);
    map.rows = rows;
    map.cols = cols;
    const index_t span = map.loop_stride[0] * loops + pad;
    stride = shared ? 0 : first ? 1 : span;
    if (shared) lanes = 1;
    const index_t blocks = shared || first ? 1 : (batch + lanes - 1) / lanes;
    start = 8 + shift;
    storage.assign(std::size_t(start + blocks * span + 8), canary());
    if (p == placement::table) make_table(rows, cols, loops, draw);
  }
  static T canary() { return T(-77.25); }
  T* data() { return storage.data() + start; }
  factor<T> as_factor() { return {data(), stride, lanes, map}; }
  factor<const T> as_input() { return {data(), stride, lanes, map}; }

 private:
  // No strides describe it: the entries of a loop step are reversed in pairs.
  void make_table(index_t rows, index_t cols, index_t loops, std::mt19937&) {
    for (index_t l = 0; l < loops; ++l)
      for (index_t c = 0; c < cols; ++c)
        for (index_t r = 0; r < rows; ++r) {
          const index_t linear = c * rows + r, size = rows * cols;
          const index_t swapped = (linear ^ 1) < size ? linear ^ 1 : linear;
          table.push_back(l * map.loop_stride[0] + swapped);
        }
    map.table = table.data();
    if (table.empty()) map.table = &map.row;  // never read
  }
};

/// The problem of a case with its storage.
template <class T>
struct drawn {
  gemm_case what;
  std::mt19937 draw;
  guarded<T> left[2], right[2], out;

  explicit drawn(const gemm_case& c) : what(c), draw(c.seed) {
    const gemm_sizes& s = c.size;
    for (int f = 0; f < 2; ++f) {
      left[f] = guarded<T>(c.left, s.m, s.k, s.loops, s.batch, c.left_shared, c.lanes, c.shift, draw);
      right[f] = guarded<T>(c.right, s.k, s.n, s.loops, s.batch, c.right_shared, c.lanes, c.shift + 1, draw);
    }
    out = guarded<T>(c.out, s.m, s.n, s.loops, s.batch, false, c.lanes, c.shift, draw);
    std::uniform_real_distribution<double> value(-1, 1);
    for (int f = 0; f < 2; ++f)
      for (guarded<T>* g : {&left[f], &right[f]})
        for (T& x : g->storage) x = T(value(draw));
    each_output([&](index_t, index_t, index_t, index_t, T& entry) {
      entry = c.beta == 0 ? std::numeric_limits<T>::quiet_NaN() : T(value(draw));
    });
    for (guarded<T>* g : {&left[0], &left[1], &right[0], &right[1], &out})
      if (g->map.table != nullptr) g->map.table = g->table.data();
  }
  drawn(const drawn&) = delete;

  problem<T> as_problem() {
    problem<T> p;
    p.form = what.form;
    p.m = what.size.m, p.n = what.size.n, p.k = what.size.k;
    p.loops = what.size.loops, p.batch = what.size.batch;
    p.left_factors = what.left_factors, p.right_factors = what.right_factors;
    for (int f = 0; f < 2; ++f) p.left[f] = left[f].as_input(), p.right[f] = right[f].as_input();
    p.out = out.as_factor();
    p.alpha = T(what.alpha), p.beta = T(what.beta);
    return p;
  }

  template <class F>
  void each_output(F f) {
    for (index_t b = 0; b < what.size.batch; ++b)
      for (index_t l = 0; l < what.size.loops; ++l)
        for (index_t c = 0; c < what.size.n; ++c)
          for (index_t r = 0; r < what.size.m; ++r)
            f(b, l, r, c, out.data()[batch_start(b, out.stride, out.lanes) + out.map.offset(r, c, l)]);
  }

  wide value_of(guarded<T> (&side)[2], int factors, index_t b, index_t r, index_t c, index_t l) {
    wide product(1);
    for (int f = 0; f < factors; ++f)
      product =
          product * wide(side[f].data()[batch_start(b, side[f].stride, side[f].lanes) + side[f].map.offset(r, c, l)]);
    return product;
  }

  /// What entry (b, l, r, c) must become, given what it held.
  reference_value<wide> expected(index_t b, index_t l, index_t r, index_t c, T old) {
    reference_value<wide> sum;
    for (index_t k = 0; k < what.size.k; ++k) {
      const wide product = value_of(left, what.left_factors, b, r, k, l) *
                           value_of(right, what.right_factors, b, what.form == canonical::pointwise ? r : k, c, l);
      sum.value += product;
      sum.magnitude += detail::magnitude_of(product);
    }
    const wide alpha = wide(T(what.alpha)), beta = wide(T(what.beta));
    sum.value = alpha * sum.value;
    sum.magnitude = detail::magnitude_of(alpha) * sum.magnitude;
    if (what.beta != 0) {
      sum.value += beta * wide(old);
      sum.magnitude += detail::magnitude_of(beta * wide(old));
    }
    return sum;
  }
  index_t roundings() const { return what.size.k + 2 + (what.left_factors - 1) + (what.right_factors - 1); }
};

/// Runs the kernel over the whole batch. Returns the number of faults: entries out of bound, canaries overwritten.
template <class T>
int faults_of(const gemm_case& c, problem_function<T> run) {
  drawn<T> d(c);
  const std::vector<T> before = d.out.storage;
  run(d.as_problem(), 0, c.size.batch);
  int faults = 0;
  std::vector<bool> is_entry(before.size());
  d.each_output([&](index_t b, index_t l, index_t r, index_t col, T& entry) {
    const auto at = std::size_t(&entry - d.out.storage.data());
    is_entry[at] = true;
    faults += int(!is_close(entry, d.expected(b, l, r, col, before[at]), d.roundings()));
  });
  for (std::size_t i = 0; i < before.size(); ++i) faults += int(!is_entry[i] && d.out.storage[i] != before[i]);
  return faults;
}

}  // namespace tessera::testing
