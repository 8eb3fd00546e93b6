// SPDX-License-Identifier: BSD-3-Clause
// Eigen with fixed sizes: squares 1..16, no transposes.
#include "peers/eigen_kernels.hpp"

#include <Eigen/Core>
#include <utility>

#include "peers/over_batch.hpp"

namespace tessera::bench {

namespace {

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

template <class T, bool Accumulate, int... I>
eigen_kernel kernel_for(int n, std::integer_sequence<int, I...>) {
  static constexpr eigen_kernel kernels[] = {run<T, I + 1, Accumulate>...};
  return kernels[n - 1];
}

}  // namespace

eigen_kernel find_eigen_kernel(scalar_type type, int n, bool accumulate) {
  constexpr std::make_integer_sequence<int, eigen_largest> sizes;
  if (type == scalar_type::f64)
    return accumulate ? kernel_for<double, true>(n, sizes) : kernel_for<double, false>(n, sizes);
  return accumulate ? kernel_for<float, true>(n, sizes) : kernel_for<float, false>(n, sizes);
}

int eigen_version() { return 10000 * EIGEN_WORLD_VERSION + 100 * EIGEN_MAJOR_VERSION + EIGEN_MINOR_VERSION; }

}  // namespace tessera::bench
