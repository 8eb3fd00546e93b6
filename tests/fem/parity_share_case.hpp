// SPDX-License-Identifier: BSD-3-Clause
// The kernel of symmetric element matrices by even and odd parts on the host: every thread's share, step by step.
#pragma once

#include "pair_share_case.hpp"

#include <tessera/gpu/element/parity_matrices.cuh>
#include <tessera/gpu/element/parity_tables.hpp>

namespace tessera::testing {

struct parity_case_sizes {
  int p = 1, q = 3;
  bool packed = false;
  int elements = 1;
  int columns = 1, pad = 0, threads = 32;
};

template <class Stored, class Function, parity_case_sizes s>
double worst_of_parities(index_t all, index_t first, index_t count, index_t behind) {
  constexpr int d = s.p + 1;
  using form = device::element_form<2, d, s.q, d, false, false, true>;
  using shape = device::parity_shape<s.packed, s.elements, s.columns, s.pad, 2, s.threads, 1>;
  using share = device::parity_share<Stored, Function, form, shape, copied_stores>;
  const fem::basis basis(fem::basis_kind::gauss_lobatto, s.p);
  const fem::basis_tables of_points = fem::tabulate(basis, fem::gauss(s.q));
  const std::vector<double> constants = device::constants_of_parities(share::room, of_points.B, of_points.G);
  typename share::tables tables;
  std::copy(constants.begin(), constants.end(), tables.at);
  const std::vector<double> products = device::products_of_parities(d, s.q, of_points.B, of_points.G);
  const device::place_table places = device::places_of_parities(share::room);
  const auto run = [&](const Stored* D, double* M, bool descending) {
    const device::product_arguments<double> a{.D = D,
                                              .M = M,
                                              .first = first,
                                              .count = count,
                                              .places = {places.at.data(), places.pitch},
                                              .fragments = products.data()};
    // One more: launches round up.
    run_blocks<share>(a, tables, (count + s.elements - 1) / s.elements + 1, descending);
  };
  return worst_of_matrices<double, Stored, Function>({all, first, count, behind, 1, s.packed}, basis, basis, s.q, run);
}

}  // namespace tessera::testing
