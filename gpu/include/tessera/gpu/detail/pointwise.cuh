// SPDX-License-Identifier: BSD-3-Clause
// The pointwise kernel (the D step): out(r) = alpha left(r) right(r) + beta out(r) for every batch entry and loop step.
#pragma once

#include <tessera/gpu/detail/elements.cuh>
#include <tessera/gpu/detail/launch.cuh>

namespace tessera::device {

template <class T, class Left, class Right, class Out>
struct pointwise_arguments {
  Left left;
  Right right;
  Out out;
  T alpha, beta;
  index_t rows, loops, total;  // total: rows x loops x batch entries
  index_t batch;
  bool batch_first;  // adjacent lanes take adjacent batch entries (interleaved layouts)
};

inline constexpr int pointwise_threads = 256, pointwise_each = 4;

template <class T, class Left, class Right, class Out>
__global__ void __launch_bounds__(pointwise_threads)
    pointwise(const __grid_constant__ pointwise_arguments<T, Left, Right, Out> a) {
  constexpr int each = pointwise_each;
  const index_t first = (index_t(blockIdx.y) * gridDim.x + blockIdx.x) * (pointwise_threads * each) + threadIdx.x;
  using entry = typename Out::value_type;
  T value[each];
  entry* address[each];
#pragma unroll
  for (int u = 0; u < each; ++u) {
    const index_t e = first + u * pointwise_threads;
    address[u] = nullptr;
    if (e >= a.total) continue;
    const index_t x_extent = a.batch_first ? a.batch : a.rows;
    const bool small = a.total <= 0x7fffffff;  // 64-bit division is slow
    const auto quotient = [&](index_t p, index_t q) { return small ? index_t(unsigned(p) / unsigned(q)) : p / q; };
    const index_t q = x_extent == a.total ? 0 : quotient(e, x_extent), x = e - q * x_extent;
    const index_t y_extent = a.batch_first ? a.rows : a.loops;
    const index_t z = y_extent == 1 ? q : quotient(q, y_extent), y = q - z * y_extent;
    const index_t r = a.batch_first ? y : x, l = a.batch_first ? z : y, b = a.batch_first ? x : z;
    address[u] = a.out.address(a.out.start(b, l), r, 0);
    value[u] = a.alpha * (a.left.load(a.left.start(b, l), r, 0) * a.right.load(a.right.start(b, l), r, 0));
    if (a.beta != T(0)) value[u] += a.beta * converted<T>(*address[u]);
  }
#pragma unroll
  for (int u = 0; u < each; ++u)
    if (address[u]) *address[u] = converted<entry>(value[u]);
}

template <class T, class Left, class Right, class Out>
void launch_pointwise(const pointwise_arguments<T, Left, Right, Out>& a, const kernel_name& name, cudaStream_t stream) {
  const launch_shape shape = shape_for(a.total, pointwise_threads * pointwise_each, pointwise_threads, 0);
  void* arguments[] = {const_cast<pointwise_arguments<T, Left, Right, Out>*>(&a)};
  check_launch(name, shape,
               cudaLaunchKernel(reinterpret_cast<const void*>(&pointwise<T, Left, Right, Out>), dim3(shape.x, shape.y),
                                dim3(unsigned(shape.threads)), arguments, 0, stream));
}

}  // namespace tessera::device
