// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on a CPU. A vector is read and written in as few loops as the sums in between allow.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

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

  /// A result for each system.
  std::vector<solve_result> solve(const T* b, T* x, bool from_zero) const {
    cg_states states(std::size_t(o_.systems), first_state(o_));
    T* const q = q_.data();
    if (from_zero)
      std::fill_n(x, A_.size(), T(0));
    else
      A_.apply(x, q);
    start(b, from_zero ? nullptr : q, states);
    std::vector<solve_result> results;
    for (const cg_state& s : states) results.push_back(first_result(s));
    while (go_on(states)) {
      curvature(states);
      if (!go_on(states)) break;
      update(states);
      next_direction(states, x);
      add_iteration(o_, results, [&](std::size_t k) { return states[k].advance ? &states[k] : nullptr; });
    }
    for (std::size_t k = 0; k < states.size(); ++k) {
      const solve_outcome outcome = results[k].outcome = states[k].outcome;
      results[k].iterations = states[k].iteration;
      if (outcome == solve_outcome::zero_right_hand_side) std::fill_n(part(x, k), n_, T(0));
    }
    return results;
  }

 private:
  using cg_states = std::vector<cg_state>;
  template <std::size_t K>
  using sums_of_systems = std::array<std::array<double, K>, most_systems>;

  static bool go_on(const cg_states& states) {
    return std::any_of(states.begin(), states.end(), [](const cg_state& s) { return !s.stopped; });
  }
  // The numbers of system k; null stays null.
  template <class Number>
  Number* part(Number* all, std::size_t k) const {
    return all == nullptr ? nullptr : all + index_t(k) * n_;
  }
  const T* fused_diagonal() const { return is_fused(M_, o_) && M_ ? M_.diagonal() : nullptr; }
  // M r, or r where M is fused.
  const T* direction() const { return M_ && !is_fused(M_, o_) ? z_.data() : r_.data(); }

  // f(k) for each system that goes on: its sums, over all processes.
  template <std::size_t K, class F>
  sums_of_systems<K> sums(const cg_states& states, const F& f) const {
    sums_of_systems<K> all{};
    for (std::size_t k = 0; k < states.size(); ++k)
      if (!states[k].stopped) all[k] = f(k);
    if (o_.sums.on_host) o_.sums.on_host(all[0].data(), int(K * states.size()));
    return all;
  }

  // r = b - A x, r.Mr and p = M r.
  void start(const T* b, const T* Ax, cg_states& states) const {
    const T* const d = fused_diagonal();
    const auto first = sums<3>(states, [&](std::size_t k) {
      return start_residual(n_, part(b, k), part(Ax, k), part(d, k), part(r_.data(), k));
    });
    for (std::size_t k = 0; k < states.size(); ++k) states[k].start(std::sqrt(first[k][0]), std::sqrt(first[k][1]));
    if (!go_on(states)) return;
    const sums_of_systems<2> of_M = is_fused(M_, o_) ? sums_of_systems<2>{} : direction_sums(states);
    for (std::size_t k = 0; k < states.size(); ++k) {
      const double rz = is_fused(M_, o_) ? first[k][2] : of_M[k][0];
      states[k].first_direction(rz, std::sqrt(rz));
      if (!states[k].stopped) first_direction(n_, part(d, k), part(direction(), k), part(p_.data(), k));
    }
  }
  // q = A p, and p.q.
  void curvature(cg_states& states) const {
    const T* const p = p_.data();
    T* const q = q_.data();
    const bool with_dot = A_.gives_dot() && states.size() == 1;  // it is one x.y of all systems
    if (!with_dot) A_.apply(p, q);
    const auto p_q = sums<1>(states, [&](std::size_t k) {
      std::array<double, 1> sum{};
      if (with_dot)
        A_.apply_with_dot(p, q, sum.data());
      else
        sum[0] = dot(n_, part(p, k), static_cast<const T*>(part(q, k)));
      return sum;
    });
    for (std::size_t k = 0; k < states.size(); ++k) states[k].curvature(p_q[k][0]);
  }
  // r -= alpha q, and r.Mr.
  void update(cg_states& states) const {
    const auto of_r = sums<2>(states, [&](std::size_t k) {
      return update_residual(n_, states[k].alpha, static_cast<const T*>(part(q_.data(), k)), part(fused_diagonal(), k),
                             part(r_.data(), k));
    });
    for (std::size_t k = 0; k < states.size(); ++k) states[k].residual(std::sqrt(of_r[k][0]));
    if (!go_on(states)) return;
    const sums_of_systems<2> of_M = is_fused(M_, o_) ? sums_of_systems<2>{} : direction_sums(states);
    for (std::size_t k = 0; k < states.size(); ++k) {
      const double rz = is_fused(M_, o_) ? of_r[k][1] : of_M[k][0];
      states[k].direction(rz, std::sqrt(rz), of_M[k][1]);
    }
  }
  // z = M r. {r.z, q.z}, the second if it is needed.
  sums_of_systems<2> direction_sums(const cg_states& states) const {
    const T *const r = r_.data(), *const q = q_.data(), *const z = direction();
    if (M_) M_.apply(r, z_.data());
    if (o_.flexible)
      return sums<2>(states, [&](std::size_t k) { return two_dots(n_, part(r, k), part(q, k), part(z, k)); });
    const auto rz = sums<1>(states, [&](std::size_t k) { return std::array{dot(n_, part(r, k), part(z, k))}; });
    sums_of_systems<2> both{};
    for (std::size_t k = 0; k < states.size(); ++k) both[k][0] = rz[k][0];
    return both;
  }
  // x += alpha p, p = M r + beta p.
  void next_direction(const cg_states& states, T* x) const {
    for (std::size_t k = 0; k < states.size(); ++k) {
      const cg_state& s = states[k];
      if (s.advance)
        update_direction(n_, s.alpha, s.beta, !s.stopped, part(fused_diagonal(), k), part(direction(), k),
                         part(p_.data(), k), part(x, k));
    }
  }

  linear_operator<T> A_, M_;
  conjugate_gradient_options o_;
  index_t n_ = A_.size() / o_.systems;  // numbers of a system
  vector_memory<T> r_, p_, q_, z_;
};

}  // namespace tessera::detail
