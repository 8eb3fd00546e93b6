// SPDX-License-Identifier: BSD-3-Clause
// Corner forces in 3-D where a warp has a plane of points in its registers: at most 8 nodes and 8 points a direction.
// Along x and y products of the warp take the place of sums, so that nothing of a plane goes through shared memory.
#pragma once

#include <tessera/gpu/detail/hydro/corner_forces.cuh>
#include <tessera/gpu/detail/tensor_core.cuh>

namespace tessera::device {

/// A plane is a square of 8 x 8 numbers, of which lane l has (l / 4, 2 (l % 4)) and the next one; where 4 x 4 are
/// enough it has the planes of four zones, two down and two across.
///
/// Shared memory has, for each zone and plane of points: of each component of each field values and slopes along z at
/// the nodes of a plane, energies likewise; later sums over the points of the plane, which come in their place.
template <class Zone, bool forces, bool power, int velocities, int most_zones, int warps>
struct plane_shape {
  static_assert(Zone::dim == 3);
  static constexpr int n = Zone::nodes(), m = Zone::energies(), q = Zone::points();
  static constexpr int largest = n > q ? (n > m ? n : m) : (q > m ? q : m);
  static_assert(largest <= 8);
  static constexpr int across = largest <= 4 ? 2 : 1, side = 8 / across, tile_zones = across * across;
  static_assert(most_zones % tile_zones == 0);
  static constexpr int threads = 32 * warps, tiles = most_zones / tile_zones;
  static constexpr plane_sizes sizes{n, m, q, velocities};
  static constexpr int components = sizes.components(), square = sizes.square(), plane = sizes.plane();
  static constexpr int pitch = sizes.even(n), energy_pitch = sizes.even(m), fragment = sizes.fragment;
};

template <class Zone, class Index, bool forces, bool power, int velocities, int most_zones, int warps>
struct plane_program : plane_shape<Zone, forces, power, velocities, most_zones, warps> {
  using shape = plane_shape<Zone, forces, power, velocities, most_zones, warps>;
  using shape::across, shape::components, shape::energy_pitch, shape::fragment, shape::m, shape::n, shape::pitch,
      shape::plane, shape::q, shape::side, shape::square, shape::threads, shape::tile_zones, shape::tiles;
  enum table { values, slopes, energies, values_back, slopes_back, energies_back };

  struct pair {
    double at[2];
  };

  const force_arguments<Index>& a;
  const force_group<most_zones, threads>& group;
  const force_data<Zone, Index>& data;
  double* planes;        // of the block's zones
  const double2* nodes;  // value and slope of function i at point k at [k + q i]
  const double *energy_table, *weights;
  const double* products;  // tables of products, a pair a lane
  const hydro::gas_rules& rules;

  __device__ static int lane() { return int(threadIdx.x) % 32; }
  __device__ static int row() { return lane() / 4 % side; }
  __device__ static int column() { return 2 * (lane() % 4) % side; }
  __device__ static int zone_of_tile() { return lane() / 4 / side * across + 2 * (lane() % 4) / side; }
  __device__ double* of_plane(int zone, int p) const { return planes + (zone * q + p) * plane; }

  // The tables of products.
  template <class Tables>
  __device__ static void write_products(const Tables& node_table, const double* energy_table, double* to) {
    for (int i = int(threadIdx.x); i < plane_sizes::fragments * fragment; i += threads) {
      const int which = i / fragment, l = i % fragment / 2, r = l / 4, c = 2 * (l % 4) + i % 2;
      double entry = 0;
      if (r / side == c / side) {
        const bool back = which >= values_back;
        const int point = (back ? c : r) % side, function = (back ? r : c) % side;
        if (which % 3 == energies) {
          if (point < q && function < m) entry = energy_table[point + q * function];
        } else if (point < q && function < n) {
          const double2 both = node_table[point + q * function];
          entry = which % 3 == values ? both.x : both.y;
        }
      }
      to[i] = entry;
    }
  }
  __device__ pair product_table(table which) const {
    const double2 both = reinterpret_cast<const double2*>(products)[32 * which + lane()];
    return {{both.x, both.y}};
  }
  // += W M^T, which is transposed.
  __device__ static void add_product(pair& to, const pair& W, const pair& M) {
    tensor_core::multiply(to.at, W.at[0], M.at[0]);
    tensor_core::multiply(to.at, W.at[1], M.at[1]);
  }
  __device__ static pair product(const pair& W, const pair& M) {
    pair made{{0, 0}};
    add_product(made, W, M);
    return made;
  }
  // W M^T and V M^T.
  __device__ static void products_of(const pair& W, const pair& V, const pair& M, pair& of_W, pair& of_V) {
    of_W = of_V = {{0, 0}};
    for (int s = 0; s < 2; ++s) tensor_core::multiply_both(of_W.at, of_V.at, W.at[s], V.at[s], M.at[s]);
  }

