// SPDX-License-Identifier: BSD-3-Clause
// The kernel of symmetric element matrices by strips on the host, every lane of a warp at once.
#pragma once

#include "product_share_case.hpp"

#include <tessera/gpu/element/strip_matrices.cuh>
#include <tessera/gpu/element/strip_tables.hpp>

namespace tessera::testing {

struct strip_case_sizes {
  int p = 1, q = 3;
  bool packed = false;
  int staged = 2, threads = 64;
};

template <class Stored, class Function, strip_case_sizes s>
double worst_of_strips(index_t all, index_t first, index_t count, index_t behind) {
  constexpr int d = s.p + 1;
  using form = device::element_form<3, d, s.q, d, false, false, false>;
  using shape = device::strip_shape<s.packed, s.staged, s.threads, 1>;
  using share = device::strip_share<emulated_products, Stored, Function, form, shape, copied_stores>;
  const fem::basis basis(fem::basis_kind::gauss_lobatto, s.p);
  const fem::basis_tables of_points = fem::tabulate(basis, fem::gauss(s.q));
  const std::vector<double> tables = device::tables_of_strips(share::room, of_points.B, of_points.G);
  const auto run = [&](const Stored* D, double* M, bool descending) {
    const device::strip_arguments<double> a{.D = D, .M = M, .first = first, .count = count, .tables = tables.data()};
    // One element more: launches round up.
    run_blocks_of_warps<share>(a, typename share::tables{}, (count + 1) * share::room.parts(), descending);
  };
  return worst_of_matrices<double, Stored, Function>({all, first, count, behind, 1, s.packed}, basis, basis, s.q, run);
}

}  // namespace tessera::testing
