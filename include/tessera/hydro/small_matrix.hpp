// SPDX-License-Identifier: BSD-3-Clause
// Matrices of 1 to 3 rows at a point: inverses, smallest eigenvalues and singular values, without branches, for numbers
// and for vectors of lanes alike.
#pragma once

#include <tessera/core/math.hpp>
#include <tessera/core/types.hpp>

namespace tessera::hydro {

template <int dim, class S = double>
struct matrix {
  S row[dim][dim];

  constexpr S* operator[](index_t i) { return row[i]; }
  constexpr const S* operator[](index_t i) const { return row[i]; }
};

/// 1 / sqrt(x), which a GPU has an instruction's worth of.
template <class S>
constexpr S reciprocal_root(const S& x) {
  if constexpr (same_type<S, double> && requires { rsqrt(x); })
    return rsqrt(x);
  else
    return S(1.0) / tessera::sqrt(x);
}

template <int dim, class S>
constexpr S determinant(const matrix<dim, S>& A) {
  if constexpr (dim == 1) return A[0][0];
  if constexpr (dim == 2) return A[0][0] * A[1][1] - A[0][1] * A[1][0];
  if constexpr (dim == 3)
    return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) - A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
           A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

/// The inverse, `scale` being 1 / det A.
template <int dim, class S>
constexpr matrix<dim, S> scaled_adjugate(const matrix<dim, S>& A, const S& scale) {
  if constexpr (dim == 1) return {{{scale}}};
  if constexpr (dim == 2) return {{{A[1][1] * scale, -A[0][1] * scale}, {-A[1][0] * scale, A[0][0] * scale}}};
  if constexpr (dim == 3) {
    matrix<3, S> B{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
        B[i][j] = (A[a][c] * A[b][d] - A[a][d] * A[b][c]) * scale;
      }
    return B;
  }
}

template <int dim, class S>
constexpr matrix<dim, S> product(const matrix<dim, S>& A, const matrix<dim, S>& B) {
  matrix<dim, S> C{};
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) {
      S sum(0.0);
      for (int k = 0; k < dim; ++k) sum = sum + A[i][k] * B[k][j];
      C[i][j] = sum;
    }
  return C;
}

template <int dim, class S = double>
struct eigenvalue {
  S value;
  S direction[dim];  ///< not 0; of any length
};

/// Of a symmetric matrix. Where all are equal: the first direction.
template <class S>
constexpr eigenvalue<1, S> smallest_of(const matrix<1, S>& A) {
  return {A[0][0], {S(1.0)}};
}

/// Of the two rows of A - value the one whose entries do not cancel.
template <class S>
constexpr eigenvalue<2, S> smallest_of(const matrix<2, S>& A) {
  const S half = S(0.5) * (A[1][1] - A[0][0]), across = A[0][1];
  const S root = tessera::sqrt(half * half + across * across);
  const S sum = root + tessera::abs(half);
  const auto first_is_smaller = !(half < S(0.0));
  return {
      S(0.5) * (A[0][0] + A[1][1]) - root,
      {select(root == S(0.0), S(1.0), select(first_is_smaller, sum, across)), select(first_is_smaller, -across, -sum)}};
}

