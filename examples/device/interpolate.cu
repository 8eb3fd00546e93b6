// SPDX-License-Identifier: BSD-3-Clause
// A user's kernel with contractions inside: nodal values of many elements to quadrature points, all three axes in one
// launch. The same kernel with plain loops is run for comparison: both are checked, timed and printed.
//
//   device_interpolate [MB]     data moved by a run, default 64
#include <tessera/gpu/device.cuh>
#include <tessera/tessera.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

using namespace tessera;

// snippet kernel
template <index_t... N>
using layout_of = column_major<extents<N...>>;

/// y = (B x B x B) x in every element. A group of threads takes an element; `Groups` of them make a block.
template <int D, int Q, class Group, int Groups>
__global__ void interpolate(tensor_view<const double, gpu, layout_of<Q, D>> table,
                            batch_view<const double, gpu, layout_of<D, D, D>> x,
                            batch_view<double, gpu, layout_of<Q, Q, Q>> y) {
  __shared__ alignas(16) double b[Q * D], one[Groups][Q * Q * D], two[Groups][Q * D * D];
  const device::block<Group::size() * Groups> everyone;
  const device::view B(b, of_size<Q, D>());
  device::load(everyone, table, B);
  everyone.sync();

  const Group group;
  const index_t e = index_t(blockIdx.x) * Groups + group.index();
  if (e >= x.count()) return;
  const device::view u(one[group.index()], of_size<D, D, D>());
  const device::view v(two[group.index()], of_size<Q, D, D>());
  const device::view w(one[group.index()], of_size<Q, Q, D>());  // where u was
  device::load(group, x(e), u);
  group.sync();
  device::contract<"kj,jbc->kbc">(group, B, u, v);
  group.sync();
  device::contract<"kj,ajc->akc">(group, B, v, w);
  group.sync();
  device::contract<"kj,abj->abk">(group, B, w, y(e));
}
// end snippet

/// The same by hand: one loop per entry of the result.
template <int D, int Q, class Group, int Groups>
__global__ void interpolate_plainly(const double* table, const double* x, double* y, int elements) {
  __shared__ alignas(16) double b[Q * D], one[Groups][Q * Q * D], two[Groups][Q * D * D];
  for (int i = int(threadIdx.x); i < Q * D; i += Group::size() * Groups) b[i] = table[i];
  __syncthreads();

  const Group group;
  const int e = int(blockIdx.x) * Groups + group.index();
  if (e >= elements) return;
  double *const u = one[group.index()], *const v = two[group.index()];
  for (int i = group.rank(); i < D * D * D; i += Group::size()) u[i] = x[index_t(e) * (D * D * D) + i];
  group.sync();
  for (int i = group.rank(); i < Q * D * D; i += Group::size()) {
    const int k = i % Q, bc = i / Q;
    double sum = 0;
    for (int j = 0; j < D; ++j) sum += b[k + Q * j] * u[j + D * bc];
    v[i] = sum;
  }
  group.sync();
  for (int i = group.rank(); i < Q * Q * D; i += Group::size()) {
    const int a = i % Q, k = i / Q % Q, c = i / (Q * Q);
    double sum = 0;
    for (int j = 0; j < D; ++j) sum += b[k + Q * j] * v[a + Q * (j + D * c)];
    u[i] = sum;
  }
  group.sync();
  for (int i = group.rank(); i < Q * Q * Q; i += Group::size()) {
    const int ab = i % (Q * Q), k = i / (Q * Q);
    double sum = 0;
    for (int j = 0; j < D; ++j) sum += b[k + Q * j] * u[ab + Q * Q * j];
    y[index_t(e) * (Q * Q * Q) + i] = sum;
  }
}

void checked(cudaError_t code) {
  if (code != cudaSuccess) throw error(cudaGetErrorString(code), status::launch_failure);
}

/// Median seconds of a launch.
template <class Launch>
double seconds(Launch launch) {
  constexpr int runs = 21;
  cudaEvent_t start, end;
  checked(cudaEventCreate(&start));
  checked(cudaEventCreate(&end));
  launch();
  std::vector<float> milliseconds(runs);
  for (float& time : milliseconds) {
    checked(cudaEventRecord(start));
    launch();
    checked(cudaGetLastError());
    checked(cudaEventRecord(end));
    checked(cudaEventSynchronize(end));
    checked(cudaEventElapsedTime(&time, start, end));
  }
  checked(cudaEventDestroy(start));
  checked(cudaEventDestroy(end));
  std::nth_element(milliseconds.begin(), milliseconds.begin() + runs / 2, milliseconds.end());
  return 1e-3 * milliseconds[runs / 2];
}

/// Small integers, of which sums and products are exact.
template <class Entries>
void fill(Entries& entries) {
  unsigned state = 1;
  for (double& value : entries) {
    state = state * 1664525u + 1013904223u;
    value = double(int(state >> 16) % 9 - 4);
  }
}

