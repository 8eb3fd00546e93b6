// SPDX-License-Identifier: BSD-3-Clause
// Run-time problems of any known types over guarded storage, checked entry by entry against long double.
#pragma once

#include <algorithm>

#include <tessera/cpu/detail/converted_run.hpp>

#include "gemm_case.hpp"
#include "testing/typed_product.hpp"

namespace tessera::testing {

struct typed_gemm_case {
  gemm_case shape;  // alpha and beta are those below
  complex<double> alpha = 1, beta = 0;
  bool left_conjugated[2] = {false, false}, right_conjugated[2] = {false, false};

  std::string text() const {
    return text_of(shape) + " alpha " + std::to_string(alpha.re) + "," + std::to_string(alpha.im) + " beta " +
           std::to_string(beta.re) + "," + std::to_string(beta.im) + " conj " +
           std::to_string(8 * left_conjugated[0] + 4 * left_conjugated[1] + 2 * right_conjugated[0] +
                          right_conjugated[1]);
  }
};

/// The numbers of a storage of one type in another, at the same places.
template <class To, class From>
guarded<To> converted(const guarded<From>& from) {
  guarded<To> to;
  to.table = from.table, to.map = from.map, to.start = from.start, to.stride = from.stride, to.lanes = from.lanes;
  if (to.map.table != nullptr) to.map.table = to.table.data();
  for (const From& x : from.storage) to.storage.push_back(To(x));
  return to;
}

/// The problem of a case with its storage. The output is NaN where beta is 0.
template <class Types>
struct typed_drawn {
  using In = typename Types::in;
  using Out = typename Types::out;
  using Sum = typename Types::sum;

  typed_gemm_case what;
  guarded<In> left[2], right[2];
  guarded<Out> out;

  explicit typed_drawn(const typed_gemm_case& c) : what(c) {
    const gemm_case& g = c.shape;
    const gemm_sizes& s = g.size;
    std::mt19937 draw(g.seed);
    const index_t right_rows = g.form == canonical::pointwise ? s.m : s.k;
    for (int f = 0; f < 2; ++f) {
      left[f] = guarded<In>(g.left, s.m, s.k, s.loops, s.batch, g.left_shared, g.lanes, g.shift, draw);
      right[f] = guarded<In>(g.right, right_rows, s.n, s.loops, s.batch, g.right_shared, g.lanes, g.shift + 1, draw);
    }
    out = guarded<Out>(g.out, s.m, s.n, s.loops, s.batch, false, g.lanes, g.shift, draw);
    unsigned seed = g.seed;
    for (int f = 0; f < 2; ++f)
      for (guarded<In>* side : {&left[f], &right[f]}) {
        for (In& x : side->storage) x = fraction<In>(seed);
        if (side->map.table != nullptr) side->map.table = side->table.data();
      }
    if (out.map.table != nullptr) out.map.table = out.table.data();
    each_output([&](index_t, index_t, index_t, index_t, Out& entry) {
      entry = c.beta == complex<double>(0) ? not_a_number<Out>() : fraction<Out>(seed);
    });
  }
  typed_drawn(const typed_drawn&) = delete;

  problem<In, Out, Sum> as_problem() {
    problem<In, Out, Sum> p;
    const gemm_case& g = what.shape;
    p.form = g.form;
    p.m = g.size.m, p.n = g.size.n, p.k = g.size.k, p.loops = g.size.loops, p.batch = g.size.batch;
    p.left_factors = g.left_factors, p.right_factors = g.right_factors;
    for (int f = 0; f < 2; ++f) {
      p.left[f] = left[f].as_input(), p.right[f] = right[f].as_input();
      p.left_conjugated[f] = what.left_conjugated[f], p.right_conjugated[f] = what.right_conjugated[f];
    }
    p.out = out.as_factor();
    p.alpha = detail::factor_in<Sum>(what.alpha), p.beta = detail::factor_in<Sum>(what.beta);
    return p;
  }

