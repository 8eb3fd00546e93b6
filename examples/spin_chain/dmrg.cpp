// SPDX-License-Identifier: BSD-3-Clause
// Sweeps of two-site DMRG.
#include "dmrg.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <tessera/error.hpp>

#include "timing.hpp"

namespace tessera::spin_chain {

namespace {

// 1 at `from`.
packed_tensor end_of_chain(space_kind where, std::vector<index_t> extents, index_t from) {
  std::vector<double> numbers(std::size_t(operator_bond), 0.0);
  numbers[std::size_t(from)] = 1;
  return packed_tensor(where, std::move(extents), numbers);
}

double entropy_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double s : values)
    if (s * s > 0) sum -= s * s * std::log(s * s);
  return sum;
}

}  // namespace

dmrg::dmrg(const dmrg_options& options, contractions& by)
    : options_(options),
      by_(by),
      operators_(options.where),
      left_(std::size_t(options.sites)),
      right_(std::size_t(options.sites)),
      cuts_(std::size_t(options.sites - 1)) {
  if (options.sites < 2 || options.bond < 1 || options.most_vectors < 2 || !(options.lanczos_residual > 0))
    throw error("dmrg: " + std::to_string(options.sites) + " sites, bonds of " + std::to_string(options.bond) + ", " +
                std::to_string(options.most_vectors) + " vectors, residual " +
                std::to_string(options.lanczos_residual));
  for (index_t i = 0; i < options.sites; ++i)
    sites_.emplace_back(options.where, std::vector<index_t>{1, states, 1},
                        i % 2 == 0 ? std::vector<double>{1, 0} : std::vector<double>{0, 1});
  left_.front() = end_of_chain(options.where, {1, 1, operator_bond}, first_bond);
  right_.back() = end_of_chain(options.where, {1, operator_bond, 1}, last_bond);
  for (index_t i = options.sites - 1; i > 1; --i) extend_right(i);
}

index_t dmrg_options::full_bond() const {
  index_t states_of_half = 1;
  for (index_t i = 0; i < sites / 2 && states_of_half < bond; ++i) states_of_half *= states;
  return std::min(bond, states_of_half);
}

// Of a site that is not at the right end, to the sites before the next one.
void dmrg::extend_left(index_t site) {
  const packed_tensor& A = sites_[std::size_t(site)];
  const index_t b = A.extents()[2];
  packed_tensor next(options_.where, {b, b, operator_bond});
  by_.extend_left(left_[std::size_t(site)].all(), A.all(), operators_.left.all(), next.all());
  left_[std::size_t(site + 1)] = std::move(next);
}

void dmrg::extend_right(index_t site) {
  const packed_tensor& A = sites_[std::size_t(site)];
  const index_t a = A.extents()[0];
  packed_tensor next(options_.where, {a, operator_bond, a});
  by_.extend_right(right_[std::size_t(site)].all(), A.all(), operators_.right.all(), next.all());
  right_[std::size_t(site - 1)] = std::move(next);
}

sweep_result dmrg::sweep() {
  sweep_result sum;
  const double flops = by_.flops(), planning = by_.planning();
  for (index_t i = 0; i + 2 < options_.sites; ++i) optimise(i, direction::right, sum);
  for (index_t i = options_.sites - 2; i > 0 || i + 2 == options_.sites; --i) optimise(i, direction::left, sum);
  sum.flops = by_.flops() - flops;
  // Networks are made within contractions.
  sum.seconds.contractions -= by_.planning() - planning;
  sum.seconds.planning += by_.planning() - planning;
  return sum;
}

void dmrg::optimise(index_t first, direction to, sweep_result& sum) {
  const packed_tensor &A = sites_[std::size_t(first)], &B = sites_[std::size_t(first + 1)];
  packed_tensor theta(options_.where, {A.extents()[0], states, states, B.extents()[2]});
  add_time(options_.where, sum.seconds.contractions, [&] { by_.merge(A.all(), B.all(), theta.all()); });
  const lanczos_result found = solve(first, theta, sum);
  sum.energy = found.value;
  sum.residual = std::max(sum.residual, found.residual);
  sum.applications += found.applications;
  add_time(options_.where, sum.seconds.svd, [&] { split(first, theta, to, sum); });
  add_time(options_.where, sum.seconds.contractions, [&] {
    if (to == direction::right)
      extend_left(first);
    else
      extend_right(first + 1);
  });
}

lanczos_result dmrg::solve(index_t first, packed_tensor& theta, sweep_result& sum) {
  const index_t a = theta.extents()[0], b = theta.extents()[3];
  auto solver = solvers_.find({a, b});
  if (solver == solvers_.end())
    add_time(options_.where, sum.seconds.planning, [&] {
      const plan_options plans{.compile = std::max(a, b) == options_.full_bond()};
      solver =
          solvers_.try_emplace({a, b}, options_.where, theta.extents(), a * states, options_.most_vectors, plans).first;
    });
  const packed_tensor &L = left_[std::size_t(first)], &R = right_[std::size_t(first + 1)];
  double of_solver = 0, of_contractions = 0;
  lanczos_result found;
  add_time(options_.where, of_solver, [&] {
    found = solver->second.run(
        theta,
        [&](const operand& in, const operand& out) {
          add_time(options_.where, of_contractions,
                   [&] { by_.apply(L.all(), in, operators_.pair.all(), R.all(), out); });
        },
        options_.lanczos_residual);
  });
  sum.seconds.contractions += of_contractions;
  sum.seconds.vectors += of_solver - of_contractions;
  return found;
}

// theta = U S V^T; S goes to the site that the next pair has.
void dmrg::split(index_t first, const packed_tensor& theta, direction to, sweep_result& sum) {
  const index_t a = theta.extents()[0], b = theta.extents()[3], rows = a * states, columns = states * b;
  svd_result parts = truncated_svd(theta.numbers(), rows, columns, options_.bond);
  const index_t m = parts.kept;
  double square = 0;
  for (const double s : parts.values) square += s * s;
  for (double& s : parts.values) s /= std::sqrt(square);
  if (to == direction::left)
    for (index_t k = 0; k < m; ++k)
      for (index_t i = 0; i < rows; ++i) parts.U[std::size_t(i + k * rows)] *= parts.values[std::size_t(k)];
  else
    for (index_t j = 0; j < columns; ++j)
      for (index_t k = 0; k < m; ++k) parts.VT[std::size_t(k + j * m)] *= parts.values[std::size_t(k)];
  sites_[std::size_t(first)] = packed_tensor(options_.where, {a, states, m}, parts.U);
  sites_[std::size_t(first + 1)] = packed_tensor(options_.where, {m, states, b}, parts.VT);
  cuts_[std::size_t(first)] = {m, parts.discarded, entropy_of(parts.values)};
  sum.truncation = std::max(sum.truncation, parts.discarded);
  sum.bond = std::max(sum.bond, m);
}

}  // namespace tessera::spin_chain
