// SPDX-License-Identifier: BSD-3-Clause
// Iterators of device tensors and batches in Thrust's algorithms, and Thrust's and the user's own memory in views.
#include "testing/catch.hpp"
#include "testing/gpu.hpp"

#include <vector>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <tessera/batch.hpp>
#include <tessera/gpu/contract.cuh>
#include <tessera/gpu/thrust.hpp>

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("gpu thrust: algorithms take iterators of tensors and batches", "[gpu]") {
  if (no_gpu()) return;
  auto t = make_tensor<double>(gpu, of_size<5, 3>());
  auto b = make_batch<double>(gpu, of_size<5, 3>(), 7);
  thrust::fill(t.begin(), t.end(), 9.0);
  thrust::fill(b.begin(), b.end(), 2.0);
  const auto& fixed = t;
  CHECK(thrust::reduce(fixed.begin(), fixed.end(), 0.0) == 9.0 * 15);
  thrust::transform(b.begin(), b.begin() + 15, t.begin(), t.begin(), thrust::plus<double>());
  std::vector<double> host(15);
  thrust::copy(t.begin(), t.end(), host.begin());
  CHECK(host == std::vector<double>(15, 11.0));
  thrust::copy(host.begin(), host.end(), b.begin() + 15);
  CHECK(thrust::reduce(b.begin(), b.end()) == 2.0 * 90 + 11.0 * 15);
}

TEST_CASE("gpu thrust: views over a device_vector", "[gpu]") {
  if (no_gpu()) return;
  thrust::device_vector<double> x(4 * 10, 1.0), y(4 * 10, 3.0), z(4 * 10, 0.0);
  const auto on = [](thrust::device_vector<double>& v) {
    return view_batch(gpu, thrust::raw_pointer_cast(v.data()), of_size<2, 2>(), 10);
  };
  contract<"ik,kj->ij">(on(x), on(y), on(z));
  CHECK(thrust::reduce(z.begin(), z.end()) == 6.0 * 40);
}