  template <class F>
  void each_output(F f) {
    const gemm_sizes& s = what.shape.size;
    for (index_t b = 0; b < s.batch; ++b)
      for (index_t l = 0; l < s.loops; ++l)
        for (index_t c = 0; c < s.n; ++c)
          for (index_t r = 0; r < s.m; ++r)
            f(b, l, r, c, out.data()[batch_start(b, out.stride, out.lanes) + out.map.offset(r, c, l)]);
  }

  exact value_of(guarded<In> (&side)[2], int factors, const bool (&conjugated)[2], index_t b, index_t r, index_t c,
                 index_t l) {
    exact product = 1;
    for (int f = 0; f < factors; ++f) {
      const exact value =
          exact_value(side[f].data()[batch_start(b, side[f].stride, side[f].lanes) + side[f].map.offset(r, c, l)]);
      product *= conjugated[f] ? std::conj(value) : value;
    }
    return product;
  }

  /// Whether entry (b, l, r, c), which held `old`, is within its bound.
  bool is_right(index_t b, index_t l, index_t r, index_t c, const Out& entry, const Out& old) {
    const gemm_case& g = what.shape;
    exact sum = 0;
    long double size = 0;
    for (index_t k = 0; k < g.size.k; ++k) {
      const exact x = value_of(left, g.left_factors, what.left_conjugated, b, r, k, l),
                  y = value_of(right, g.right_factors, what.right_conjugated, b, g.form == canonical::pointwise ? r : k,
                               c, l);
      sum += x * y;
      size += size_of_value(x) * size_of_value(y);
    }
    const exact alpha = exact_value(what.alpha), beta = exact_value(what.beta);
    const bool adds = !(what.beta == complex<double>(0));
    const exact before = adds ? beta * exact_value(old) : exact(0), wanted = alpha * sum + before;
    size = size_of_value(alpha) * size + size_of_value(before);
    const long double roundings = (is_complex<Sum> ? 2 : 1) * (g.size.k + 8), nu = roundings * round_off<Sum>();
    const long double in_sum = 2 * nu / (1 - nu) * size, least = sizeof(Out) == 2 ? 0x1p-25L : 0x1p-150L;
    const long double in_out =
        std::is_same_v<Out, Sum> ? 0 : round_off<Out>() * (size_of_value(wanted) + in_sum) + least;
    return size_of_value(exact_value(entry) - wanted) <= in_sum + in_out;
  }

  /// Entries out of their bounds, and canaries overwritten, since the output was `before`.
  int faults_since(const std::vector<Out>& before) {
    int faults = 0;
    std::vector<bool> is_entry(before.size());
    each_output([&](index_t b, index_t l, index_t r, index_t c, Out& entry) {
      const auto at = std::size_t(&entry - out.storage.data());
      is_entry[at] = true;
      faults += int(!is_right(b, l, r, c, entry, before[at]));
    });
    for (std::size_t i = 0; i < before.size(); ++i)
      faults += int(!is_entry[i] && std::memcmp(&before[i], &out.storage[i], sizeof(Out)) != 0);
    return faults;
  }
};

/// Faults of the kernels of `rows` over the whole batch.
template <class Types>
int faults_of(const typed_gemm_case& c, const isa_rows& rows) {
  typed_drawn<Types> d(c);
  const std::vector<typename Types::out> before = d.out.storage;
  detail::run_converted(rows, d.as_problem(), {}, 0, c.shape.size.batch);
  return d.faults_since(before);
}

/// The output's memory after the batch ran in parts that end at each of `cuts`.
template <class Types>
std::vector<typename Types::out> computed(const typed_gemm_case& c, const isa_rows& rows,
                                          const std::vector<index_t>& cuts) {
  typed_drawn<Types> d(c);
  index_t first = 0;
  for (const index_t last : cuts) {
    detail::run_converted(rows, d.as_problem(), {}, first, last);
    first = last;
  }
  return d.out.storage;
}

}  // namespace tessera::testing
