// SPDX-License-Identifier: BSD-3-Clause
// Sizes and counts of one element of the demo's operators: hexahedra, q = p + 2 Gauss points a direction, double.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/element/operator_kind.hpp>

namespace tessera::demo {

inline constexpr int highest_order = 8;

/// Bytes: every input read once, every output written once. Flops: 2 a multiply-add of the plain sum factorisation.
struct element_sizes {
  operator_kind kind = operator_kind::mass;  // or diffusion
  int p = 1;

  constexpr index_t d() const { return p + 1; }
  constexpr index_t q() const { return p + 2; }
  constexpr index_t functions() const { return d() * d() * d(); }
  constexpr index_t points() const { return q() * q() * q(); }
  /// Numbers of D at a point: w det J, or the symmetric w det J J^-1 J^-T.
  constexpr index_t factors() const { return kind == operator_kind::mass ? 1 : 6; }

  /// x and D in, y out.
  constexpr double apply_bytes() const { return 8.0 * double(2 * functions() + factors() * points()); }
  constexpr double apply_flops() const {
    const index_t to_points = 2 * q() * (d() * d() * d() + q() * d() * d() + q() * q() * d());
    const index_t derivatives = 2 * 3 * q() * points();
    if (kind == operator_kind::mass) return double(2 * to_points + points());
    return double(2 * to_points + 2 * derivatives + 15 * points());
  }

  /// D in, the full matrix out.
  constexpr double matrix_bytes() const { return 8.0 * double(functions() * functions() + factors() * points()); }
  /// Of all columns; by pairs of tables (values or derivatives, of rows and of columns) to sum over in each direction.
  constexpr double matrix_flops() const {
    const bool mass = kind == operator_kind::mass;
    const double pairs[] = {mass ? 1.0 : 4.0, mass ? 1.0 : 9.0, mass ? 1.0 : 9.0};
    const double dd = double(d() * d()), qs = double(q());
    return 2 * (pairs[2] * qs * qs * qs * dd + pairs[1] * qs * qs * dd * dd + pairs[0] * qs * dd * dd * dd);
  }
};

}  // namespace tessera::demo
