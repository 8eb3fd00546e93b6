// SPDX-License-Identifier: BSD-3-Clause
// What kernels of corner forces are launched with, and how their blocks are made up.
#pragma once

#include <tessera/hydro/gas_point.hpp>

namespace tessera::device {

/// Index: of the numbers of nodes, an integer with a sign.
template <class Index>
struct force_arguments {
  const double* fields[3] = {};      // x, v, w
  const double* energies = nullptr;  // zone after zone
  const Index* numbers = nullptr;    // of entry i of zone z at [i + nodes z], of component 0
  index_t stride = 0;                // from a component to the next
  const double *mass = nullptr, *start_inverse = nullptr, *gamma = nullptr;
  bool start_inverse_of_zones = false;
  const double *nodes = nullptr, *energy_values = nullptr, *weights = nullptr;  // zone_tables
  double* forces = nullptr;                                                     // an E-vector
  double *power = nullptr, *rates = nullptr;
  bool highest_rates = false;
  index_t zones = 0;
  hydro::gas_rules rules;
};

struct highest_rate_arguments {
  const double* rates = nullptr;
  index_t zones = 0;
  double* rate = nullptr;
  index_t* zone = nullptr;
};

/// Zones of a block, its threads, and the blocks that a multiprocessor is to hold at the same time.
struct force_shape {
  int zones = 1, threads = 128, blocks = 1;
  bool by_planes = false;  ///< a warp has a plane of points, see planes_by_warp.cuh
};

/// Numbers of zone_tables in a block's memory. Zone: its sizes.
template <class Zone>
constexpr int force_table_numbers(const Zone& of) {
  return of.points() * (2 * of.nodes() + of.energies() + 1);
}

/// Numbers of a block's memory by planes, see planes_by_warp.cuh.
struct plane_sizes {
  int nodes, energies, points, velocities;

  static constexpr int even(int count) { return (count + 1) / 2 * 2; }
  constexpr int components() const { return 3 * (1 + velocities); }
  constexpr int square() const { return nodes * even(nodes); }
  constexpr int plane() const { return 2 * components() * square() + energies * even(energies); }
  /// Tables of a product: values, slopes, energies, and their transposes.
  static constexpr int fragments = 6, fragment = 64;
  constexpr int tables() const {
    return 2 * points * nodes + even(points * energies) + even(points) + fragments * fragment;
  }
};

inline constexpr int threads_of_highest = 1024;

}  // namespace tessera::device
