// SPDX-License-Identifier: BSD-3-Clause
// Eigen with fixed sizes: squares 1..16, no transposes.
#include "peers/eigen_kernels.hpp"

#include <Eigen/Core>
#include <complex>
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
  const auto of = [&]<class T, int... I>(T, std::integer_sequence<int, I...> sizes) -> eigen_kernel {
    if (n > int(sizeof...(I))) return nullptr;
    return accumulate ? kernel_for<T, true>(n, sizes) : kernel_for<T, false>(n, sizes);
  };
  constexpr std::make_integer_sequence<int, eigen_largest> sizes;
  constexpr std::make_integer_sequence<int, eigen_largest_complex> complex_sizes;
  switch (type) {
    case scalar_type::f32: return of(float(), sizes);
    case scalar_type::f64: return of(double(), sizes);
    case scalar_type::c32: return of(std::complex<float>(), complex_sizes);
    case scalar_type::c64: return of(std::complex<double>(), complex_sizes);
    default: return nullptr;
  }
}

int eigen_version() { return 10000 * EIGEN_WORLD_VERSION + 100 * EIGEN_MAJOR_VERSION + EIGEN_MINOR_VERSION; }

}  // namespace tessera::bench
