// SPDX-License-Identifier: BSD-3-Clause
// Entries of the chain's operator, and Bethe's equations.
#include "heisenberg.hpp"

#include <cmath>
#include <string>
#include <utility>

#include <tessera/error.hpp>

namespace tessera::spin_chain {

namespace {

// Matrices of 2 x 2, (t,s).
using spin_matrix = double[states][states];
constexpr spin_matrix one{{1, 0}, {0, 1}}, raise{{0, 1}, {0, 0}}, lower{{0, 0}, {1, 0}}, sz{{0.5, 0}, {0, -0.5}};

// Bethe's equations F_j = 0 and their derivatives, a symmetric matrix with positive eigenvalues, row by row.
struct equations {
  std::vector<double> value, slope;
};

equations equations_at(const std::vector<double>& roots, double sites) {
  const std::size_t count = roots.size();
  const double pi = std::acos(-1.0);
  equations made{std::vector<double>(count), std::vector<double>(count * count)};
  for (std::size_t j = 0; j < count; ++j) {
    const double x = roots[j];
    double value = 4 * sites * std::atan(2 * x) - 2 * pi * double(j + 1), slope = 8 * sites / (1 + 4 * x * x);
    for (std::size_t k = 0; k < count; ++k) {
      if (k == j) continue;
      const double apart = x - roots[k], together = x + roots[k];
      const double of_apart = 2 / (1 + apart * apart), of_together = 2 / (1 + together * together);
      value -= 2 * std::atan(apart) + 2 * std::atan(together);
      slope -= of_apart + of_together;
      made.slope[j * count + k] = of_apart - of_together;
    }
    made.value[j] = value;
    made.slope[j * count + j] = slope;
  }
  return made;
}

// slope^-1 value, by Cholesky's factors, which take the place of the lower half.
std::vector<double> newton_step(equations at) {
  const std::size_t count = at.value.size();
  const auto L = [&](std::size_t i, std::size_t j) -> double& { return at.slope[i * count + j]; };
  std::vector<double>& x = at.value;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = L(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= L(i, k) * L(j, k);
      L(i, j) = i == j ? std::sqrt(sum) : sum / L(j, j);
    }
    for (std::size_t k = 0; k < i; ++k) x[i] -= L(i, k) * x[k];
    x[i] /= L(i, i);
  }
  for (std::size_t i = count; i-- > 0;) {
    x[i] /= L(i, i);
    for (std::size_t k = 0; k < i; ++k) x[k] -= L(i, k) * x[i];
  }
  return std::move(at.value);
}

}  // namespace

// From bond 4 an operator of the pair goes to its own bond, the next site has the other one, to bond 0: S+ and S- with
// a half, and Sz. To the left of a pair bond 4 goes on, to its right bond 0.
double site_entry(index_t w, index_t t, index_t s, index_t v) {
  if ((w == 0 && v == 0) || (w == 4 && v == 4)) return one[t][s];
  if (v == 0) {
    if (w == 1) return raise[t][s];
    if (w == 2) return lower[t][s];
    if (w == 3) return sz[t][s];
  }
  if (w == 4) {
    if (v == 1) return 0.5 * lower[t][s];
    if (v == 2) return 0.5 * raise[t][s];
    if (v == 3) return sz[t][s];
  }
  return 0;
}

chain_operators::chain_operators(space_kind where) {
  constexpr index_t b = operator_bond, d = states;
  std::vector<double> to_left, to_right, of_pair;
  for (index_t v = 0; v < b; ++v)
    for (index_t t = 0; t < d; ++t)
      for (index_t s = 0; s < d; ++s)
        for (index_t w = 0; w < b; ++w) to_left.push_back(site_entry(w, t, s, v));
  for (index_t t = 0; t < d; ++t)
    for (index_t w = 0; w < b; ++w)
      for (index_t v = 0; v < b; ++v)
        for (index_t s = 0; s < d; ++s) to_right.push_back(site_entry(w, t, s, v));
  for (index_t u = 0; u < d; ++u)
    for (index_t t = 0; t < d; ++t)
      for (index_t w = 0; w < b; ++w)
        for (index_t v = 0; v < b; ++v)
          for (index_t r = 0; r < d; ++r)
            for (index_t s = 0; s < d; ++s) {
              double sum = 0;
              for (index_t m = 0; m < b; ++m) sum += site_entry(w, t, s, m) * site_entry(m, u, r, v);
              of_pair.push_back(sum);
            }
  left = packed_tensor(where, {b, d, d, b}, to_left);
  right = packed_tensor(where, {d, b, b, d}, to_right);
  pair = packed_tensor(where, {d, d, b, b, d, d}, of_pair);
}

// S.S is 1/4 on the three states with alike spins and -3/4 on the singlet, (up down - down up) / sqrt(2).
std::vector<double> pair_gate(double time) {
  const double alike = std::exp(-0.25 * time), singlet = std::exp(0.75 * time);
  std::vector<double> gate(std::size_t(states * states * states * states), 0.0);
  gate[0] = gate[15] = alike;
  gate[5] = gate[10] = (alike + singlet) / 2;
  gate[6] = gate[9] = (alike - singlet) / 2;
  return gate;
}

// With roots x_j, j = 1..sites/2: 2 sites 2 atan(2 x_j) = 2 pi j + sum over k != j of 2 atan(x_j - x_k) + 2 atan(x_j +
// x_k), and the energy (sites - 1) / 4 - sum of 2 / (4 x_j^2 + 1).
std::optional<double> exact_energy(index_t sites) {
  if (sites < 2) throw error("exact_energy: a chain of " + std::to_string(sites) + " sites, it needs 2");
  if (sites > most_exact_sites) return std::nullopt;
  constexpr int most_rounds = 60;
  constexpr double near = 1e-10;  // of a root: from here on rounding ends the fall
  const double pi = std::acos(-1.0), n = double(sites);
  std::vector<double> roots;
  for (index_t j = 0; j < sites / 2; ++j) roots.push_back(0.5 * std::tan(pi * double(j + 1) / (2 * n)));
  double before = 1, change = 1;
  for (int round = 0; round < most_rounds && !(change < near && change >= before / 2); ++round) {
    before = change;
    change = 0;
    const std::vector<double> step = newton_step(equations_at(roots, n));
    for (std::size_t j = 0; j < roots.size(); ++j) {
      roots[j] -= step[j];
      change = std::fmax(change, std::abs(step[j]) / (1 + std::abs(roots[j])));
    }
  }
  if (!(change < near))
    throw error("exact_energy: no roots of Bethe's equations for " + std::to_string(sites) + " sites");
  double energy = (n - 1) / 4;
  for (const double x : roots) energy -= 2 / (4 * x * x + 1);
  return energy;
}

}  // namespace tessera::spin_chain
