// SPDX-License-Identifier: BSD-3-Clause
// Threads that compute point after point, without memory but for their last number.
#include <algorithm>

#include "gpu/point_function.hpp"
#include "gpu/point_loop.hpp"
#include "measure/gpu/checked.cuh"
#include "measure/gpu/device.hpp"
#include "measure/statistics.hpp"

namespace tessera::bench::device {

namespace {

constexpr int threads_of_block = 128;

// `blocks` of a multiprocessor at the same time: more of them have fewer registers each.
template <int dim, int blocks>
__global__ void __launch_bounds__(threads_of_block, blocks)
    compute_points(const hydro::gas_rules rules, int rounds, double* energies, int count) {
  const int thread = int(threadIdx.x + blockDim.x * blockIdx.x);
  hydro::gas_at_point<dim> at = first_point<dim>(int(threadIdx.x));
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) go_to_next_point<dim>(at, rules);
  if (thread < count) energies[thread] = at.energy;
}

template <int dim, int blocks>
double rate_of(const hydro::gas_rules& rules) {
  constexpr int rounds = 256, waves = 8, samples = 5;
  const int grid = this_device().multiprocessors * blocks * waves, count = grid * threads_of_block;
  const device_array energies(std::size_t(count) * sizeof(double));
  const auto launch = [&] {
    compute_points<dim, blocks><<<grid, threads_of_block>>>(rules, rounds, energies.as<double>(), count);
  };
  launch();
  checked(cudaGetLastError(), "launch the point function");
  std::vector<double> rates;
  for (int s = 0; s < samples; ++s) rates.push_back(double(count) * rounds / seconds(launch, 1));
  return median(rates);
}

template <int dim>
double best_rate_of(const hydro::gas_rules& rules) {
  return std::max({rate_of<dim, 3>(rules), rate_of<dim, 4>(rules), rate_of<dim, 5>(rules), rate_of<dim, 6>(rules)});
}

template <int dim>
void compute_energies(const hydro::gas_rules& rules, int rounds, double* energies, int count) {
  const int grid = (count + threads_of_block - 1) / threads_of_block;
  compute_points<dim, 3><<<grid, threads_of_block>>>(rules, rounds, energies, count);
  checked(cudaGetLastError(), "launch the point function");
}

}  // namespace

double point_function_rate(int dim, const hydro::gas_rules& rules) {
  return dim == 2 ? best_rate_of<2>(rules) : best_rate_of<3>(rules);
}

std::vector<double> point_function_energies(int dim, const hydro::gas_rules& rules, int rounds, int threads) {
  const device_array energies(std::size_t(threads) * sizeof(double));
  if (dim == 2)
    compute_energies<2>(rules, rounds, energies.as<double>(), threads);
  else
    compute_energies<3>(rules, rounds, energies.as<double>(), threads);
  std::vector<double> found(static_cast<std::size_t>(threads));
  download(found.data(), energies.as<double>(), found.size() * sizeof(double));
  return found;
}

}  // namespace tessera::bench::device