  // Two numbers of a square in shared memory; 0 beyond it, and of a zone without work, whose memory may have anything.
  __device__ static pair taken(bool has_work, const double* from, int size, int line) {
    if (!has_work || row() >= size || column() >= size) return {{0, 0}};
    const double2 both = *reinterpret_cast<const double2*>(from + row() * line + column());
    return {{both.x, column() + 1 < size ? both.y : 0}};
  }
  __device__ static void put(const pair& what, double* to, int size, int line) {
    if (row() < size && column() < size)
      *reinterpret_cast<double2*>(to + row() * line + column()) = {what.at[0], what.at[1]};
  }

  // Along z, for all planes of points.
  __device__ void to_planes() const {
    group.each(components, n * n, [&](int zone, int c, int i) {
      double u[n];
      for (int l = 0; l < n; ++l) u[l] = data.node(data.number(zone, i + n * n * l), c / 3, c % 3);
      double* const to = of_plane(zone, 0) + 2 * c * square + i / n * pitch + i % n;
      for (int p = 0; p < q; ++p) {
        double value = 0, slope = 0;
        for (int l = 0; l < n; ++l) {
          const double2 by = nodes[p + q * l];
          value += by.x * u[l];
          slope += by.y * u[l];
        }
        to[p * plane] = value;
        to[p * plane + square] = slope;
      }
    });
    group.each(m * m, [&](int zone, int i) {
      double e[m];
      for (int l = 0; l < m; ++l) e[l] = data.energy(zone, i + m * m * l);
      double* const to = of_plane(zone, 0) + 2 * components * square + i / m * energy_pitch + i % m;
      for (int p = 0; p < q; ++p) {
        double value = 0;
        for (int l = 0; l < m; ++l) value += energy_table[p + q * l] * e[l];
        to[p * plane] = value;
      }
    });
  }

  // At the lane's two points of the plane: the derivatives of component c.
  __device__ void derivatives(bool has_work, const double* from, int c, pair (&of)[3]) const {
    const pair value = product_table(values), slope = product_table(slopes);
    const pair u = taken(has_work, from + 2 * c * square, n, pitch),
               z = taken(has_work, from + (2 * c + 1) * square, n, pitch);
    pair by_value, by_slope;
    products_of(value, slope, u, by_value, by_slope);
    of[0] = product(value, by_slope);
    of[1] = product(slope, by_value);
    of[2] = product(value, product(value, z));
  }

  __device__ void plane_of(int tile, int p) const {
    const int zone = tile * tile_zones + zone_of_tile();
    const bool has_work = zone < group.active;
    double* const mine = of_plane(zone, p);
    if (has_work && row() < q && column() < q) data.prefetch_point(zone, column() + q * (row() + q * p));
    pair J[9], dv[9];
    for (int c = 0; c < 3; ++c) {
      pair of[3];
      derivatives(has_work, mine, c, of);
      for (int g = 0; g < 3; ++g) J[3 * c + g] = of[g];
      derivatives(has_work, mine, 3 + c, of);
      for (int g = 0; g < 3; ++g) dv[3 * c + g] = of[g];
    }
    pair e{};
    {
      const pair by = product_table(energies);
      e = product(by, product(by, taken(has_work, mine + 2 * components * square, m, energy_pitch)));
    }
    pair stress[9], given{{0, 0}};
    for (pair& each : stress) each = {{0, 0}};
    double rate = 0;
#pragma unroll
    for (int s = 0; s < 2; ++s) {
      const int x = column() + s, y = row();
      if (x >= q || y >= q || !has_work) continue;
      hydro::gas_at_point<3, double> is;
      data.set_point(zone, x + q * (y + q * p), is);
      for (int c = 0; c < 3; ++c)
        for (int g = 0; g < 3; ++g) {
          is.jacobian[c][g] = J[3 * c + g].at[s];
          is.velocity_gradient[c][g] = dv[3 * c + g].at[s];
        }
      is.energy = e.at[s];
      is.weight = weights[x] * weights[y] * weights[p];
      const auto force = hydro::force_of<3, double>(is, rules);
      rate = fmax(rate, force.rate);
      double sum = 0;
      for (int c = 0; c < 3; ++c)
        for (int g = 0; g < 3; ++g) {
          stress[3 * c + g].at[s] = force.stress[c][g];
          sum += force.stress[c][g] * is.velocity_gradient[c][g];
        }
      if (power && velocities == 1) given.at[s] = sum;
    }
    limit(zone, rate);
    if constexpr (power && velocities == 2)
      for (int c = 0; c < 3; ++c) {
        pair of[3];
        derivatives(has_work, mine, 6 + c, of);
        for (int g = 0; g < 3; ++g)
          for (int s = 0; s < 2; ++s) given.at[s] += stress[3 * c + g].at[s] * of[g].at[s];
      }
    __syncwarp();  // sums come in the place of what all lanes have taken
    if constexpr (forces) {
      const pair value = product_table(values_back), slope = product_table(slopes_back);
      for (int c = 0; c < 3; ++c) {
        const pair x = product(slope, stress[3 * c]), y = product(value, stress[3 * c + 1]),
                   z = product(value, stress[3 * c + 2]);
        pair in_plane = product(value, x);
        add_product(in_plane, slope, y);
        put(in_plane, mine + 2 * c * square, n, pitch);
        put(product(value, z), mine + (2 * c + 1) * square, n, pitch);
      }
    }
    if constexpr (power) {
      const pair by = product_table(energies_back);
      put(product(by, product(by, given)), mine + 2 * components * square, m, energy_pitch);
    }
  }

