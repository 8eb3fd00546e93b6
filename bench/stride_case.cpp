// SPDX-License-Identifier: BSD-3-Clause
// Runs loads and stores by strides.
#include "stride_case.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <tessera/error.hpp>

#include "gpu/strided_pass.hpp"
#include "measure/gpu/device.hpp"
#include "models/throughput.hpp"
#include "stride_index.hpp"

namespace tessera::bench {

namespace {

float initial_entry(unsigned i) { return float(i % 4096); }

void strided_loop(const float* from, float* to, unsigned n, unsigned stride, bool masked, int threads) {
  const float shift = float(stride);
  const int log_n = std::countr_zero(n), log_stride = std::countr_zero(stride);
  if (masked) {
    // In the order of threads of a GPU: all entries that are reached, then all of them again.
    for (unsigned repeat = 0; repeat < stride; ++repeat)
#pragma omp parallel for schedule(static) num_threads(threads)
      for (unsigned part = 0; part < n / stride; ++part) {
        const unsigned i = masked_index(part + repeat * (n / stride), log_stride, log_n);
        to[i] = from[i] + shift;
      }
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (unsigned t = 0; t < n; ++t) {
    const unsigned i = bijective_index(t, log_stride, log_n);
    to[i] = from[i] + shift;
  }
}

}  // namespace

stride_case::stride_case(space_kind space, unsigned entries, int threads)
    : space_(space),
      entries_(entries),
      threads_(threads),
      from_(space, sizeof(float) * std::size_t(entries)),
      to_(space, sizeof(float) * std::size_t(entries)) {
  if (!std::has_single_bit(entries)) throw error("stride: " + std::to_string(entries) + " entries, not a power of 2");
  std::vector<float> values(entries);
  for (unsigned i = 0; i < entries; ++i) values[i] = initial_entry(i);
  if (space == space_kind::gpu)
    device::upload(from_.data(), values.data(), sizeof(float) * values.size());
  else
    std::copy(values.begin(), values.end(), static_cast<float*>(from_.data()));
}

void stride_case::run(unsigned stride, bool masked) {
  if (!std::has_single_bit(stride) || stride > entries_)
    throw error("stride: " + std::to_string(stride) + " is not a power of 2 of at most " + std::to_string(entries_));
  const auto* const from = static_cast<const float*>(from_.data());
  auto* const to = static_cast<float*>(to_.data());
  if (space_ == space_kind::gpu)
    device::strided_pass({from, to, entries_}, stride, masked, float(stride));
  else
    strided_loop(from, to, entries_, stride, masked, threads_);
}

verdict stride_case::check(unsigned stride, bool masked) {
  const std::size_t bytes = sizeof(float) * std::size_t(entries_);
  std::vector<float> result(entries_, std::numeric_limits<float>::quiet_NaN());
  if (space_ == space_kind::gpu)
    device::fill_with_ones(to_.data(), bytes);
  else
    std::copy(result.begin(), result.end(), static_cast<float*>(to_.data()));
  run(stride, masked);
  if (space_ == space_kind::gpu)
    device::download(result.data(), to_.data(), bytes);
  else
    std::copy_n(static_cast<const float*>(to_.data()), result.size(), result.begin());
  double wrong = 0;
  for (unsigned i = 0; i < entries_; ++i) {
    const bool is_reached = !masked || i % stride == 0;
    wrong += is_reached ? result[i] != initial_entry(i) + float(stride) : !std::isnan(result[i]);
  }
  return {wrong, 0};
}

prediction stride_case::predicted(unsigned stride, bool masked, memory_model& memory) const {
  const double moved = useful_bytes() * models::stride_traffic(stride, sizeof(float), sector_bytes());
  const double reached =
      masked ? models::masked_footprint(useful_bytes(), stride, sizeof(float), sector_bytes()) : useful_bytes();
  return predict(memory.level_for(reached), 0, double(entries_), moved);
}

}  // namespace tessera::bench
