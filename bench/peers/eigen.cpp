// SPDX-License-Identifier: BSD-3-Clause
// Eigen with fixed sizes: squares 1..16, no transposes.
#include <Eigen/Core>
#include <array>
#include <utility>

#include "peers/over_batch.hpp"

namespace tessera::bench {

namespace {

constexpr int largest = 16;

using runner = void (*)(const gemm_call&);

template <class T, int N, bool Accumulate>
void run(const gemm_call& call) {
  using matrix = Eigen::Matrix<T, N, N>;
  over_products<T>(call, [](const T* a, const T* b, T* c) {
    const Eigen::Map<const matrix> left(a), right(b);
    Eigen::Map<matrix> out(c);
    if constexpr (Accumulate)
      out.noalias() += left * right;
    else
      out.noalias() = left * right;
  });
}

template <class T, bool Accumulate>
constexpr auto runners = []<int... I>(std::integer_sequence<int, I...>) {
  return std::array<runner, largest>{run<T, I + 1, Accumulate>...};
}(std::make_integer_sequence<int, largest>{});

pass prepare(const gemm_call& call) {
  const bool square = call.m == call.n && call.n == call.k && call.m <= largest;
  if (!square || !call.is_packed() || call.trans_a || call.trans_b || (call.beta != 0 && call.beta != 1)) return {};
  const std::size_t i = std::size_t(call.m - 1);
  const bool accumulate = call.beta == 1;
  const runner one = call.type == scalar_type::f64 ? (accumulate ? runners<double, true>[i] : runners<double, false>[i])
                                                   : (accumulate ? runners<float, true>[i] : runners<float, false>[i]);
  return [one, call] { one(call); };
}

}  // namespace

std::vector<peer> eigen_peers() {
  const std::string version = std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                              std::to_string(EIGEN_MINOR_VERSION);
  return {{"eigen", "Eigen " + version, true, space_kind::cpu, prepare}};
}

}  // namespace tessera::bench
