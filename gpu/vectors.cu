// SPDX-License-Identifier: BSD-3-Clause
// Kernels over vectors, and the steps of conjugate gradients: one block a system adds the sums of all parts and
// decides.
#include <algorithm>

#include <tessera/gpu/detail/vectors.hpp>

#include "vector_loops.cuh"

namespace tessera::device {

namespace {

using tessera::detail::cg_state;

__device__ void report_start(const cg_state& s, cg_report& to) {
  to.state = s;
  to.first_norm = s.norm;
}
// Iterations after the last one report nothing.
__device__ void report_step(const cg_state& s, cg_report& to) {
  if (!s.active) return;
  to.steps[s.iteration % cg_report::kept] = {s.norm, s.alpha, s.beta, s.iteration, s.advance, s.stopped};
  to.state = s;
}

__device__ void decide_stage(cg_control& c, int system, cg_stage stage, bool first, bool fused) {
  cg_state& s = c.states[system];
  cg_report& report = c.reports[system];
  const double* const sums = c.sums + system * sums_of(stage);
  switch (stage) {
    case cg_stage::start:
      s.start(sqrt(sums[0]), sqrt(sums[1]));
      if (fused) s.first_direction(sums[2], sqrt(sums[2]));
      report_start(s, report);
      break;
    case cg_stage::curvature: s.curvature(sums[0]); break;
    case cg_stage::residual:
      s.residual(sqrt(sums[0]));
      if (!fused) break;
      s.direction(sums[1], sqrt(sums[1]), 0);
      report_step(s, report);
      break;
    case cg_stage::direction:
      if (first) {
        s.first_direction(sums[0], sqrt(sums[0]));
        report_start(s, report);
      } else {
        s.direction(sums[0], sqrt(sums[0]), sums[1]);
        report_step(s, report);
      }
      break;
  }
}

// A block for each system.
__global__ void __launch_bounds__(threads_of_total)
    add_parts(const double* partial, index_t parts, int count, cg_control* control, cg_sums what, bool fused) {
  __shared__ double of_warps[threads_of_total / 32];
  const int first = int(blockIdx.x) * count;
  for (int k = first; k < first + count; ++k) {
    const double sum = sum_of_parts(partial + k * parts, parts, of_warps);
    if (threadIdx.x == 0) control->sums[k] = sum;
  }
  if (threadIdx.x == 0 && what.decide) decide_stage(*control, int(blockIdx.x), what.stage, what.first, fused);
}
// A thread for each system.
__global__ void decide(cg_control* control, cg_sums what, bool fused) {
  decide_stage(*control, int(threadIdx.x), what.stage, what.first, fused);
}
__global__ void reset(cg_control* control, cg_state state, void* x, cg_report* reports) {
  control->states[threadIdx.x] = state;
  control->x = x;
  control->reports = reports;
}

template <int Sums, class T, class Body>
void queue_sums_of(const cg_vectors<T>& v, const Body& body, const cg_sums& what, void* stream) {
  constexpr const char* what_for = "sums of conjugate gradients";
  queue_sum_parts<Sums>(what_for, v.size, body, v.partial, stream, v.systems);
  add_parts<<<unsigned(v.systems), threads_of_total, 0, cuda_stream(stream)>>>(v.partial, parts_of(v.size), Sums,
                                                                               v.control, what, v.fused);
  check_queued(what_for);
}

// Of the system that the block works for.
__device__ const cg_state& own_state(const cg_control* control) { return control->states[blockIdx.y]; }

template <class T>
struct start_sums {
  const T *b, *q, *d;
  T* r;
  __device__ bool begin() { return true; }
  __device__ void operator()(index_t i, double (&sums)[3]) const {
    const T of_b = b[i], left = q == nullptr ? of_b : of_b - q[i];
    r[i] = left;
    sums[0] += double(of_b) * double(of_b);
    sums[1] += double(left) * double(left);
    sums[2] += double(left) * double(d == nullptr ? left : T(d[i] * left));
  }
};

template <class T>
struct curvature_sums {
  const T *p, *q;
  const cg_control* control;
  __device__ bool begin() { return !own_state(control).stopped; }
  __device__ void operator()(index_t i, double (&sums)[1]) const { sums[0] += double(p[i]) * double(q[i]); }
};

template <class T>
struct residual_sums {
  const T *q, *d;
  T* r;
  const cg_control* control;
  T alpha = 0;
  __device__ bool begin() {
    const cg_state& s = own_state(control);
    alpha = T(s.alpha);
    return s.advance;
  }
  __device__ void operator()(index_t i, double (&sums)[2]) const {
    const T left = r[i] - alpha * q[i];
    r[i] = left;
    sums[0] += double(left) * double(left);
    sums[1] += double(left) * double(d == nullptr ? left : T(d[i] * left));
  }
};

template <class T>
struct direction_sums {
  const T *r, *q, *z;
  const cg_control* control;
  bool with_q = false;
  __device__ bool begin() {
    const cg_state& s = own_state(control);
    with_q = s.flexible;
    return !s.stopped;
  }
  __device__ void operator()(index_t i, double (&sums)[2]) const {
    const T of_z = z[i];
    sums[0] += double(r[i]) * double(of_z);
    if (with_q) sums[1] += double(q[i]) * double(of_z);
  }
};

template <class T>
struct first_direction {
  const T *d, *z;
  T* p;
  const cg_control* control;
  __device__ bool begin() { return !own_state(control).stopped; }
  __device__ void operator()(index_t i) const { p[i] = d == nullptr ? z[i] : d[i] * z[i]; }
};

template <class T>
struct next_direction {
  const T *d, *z;
  T* p;
  const cg_control* control;
  T alpha = 0, beta = 0;
  bool is_last = false;
  T* x = nullptr;
  __device__ bool begin() {
    const cg_state& s = own_state(control);
    alpha = T(s.alpha);
    beta = T(s.beta);
    is_last = s.stopped;
    x = static_cast<T*>(control->x);
    return s.advance;
  }
  __device__ void operator()(index_t i) const {
    const T before = p[i];
    x[i] += alpha * before;
    if (!is_last) p[i] = (d == nullptr ? z[i] : d[i] * z[i]) + beta * before;
  }
};

template <class T>
struct scaled_product {
  T s;
  const T *d, *x;
  T* y;
  __device__ bool begin() { return true; }
  __device__ void operator()(index_t i) const { y[i] = s * (d[i] * x[i]); }
};

template <class T>
struct one_chebyshev_step {
  T a, b;
  const T *d, *r, *q, *before;
  T *step, *z;
  __device__ bool begin() { return true; }
  __device__ void operator()(index_t i) const {
    const T next = a * before[i] + b * (d[i] * (r[i] - q[i]));
    step[i] = next;
    z[i] += next;
  }
};

template <class From, class To>
struct conversion {
  const From* x;
  To* y;
  __device__ bool begin() { return true; }
  __device__ void operator()(index_t i) const { y[i] = To(x[i]); }
};

}  // namespace

template <class T>
void multiply(index_t n, double s, const T* d, const T* x, T* y, void* stream) {
  queue_for_numbers("a diagonal", n, scaled_product<T>{T(s), d, x, y}, stream);
}
template <class T>
void chebyshev_step(index_t n, double a, double b, const T* d, const T* r, const T* q, const T* before, T* step, T* z,
                    void* stream) {
  queue_for_numbers("a step of Chebyshev's", n, one_chebyshev_step<T>{T(a), T(b), d, r, q, before, step, z}, stream);
}
template <class From, class To>
void convert(index_t n, const From* x, To* y, void* stream) {
  queue_for_numbers("a conversion", n, conversion<From, To>{x, y}, stream);
}
void set_zero(void* x, std::size_t bytes, void* stream) {
  if (bytes > 0) check("set to zero", cudaMemsetAsync(x, 0, bytes, cuda_stream(stream)));
}

index_t partial_sums(index_t n) { return 3 * parts_of(n); }

template <class T>
void queue_reset(const cg_vectors<T>& v, const cg_state& state, T* x, cg_report* reports, void* stream) {
  reset<<<1, unsigned(v.systems), 0, cuda_stream(stream)>>>(v.control, state, x, reports);
  check_queued("conjugate gradients");
}
template <class T>
void queue_start(const cg_vectors<T>& v, const T* b, const T* q, bool decide, void* stream) {
  queue_sums_of<3>(v, start_sums<T>{b, q, v.d, v.r}, {.stage = cg_stage::start, .first = true, .decide = decide},
                   stream);
}
template <class T>
void queue_sums(const cg_vectors<T>& v, const cg_sums& what, void* stream) {
  if (what.stage == cg_stage::curvature)
    queue_sums_of<1>(v, curvature_sums<T>{v.p, v.q, v.control}, what, stream);
  else if (what.stage == cg_stage::residual)
    queue_sums_of<2>(v, residual_sums<T>{v.q, v.d, v.r, v.control}, what, stream);
  else
    queue_sums_of<2>(v, direction_sums<T>{v.r, v.q, v.z, v.control}, what, stream);
}
template <class T>
void queue_decision(const cg_vectors<T>& v, const cg_sums& what, void* stream) {
  decide<<<1, unsigned(v.systems), 0, cuda_stream(stream)>>>(v.control, what, v.fused);
  check_queued("conjugate gradients");
}
template <class T>
void queue_direction(const cg_vectors<T>& v, bool first, void* stream) {
  if (first)
    queue_for_numbers("a search direction", v.size, first_direction<T>{v.d, v.z, v.p, v.control}, stream, v.systems);
  else
    queue_for_numbers("a search direction", v.size, next_direction<T>{v.d, v.z, v.p, v.control}, stream, v.systems);
}

template void multiply(index_t, double, const float*, const float*, float*, void*);
template void chebyshev_step(index_t, double, double, const float*, const float*, const float*, const float*, float*,
                             float*, void*);
template void queue_reset(const cg_vectors<float>&, const cg_state&, float*, cg_report*, void*);
template void queue_start(const cg_vectors<float>&, const float*, const float*, bool, void*);
template void queue_sums(const cg_vectors<float>&, const cg_sums&, void*);
template void queue_decision(const cg_vectors<float>&, const cg_sums&, void*);
template void queue_direction(const cg_vectors<float>&, bool, void*);
template void multiply(index_t, double, const double*, const double*, double*, void*);
template void chebyshev_step(index_t, double, double, const double*, const double*, const double*, const double*,
                             double*, double*, void*);
template void queue_reset(const cg_vectors<double>&, const cg_state&, double*, cg_report*, void*);
template void queue_start(const cg_vectors<double>&, const double*, const double*, bool, void*);
template void queue_sums(const cg_vectors<double>&, const cg_sums&, void*);
template void queue_decision(const cg_vectors<double>&, const cg_sums&, void*);
template void queue_direction(const cg_vectors<double>&, bool, void*);
template void convert(index_t, const double*, float*, void*);
template void convert(index_t, const float*, double*, void*);

}  // namespace tessera::device
