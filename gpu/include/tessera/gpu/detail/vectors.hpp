// SPDX-License-Identifier: BSD-3-Clause
// Kernels over vectors for solvers, queued in a stream and fit for capture; the steps of conjugate gradients, whose
// numbers stay in device memory. Sums go by fixed blocks, in double: the same bits in every run.
#pragma once

#include <cstddef>

#include <tessera/core/types.hpp>
#include <tessera/detail/solver/cg_state.hpp>

namespace tessera::device {

/// y = s d x
template <class T>
void multiply(index_t n, double s, const T* d, const T* x, T* y, void* stream);
/// step = a before + b d (r - q), z += step. `before` may be `step` or z.
template <class T>
void chebyshev_step(index_t n, double a, double b, const T* d, const T* r, const T* q, const T* before, T* step, T* z,
                    void* stream);
/// to = from, rounded
template <class From, class To>
void convert(index_t n, const From* from, To* to, void* stream);
/// x = 0
void set_zero(void* x, std::size_t bytes, void* stream);

/// What iteration `number` reports.
struct cg_step {
  double norm = 0, alpha = 0, beta = 0;
  int number = 0;
  bool advance = false, stopped = false;
};
/// Of a system, in page-locked memory, written by kernels. Step k is steps[k % kept].
struct cg_report {
  static constexpr int kept = 16;
  tessera::detail::cg_state state;  // of the latest iteration: to be read when all are complete
  double first_norm = 0;
  cg_step steps[kept];
};

/// In device memory.
struct cg_control {
  tessera::detail::cg_state states[tessera::detail::most_systems];
  double sums[3 * tessera::detail::most_systems];  // of the latest stage, those of a system after those of another
  void* x;                                         // of this solve: graphs are the same for any x
  cg_report* reports;                              // one of each system
};

/// What an iteration decides on: p.Ap; r.r, and r.Mr where M is fused; r.Mr and q.Mr.
enum class cg_stage { start, curvature, residual, direction };
constexpr int sums_of(cg_stage stage) { return stage == cg_stage::start ? 3 : stage == cg_stage::curvature ? 1 : 2; }

/// Vectors of all systems, one after the other.
template <class T>
struct cg_vectors {
  index_t size;  // of a system
  int systems;
  T *p, *q, *r;
  T* z;        // M r, or r where M is fused
  const T* d;  // M, a diagonal, or null
  bool fused;  // M is d or the identity: the residual's stage has all sums
  double* partial;
  cg_control* control;
};

/// Numbers of `partial`, for each system.
index_t partial_sums(index_t n);

/// Numbers, the same for all systems, x and reports of a new solve.
template <class T>
void queue_reset(const cg_vectors<T>& v, const tessera::detail::cg_state& state, T* x, cg_report* reports,
                 void* stream);
/// The sums of a stage and, if `decide`, what they decide: else `queue_decision` does. The last decision of an
/// iteration is reported. `first`: of the start.
struct cg_sums {
  cg_stage stage;
  bool first = false, decide = true;
};
/// r = b - q, or r = b where q is null.
template <class T>
void queue_start(const cg_vectors<T>& v, const T* b, const T* q, bool decide, void* stream);
/// A later stage; that of the residual first updates r.
template <class T>
void queue_sums(const cg_vectors<T>& v, const cg_sums& what, void* stream);
template <class T>
void queue_decision(const cg_vectors<T>& v, const cg_sums& what, void* stream);
/// x += alpha p, p = M r + beta p; first: p = M r.
template <class T>
void queue_direction(const cg_vectors<T>& v, bool first, void* stream);

}  // namespace tessera::device
