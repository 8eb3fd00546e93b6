// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on a CPU. A vector is read and written in as few loops as the sums in between allow.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "cg_parts.hpp"
#include "vectors.hpp"

namespace tessera::detail {

template <class T>
class host_cg {
 public:
  host_cg(const linear_operator<T>& A, const linear_operator<T>& M, const conjugate_gradient_options& o)
      : A_(A),
        M_(M),
        o_(o),
        r_(A.space(), A.size()),
        p_(A.space(), A.size()),
        q_(A.space(), A.size()),
        z_(A.space(), M && !is_fused(M, o) ? A.size() : 0) {}

  solve_result solve(const T* b, T* x, bool from_zero) const {
    cg_state s = first_state(o_);
    T *const p = p_.data(), *const q = q_.data();
    if (from_zero)
      std::fill_n(x, n_, T(0));
    else
      A_.apply(x, q);
    start(b, from_zero ? nullptr : q, s);
    solve_result result = first_result(s);
    if (!s.stopped) first_direction(n_, fused_diagonal(), direction(), p);
    while (!s.stopped) {
      s.curvature(complete(std::array{apply_to_direction()})[0]);
      if (!s.advance) break;
      update(s);
      if (!s.advance) break;
      update_direction(n_, s.alpha, s.beta, !s.stopped, fused_diagonal(), direction(), p, x);
      add_iteration(o_, result, s.norm, s.alpha, s.beta);
    }
    if (s.outcome == solve_outcome::zero_right_hand_side) std::fill_n(x, n_, T(0));
    result.outcome = s.outcome;
    result.iterations = s.iteration;
    return result;
  }

 private:
  const T* fused_diagonal() const { return is_fused(M_, o_) && M_ ? M_.diagonal() : nullptr; }
  // M r, or r where M is fused.
  const T* direction() const { return M_ && !is_fused(M_, o_) ? z_.data() : r_.data(); }

  // q = A p. p.q
  double apply_to_direction() const {
    const T* const p = p_.data();
    T* const q = q_.data();
    double p_q = 0;
    if (A_.gives_dot()) {
      A_.apply_with_dot(p, q, &p_q);
    } else {
      A_.apply(p, q);
      p_q = dot(n_, p, static_cast<const T*>(q));
    }
    return p_q;
  }

  // Sums over all processes.
  template <std::size_t K>
  std::array<double, K> complete(std::array<double, K> sums) const {
    if (o_.sums.on_host) o_.sums.on_host(sums.data(), int(K));
    return sums;
  }

  // r = b - A x, and r.Mr.
  void start(const T* b, const T* Ax, cg_state& s) const {
    const auto [bb, rr, rz] = complete(start_residual(n_, b, Ax, fused_diagonal(), r_.data()));
    s.start(std::sqrt(bb), std::sqrt(rr));
    if (s.stopped) return;
    s.first_direction(is_fused(M_, o_) ? rz : direction_sums()[0]);
  }
  // r -= alpha q, and r.Mr.
  void update(cg_state& s) const {
    const T* const q = q_.data();
    const auto [rr, rz] = complete(update_residual(n_, s.alpha, q, fused_diagonal(), r_.data()));
    s.residual(std::sqrt(rr));
    if (s.stopped) return;
    if (is_fused(M_, o_)) return s.direction(rz, 0);
    const std::array<double, 2> sums = direction_sums();
    s.direction(sums[0], sums[1]);
  }
  // z = M r. {r.z, q.z}, the second if it is needed.
  std::array<double, 2> direction_sums() const {
    const T *const r = r_.data(), *const q = q_.data(), *const z = direction();
    if (M_) M_.apply(r, z_.data());
    if (o_.flexible) return complete(two_dots(n_, r, q, z));
    return {complete(std::array{dot(n_, r, z)})[0], 0};
  }

  linear_operator<T> A_, M_;
  conjugate_gradient_options o_;
  index_t n_ = A_.size();
  vector_memory<T> r_, p_, q_, z_;
};

}  // namespace tessera::detail
