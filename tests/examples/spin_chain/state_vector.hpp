// SPDX-License-Identifier: BSD-3-Clause
// A matrix product state of few sites as the vector of all amplitudes, and its energy.
#pragma once

#include <utility>
#include <vector>

#include "exact_chain.hpp"
#include "packed_tensor.hpp"

namespace tessera::testing {

/// All amplitudes of a state: bit i of the number is the spin of site i.
inline std::vector<double> amplitudes_of(const std::vector<spin_chain::packed_tensor>& sites) {
  std::vector<double> so_far{1};  // (states so far, bond)
  std::size_t states = 1;
  for (const spin_chain::packed_tensor& site : sites) {
    const std::size_t a = std::size_t(site.extents()[0]), b = std::size_t(site.extents()[2]);
    const std::vector<double> A = site.numbers();
    std::vector<double> next(2 * states * b, 0.0);
    for (std::size_t j = 0; j < b; ++j)
      for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t i = 0; i < a; ++i)
          for (std::size_t k = 0; k < states; ++k)
            next[k + states * (s + 2 * j)] += so_far[k + states * i] * A[i + a * (s + 2 * j)];
    so_far = next;
    states *= 2;
  }
  return so_far;
}

/// <x| H |x> and <x|x> by the matrix of all states.
inline std::pair<double, double> energy_and_norm(const std::vector<double>& x, int sites) {
  const std::vector<double> H = chain_matrix(sites);
  double energy = 0, norm = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    norm += x[j] * x[j];
    for (std::size_t i = 0; i < x.size(); ++i) energy += x[i] * H[i + x.size() * j] * x[j];
  }
  return {energy, norm};
}

}  // namespace tessera::testing
