// SPDX-License-Identifier: BSD-3-Clause
// Fields beside u, as numbers of D at a point: how a pointwise function reads the state of a Newton step, say.
#pragma once

#include <tessera/element/at_point.hpp>

namespace tessera {

/// Numbers that a point has of a field with these parts: the values of its components, then their derivatives, those
/// of component 0 in directions 0, 1, ..., those of component 1, ...
constexpr int field_size(const point_shape& parts, int dim) {
  return parts.components * ((parts.value ? 1 : 0) + (parts.gradient ? dim : 0));
}

/// The field whose numbers are D[first], D[first + 1], ... Parts that it does not have are left as they are.
template <int dim, point_shape parts, int first, class S, int factors>
constexpr at_point<S, parts.components, dim> field_in(const S (&D)[factors]) {
  static_assert(first >= 0 && first + field_size(parts, dim) <= factors, "D ends before the field");
  constexpr int slopes = first + (parts.value ? parts.components : 0);
  at_point<S, parts.components, dim> field;
  for (int c = 0; c < parts.components; ++c) {
    if constexpr (parts.value) field.value[c] = D[first + c];
    if constexpr (parts.gradient)
      for (int a = 0; a < dim; ++a) field.gradient[c][a] = D[slopes + a + dim * c];
  }
  return field;
}

namespace detail {

/// The pointwise function that gives these numbers of u, D being unused.
template <int dimension, int components, bool value, bool gradient>
struct numbers_of_field {
  static constexpr int dim = dimension, factors = 1;
  static constexpr point_shape trial{components, value, gradient};
  static constexpr point_shape test{.components = field_size(trial, dim), .value = true};
  template <class S>
  constexpr void operator()(const at_point<S, components, dim>& u, const S (&)[factors],
                            at_point<S, test.components, dim>& v) const {
    constexpr int slopes = value ? components : 0;
    for (int c = 0; c < components; ++c) {
      if constexpr (value) v.value[c] = u.value[c];
      if constexpr (gradient)
        for (int a = 0; a < dim; ++a) v.value[slopes + a + dim * c] = u.gradient[c][a];
    }
  }
};

}  // namespace detail

}  // namespace tessera
