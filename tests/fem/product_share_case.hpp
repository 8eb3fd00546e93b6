// SPDX-License-Identifier: BSD-3-Clause
// The kernel of symmetric element matrices by products of warps on the host, every lane of a warp at once.
#pragma once

#include "emulated_warp.hpp"
#include "pair_share_case.hpp"

#include <tessera/gpu/element/held_matrices.cuh>
#include <tessera/gpu/element/product_tables.hpp>
#include <tessera/gpu/element/thread_matrices.cuh>

namespace tessera::testing {

struct product_case_sizes {
  int p = 1, q = 3;
  bool packed = false;
  product_way way = product_way::held;
  int elements = 1, sharing = 1, threads = 32;
};

/// Steps of every block's shares, the lanes of a warp at once, warps in ascending or descending order.
template <class Share, class Arguments, class Tables>
void run_blocks_of_warps(const Arguments& a, const Tables& tables, index_t blocks, bool descending) {
  for (index_t block = 0; block < blocks; ++block) {
    std::vector<double> memory(std::size_t(Share::room.entries() + 16), std::numeric_limits<double>::quiet_NaN());
    double* shared = memory.data();
    while (reinterpret_cast<std::uintptr_t>(shared) % 128 != 0) ++shared;
    std::vector<Share> all;
    for (int thread = 0; thread < Share::threads; ++thread) all.emplace_back(a, tables, shared, block, thread);
    Share::in_order([&](const auto& step) {
      for (int warp = 0; warp < Share::threads / warp_size; ++warp) {
        const int now = descending ? Share::threads / warp_size - 1 - warp : warp;
        run_warp([&](int lane) { step(all[std::size_t(warp_size * now + lane)]); });
      }
    });
  }
}

template <product_way way, class Stored, class Function, class Form, class Shape>
struct product_share_of {
  using type = device::held_share<emulated_products, Stored, Function, Form, Shape, copied_stores>;
};
template <class Stored, class Function, class Form, class Shape>
struct product_share_of<product_way::alone, Stored, Function, Form, Shape> {
  using type = device::thread_share<Stored, Function, Form, Shape, copied_stores>;
};

template <class Stored, class Function, product_case_sizes s>
double worst_of_products(index_t all, index_t first, index_t count, index_t behind) {
  constexpr int d = s.p + 1;
  using form = device::element_form<Function::dim, d, s.q, d, false, false, false>;
  using shape = device::product_shape<s.packed, s.way, s.elements, s.sharing, s.threads, 1>;
  using share = typename product_share_of<s.way, Stored, Function, form, shape>::type;
  const fem::basis basis(fem::basis_kind::gauss_lobatto, s.p);
  const fem::basis_tables of_points = fem::tabulate(basis, fem::gauss(s.q));
  typename share::tables tables;
  const std::vector<double> slopes = Function::trial.gradient ? of_points.G : std::vector<double>{};
  const std::vector<double> constants = device::constants_of_products(share::room, of_points.B, slopes);
  std::copy(constants.begin(), constants.end(), tables.at);
  const device::place_table places = device::places_of_products(share::room);
  const device::product_fragments<Function> fragments(share::room, of_points.B, of_points.G);
  const auto run = [&](const Stored* D, double* M, bool descending) {
    const device::product_arguments<double> a{.D = D,
                                              .M = M,
                                              .first = first,
                                              .count = count,
                                              .places = {places.at.data(), places.pitch},
                                              .fragments = fragments.all().data()};
    // One more: launches round up.
    const index_t blocks = (count + s.elements - 1) / s.elements + 1;
    if constexpr (s.way == product_way::alone)
      run_blocks<share>(a, tables, blocks, descending);
    else
      run_blocks_of_warps<share>(a, tables, blocks, descending);
  };
  return worst_of_matrices<double, Stored, Function>({all, first, count, behind, 1, s.packed}, basis, basis, s.q, run);
}

}  // namespace tessera::testing
