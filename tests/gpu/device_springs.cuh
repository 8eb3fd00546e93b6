// SPDX-License-Identifier: BSD-3-Clause
// The systems that solvers are tested with, on a GPU, and the comparison of vectors.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>

#include "gpu/products.hpp"
#include "src/solver/systems.hpp"
#include "testing/catch.hpp"

namespace tessera::testing {

inline cudaStream_t as_cuda(stream_view on) { return static_cast<cudaStream_t>(on.handle()); }

// y = A x of side_by_side, whose numbers d (diagonals) and k (stiffness, n + 1 of them) are in device memory. A system
// for each blockIdx.y.
template <class T>
__global__ void apply_springs(index_t n, const T* d, const T* k, const T* x, T* y) {
  const index_t i = index_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const index_t before = index_t(blockIdx.y) * n;
  d += before;
  x += before;
  y += before;
  y[i] = d[i] * x[i] - (i > 0 ? k[i] * x[i - 1] : T(0)) - (i + 1 < n ? k[i + 1] * x[i + 1] : T(0));
}
template <class T>
struct device_springs {
  side_by_side<T> on_host;
  device_entries<T> d, k;
  int calls = 0;  // of the host
  explicit device_springs(const side_by_side<T>& A)
      : on_host(A), d(on_host.diagonals()), k(stiffnesses(on_host.springs)) {}
  explicit device_springs(index_t n) : device_springs(side_by_side<T>{{n}, {T(0)}}) {}
  static std::vector<T> stiffnesses(const chain_of_springs<T>& A) {
    std::vector<T> all;
    for (index_t i = 0; i <= A.n; ++i) all.push_back(A.stiffness(i));
    return all;
  }
  index_t size() const { return on_host.size(); }
  void queue(const T* x, T* y, stream_view on) {
    ++calls;
    const index_t n = on_host.springs.n;
    const dim3 blocks(unsigned((n + 127) / 128), unsigned(on_host.systems()));
    apply_springs<<<blocks, 128, 0, as_cuda(on)>>>(n, d.data(), k.data(), x, y);
    REQUIRE(cudaGetLastError() == cudaSuccess);
  }
  linear_operator<T> made() {
    return {size(), [this](const T* x, T* y, stream_view on) { queue(x, y, on); }, space_kind::gpu};
  }
  linear_operator<T> diagonal() { return jacobi(size(), static_cast<const T*>(d.data()), space_kind::gpu); }
};

template <class T>
void check_alike(const std::vector<T>& found, const std::vector<T>& wanted, double relative) {
  REQUIRE(found.size() == wanted.size());
  double worst = 0, most = 0;
  for (const T value : wanted) most = std::max(most, std::abs(double(value)));
  for (std::size_t i = 0; i < found.size(); ++i)
    worst = std::max(worst, std::abs(double(found[i]) - double(wanted[i])));
  CHECK(worst <= relative * most);
}

// r / d by a function that the solver cannot fuse with its own kernels.
template <class T>
linear_operator<T> unfused(const linear_operator<T>& D) {
  return {D.size(), [D](const T* r, T* z, stream_view on) { D.apply(r, z, on); }, space_kind::gpu};
}

}  // namespace tessera::testing
