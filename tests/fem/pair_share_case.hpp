// SPDX-License-Identifier: BSD-3-Clause
// The kernel of distinct numbers of element matrices on the host: every thread's share, step by step.
#pragma once

#include "matrix_errors.hpp"

#include <tessera/gpu/element/pair_matrices.cuh>
#include <tessera/gpu/element/pair_tables.hpp>

namespace tessera::testing {

struct pair_case_sizes {
  int p = 1, q = 3;
  bool packed = false;
  int elements = 1;
  bool sliced = false;
  int threads = 32;
  bool mirrored = true;
};

struct copied_stores {
  static void store(double* to, double from) { *to = from; }
  template <class T>
  static void store(T* to, const T* from) {
    std::copy_n(from, 16 / sizeof(T), to);
  }
};

/// Steps of every block's shares, threads in ascending or descending order: were one to read what another one writes in
/// the same step, the two would differ.
template <class Share, class Arguments, class Tables>
void run_blocks(const Arguments& a, const Tables& tables, index_t blocks, bool descending) {
  using T = typename Share::value_type;
  for (index_t block = 0; block < blocks; ++block) {
    std::vector<T> memory(std::size_t(Share::room.entries() + 128 / index_t(sizeof(T))),
                          std::numeric_limits<T>::quiet_NaN());
    T* shared = memory.data();
    while (reinterpret_cast<std::uintptr_t>(shared) % 128 != 0) ++shared;
    std::vector<Share> all;
    for (int thread = 0; thread < Share::threads; ++thread)
      all.emplace_back(a, tables, shared, block, descending ? Share::threads - 1 - thread : thread);
    Share::in_order([&](const auto& step) {
      for (Share& thread : all) step(thread);
    });
  }
}

template <class T, class Stored, int dim, pair_case_sizes s>
double worst_of_pairs(index_t all, index_t first, index_t count, index_t behind) {
  constexpr int d = s.p + 1;
  using form = device::element_form<dim, d, s.q, d, false, false, s.mirrored>;
  using shape = device::pair_shape<s.packed, s.elements, s.sliced, s.threads, 1>;
  using share = device::pair_share<T, Stored, form, shape, copied_stores>;
  const fem::basis basis(fem::basis_kind::gauss_lobatto, s.p);
  const std::vector<T> constants =
      device::constants_of_pairs<T>(share::room.units(), fem::tabulate(basis, fem::gauss(s.q)).B);
  typename share::tables tables;
  std::copy(constants.begin(), constants.end(), tables.at);
  const device::place_table places = device::places_of_pairs(share::room);
  const auto run = [&](const Stored* D, T* M, bool descending) {
    const device::pair_arguments<T> a{
        .D = D, .M = M, .first = first, .count = count, .places = {places.at.data(), places.pitch}};
    // One more: launches round up.
    const index_t blocks = (count + s.elements - 1) / s.elements * share::room.slices() + 1;
    run_blocks<share>(a, tables, blocks, descending);
  };
  return worst_of_matrices<T, Stored, pointwise::mass<dim>>({all, first, count, behind, 1, s.packed}, basis, basis, s.q,
                                                            run);
}

}  // namespace tessera::testing
