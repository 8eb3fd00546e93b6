// SPDX-License-Identifier: BSD-3-Clause
// The entry point of the module around deal.II: plain data in, a loop over its cells out. Used by the program and the
// module.
#pragma once

#include <functional>

#include <tessera/core/types.hpp>

namespace tessera::bench::dealii_peer {

/// 3-D, double, one component.
struct cell_loop {
  int p = 1, q = 3;        // q = p + 1 or p + 2
  bool nodal = false;      // the points are the Gauss-Lobatto nodes
  bool gradients = false;  // diffusion, else mass
  bool add = false;
  index_t elements = 0;
  const double* x = nullptr;
  const double* D = nullptr;  // [group of lanes][point][factor][lane], whole groups
  double* y = nullptr;
  int threads = 1;
};

/// Sets `pass` to one run over all elements, or leaves it unchanged if no kernel was compiled for the sizes.
using prepare_function = void(const cell_loop& loop, std::function<void()>& pass);

inline constexpr char prepare_name[] = "tessera_bench_dealii_prepare";
inline constexpr char version_name[] = "tessera_bench_dealii_version";

}  // namespace tessera::bench::dealii_peer
