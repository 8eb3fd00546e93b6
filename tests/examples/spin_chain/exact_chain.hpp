// SPDX-License-Identifier: BSD-3-Clause
// The Heisenberg chain as a matrix of all states, for few sites, and its lowest eigenvalue by LAPACK: no tensors.
#pragma once

#include <vector>

#include <tessera/error.hpp>

extern "C" void dsyev_(const char* job, const char* uplo, const int* n, double* a, const int* lda, double* w,
                       double* work, const int* lwork, int* info, std::size_t, std::size_t);

namespace tessera::testing {

/// Bit i of a state is the spin of site i, 0 up. S(i).S(j) = (exchange of the two spins) / 2 - 1/4.
inline std::vector<double> chain_matrix(int sites) {
  const std::size_t size = std::size_t{1} << sites;
  std::vector<double> H(size * size, 0.0);
  for (std::size_t state = 0; state < size; ++state)
    for (int i = 0; i + 1 < sites; ++i) {
      const std::size_t pair = std::size_t{3} << i, spins = state & pair;
      const bool alike = spins == 0 || spins == pair;
      H[state + size * state] -= 0.25;
      H[(alike ? state : state ^ pair) + size * state] += 0.5;
    }
  return H;
}

/// The lowest eigenvalue; `matrix` is n x n and symmetric.
inline double lowest_eigenvalue(std::vector<double> matrix, int n) {
  std::vector<double> values(static_cast<std::size_t>(n)), work(std::size_t(64 * n));
  const int size = int(work.size());
  int info = 0;
  dsyev_("N", "U", &n, matrix.data(), &n, values.data(), work.data(), &size, &info, 1, 1);
  if (info != 0) throw error("dsyev returned " + std::to_string(info));
  return values.front();
}

inline double exact_by_diagonalisation(int sites) { return lowest_eigenvalue(chain_matrix(sites), 1 << sites); }

}  // namespace tessera::testing
