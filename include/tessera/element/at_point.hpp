// SPDX-License-Identifier: BSD-3-Clause
// What a pointwise function sees of a field at one quadrature point, and what it gives to the test functions.
#pragma once

namespace tessera {

/// Which parts of a field take part, and how many components it has.
struct point_shape {
  int components = 1;
  bool value = false;
  bool gradient = false;
};

/// One point. S is a number, or one number for each of several elements (a vector of lanes): whatever has + - * /.
/// Derivatives are in the element's own directions, those of the unit segment, square or cube.
template <class S, int components, int dim>
struct at_point {
  S value[components];
  S gradient[components][dim];  // [c][direction]
};

}  // namespace tessera
