// SPDX-License-Identifier: BSD-3-Clause
// Element matrices that a kernel of the GPU makes on the host, against the definition.
#pragma once

#include "reference_element.hpp"
#include "seeded.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::testing {

/// Elements first .. first + count - 1 of `all`, into memory that begins `behind` entries after a multiple of 128
/// bytes.
struct matrix_errors_of {
  index_t all, first, count, behind;
  int components = 1;
  bool packed = false;
};

/// run(D, M, descending) computes them, threads in ascending or descending order. The worst entry's error, 1 being what
/// rounding may do. Whatever is written that should not be, is not written, or differs when threads run in
/// another order, counts as infinite.
template <class T, class Stored, class Function, class Run>
double worst_of_matrices(const matrix_errors_of& s, const fem::basis& trial, const fem::basis& test, int q,
                         const Run& run) {
  const auto at = [](index_t i) { return std::size_t(i); };
  const auto power = [](index_t n) { return Function::dim == 3 ? n * n * n : Function::dim == 2 ? n * n : n; };
  constexpr int parts = Function::trial.components;
  const reference_element<Function> reference(trial, test, fem::gauss(q));
  const index_t nx = reference.trial_size(), ny = reference.test_size(), points = power(q), factors = Function::factors;
  const index_t rows = ny * s.components, columns = nx * s.components;
  const index_t entries = s.packed ? rows * (rows + 1) / 2 : rows * columns;

  const std::vector<Stored> D = seeded<Stored>(points * factors * s.all, 8);
  constexpr index_t line = 128 / sizeof(T);
  const std::vector<T> before(at(entries * s.count + 3 * line), T(-12345));
  std::vector<T> forth = before, back = before;
  const auto start = [&](std::vector<T>& in) {
    const auto off = index_t(reinterpret_cast<std::uintptr_t>(in.data()) % 128 / sizeof(T));
    return (line - off) % line + s.behind;
  };
  run(D.data(), forth.data() + start(forth), false);
  run(D.data(), back.data() + start(back), true);

  double worst = 0;
  const auto count_off = [&](T got, T again, long double wanted, long double bound) {
    const long double off = std::abs((long double)got - wanted);
    worst = got == again && off <= bound ? std::max(worst, bound > 0 ? double(off / bound) : 0.0)
                                         : std::numeric_limits<double>::infinity();
  };
  const T *const M = forth.data() + start(forth), *const again = back.data() + start(back);
  std::vector<double> own(at(points * factors)), x(at(nx * parts));
  for (index_t e = 0; e < s.count && std::isfinite(worst); ++e) {
    for (index_t k = 0; k < points; ++k)
      for (index_t f = 0; f < factors; ++f)
        own[at(f + factors * k)] = double(D[at(k + points * (f + factors * (s.first + e)))]);
    for (index_t j = 0; j < columns; ++j) {
      const index_t group = j / (nx * parts);
      x.assign(x.size(), 0);
      x[at(j % (nx * parts))] = 1;
      const auto y = reference.apply(x.data(), own.data()), sizes = reference.magnitudes(x.data(), own.data());
      for (index_t i = s.packed ? j : 0; i < rows; ++i) {
        const index_t place = e * entries + (s.packed ? i + j * (2 * rows - j - 1) / 2 : i + rows * j);
        const bool coupled = i / (ny * parts) == group;
        const index_t in_group = i % (ny * parts);
        count_off(M[place], again[place], coupled ? y[at(in_group)] : 0,
                  coupled ? gamma<T>(reference.roundings() + 4) * sizes[at(in_group)] : 0);
      }
    }
  }
  for (index_t i = 0; i < start(forth); ++i) count_off(forth[at(i)], before[0], before[0], 0);
  for (index_t i = start(forth) + entries * s.count; i < index_t(forth.size()); ++i)
    count_off(forth[at(i)], before[0], before[0], 0);
  return worst;
}

}  // namespace tessera::testing