namespace detail {

template <class S>
struct vector3 {
  S x, y, z;
};
template <class S>
constexpr S dot(const vector3<S>& a, const vector3<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
constexpr vector3<S> cross(const vector3<S>& a, const vector3<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Condition, class S>
constexpr vector3<S> choose(const Condition& condition, const vector3<S>& yes, const vector3<S>& no) {
  return {select(condition, yes.x, no.x), select(condition, yes.y, no.y), select(condition, yes.z, no.z)};
}
/// The longest of three.
template <class S>
constexpr vector3<S> longest(const vector3<S>& a, const vector3<S>& b, const vector3<S>& c) {
  const vector3<S> longer = choose(dot(a, a) < dot(b, b), b, a);
  return choose(dot(longer, longer) < dot(c, c), c, longer);
}

}  // namespace detail

/// The root of 4 x^3 - 3 x = r in [0.86, 1], for r in [0, 1]: a polynomial with 8 digits, and a step of Newton's
/// method.
template <class S>
constexpr S separated_root(const S& r) {
  constexpr double factors[] = {0.8660254055995655,  0.1666663711444993,  -0.0481044414529867,
                                0.0246042967927773,  -0.0151072751628669, 0.0093833305739943,
                                -0.0049296911761331, 0.001764856875333,   -0.000302854201998};
  S x(factors[8]);
  for (int i = 7; i >= 0; --i) x = x * r + S(factors[i]);
  const S square = x * x;
  return x - (x * (S(4.0) * square - S(3.0)) - r) / (S(12.0) * square - S(3.0));
}

/// The eigenvalue that is farther from the one in the middle is well separated, and its direction is across two rows of
/// what it leaves of the matrix. If it is the largest one, the smallest is that of the 2 x 2 matrix in the plane
/// across, however close both are.
template <class S>
constexpr eigenvalue<3, S> smallest_of(const matrix<3, S>& A) {
  using detail::choose, detail::cross, detail::dot, detail::longest, detail::vector3;
  const S mean = (A[0][0] + A[1][1] + A[2][2]) * S(1.0 / 3);
  matrix<3, S> B = A;
  for (int i = 0; i < 3; ++i) B[i][i] = A[i][i] - mean;
  const S square = (B[0][0] * B[0][0] + B[1][1] * B[1][1] + B[2][2] * B[2][2] +
                    S(2.0) * (B[0][1] * B[0][1] + B[0][2] * B[0][2] + B[1][2] * B[1][2])) *
                   S(1.0 / 6);
  const auto all_equal = square < S(1e-300);
  const S scale = reciprocal_root(select(all_equal, S(1.0), square));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) B[i][j] = B[i][j] * scale;
  const S r = S(0.5) * determinant(B), size_of_r = tessera::min(tessera::abs(r), S(1.0));
  const auto is_smallest = r < S(0.0);
  const S apart = select(is_smallest, S(-2.0), S(2.0)) * separated_root(size_of_r);
  for (int i = 0; i < 3; ++i) B[i][i] = B[i][i] - apart;
  const vector3<S> a{B[0][0], B[0][1], B[0][2]}, b{B[1][0], B[1][1], B[1][2]}, c{B[2][0], B[2][1], B[2][2]};
  vector3<S> n = longest(cross(a, b), cross(a, c), cross(b, c));
  const S length = reciprocal_root(select(all_equal, S(1.0), dot(n, n)));
  n = {n.x * length, n.y * length, n.z * length};
  const auto x_is_small = tessera::abs(n.x) < tessera::abs(n.y);
  const vector3<S> beside = choose(x_is_small, vector3<S>{S(0.0), n.z, -n.y}, vector3<S>{-n.z, S(0.0), n.x});
  const S beside_length = reciprocal_root(select(all_equal, S(1.0), dot(beside, beside)));
  const vector3<S> u{beside.x * beside_length, beside.y * beside_length, beside.z * beside_length}, w = cross(n, u);
  const auto image = [&](const vector3<S>& v) {
    return vector3<S>{A[0][0] * v.x + A[0][1] * v.y + A[0][2] * v.z, A[1][0] * v.x + A[1][1] * v.y + A[1][2] * v.z,
                      A[2][0] * v.x + A[2][1] * v.y + A[2][2] * v.z};
  };
  const vector3<S> Au = image(u), Aw = image(w);
  const S uAw = dot(u, Aw);
  const auto across = smallest_of(matrix<2, S>{{{dot(u, Au), uAw}, {uAw, dot(w, Aw)}}});
  const S along_u = across.direction[0], along_w = across.direction[1];
  const vector3<S> in_plane{along_u * u.x + along_w * w.x, along_u * u.y + along_w * w.y,
                            along_u * u.z + along_w * w.z};
  const vector3<S> s = choose(all_equal, vector3<S>{S(1.0), S(0.0), S(0.0)}, choose(is_smallest, n, in_plane));
  return {select(all_equal, mean, select(is_smallest, mean + apart * square * scale, across.value)), {s.x, s.y, s.z}};
}

/// In 1-D with its sign.
template <int dim, class S>
constexpr S inverse_of_smallest_singular_value(const matrix<dim, S>& J) {
  if constexpr (dim == 1) return S(1.0) / J[0][0];
  if constexpr (dim == 2) {
    const S first = J[0][0] * J[0][0] + J[1][0] * J[1][0], second = J[0][1] * J[0][1] + J[1][1] * J[1][1];
    const S t = S(0.5) * (first - second), q = J[0][0] * J[0][1] + J[1][0] * J[1][1];
    return tessera::sqrt(S(0.5) * (first + second) + tessera::sqrt(t * t + q * q)) / tessera::abs(determinant(J));
  }
  if constexpr (dim == 3) {
    matrix<3, S> square{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j)
        square[i][j] = square[j][i] = J[0][i] * J[0][j] + J[1][i] * J[1][j] + J[2][i] * J[2][j];
    return reciprocal_root(tessera::max(smallest_of(square).value, S(0.0)));
  }
}

}  // namespace tessera::hydro
