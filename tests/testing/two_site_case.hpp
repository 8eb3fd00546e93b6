// SPDX-License-Identifier: BSD-3-Clause
// Two-site updates on integers, Y(p,r) = sum over q, c of G(p,q) X(q,c) M(c,r): arrays, texts and the sum by plain
// loops.
#pragma once

#include <string>
#include <vector>

#include <tessera/operand.hpp>

#include "testing/definition.hpp"

namespace tessera::testing {

/// How the arrays lie: the first index of each nearest in memory, or, as arrays of C, the last.
struct two_site_texts {
  const char *direct, *first, *second;
  bool last_is_nearest;
};
inline constexpr two_site_texts two_site_orders[] = {{"pq,qc,cr->pr", "pq,qc->pc", "cr,pc->pr", false},
                                                     {"qp,cq,rc->rp", "qp,cq->cp", "rc,cp->rp", true}};

struct two_site_sizes {
  index_t dp, chi, count;
};

/// Integers in -4..4: sums of up to 2^18 products of three are exact in float.
template <class T>
std::vector<T> small_integers(index_t size, unsigned seed) {
  integer_source next(seed);
  std::vector<T> all;
  for (index_t i = 0; i < size; ++i) all.push_back(T(next()));
  return all;
}

template <class T>
struct two_site_arrays {
  two_site_sizes sizes;
  bool last_is_nearest;
  std::vector<T> G, M, X;

  two_site_arrays(const two_site_sizes& s, bool c_arrays)
      : sizes(s),
        last_is_nearest(c_arrays),
        G(small_integers<T>(s.dp * s.dp, 1)),
        M(small_integers<T>(s.chi * s.chi, 2)),
        X(small_integers<T>(s.count * s.dp * s.chi, 3)) {}

  /// Where entry (i,j) of a matrix with that many rows and columns is.
  std::size_t at(index_t i, index_t j, index_t rows, index_t columns) const {
    return std::size_t(last_is_nearest ? j + columns * i : i + rows * j);
  }
  /// The extents of X, Y and T in the order of memory.
  std::vector<index_t> extents() const {
    return last_is_nearest ? std::vector{sizes.chi, sizes.dp} : std::vector{sizes.dp, sizes.chi};
  }
  /// One loop nest over p, q, c, r for each entry of the batch, and how many terms it has.
  std::vector<T> by_loops(index_t* terms = nullptr) const {
    const auto [dp, chi, count] = sizes;
    std::vector<T> Y(X.size());
    for (index_t b = 0; b < count; ++b)
      for (index_t p = 0; p < dp; ++p)
        for (index_t r = 0; r < chi; ++r) {
          T sum = 0;
          for (index_t q = 0; q < dp; ++q)
            for (index_t c = 0; c < chi; ++c) {
              sum += G[at(p, q, dp, dp)] * X[std::size_t(b * dp * chi) + at(q, c, dp, chi)] * M[at(c, r, chi, chi)];
              if (terms != nullptr) ++*terms;
            }
          Y[std::size_t(b * dp * chi) + at(p, r, dp, chi)] = sum;
        }
    return Y;
  }
};

/// A sum of terms, stacked: G(p,q,k), M(c,r,k), X(q,c) for each entry of the batch, the first index nearest in memory.
struct summed_update_arrays {
  index_t dp = 4, chi = 10, terms = 6, count = 5;
  std::vector<double> G = small_integers<double>(dp * dp * terms, 4), M = small_integers<double>(chi * chi * terms, 5),
                      X = small_integers<double>(dp * chi * count, 6);

  std::vector<double> by_loops() const {
    std::vector<double> sum(X.size(), 0.0);
    for (index_t k = 0; k < terms; ++k)
      for (index_t b = 0; b < count; ++b)
        for (index_t r = 0; r < chi; ++r)
          for (index_t c = 0; c < chi; ++c)
            for (index_t q = 0; q < dp; ++q)
              for (index_t p = 0; p < dp; ++p)
                sum[std::size_t(p + dp * (r + chi * b))] += G[std::size_t(p + dp * (q + dp * k))] *
                                                            X[std::size_t(q + dp * (c + chi * b))] *
                                                            M[std::size_t(c + chi * (r + chi * k))];
    return sum;
  }
};

}  // namespace tessera::testing
