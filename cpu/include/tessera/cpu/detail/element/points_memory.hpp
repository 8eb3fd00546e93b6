// SPDX-License-Identifier: BSD-3-Clause
// What a pointwise function takes and gives at many points of an element, where it is called once for all of them.
#pragma once

#include <tessera/cpu/detail/element/direct_function.hpp>

namespace tessera::simd {

/// One lane, one element; quantity by quantity, as in a points_block.
template <class Isa, class T>
struct points_memory {
  using vector = typename Isa::template vector<T>;
  static constexpr index_t lanes = index_t(vector::size);

  /// Takes what it needs of `free` for so many points; there may be fewer.
  points_memory(const direct_function<T>& f, index_t points, T*& free) : function(f), count(points) {
    const auto take = [&](index_t vectors) {
      T* const taken = vectors > 0 ? free : nullptr;
      free += vectors * lanes;
      return taken;
    };
    const point_shape &u = f.trial, &v = f.test;
    value = take(u.value ? u.components * count : 0);
    gradient = take(u.gradient ? u.components * f.dim * count : 0);
    value_out = take(v.value ? v.components * count : 0);
    gradient_out = take(v.gradient ? v.components * f.dim * count : 0);
    D = take(f.D_by_point ? 0 : f.factors * count);
  }

  /// Calls the function with D of the points: factor f of point k is entry f + factors k.
  void call(const T* D_of_block) const {
    if (function.D_by_point) return call_with(D_of_block);
    for (index_t k = 0; k < count; ++k)
      for (int f = 0; f < function.factors; ++f)
        vector::load_aligned(D_of_block + (f + function.factors * k) * lanes)
            .store_aligned(D + (k + count * f) * lanes);
    call_with(D);
  }

  const direct_function<T>& function;
  index_t count;  // of points
  T *value, *gradient, *value_out, *gradient_out, *D;

 private:
  void call_with(const T* given) const {
    function.at_points({count * lanes, value, gradient, given, value_out, gradient_out}, function.state);
  }
};

}  // namespace tessera::simd
