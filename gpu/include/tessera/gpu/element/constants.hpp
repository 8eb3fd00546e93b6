// SPDX-License-Identifier: BSD-3-Clause
// The tables of one direction as element kernels read them from the constants of a launch.
#pragma once

#include <cstddef>
#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/element/element_tuning.hpp>
#include <tessera/gpu/element/form.hpp>

namespace tessera::device {

/// Column-major: B (q,d), C (q,q) or nothing, the test functions (q,t).
struct direction_tables {
  std::vector<double> interpolate, differentiate, test_functions;
};

/// A table (m,n) whole, or in the halves that line.hpp describes.
template <class T>
void put_table(const std::vector<double>& table, int m, int n, bool mirrored, T* to) {
  const auto entry = [&](int k, int i) { return table[std::size_t(k + index_t(m) * i)]; };
  if (!mirrored) {
    for (int i = 0; i < m * n; ++i) to[i] = T(table[std::size_t(i)]);
    return;
  }
  const int half = (m + 1) / 2, evens = (n + 1) / 2;
  for (int k = 0; k < half; ++k) {
    for (int i = 0; i < n / 2; ++i) {
      to[k + half * i] = T((entry(k, i) + entry(k, n - 1 - i)) / 2);
      to[k + half * (evens + i)] = T((entry(k, i) - entry(k, n - 1 - i)) / 2);
    }
    if (n % 2 == 1) to[k + half * (n / 2)] = T(entry(k, n / 2));
  }
}

/// What stands where table_places says; one entry where a kernel reads none.
template <class T>
std::vector<T> constants_of(const element_kernel_facts& f, bool mirrored, bool own_test, const direction_tables& from) {
  const table_places places(f.trial, f.points, f.test, f.nodal, own_test, mirrored, f.slopes());
  std::vector<T> all(std::size_t(places.entries > 0 ? places.entries : 1));
  if (!f.nodal) put_table(from.interpolate, f.points, f.trial, mirrored, all.data());
  if (f.slopes()) put_table(from.differentiate, f.points, f.points, mirrored, all.data() + places.differentiate);
  if (own_test && !f.nodal) put_table(from.test_functions, f.points, f.test, mirrored, all.data() + places.test);
  return all;
}

}  // namespace tessera::device
