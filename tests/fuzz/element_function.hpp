// SPDX-License-Identifier: BSD-3-Clause
// A linear pointwise function of any sizes, for operators around functions of the caller's own.
#pragma once

#include <cmath>

#include <tessera/fem/tessera_fem.h>

#include "bytes.hpp"

namespace fuzz {

struct linear_function {
  tessera_element_function f{};
  bool in_float = false;

  /// Its context is this object, which has to stay where it is.
  void take(bytes& from, int dim, bool float_entries) {
    in_float = float_entries;
    f.name = "linear";
    f.dim = dim;
    f.components = 1 + from.below(3);
    f.test_components = 1 + from.below(3);
    const int takes = from.below(3), gives = from.below(3);
    f.takes_value = takes != 1;
    f.takes_gradient = takes != 0;
    f.gives_value = gives != 1;
    f.gives_gradient = gives != 0;
    f.factors = 1 + from.below(3);
    f.at_points = &at_points;
    f.context = this;
  }

 private:
  static void at_points(const tessera_point_block* block, void* context) {
    const linear_function& self = *static_cast<const linear_function*>(context);
    if (self.in_float)
      self.apply<float>(*block);
    else
      self.apply<double>(*block);
  }

  // Every output is a multiple of one sum over all inputs, times the sizes of D: where data cancel, rounding alone
  // would be left, and nobody could say whether it is linear.
  template <class T>
  void apply(const tessera_point_block& b) const {
    const int values = f.takes_value ? f.components : 0, slopes = f.takes_gradient ? f.components * f.dim : 0;
    const int values_out = f.gives_value ? f.test_components : 0;
    const int slopes_out = f.gives_gradient ? f.test_components * f.dim : 0;
    for (std::int64_t n = 0; n < b.count; ++n) {
      T sum = 0, D = 0;
      for (int i = 0; i < values; ++i) sum += static_cast<const T*>(b.value)[n + b.count * i] * T(i + 1);
      for (int i = 0; i < slopes; ++i) sum += static_cast<const T*>(b.gradient)[n + b.count * i] * T(i + 2);
      for (int i = 0; i < f.factors; ++i) D += std::abs(static_cast<const T*>(b.D)[n + b.count * i]);
      for (int i = 0; i < values_out; ++i) static_cast<T*>(b.value_out)[n + b.count * i] = D * sum * T(i + 1);
      for (int i = 0; i < slopes_out; ++i) static_cast<T*>(b.gradient_out)[n + b.count * i] = D * sum * T(i - 1);
    }
  }
};

}  // namespace fuzz
