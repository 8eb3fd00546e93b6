// SPDX-License-Identifier: BSD-3-Clause
// CUDA's words for a host compiler: included before headers of device code.
#pragma once

#include <bit>
#include <stdexcept>

#include "cluster.hpp"

#define __device__
#define __host__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __align__(bytes)
#define __launch_bounds__(...)
#define __cluster_dims__(...)

struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

inline void __syncthreads() { tessera::testing::emulated_cluster::of_caller().block_barrier(); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline unsigned __shfl_xor_sync(unsigned lanes, unsigned value, int distance) {
  struct exchanged {
    unsigned value, got;
    int distance;
  } mine{value, 0, distance};
  tessera::testing::emulated_cluster::check(lanes == 0xffffffffu, "a shuffle of some lanes");
  tessera::testing::emulated_cluster::of_caller().as_warp("a shuffle", mine, [](exchanged* const* all) {
    for (int lane = 0; lane < tessera::testing::emulated_cluster::warp_size; ++lane)
      all[lane]->got = all[lane ^ all[lane]->distance]->value;
  });
  return mine.got;
}
template <class T>
T __shfl_sync(unsigned lanes, T value, int from) {
  struct exchanged {
    T value, got;
    int from;
  } mine{value, T(), from};
  tessera::testing::emulated_cluster::check(lanes == 0xffffffffu, "a shuffle of some lanes");
  tessera::testing::emulated_cluster::of_caller().as_warp("a shuffle by number", mine, [](exchanged* const* all) {
    constexpr int size = tessera::testing::emulated_cluster::warp_size;
    for (int lane = 0; lane < size; ++lane) all[lane]->got = all[all[lane]->from % size]->value;
  });
  return mine.got;
}

namespace tessera::testing {
[[noreturn]] inline void runs_on_no_host() { throw std::logic_error("an instruction of a GPU"); }
}  // namespace tessera::testing

// Conversions in PTX are replaced below.
#define asm(...) tessera::testing::runs_on_no_host()
#include <tessera/gpu/detail/elements.cuh>
#undef asm

namespace tessera::device {

template <>
inline float converted<float, half>(const half& x) {
  return float(x);
}
template <>
inline double converted<double, half>(const half& x) {
  return double(float(x));
}
template <>
inline half converted<half, float>(const float& x) {
  return half(x);
}
template <>
inline half converted<half, double>(const double& x) {
  return half(float(x));
}

}  // namespace tessera::device
