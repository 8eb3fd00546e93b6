// SPDX-License-Identifier: BSD-3-Clause
// D of the built-in operators at a point, from the Jacobian of the map to the element, the weight and coefficients.
#pragma once

#include <tessera/element/operators.hpp>

namespace tessera::geometry {

/// The determinant of J[c][a], the derivative of coordinate c in direction a, and its adjugate A = det J J^-1.
template <int dim, class S>
constexpr S adjugate(const S (&J)[dim][dim], S (&A)[dim][dim]) {
  if constexpr (dim == 1) {
    A[0][0] = J[0][0] / J[0][0];
    return J[0][0];
  } else if constexpr (dim == 2) {
    A[0][0] = J[1][1];
    A[0][1] = -J[0][1];
    A[1][0] = -J[1][0];
    A[1][1] = J[0][0];
    return J[0][0] * J[1][1] - J[0][1] * J[1][0];
  } else {
    // Directions are deduced: to NVRTC what a lambda captures is no constant.
    pointwise::each_direction<3>([&]<index_t i>(constant<i>) {
      pointwise::each_direction<3>([&]<index_t j>(constant<j>) {
        constexpr index_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        A[j][i] = J[i1][j1] * J[i2][j2] - J[i1][j2] * J[i2][j1];
      });
    });
    return J[0][0] * A[0][0] + J[0][1] * A[1][0] + J[0][2] * A[2][0];
  }
}

/// A number, not a vector of lanes.
template <class S>
inline constexpr bool is_number = same_type<S, float> || same_type<S, double> || same_type<S, long double>;

/// |x|, and the smaller of two: of a number, or lane by lane.
template <class S>
constexpr S magnitude(const S& x) {
  if constexpr (is_number<S>)
    return x < S(0) ? -x : x;
  else
    return abs(x);
}
template <class S>
constexpr S smaller(const S& a, const S& b) {
  if constexpr (is_number<S>)
    return b < a ? b : a;
  else
    return min(a, b);
}

/// The length of the shortest direction of J: the sum of the magnitudes of its derivatives.
template <int dim, class S>
constexpr S shortest_length(const S (&J)[dim][dim]) {
  const auto length = [&]<index_t a>(constant<a>) {
    S sum = magnitude(J[0][a]);
    pointwise::each_direction<dim - 1>([&]<index_t c>(constant<c>) { sum = sum + magnitude(J[c + 1][a]); });
    return sum;
  };
  S shortest = length(constant<0>{});
  pointwise::each_direction<dim - 1>(
      [&]<index_t a>(constant<a>) { shortest = smaller(shortest, length(constant<a + 1>{})); });
  return shortest;
}

/// Whether D of an operator forms the square of J^-1, and the largest derivative of coordinates for which that square
/// is a normal number.
constexpr bool squares_inverse(operator_kind kind, int dim) {
  return dim == 3 && (kind == operator_kind::diffusion || kind == operator_kind::helmholtz ||
                      kind == operator_kind::advection_diffusion);
}
template <class T>
inline constexpr T longest = same_type<T, float> ? T(0x1p60) : T(0x1p508);

/// Whether J is within that.
template <int dim, class S>
constexpr bool within_longest(const S (&J)[dim][dim]) {
  bool within = true;
  for (int c = 0; c < dim; ++c)
    for (int a = 0; a < dim; ++a) within = within && magnitude(J[c][a]) <= longest<S>;
  return within;
}

/// Coefficients of a point, c[0 ..): mass {rho}; diffusion {kappa} or the symmetric K, 00 01 02 11 12 22; helmholtz
/// {rho, kappa} or {rho, K}; convection the velocity; elasticity {lambda, mu}; advection_diffusion those of diffusion,
/// then the velocity. `given` says how many there are.
/// Products are taken in an order in which none is of a higher power of the element's size than det J, or of a lower
/// one than 1 / det J, so that D is right for elements of any size for which det J is a normal number (of diffusion
/// in 3-D: see stiffness). D is linear in the weight and in the coefficients: the check of D at set-up goes by that.
template <operator_kind kind, int dim>
struct factors {
  static constexpr int symmetric = pointwise::symmetric_size(dim);
  static constexpr int outputs = operator_function<kind, dim>::factors;

