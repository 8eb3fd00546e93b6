// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on a GPU beside those on the CPU: graphs, outcomes, sums over processes, preconditioners.
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

#include <cuda_runtime.h>

#include <cmath>
#include <limits>

#include <tessera/solver/chebyshev.hpp>
#include <tessera/solver/in_float.hpp>

#include "gpu/products.hpp"
#include "src/solver/systems.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

cudaStream_t as_cuda(stream_view on) { return static_cast<cudaStream_t>(on.handle()); }

// y = A x of chain_of_springs, whose numbers d (diagonal) and k (stiffness, n + 1 of them) are in device memory.
template <class T>
__global__ void apply_springs(index_t n, const T* d, const T* k, const T* x, T* y) {
  const index_t i = index_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = d[i] * x[i] - (i > 0 ? k[i] * x[i - 1] : T(0)) - (i + 1 < n ? k[i + 1] * x[i + 1] : T(0));
}
// y[0] = bad in call number `at`, counted in device memory: a graph calls no code of the host.
template <class T>
__global__ void spoil(int* calls, int at, T bad, T* y) {
  if (++*calls == at) y[0] = bad;
}
__global__ void multiply_sums(double* sums, int count, double by) {
  for (int k = 0; k < count; ++k) sums[k] *= by;
}

template <class T>
struct device_springs {
  chain_of_springs<T> on_host;
  device_entries<T> d, k;
  int calls = 0;  // of the host
  explicit device_springs(index_t n) : on_host{n}, d(on_host.diagonals()), k(stiffnesses(on_host)) {}
  static std::vector<T> stiffnesses(const chain_of_springs<T>& A) {
    std::vector<T> all;
    for (index_t i = 0; i <= A.n; ++i) all.push_back(A.stiffness(i));
    return all;
  }
  index_t size() const { return on_host.n; }
  void queue(const T* x, T* y, stream_view on) {
    ++calls;
    apply_springs<<<unsigned((size() + 127) / 128), 128, 0, as_cuda(on)>>>(size(), d.data(), k.data(), x, y);
    device::check_launch_here();
  }
  linear_operator<T> made() {
    return {size(), [this](const T* x, T* y, stream_view on) { queue(x, y, on); }, space_kind::gpu};
  }
  linear_operator<T> diagonal() { return jacobi(size(), static_cast<const T*>(d.data()), space_kind::gpu); }
};

}  // namespace
