// SPDX-License-Identifier: BSD-3-Clause
// Layers of gates over a matrix product state.
#include "evolution.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <tessera/error.hpp>

#include "timing.hpp"

namespace tessera::spin_chain {

namespace {

constexpr index_t pair_states = states * states;

// (a,s,b) as (b,s,a).
std::vector<double> mirrored(const std::vector<double>& site, index_t a, index_t b) {
  std::vector<double> turned(site.size());
  for (index_t j = 0; j < b; ++j)
    for (index_t s = 0; s < states; ++s)
      for (index_t i = 0; i < a; ++i)
        turned[std::size_t(j + b * (s + states * i))] = site[std::size_t(i + a * (s + states * j))];
  return turned;
}

// X(c,q) of each b, and Y(r,p).
operand batch_over_last_bond(const packed_tensor& pair) {
  return packed_operands(pair.where(), pair.data(), {pair.extents()[0], pair_states}, pair.extents()[3]);
}

}  // namespace

bool is_converged(const std::vector<evolution_block>& blocks, index_t full_bond, double tolerance) {
  if (blocks.size() < 3) return false;
  const evolution_block &last = blocks.back(), &before = blocks[blocks.size() - 3];
  return last.step == before.step && last.bond == full_bond && std::abs(last.energy - before.energy) < tolerance;
}

evolution::evolution(const dmrg_options& options, contractions& by)
    : options_(options),
      by_(by),
      operators_(options.where),
      gate_(options.where, {pair_states, pair_states}),
      next_(std::size_t(std::max<index_t>(options.sites, 0))) {
  if (options.sites < 2 || options.bond < 1)
    throw error("evolution: " + std::to_string(options.sites) + " sites, bonds of " + std::to_string(options.bond));
  for (index_t i = 0; i < options.sites; ++i)
    sites_.emplace_back(options.where, std::vector<index_t>{1, states, 1},
                        i % 2 == 0 ? std::vector<double>{1, 0} : std::vector<double>{0, 1});
}

evolution::pair_update& evolution::update_for(const packed_tensor& X, index_t rows, evolution_block& sum) {
  const index_t a = X.extents()[0], b = X.extents()[3];
  const auto found = updates_.find({rows, a, b});
  if (found != updates_.end()) return found->second;
  pair_update* made = nullptr;
  add_time(options_.where, sum.seconds.planning, [&] {
    packed_tensor M(options_.where, {rows, a});
    const packed_tensor Y(options_.where, {rows, states, states, b});
    const index_t full = options_.full_bond();
    const plan_options plans{.compile = rows == full && a == full};
    const std::vector<chain_step> steps{{contraction("qp,cq->cp"), {gate_.all()}},
                                        {contraction("rc,cp->rp"), {M.all()}}};
    chain both(steps, batch_over_last_bond(X), batch_over_last_bond(Y), plans);
    buffer workspace(options_.where, both.workspace_bytes(b));
    pair_update whole{std::move(M), std::move(both), std::move(workspace)};
    made = &updates_.emplace(shape{rows, a, b}, std::move(whole)).first->second;
  });
  return *made;
}

// Sites `first` and the next one, behind whose left neighbours the centre is: it goes to behind the pair.
void evolution::update_pair(index_t first, qr_result& centre, evolution_block& sum) {
  const packed_tensor &A = sites_[std::size_t(first)], &B = sites_[std::size_t(first + 1)];
  const index_t a = A.extents()[0], b = B.extents()[2], rows = centre.kept;
  packed_tensor X(options_.where, {a, states, states, b}), Y(options_.where, {rows, states, states, b});
  add_time(options_.where, sum.seconds.merge, [&] { by_.merge(A.all(), B.all(), X.all()); });
  pair_update& by = update_for(X, rows, sum);
  add_time(options_.where, sum.seconds.update, [&] {
    by.M.set(centre.R);
    by.both.run_operands(batch_over_last_bond(X), batch_over_last_bond(Y), by.workspace, {});
  });
  ++sum.updates;
  sum.flops += 2.0 * double(b * pair_states) * double(pair_states * a + rows * a);
  add_time(options_.where, sum.seconds.split, [&] {
    // Y = U S V^T, and S V^T = Q R: U and Q are the new sites, and R is what the next pair is multiplied by.
    svd_result parts = truncated_svd(Y.numbers(), rows * states, states * b, options_.bond);
    const index_t m = parts.kept;
    double square = 0;
    for (const double s : parts.values) square += s * s;
    for (index_t j = 0; j < states * b; ++j)
      for (index_t k = 0; k < m; ++k)
        parts.VT[std::size_t(k + j * m)] *= parts.values[std::size_t(k)] / std::sqrt(square);
    centre = orthogonal_factor(std::move(parts.VT), m * states, b);
    next_[std::size_t(first)] = packed_tensor(options_.where, {m, states, rows}, mirrored(parts.U, rows, m));
    next_[std::size_t(first + 1)] =
        packed_tensor(options_.where, {centre.kept, states, m}, mirrored(centre.Q, m, centre.kept));
    sum.truncation = std::max(sum.truncation, parts.discarded);
    sum.bond = std::max({sum.bond, m, centre.kept});
  });
}

// The centre goes into a last site that is in no pair, whose bond has at most two states.
void evolution::move_past_last(const qr_result& centre) {
  const packed_tensor& last = sites_.back();
  const index_t a = last.extents()[0], rows = centre.kept;
  const std::vector<double> site = last.numbers();
  std::vector<double> moved(std::size_t(rows * states), 0.0);
  for (index_t s = 0; s < states; ++s)
    for (index_t c = 0; c < a; ++c)
      for (index_t r = 0; r < rows; ++r)
        moved[std::size_t(r + rows * s)] += centre.R[std::size_t(r + rows * c)] * site[std::size_t(c + a * s)];
  double square = 0;
  for (const double x : moved) square += x * x;
  for (double& x : moved) x /= std::sqrt(square);
  next_.back() = packed_tensor(options_.where, {1, states, rows}, mirrored(moved, rows, 1));
}

// From the first site to the last one, all gates of a layer; then the chain is seen from its other end, so that the
// next layer comes back in the same way.
void evolution::layer(index_t parity, double time, evolution_block& sum) {
  gate_.set(pair_gate(time));
  const index_t n = options_.sites, first = mirrored_ ? (n - parity) % 2 : parity;
  qr_result centre{.Q = {}, .R = {1.0}, .kept = 1};
  if (first == 1) {  // the first site is in no pair: the centre goes from it to the next one
    const index_t b = sites_.front().extents()[2];
    centre = orthogonal_factor(sites_.front().numbers(), states, b);
    next_.front() = packed_tensor(options_.where, {centre.kept, states, 1}, mirrored(centre.Q, 1, centre.kept));
  }
  index_t i = first;
  for (; i + 1 < n; i += 2) update_pair(i, centre, sum);
  if (i < n) move_past_last(centre);
  std::reverse(next_.begin(), next_.end());
  std::swap(sites_, next_);
  mirrored_ = !mirrored_;
}

evolution_block evolution::advance(double step, int steps) {
  if (!(std::isfinite(step) && step > 0) || steps < 1)
    throw error("evolution: " + std::to_string(steps) + " steps of " + std::to_string(step));
  evolution_block sum{.step = step};
  const double planning = by_.planning();
  layer(0, step / 2, sum);
  for (int i = 1; i <= steps; ++i) {
    layer(1, step, sum);
    layer(0, i < steps ? step : step / 2, sum);
  }
  add_time(options_.where, sum.seconds.energy, [&] { sum.energy = energy(); });
  time_ += step * steps;
  sum.time = time_;
  sum.seconds.planning += by_.planning() - planning;  // of merging, mostly: networks are made within it
  sum.seconds.merge -= std::min(sum.seconds.merge, by_.planning() - planning);
  return sum;
}

// H is the same from either end.
double evolution::energy() {
  std::vector<double> begin(std::size_t(operator_bond), 0.0);
  begin[std::size_t(first_bond)] = 1;
  packed_tensor L(options_.where, {1, 1, operator_bond}, begin);
  for (const packed_tensor& A : sites_) {
    const index_t b = A.extents()[2];
    packed_tensor next(options_.where, {b, b, operator_bond});
    by_.extend_left(L.all(), A.all(), operators_.left.all(), next.all());
    L = std::move(next);
  }
  return L.numbers()[std::size_t(last_bond)];
}

std::string evolution::describe() const {
  const auto largest = std::max_element(updates_.begin(), updates_.end(), [](const auto& a, const auto& b) {
    const auto size = [](const shape& s) { return std::get<0>(s) * std::get<1>(s) * std::get<2>(s); };
    return size(a.first) < size(b.first);
  });
  return largest == updates_.end() ? "no pair was updated" : largest->second.both.describe();
}

}  // namespace tessera::spin_chain
