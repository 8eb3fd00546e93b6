// SPDX-License-Identifier: BSD-3-Clause
// Corner forces of the zones of a block, whose threads share the steps of each plane of points.
#pragma once

#include <tessera/detail/hydro/zone_program.hpp>
#include <tessera/gpu/detail/hydro/force_arguments.hpp>
#include <tessera/gpu/detail/stream_order.cuh>

namespace tessera::device {

/// The first `active` zones of the block have work.
template <int most_zones, int threads>
struct force_group {
  int active;

  template <class F>
  __device__ void each(int count, const F& f) const {
    for (int i = int(threadIdx.x); i < most_zones * count; i += threads)
      if (const int zone = i / count; zone < active) f(zone, i % count);
  }
  template <class F>
  __device__ void each(int first, int second, const F& f) const {
    each(first * second, [&](int zone, int i) { f(zone, i / second, i % second); });
  }
  template <class F>
  __device__ void each(int first, int second, int third, const F& f) const {
    each(first * second * third, [&](int zone, int i) { f(zone, i / third / second, i / third % second, i % third); });
  }
  __device__ void sync() const { __syncthreads(); }
};

struct force_memory {
  double* start;
  int zone_numbers;
  __device__ double* at(int zone) const { return start + zone * zone_numbers; }
};

template <class Zone, class Index>
struct force_data {
  static constexpr int dim = Zone::dim;
  const force_arguments<Index>& a;
  index_t first;  // zone of the block
  int active;
  unsigned long long* highest;  // rates of the zones as integers, which have the order of numbers that are not negative
  int nodes, energies, points;  // of a zone

  __device__ index_t number(int zone, int i) const { return index_t(a.numbers[i + nodes * (first + zone)]); }
  __device__ double node(index_t number, int f, int c) const { return a.fields[f][number + c * a.stride]; }
  __device__ double energy(int zone, int i) const { return a.energies[i + energies * (first + zone)]; }
  __device__ void set_point(int zone, int point, hydro::gas_at_point<dim, double>& is) const {
    const index_t at = point + points * (first + zone);
    is.mass = a.mass[at];
    is.gamma = a.gamma[first + zone];
    const double* const start = a.start_inverse + dim * dim * (a.start_inverse_of_zones ? first + zone : at);
    for (int c = 0; c < dim; ++c)
      for (int g = 0; g < dim; ++g) is.start_inverse[c][g] = start[c + dim * g];
  }
  // What set_point reads from memory is on its way.
  __device__ void prefetch_point(int zone, int point) const {
    const index_t at = point + points * (first + zone);
    asm volatile("prefetch.global.L1 [%0];" ::"l"(a.mass + at));
    if (!a.start_inverse_of_zones) asm volatile("prefetch.global.L1 [%0];" ::"l"(a.start_inverse + dim * dim * at));
  }
  __device__ void limit(int zone, int, double rate) const {
    atomicMax(highest + zone, static_cast<unsigned long long>(__double_as_longlong(rate)));
  }
  __device__ void give_force(int zone, int c, int i, double force) const {
    // Rounding of a gas at rest does not move it.
    a.forces[i + nodes * (c + dim * (first + zone))] = fabs(force) < hydro::smallest_force ? 0.0 : force;
  }
  __device__ void give_power(int zone, int i, double power) const { a.power[i + energies * (first + zone)] = power; }
  __device__ void give_limit() const {
    if (a.rates == nullptr || int(threadIdx.x) >= active) return;
    const double found = __longlong_as_double(static_cast<long long>(highest[threadIdx.x]));
    double& kept = a.rates[first + int(threadIdx.x)];
    if (!a.highest_rates || kept < found) kept = found;
  }
};

/// forces ... source: a force_task.
template <class Zone, class Index, bool forces, bool power, int velocities, bool source, int zones, int threads,
          int blocks>
__global__ void __launch_bounds__(threads, blocks) corner_forces(const __grid_constant__ force_arguments<Index> a) {
  constexpr tessera::detail::zone_layout<Zone> layout{
      .is = {}, .task = {.forces = forces, .power = power, .velocities = velocities, .source = source}};
  constexpr int zone_numbers = layout.size(), points = Zone::points(), nodes = Zone::nodes(),
                energies = Zone::energies();
  extern __shared__ __align__(16) unsigned char shared[];
  wait_for_earlier_kernels();
  double* const memory = reinterpret_cast<double*>(shared);
  double* const tables = memory + zones * zone_numbers;
  auto* const highest = reinterpret_cast<unsigned long long*>(tables + force_table_numbers(Zone{}));
  const auto brought = [&](const double* from, int place, int count) {
    for (int i = int(threadIdx.x); i < count; i += threads) tables[place + i] = from[i];
    return tables + place;
  };
  const tessera::detail::zone_tables at_points{brought(a.nodes, 0, 2 * points * nodes),
                                               brought(a.energy_values, 2 * points * nodes, points * energies),
                                               brought(a.weights, points * (2 * nodes + energies), points)};
  for (int i = int(threadIdx.x); i < zones; i += threads) highest[i] = 0;

  const index_t first = zones * (index_t(blockIdx.x) + index_t(gridDim.x) * blockIdx.y);
  if (first >= a.zones) return;
  const int active = a.zones - first < zones ? int(a.zones - first) : zones;
  const force_group<zones, threads> group{active};
  const force_data<Zone, Index> data{
      a, first, active, highest, layout.zone_nodes(), layout.zone_energies(), layout.zone_points()};
  tessera::detail::zone_program<Zone, double, const force_group<zones, threads>, force_memory,
                                const force_data<Zone, Index>>{
      layout, a.rules, at_points, group, {memory, zone_numbers}, data}
      .run();
}

/// The first zone of the highest rate. One block.
__global__ void __launch_bounds__(threads_of_highest)
    find_highest_rate(const __grid_constant__ highest_rate_arguments a) {
  __shared__ double rates[threads_of_highest];
  __shared__ index_t zones[threads_of_highest];
  wait_for_earlier_kernels();
  const int mine = int(threadIdx.x);
  double rate = -1;
  index_t zone = 0;
  for (index_t z = mine; z < a.zones; z += threads_of_highest)
    if (a.rates[z] > rate) {
      rate = a.rates[z];
      zone = z;
    }
  rates[mine] = rate;
  zones[mine] = zone;
  for (int half = threads_of_highest / 2; half > 0; half /= 2) {
    __syncthreads();
    if (mine >= half) continue;
    const double other = rates[mine + half];
    if (other > rates[mine] || (other == rates[mine] && zones[mine + half] < zones[mine])) {
      rates[mine] = other;
      zones[mine] = zones[mine + half];
    }
  }
  if (mine != 0) return;
  *a.rate = rates[0];
  *a.zone = zones[0];
}

}  // namespace tessera::device
