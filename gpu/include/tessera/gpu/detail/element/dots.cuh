// SPDX-License-Identifier: BSD-3-Clause
// x.y of each element of an application: x.B^T D(B x) is the sum over points of B x times what the function gives
// there, and both are in registers when the function is called.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/element/at_point.hpp>

namespace tessera::device {

/// A function whose u and v are alike, and the sum of u.v over the points that a thread calls it for, in double.
template <class Function>
struct with_dots {
  static constexpr int dim = Function::dim, factors = Function::factors;
  static constexpr point_shape trial = Function::trial, test = Function::test;
  static_assert(trial.components == test.components && trial.value == test.value && trial.gradient == test.gradient);

  const Function& function;
  double& sum;

  template <class S>
  constexpr void operator()(const at_point<S, trial.components, dim>& u, const S (&D)[factors],
                            at_point<S, test.components, dim>& v) const {
    function(u, D, v);
#pragma unroll
    for (int c = 0; c < trial.components; ++c) {
      if constexpr (trial.value) sum += double(u.value[c]) * double(v.value[c]);
      if constexpr (trial.gradient) {
#pragma unroll
        for (int a = 0; a < dim; ++a) sum += double(u.gradient[c][a]) * double(v.gradient[c][a]);
      }
    }
  }
};

template <class Function>
inline constexpr bool sums_dots = false;
template <class Function>
inline constexpr bool sums_dots<with_dots<Function>> = true;

/// What a kernel is launched with.
template <class Function>
struct launched_with {
  using type = Function;
};
template <class Function>
struct launched_with<with_dots<Function>> {
  using type = Function;
};

/// The largest power of two that is at most n and a warp.
constexpr int lanes_of_sum(int n) {
  int lanes = 1;
  while (lanes < 32 && 2 * lanes <= n) lanes *= 2;
  return lanes;
}

/// Of kernels that sum nothing.
struct no_dots {
  static constexpr bool wanted = false;
};

/// a.dots of the block's elements, from what each thread has of one of them. Each element is summed by the same number
/// of lanes in the same order, wherever in the block it is: its sum has the same bits.
template <class Program>
struct dots_of_block {
  static constexpr bool wanted = true;
  static constexpr int each = Program::threads_of_element, elements = Program::elements_of_block;
  static constexpr int lanes = lanes_of_sum(each), at_once = Program::threads / lanes;
  static_assert(elements * each <= Program::threads && Program::threads % 32 == 0);
  /// Of shared memory, before the program's.
  static constexpr int bytes = dot_bytes(Program::threads);

  const typename Program::arguments& a;
  const double& own;
  double* shared;
  index_t block;

  /// After the phase that calls the function. A barrier follows.
  __device__ void put() const { shared[threadIdx.x] = own; }
  __device__ void sum() const {
    const int thread = int(threadIdx.x);
#pragma unroll 1
    for (int first = 0; first < elements; first += at_once) {
      const int e = first + thread / lanes;
      double sum = 0;
      if (e < elements)
        for (int i = thread % lanes; i < each; i += lanes) sum += shared[e * each + i];
#pragma unroll
      for (int step = lanes / 2; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step, lanes);
      const index_t at = block * elements + e;
      if (thread % lanes == 0 && e < elements && at < a.count) a.dots[a.first + at] = sum;
    }
  }
};

}  // namespace tessera::device