  // The highest rate of the lanes that have the zone.
  __device__ void limit(int zone, double rate) const {
    for (const int step : {1, 4, 8}) rate = fmax(rate, __shfl_xor_sync(~0u, rate, step));
    if (across == 1)
      for (const int step : {2, 16}) rate = fmax(rate, __shfl_xor_sync(~0u, rate, step));
    if (row() == 0 && column() == 0 && zone < group.active) data.limit(zone, 0, rate);
  }

  // Sums over all planes.
  __device__ void from_planes() const {
    if constexpr (forces)
      group.each(3, n * n, [&](int zone, int c, int i) {
        const double* const from = of_plane(zone, 0) + 2 * c * square + i / n * pitch + i % n;
        double sum[n];
        for (double& each : sum) each = 0;
        for (int p = 0; p < q; ++p) {
          const double in_plane = from[p * plane], along = from[p * plane + square];
          for (int l = 0; l < n; ++l) {
            const double2 by = nodes[p + q * l];
            sum[l] += by.x * in_plane + by.y * along;
          }
        }
        for (int l = 0; l < n; ++l) data.give_force(zone, c, i + n * n * l, sum[l]);
      });
    if constexpr (power)
      group.each(m * m, [&](int zone, int i) {
        const double* const from = of_plane(zone, 0) + 2 * components * square + i / m * energy_pitch + i % m;
        double sum[m];
        for (double& each : sum) each = 0;
        for (int p = 0; p < q; ++p)
          for (int l = 0; l < m; ++l) sum[l] += energy_table[p + q * l] * from[p * plane];
        for (int l = 0; l < m; ++l) data.give_power(zone, i + m * m * l, sum[l]);
      });
    data.give_limit();
  }

  __device__ void run() const {
    to_planes();
    group.sync();
    for (int task = int(threadIdx.x) / 32; task < tiles * q; task += warps) plane_of(task / q, task % q);
    group.sync();
    from_planes();
  }
};

/// forces ... velocities: a force_task.
template <class Zone, class Index, bool forces, bool power, int velocities, int zones, int warps, int blocks>
__global__ void __launch_bounds__(32 * warps, blocks)
    corner_forces_by_planes(const __grid_constant__ force_arguments<Index> a) {
  using program = plane_program<Zone, Index, forces, power, velocities, zones, warps>;
  constexpr int n = program::n, m = program::m, q = program::q, threads = 32 * warps;
  extern __shared__ __align__(16) unsigned char shared[];
  wait_for_earlier_kernels();
  double* const planes = reinterpret_cast<double*>(shared);
  double* const nodes = planes + zones * q * program::plane;
  double* const energies = nodes + 2 * q * n;
  double* const weights = energies + plane_sizes::even(q * m);
  double* const products = weights + q + q % 2;
  auto* const highest =
      reinterpret_cast<unsigned long long*>(products + plane_sizes::fragments * plane_sizes::fragment);
  const auto bring = [&](const double* from, double* to, int count) {
    for (int i = int(threadIdx.x); i < count; i += threads) to[i] = from[i];
  };
  bring(a.nodes, nodes, 2 * q * n);
  bring(a.energy_values, energies, q * m);
  bring(a.weights, weights, q);
  for (int i = int(threadIdx.x); i < zones; i += threads) highest[i] = 0;
  program::write_products(reinterpret_cast<const double2*>(a.nodes), a.energy_values, products);
  __syncthreads();

  const index_t first = zones * (index_t(blockIdx.x) + index_t(gridDim.x) * blockIdx.y);
  if (first >= a.zones) return;
  const int active = a.zones - first < zones ? int(a.zones - first) : zones;
  const force_group<zones, threads> group{active};
  const force_data<Zone, Index> data{a, first, active, highest, n * n * n, m * m * m, q * q * q};
  program{{}, a, group, data, planes, reinterpret_cast<const double2*>(nodes), energies, weights, products, a.rules}
      .run();
}

}  // namespace tessera::device
