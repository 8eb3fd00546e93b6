// SPDX-License-Identifier: BSD-3-Clause
// The kernel of symmetric element matrices by lines in halves on the host: every thread's share, step by step.
#pragma once

#include "pair_share_case.hpp"

#include <tessera/gpu/element/halved_matrices.cuh>
#include <tessera/gpu/element/halved_tables.hpp>

namespace tessera::testing {

struct halved_case_sizes {
  int p = 1, q = 3;
  bool packed = false, sliced = false;
  int tiled = 0;
  int waves = 0;
  bool along = false;
  int threads = 32;
};

template <class Stored, class Function, halved_case_sizes s>
double worst_of_halves(index_t all, index_t first, index_t count, index_t behind) {
  constexpr int d = s.p + 1;
  using form = device::element_form<3, d, s.q, d, false, false, true>;
  using shape = device::halved_shape<s.packed, s.sliced, s.tiled, s.waves, s.along, 2, s.threads, 1>;
  using share = device::halved_share<Stored, Function, form, shape, copied_stores>;
  const fem::basis basis(fem::basis_kind::gauss_lobatto, s.p);
  const fem::basis_tables of_points = fem::tabulate(basis, fem::gauss(s.q));
  const std::vector<double> constants = device::constants_of_halves(share::room.units(), of_points.B, of_points.G);
  typename share::tables tables;
  std::copy(constants.begin(), constants.end(), tables.at);
  const device::place_table places = device::places_of_halves(share::room);
  const auto run = [&](const Stored* D, double* M, bool descending) {
    const device::pair_arguments<double> a{
        .D = D, .M = M, .first = first, .count = count, .places = {places.at.data(), places.pitch}};
    // One element more: launches round up.
    run_blocks<share>(a, tables, (count + 1) * share::room.parts(), descending);
  };
  return worst_of_matrices<double, Stored, Function>({all, first, count, behind, 1, s.packed}, basis, basis, s.q, run);
}

}  // namespace tessera::testing
