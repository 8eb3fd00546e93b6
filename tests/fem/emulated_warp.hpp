// SPDX-License-Identifier: BSD-3-Clause
// The lanes of a GPU's warp as threads of the host, and the products that they compute together.
#pragma once

#include <array>
#include <barrier>
#include <thread>
#include <vector>

namespace tessera::testing {

inline constexpr int warp_size = 32;

struct emulated_warp {
  std::barrier<> together{warp_size};
  std::array<double, warp_size> a{}, b{};
};

/// What a lane is, of which warp.
struct emulated_lane {
  emulated_warp* warp = nullptr;
  int number = 0;
};
inline thread_local emulated_lane this_lane;

/// As device::tensor_core.
struct emulated_products {
  static constexpr int square = 8;

  static void multiply(double (&c)[2], double a, double b) {
    constexpr int depth = 4;
    emulated_warp& warp = *this_lane.warp;
    const auto lane = std::size_t(this_lane.number), row = lane / depth, first = lane % depth * 2;
    warp.a[lane] = a;
    warp.b[lane] = b;
    warp.together.arrive_and_wait();
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t k = 0; k < depth; ++k) c[s] += warp.a[row * depth + k] * warp.b[(first + s) * depth + k];
    warp.together.arrive_and_wait();
  }
  static void multiply_both(double (&c)[2], double (&e)[2], double a_of_c, double a_of_e, double b) {
    multiply(c, a_of_c, b);
    multiply(e, a_of_e, b);
  }
};

/// body(lane) by all lanes at once.
template <class Body>
void run_warp(const Body& body) {
  emulated_warp warp;
  std::vector<std::jthread> lanes;
  for (int lane = 0; lane < warp_size; ++lane)
    lanes.emplace_back([&, lane] {
      this_lane = {&warp, lane};
      body(lane);
    });
}

}  // namespace tessera::testing