  template <class S>
  static constexpr void compute(const S (&J)[dim][dim], const S& weight, const S* c, int given, S (&D)[outputs]) {
    S A[dim][dim];
    const S det = adjugate(J, A);
    if constexpr (kind == operator_kind::mass) D[0] = c[0] * weight * det;
    if constexpr (kind == operator_kind::diffusion) stiffness<0>(A, det, weight, c, given, D);
    if constexpr (kind == operator_kind::helmholtz) {
      D[0] = c[0] * weight * det;
      stiffness<1>(A, det, weight, c + 1, given - 1, D);
    }
    if constexpr (kind == operator_kind::convection) flow<0>(A, weight, c, D);
    if constexpr (kind == operator_kind::advection_diffusion) {
      flow<symmetric>(A, weight, c + (given - dim), D);
      stiffness<0>(A, det, weight, c, given - dim, D);
    }
    if constexpr (kind == operator_kind::elasticity) {
      // The inverse stands twice beside each coefficient, so a factor of it may be divided from them: with the shortest
      // length no entry is large, and w det J is of the size of what the operator gives.
      const S X = shortest_length<dim>(J), per_length = S(1) / X, scale = X / det;
      const S measure = weight * (det * per_length * per_length);
      D[0] = c[0] * measure;
      D[1] = c[1] * measure;
      pointwise::each_direction<dim>(
          [&](auto a) { pointwise::each_direction<dim>([&](auto i) { D[2 + a * dim + i] = A[a][i] * scale; }); });
    }
  }

 private:
  // D[first ...] = weight det J^-1 b.
  template <int first, class S>
  static constexpr void flow(const S (&A)[dim][dim], const S& weight, const S* b, S (&D)[outputs]) {
    pointwise::each_direction<dim>([&](auto a) {
      D[first + a] = weight * pointwise::dot<dim>([&](auto i) { return A[a][i]; }, [&](auto i) { return b[i]; });
    });
  }
  // D[first ...] = weight det J^-1 K J^-T, K one number or symmetric. In 3-D A becomes J^-1, which takes fewer
  // registers; longer derivatives than `longest`, for which its square has fewer digits, are refused. In 1-D and 2-D
  // det J would not be a normal number for them, so A = det J J^-1 stands on the left there.
  template <int first, class S>
  static constexpr void stiffness(S (&A)[dim][dim], const S& det, const S& weight, const S* K, int given,
                                  S (&D)[outputs]) {
    constexpr bool inverted = dim == 3;
    const S by = given == 1 ? S(weight * K[0]) : weight, scale = S(1) / det;
    if constexpr (inverted)
      pointwise::each_direction<dim>(
          [&](auto a) { pointwise::each_direction<dim>([&](auto i) { A[a][i] = A[a][i] * scale; }); });
    const auto inverse = [&](auto b, auto i) {
      if constexpr (inverted)
        return A[b][i];
      else
        return A[b][i] * scale;
    };
    S right[dim][dim];  // K J^-T, by rows; J^-T where K is one number
    pointwise::each_direction<dim>([&](auto i) {
      pointwise::each_direction<dim>([&](auto b) {
        if (given == 1)
          right[i][b] = inverse(b, i);
        else
          right[i][b] = pointwise::dot<dim>([&](auto j) { return K[pointwise::symmetric_index(dim, int(i), int(j))]; },
                                            [&](auto j) { return inverse(b, j); });
      });
    });
    // Directions are deduced: to NVRTC what a lambda captures is no constant.
    pointwise::each_direction<dim>([&]<index_t a>(constant<a>) {
      pointwise::each_direction<dim>([&]<index_t b>(constant<b>) {
        if constexpr (a <= b) {
          const S sum = pointwise::dot<dim>([&](auto i) { return A[a][i]; }, [&](auto i) { return right[i][b]; });
          D[first + pointwise::symmetric_index(dim, int(a), int(b))] = by * (inverted ? det * sum : sum);
        }
      });
    });
  }
};

}  // namespace tessera::geometry
