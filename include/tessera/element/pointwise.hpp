// SPDX-License-Identifier: BSD-3-Clause
// The pointwise functions of the built-in element operators: what is between B and B^T at a quadrature point.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/element/at_point.hpp>

/// A pointwise function is a struct with
///
///     static constexpr int dim;              // 1, 2 or 3
///     static constexpr point_shape trial;    // what it takes of u
///     static constexpr point_shape test;     // what it gives to the test functions
///     static constexpr int factors;          // numbers that each point has of its own, D
///     template <class S> constexpr void operator()(const at_point<S, ..., dim>& u, const S (&D)[factors],
///                                                  at_point<S, ..., dim>& v) const;
///
/// and writes every part of v that `test` names. It is called with S a number on the GPU and a vector of lanes, one
/// element each, on the CPU. With one component in trial and test it applies to each component of a vector field alike.
///
/// The built-in ones, listed in operators.hpp, say more:
///
///     static constexpr bool symmetric;                   // of the matrix B^T D B
///     static constexpr coefficient_counts coefficients;  // of a point, from which D is computed with the geometry
///     static constexpr int flops;                        // of a call, for models and benchmarks
namespace tessera::pointwise {

/// Coefficients that an operator may be given at a point: `fewest` where K is one number, `most` where it is symmetric.
struct coefficient_counts {
  int fewest, most;
};

/// Entries of a symmetric dim x dim matrix.
constexpr int symmetric_size(int dim) { return dim * (dim + 1) / 2; }
/// Operations of dim sums of dim products: a matrix times a vector.
constexpr int product_flops(int dim) { return dim * (2 * dim - 1); }
/// The number of its entry (i,j): rows of the upper triangle, 00 01 02 11 12 22. (No recursion: NVRTC would leave a
/// call, and what is indexed with its result would live in memory.)
constexpr int symmetric_index(int dim, int i, int j) {
  const int low = i <= j ? i : j, high = i <= j ? j : i;
  return low * dim - low * (low - 1) / 2 + (high - low);
}

/// f(constant<0>{}), ..., f(constant<n - 1>{}): loops over directions whose indices are known, so that no compiler has
/// to unroll them before small arrays become registers (g++ 12 left diffusion's rolled: about half the speed).
template <int n, class F>
constexpr void each_direction(const F& f) {
  [&]<int... i>(sequence<i...>) { (f(constant<i>{}), ...); }
  (iota<n>{});
}

/// a[0] b[0] + ... + a[n - 1] b[n - 1], a and b being functions of constants.
template <int n, class A, class B>
constexpr auto dot(const A& a, const B& b) {
  auto sum = a(constant<0>{}) * b(constant<0>{});
  each_direction<n - 1>([&](auto i) { sum = sum + a(constant<i + 1>{}) * b(constant<i + 1>{}); });
  return sum;
}

/// y = D[first ...] x for a symmetric matrix.
template <int dim, int first, class S, int factors>
constexpr void multiply_symmetric(const S (&D)[factors], const S (&x)[dim], S (&y)[dim]) {
  each_direction<dim>([&](auto i) {
    y[i] =
        dot<dim>([&](auto j) { return D[first + symmetric_index(dim, int(i), int(j))]; }, [&](auto j) { return x[j]; });
  });
}

/// v = D u, D = rho w det J.
template <int dimension>
struct mass {
  static constexpr int dim = dimension, factors = 1, flops = 1;
  static constexpr point_shape trial{.value = true}, test{.value = true};
  static constexpr bool symmetric = true;
  static constexpr coefficient_counts coefficients{1, 1};
  template <class S>
  constexpr void operator()(const at_point<S, 1, dim>& u, const S (&D)[factors], at_point<S, 1, dim>& v) const {
    v.value[0] = D[0] * u.value[0];
  }
};

/// grad v = D grad u, D = w det J J^-1 K J^-T, symmetric.
template <int dimension>
struct diffusion {
  static constexpr int dim = dimension, factors = symmetric_size(dimension), flops = product_flops(dimension);
  static constexpr point_shape trial{.gradient = true}, test{.gradient = true};
  static constexpr bool symmetric = true;
  static constexpr coefficient_counts coefficients{1, symmetric_size(dimension)};
  template <class S>
  constexpr void operator()(const at_point<S, 1, dim>& u, const S (&D)[factors], at_point<S, 1, dim>& v) const {
    multiply_symmetric<dim, 0>(D, u.gradient[0], v.gradient[0]);
  }
};

/// Mass and diffusion in one: D = {that of mass, those of diffusion}.
template <int dimension>
struct helmholtz {
  static constexpr int dim = dimension, factors = 1 + symmetric_size(dimension), flops = 1 + product_flops(dimension);
  static constexpr point_shape trial{.value = true, .gradient = true}, test{.value = true, .gradient = true};
  static constexpr bool symmetric = true;
  static constexpr coefficient_counts coefficients{2, 1 + symmetric_size(dimension)};
  template <class S>
  constexpr void operator()(const at_point<S, 1, dim>& u, const S (&D)[factors], at_point<S, 1, dim>& v) const {
    v.value[0] = D[0] * u.value[0];
    multiply_symmetric<dim, 1>(D, u.gradient[0], v.gradient[0]);
  }
};

/// v = D . grad u, D = w det J J^-1 b for a velocity b.
template <int dimension>
struct convection {
  static constexpr int dim = dimension, factors = dimension, flops = 2 * dimension - 1;
  static constexpr point_shape trial{.gradient = true}, test{.value = true};
  static constexpr bool symmetric = false;
  static constexpr coefficient_counts coefficients{dimension, dimension};
  template <class S>
  constexpr void operator()(const at_point<S, 1, dim>& u, const S (&D)[factors], at_point<S, 1, dim>& v) const {
    v.value[0] = dot<dim>([&](auto a) { return D[a]; }, [&](auto a) { return u.gradient[0][a]; });
  }
};

/// Isotropic linear elasticity, displacement u of dim components: D = {w det J lambda, w det J mu, J^-1 by rows}.
template <int dimension>
struct elasticity {
  static constexpr int dim = dimension, factors = 2 + dimension * dimension;
  // Twice dim x dim by dim x dim, the divergence, and the stress of each pair.
  static constexpr int flops = 2 * dim * product_flops(dim) + dim + 2 * dim * dim + dim;
  static constexpr point_shape trial{.components = dimension, .gradient = true},
      test{.components = dimension, .gradient = true};
  static constexpr bool symmetric = true;
  static constexpr coefficient_counts coefficients{2, 2};
  template <class S>
  constexpr void operator()(const at_point<S, dim, dim>& u, const S (&D)[factors], at_point<S, dim, dim>& v) const {
    S slope[dim][dim];  // of component c in direction i of space
    each_direction<dim>([&](auto c) {
      each_direction<dim>([&](auto i) {
        slope[c][i] = dot<dim>([&](auto a) { return D[2 + a * dim + i]; }, [&](auto a) { return u.gradient[c][a]; });
      });
    });
    S divergence = slope[0][0];
    each_direction<dim - 1>([&](auto c) { divergence = divergence + slope[c + 1][c + 1]; });
    const S pressure = D[0] * divergence;
    each_direction<dim>([&](auto c) {
      S stress[dim];
      each_direction<dim>([&](auto i) { stress[i] = D[1] * (slope[c][i] + slope[i][c]); });
      stress[c] = stress[c] + pressure;
      each_direction<dim>([&](auto a) {
        v.gradient[c][a] = dot<dim>([&](auto i) { return D[2 + a * dim + i]; }, [&](auto i) { return stress[i]; });
      });
    });
  }
};

/// Diffusion and convection in one: D = {those of diffusion, those of convection}.
template <int dimension>
struct advection_diffusion {
  static constexpr int dim = dimension, slopes = symmetric_size(dimension), factors = slopes + dimension;
  static constexpr int flops = product_flops(dimension) + 2 * dimension - 1;
  static constexpr point_shape trial{.gradient = true}, test{.value = true, .gradient = true};
  static constexpr bool symmetric = false;
  static constexpr coefficient_counts coefficients{1 + dimension, slopes + dimension};
  template <class S>
  constexpr void operator()(const at_point<S, 1, dim>& u, const S (&D)[factors], at_point<S, 1, dim>& v) const {
    multiply_symmetric<dim, 0>(D, u.gradient[0], v.gradient[0]);
    v.value[0] = dot<dim>([&](auto a) { return D[slopes + a]; }, [&](auto a) { return u.gradient[0][a]; });
  }
};

}  // namespace tessera::pointwise