/// The number of entries that differ from the library's plans on the CPU, `y` being the results of the last elements.
template <int D, int Q, class Table, class In, class Out>
int wrong_entries(const Table& table, const In& x, const Out& y) {
  const index_t count = y.count();
  auto v = make_batch<double>(of_size<Q, D, D>(), count);
  auto w = make_batch<double>(of_size<Q, Q, D>(), count);
  auto wanted = make_batch<double>(of_size<Q, Q, Q>(), count);
  const auto last = view_batch(x.data() + (x.count() - count) * D * D * D, of_size<D, D, D>(), count);
  make_plan(contraction("kj,jbc->kbc"), table, last, v).run(table, last, v);
  make_plan(contraction("kj,ajc->akc"), table, v, w).run(table, v, w);
  make_plan(contraction("kj,abj->abk"), table, w, wanted).run(table, w, wanted);
  int wrong = 0;
  for (index_t i = 0; i < y.storage(); ++i) wrong += y.data()[i] != wanted.data()[i];
  return wrong;
}

/// Order P with one point more than nodes, an element by a group. Either kernel may be better with smaller or larger
/// groups, so every order runs with two kinds.
template <int P, class Group, int Groups>
int run(double megabytes) {
  constexpr int D = P + 1, Q = P + 2;
  const index_t bytes = index_t(sizeof(double)) * (D * D * D + Q * Q * Q);
  const index_t elements = std::max<index_t>(index_t(megabytes * 1e6) / bytes, 100);
  auto table = make_tensor<double>(of_size<Q, D>());
  auto x = make_batch<double>(of_size<D, D, D>(), elements);
  fill(table);
  fill(x);
  auto device_table = make_tensor<double>(gpu, of_size<Q, D>());
  auto device_x = make_batch<double>(gpu, of_size<D, D, D>(), elements);
  auto device_y = make_batch<double>(gpu, of_size<Q, Q, Q>(), elements);
  copy(table, device_table);
  copy(x, device_x);

  const unsigned blocks = unsigned((elements + Groups - 1) / Groups);
  constexpr int threads = Group::size() * Groups;
  const auto check = [&] {
    auto y = make_batch<double>(of_size<Q, Q, Q>(), std::min<index_t>(elements, 1000));
    const double* const last = device_y.view().data() + (elements - y.count()) * Q * Q * Q;
    copy(view_batch(gpu, last, of_size<Q, Q, Q>(), y.count()), y);
    return wrong_entries<D, Q>(table, x, y);
  };
  const double plain = seconds([&] {
    interpolate_plainly<D, Q, Group, Groups><<<blocks, threads>>>(device_table.view().data(), device_x.view().data(),
                                                                  device_y.view().data(), int(elements));
  });
  int wrong = check();
  checked(cudaMemset(device_y.view().data(), 0xff, std::size_t(elements) * sizeof(double) * Q * Q * Q));
  const double contracted = seconds([&] {
    interpolate<D, Q, Group, Groups>
        <<<blocks, threads>>>(std::as_const(device_table).view(), std::as_const(device_x).view(), device_y.view());
  });
  wrong += check();
  std::printf("%5d %9lld  %3d x %-4d %12.0f %12.0f %9.2f  %s\n", P, elements, Groups, Group::size(),
              1e-9 * double(elements * bytes) / plain, 1e-9 * double(elements * bytes) / contracted, plain / contracted,
              wrong == 0 ? "right" : "WRONG");
  return wrong;
}

}  // namespace

int main(int count, char** arguments) try {
  const double megabytes = count > 1 ? std::atof(arguments[1]) : 64;
  std::printf("order  elements  groups     plain GB/s  tessera GB/s   speed-up\n");
  int wrong = run<1, device::lanes<4>, 32>(megabytes) + run<1, device::lanes<8>, 16>(megabytes);
  wrong += run<2, device::lanes<8>, 16>(megabytes) + run<2, device::lanes<16>, 8>(megabytes);
  wrong += run<3, device::lanes<16>, 8>(megabytes) + run<3, device::warp, 4>(megabytes);
  wrong += run<4, device::warp, 4>(megabytes) + run<4, device::block<64>, 1>(megabytes);
  wrong += run<5, device::block<64>, 1>(megabytes) + run<5, device::block<128>, 1>(megabytes);
  wrong += run<6, device::block<64>, 1>(megabytes) + run<6, device::block<128>, 1>(megabytes);
  wrong += run<7, device::block<96>, 1>(megabytes) + run<7, device::block<192>, 1>(megabytes);
  wrong += run<8, device::block<128>, 1>(megabytes) + run<8, device::block<256>, 1>(megabytes);
  return wrong == 0 ? 0 : 1;
} catch (const tessera::error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return e.code() == tessera::status::no_device ? 4 : 1;
}
