// SPDX-License-Identifier: BSD-3-Clause
// The entry point of the module around deal.II: plain data in, a loop over its cells out. Used by the program and the
// module.
#pragma once

#include <array>
#include <cstdint>
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

/// The same by deal.II's MatrixFree on a box of cells[0] x cells[1] x cells[2] elements, x and y in its own numbering.
struct box_loop {
  int p = 1, q = 3;
  bool nodal = false;
  bool gradients = false;
  std::array<int, 3> cells{};
  const index_t* cell = nullptr;          // of element e: its number in the box, first direction fastest
  const std::int32_t* offsets = nullptr;  // of node i of element e at [i + n e]: its number in x and y below
  const double* x = nullptr;
  const double* D = nullptr;  // [element][point][factor]
  double* y = nullptr;        // written by `fetch`
  int threads = 1;
};
using prepare_box_function = void(const box_loop& loop, std::function<void()>& pass, std::function<void()>& fetch);

inline constexpr char prepare_box_name[] = "tessera_bench_dealii_prepare_box";
inline constexpr char prepare_name[] = "tessera_bench_dealii_prepare";
inline constexpr char version_name[] = "tessera_bench_dealii_version";

}  // namespace tessera::bench::dealii_peer
