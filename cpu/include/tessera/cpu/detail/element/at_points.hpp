// SPDX-License-Identifier: BSD-3-Clause
// A pointwise function that is written for one point, for a block of them.
#pragma once

#include <tessera/cpu/detail/tile.hpp>
#include <tessera/element/at_point.hpp>
#include <tessera/element/points_block.hpp>

namespace tessera::simd {

/// `D_by_point`: factor f of point k is vector f + factors k, as blocks of elements have it.
template <class Isa, class T, class Function, bool D_by_point = false>
class function_at_points {
  using vector = typename Isa::template vector<T>;
  static constexpr int dim = Function::dim, factors = Function::factors;
  static constexpr point_shape trial = Function::trial, test = Function::test;

 public:
  /// A points_function, of a Function.
  [[gnu::flatten]] static void run(const points_block<T>& b, const void* state) {
    const Function& function = *static_cast<const Function*>(state);
    for (index_t n = 0; n < b.count; n += index_t(vector::size)) {
      at_point<vector, trial.components, dim> u;
      at_point<vector, test.components, dim> v;
      vector D[factors];
      const auto load = [&](const T* from, int i) { return vector::load_aligned(from + n + b.count * i); };
      const auto store = [&](const vector& from, T* to, int i) { from.store_aligned(to + n + b.count * i); };
      for (int f = 0; f < factors; ++f)
        D[f] = D_by_point ? vector::load_aligned(b.D + n * factors + f * index_t(vector::size)) : load(b.D, f);
      for (int c = 0; c < trial.components; ++c) {
        if constexpr (trial.value) u.value[c] = load(b.value, c);
        if constexpr (trial.gradient)
          for (int a = 0; a < dim; ++a) u.gradient[c][a] = load(b.gradient, a + dim * c);
      }
      function(u, D, v);
      for (int c = 0; c < test.components; ++c) {
        if constexpr (test.value) store(v.value[c], b.value_out, c);
        if constexpr (test.gradient)
          for (int a = 0; a < dim; ++a) store(v.gradient[c][a], b.gradient_out, a + dim * c);
      }
    }
  }
};

}  // namespace tessera::simd
