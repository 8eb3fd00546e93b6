// SPDX-License-Identifier: BSD-3-Clause
// 1 GiB of operands if they are streamed; half of L2, at most 24 MiB, if they stay in cache.
#include "work/gpu_timing.hpp"

#include <algorithm>
#include <vector>

#include "measure/gpu/device.hpp"
#include "work/kernel_check.hpp"

namespace tessera::tune {

namespace {

constexpr std::size_t region = std::size_t{1} << 30;

template <class T>
void fill(void* device, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::vector<T> entries(piece);
  for (std::size_t i = 0; i < piece; ++i) entries[i] = T(value_at(i));
  for (std::size_t at = 0; at < bytes; at += piece * sizeof(T))
    bench::device::upload(static_cast<char*>(device) + at, entries.data(), std::min(piece * sizeof(T), bytes - at));
}

// Seconds of one pass, measured over at least `least` seconds after a warm-up pass.
template <class Pass>
double seconds_of_pass(const Pass& pass, double least) {
  long passes = 1;
  double seconds = bench::device::seconds(pass, passes);
  for (seconds = bench::device::seconds(pass, passes); seconds < least; seconds = bench::device::seconds(pass, passes))
    passes = std::max(passes + 1, long(1.2 * least / std::max(seconds, 1e-7) * double(passes)));
  return seconds / double(passes);
}

template <class T>
double seconds_of(const jit_kernel& kernel, const tuning_case& c, void* inputs, void* results, double least) {
  const index_t left = c.m * c.k, right = c.k * c.n, out = c.m * c.n;
  const bool share_left = is_shared(c.layouts.left), share_right = is_shared(c.layouts.right);
  const auto bytes = std::size_t((share_left ? 0 : left) + (share_right ? 0 : right) + out) * sizeof(T);
  const auto batch = std::max<index_t>(1, index_t(operand_bytes_on_gpu(c.in) / bytes));
  problem<T> p = problem_with<T>({c.m, c.n, c.k}, batch, c.layouts, T(1), T(0));
  p.left[0].data = static_cast<const T*>(inputs);
  // The right operand is aligned to a cache line.
  p.right[0].data = p.left[0].data + ((share_left ? 1 : batch) * left + 63) / 64 * 64;
  p.out.data = static_cast<T*>(results);
  const auto seconds_with = [&](int beta) {
    p.beta = T(beta);
    return seconds_of_pass([&] { kernel.run(p, {}); }, least) / double(batch);
  };
  const double assign = seconds_with(0);
  return of_both(c.layouts, assign, seconds_with(1));
}

template <class T>
double seconds_of(const jit_element_kernel& kernel, const tuning_case& c, void* inputs, void* results, double least) {
  const element_numbers each = numbers_of(*c.element);
  const auto elements = std::max<index_t>(1, index_t(region / sizeof(T)) / (each.entries + each.of_D));
  const T* const x = static_cast<const T*>(inputs);
  // D is aligned to a cache line.
  const T* const D = x + (elements * each.entries + 63) / 64 * 64;
  return seconds_of_pass([&] { kernel.run(x, static_cast<T*>(results), D, elements, {}); }, least) / double(elements);
}

template <class T>
double seconds_of(const jit_matrix_kernel& kernel, const tuning_case& c, void* inputs, void* results, double least) {
  const element_numbers each = numbers_of(*c.element);
  const auto elements = std::max<index_t>(1, index_t(region / sizeof(T)) / std::max(each.of_matrix, each.of_D));
  return seconds_of_pass([&] { kernel.run(static_cast<const T*>(inputs), static_cast<T*>(results), elements, {}); },
                         least) /
         double(elements);
}

}  // namespace

std::size_t operand_bytes_on_gpu(memory_regime in) {
  if (in == memory_regime::stream) return region;
  // Half of an H200's 50 MiB belong to the other half of the multiprocessors.
  const std::size_t l2 = bench::device::this_device().l2_bytes, most = std::size_t{24} << 20;
  return l2 == 0 ? most : std::min(most, l2 / 2);
}

gpu_timing_ground::gpu_timing_ground(scalar_type type)
    : type_(type), inputs_(space_kind::gpu, region + 4096), out_(space_kind::gpu, region) {
  if (type == scalar_type::f32)
    fill<float>(inputs_.data(), region);
  else
    fill<double>(inputs_.data(), region);
}

double gpu_timing_ground::sample(const jit_kernel& kernel, const tuning_case& c, double least) {
  if (type_ == scalar_type::f32) return seconds_of<float>(kernel, c, inputs_.data(), out_.data(), least);
  return seconds_of<double>(kernel, c, inputs_.data(), out_.data(), least);
}

double gpu_timing_ground::sample(const jit_element_kernel& kernel, const tuning_case& c, double least) {
  if (type_ == scalar_type::f32) return seconds_of<float>(kernel, c, inputs_.data(), out_.data(), least);
  return seconds_of<double>(kernel, c, inputs_.data(), out_.data(), least);
}

double gpu_timing_ground::sample(const jit_matrix_kernel& kernel, const tuning_case& c, double least) {
  if (type_ == scalar_type::f32) return seconds_of<float>(kernel, c, inputs_.data(), out_.data(), least);
  return seconds_of<double>(kernel, c, inputs_.data(), out_.data(), least);
}

}  // namespace tessera::tune
