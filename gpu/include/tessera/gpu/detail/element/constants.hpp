// SPDX-License-Identifier: BSD-3-Clause
// The tables of one direction as element kernels read them from the constants of a launch.
#pragma once

#include <cstddef>
#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/gpu/detail/element/form.hpp>
#include <tessera/gpu/detail/element/from_nodes.hpp>

namespace tessera::device {

/// Column-major: B (q,d), C (q,q) or nothing, the test functions (q,t); the derivatives of both where they are given.
struct direction_tables {
  std::vector<double> interpolate, differentiate, test_functions;
  std::vector<double> gradients{}, test_gradients{};

  /// Whether y's functions are not x's.
  bool own_test() const { return test_functions != interpolate || test_gradients != gradients; }
};

/// Of the map to an element: its functions at the points (q,n), the weights of a direction, and coefficients that are
/// the same for all points; the functions' derivatives (q,n) where they are given. No functions: D is stored.
struct node_tables {
  std::vector<double> interpolate, weights, coefficients, gradients{};
};

/// A table (m,n) whole, or in the halves that line.cuh describes.
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

/// G = C V (q,n): derivatives at the points of functions with values V (q,n) there.
inline std::vector<double> slopes_of(const std::vector<double>& C, const std::vector<double>& V, int q, int n) {
  std::vector<double> G(std::size_t(q) * std::size_t(n));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < q; ++k) {
      long double sum = 0;
      for (int l = 0; l < q; ++l)
        sum += (long double)C[std::size_t(k + index_t(q) * l)] * V[std::size_t(l + index_t(q) * i)];
      G[std::size_t(k + index_t(q) * i)] = double(sum);
    }
  return G;
}

/// Writes the numbers that node_places lists, from `to` on.
template <class T>
void put_node_constants(const node_tables& from, const std::vector<double>& C, int q, T* to) {
  const int n = int(from.interpolate.size()) / q, given = int(from.coefficients.size());
  const node_places places(n, q, given, false);
  put_table(from.interpolate, q, n, false, to);
  put_table(from.gradients.empty() ? slopes_of(C, from.interpolate, q, n) : from.gradients, q, n, false,
            to + places.slopes);
  put_table(from.weights, q, 1, false, to + places.weights);
  put_table(from.coefficients, given, 1, false, to + places.coefficients);
}

/// The numbers that table_places lists, then those of node_places; one entry where a kernel reads none.
template <class T>
std::vector<T> constants_of(const element_kernel_facts& f, bool mirrored, bool own_test, bool direct,
                            const direction_tables& from, const node_tables& nodes = {}) {
  const int d = f.trial, q = f.points, t = f.test;
  const table_places places(d, q, t, f.nodal, own_test, mirrored, f.slopes(), direct);
  const bool computed = !nodes.interpolate.empty();
  const int more = computed ? node_places(f.geometry, q, int(nodes.coefficients.size()), false).entries : 0;
  std::vector<T> all(std::size_t(places.entries + more > 0 ? places.entries + more : 1));
  const auto put = [&](const std::vector<double>& table, int n, int place) {
    put_table(table, q, n, mirrored, all.data() + place);
  };
  if (!f.nodal) put(from.interpolate, d, 0);
  if (f.slopes() && !direct) put(from.differentiate, q, places.differentiate);
  const auto put_slopes = [&](const std::vector<double>& given, const std::vector<double>& of, int n, int place) {
    put(given.empty() ? slopes_of(from.differentiate, of, q, n) : given, n, place);
  };
  if (direct) put_slopes(from.gradients, from.interpolate, d, places.differentiate);
  if (own_test && !f.nodal) put(from.test_functions, t, places.test);
  if (own_test && direct) put_slopes(from.test_gradients, from.test_functions, t, places.test_slopes);
  if (computed) put_node_constants(nodes, from.differentiate, q, all.data() + places.entries);
  return all;
}

}  // namespace tessera::device
