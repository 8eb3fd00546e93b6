// SPDX-License-Identifier: BSD-3-Clause
// Counts, steps and checks cases of chains.
#include "chain_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/trust.hpp"
#include "sizes.hpp"

namespace tessera::bench {

namespace {

constexpr int checked_elements = 6;

// By dimension: up to the points, and back.
struct direction_texts {
  const char *up[3], *back[3], *weights;
};
constexpr direction_texts plane{{"kj,aj->ak", "kj,jb->kb"}, {"ki,ak->ai", "ki,kb->ib"}, "ab,ab->ab"};
constexpr direction_texts cube{
    {"kj,abj->abk", "kj,ajc->akc", "kj,jbc->kbc"}, {"ki,abk->abi", "ki,akc->aic", "ki,kbc->ibc"}, "abc,abc->abc"};

const direction_texts& texts_of(int dim) { return dim == 2 ? plane : cube; }

using numbers = std::vector<long double>;

long double value(const data& d, index_t offset, bool sizes) {
  const long double v = d.initial(offset).re;
  return sizes ? std::abs(v) : v;
}

// Along the first dimension, which becomes the last one: after `dim` of them the order is as before.
numbers along(const numbers& table, index_t rows, index_t cols, const numbers& x) {
  const index_t rest = index_t(x.size()) / cols;
  numbers y(std::size_t(rows * rest));
  for (index_t r = 0; r < rest; ++r)
    for (index_t k = 0; k < rows; ++k)
      for (index_t j = 0; j < cols; ++j)
        y[std::size_t(r + rest * k)] += table[std::size_t(k + rows * j)] * x[std::size_t(j + cols * r)];
  return y;
}

// For element e; with `sizes`, of absolute values.
numbers exact(const chain_sizes& s, const workload& work, index_t e, bool sizes) {
  const data &D = work.operands[0], &B = work.operands[1], &x = work.operands[2];
  numbers up(std::size_t(s.q * s.d)), back(up.size()), values(std::size_t(s.functions()));
  for (index_t k = 0; k < s.q; ++k)
    for (index_t j = 0; j < s.d; ++j)
      back[std::size_t(j + s.d * k)] = up[std::size_t(k + s.q * j)] = value(B, k + s.q * j, sizes);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(x, x.host().offset(index_t(i), e), sizes);
  for (int a = 0; a < s.dim; ++a) values = along(up, s.q, s.d, values);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= value(D, D.host().offset(index_t(i), e), sizes);
  for (int a = 0; a < s.dim; ++a) values = along(back, s.d, s.q, values);
  return values;
}

long double found(const operand& y, index_t offset) {
  if (y.type == scalar_type::f32) return static_cast<const float*>(y.data)[offset];
  return static_cast<const double*>(y.data)[offset];
}

}  // namespace

double chain_sizes::functions() const { return std::pow(double(d), dim); }
double chain_sizes::points() const { return std::pow(double(q), dim); }

double chain_sizes::flops() const {
  double sum = points();
  for (int a = 1; a <= dim; ++a) sum += 4 * std::pow(double(q), a) * std::pow(double(d), dim + 1 - a);
  return sum;
}

workload chain_workload(const chain_sizes& sizes, const setting& s) {
  const options& o = s.with;
  const double entry = double(size_of(o.type.in));
  const double bytes = entry * ((o.beta != 0 ? 3 : 2) * sizes.functions() + sizes.points());
  const index_t batch = batch_for(s, bytes);
  const direction_texts& texts = texts_of(sizes.dim);
  workload work{.label = "mass " + std::to_string(sizes.dim) + "-D p=" + std::to_string(sizes.d - 1) +
                         " q=" + std::to_string(sizes.q) + (o.beta != 0 ? " +=" : ""),
                .what = contraction(texts.back[sizes.dim - 1], {1, o.beta})};
  const std::vector<index_t> nodes(std::size_t(sizes.dim), sizes.d), points(std::size_t(sizes.dim), sizes.q);
  work.operands.emplace_back(o.type.in, points, storage_order{}, batch, 0, 1);
  work.operands.emplace_back(o.type.in, std::vector{sizes.q, sizes.d}, storage_order{}, std::nullopt, 0, 2);
  work.operands.back().mirror();
  work.operands.emplace_back(o.type.in, nodes, storage_order{}, batch, 0, 3);
  work.operands.emplace_back(o.type.in, nodes, storage_order{}, batch, 0, 4);
  work.facts = {{"chain", "mass"},   {"dim", sizes.dim}, {"p", sizes.d - 1}, {"nodes", sizes.d},
                {"points", sizes.q}, {"beta", o.beta},   {"batch", batch}};
  work.flops = sizes.flops() * double(batch);
  work.honest_flops = honest_with_symmetry;
  work.bytes = bytes * double(batch);
  return work;
}

std::vector<chain_step> steps_of(const chain_sizes& sizes, const workload& work, const std::vector<operand>& operands) {
  const direction_texts& texts = texts_of(sizes.dim);
  std::vector<chain_step> steps;
  for (int a = 0; a < sizes.dim; ++a) steps.push_back({contraction(texts.up[a]), {operands[1]}});
  steps.push_back({contraction(texts.weights), {operands[0]}});
  for (int a = 0; a < sizes.dim; ++a) steps.push_back({contraction(texts.back[a]), {operands[1]}});
  steps.back().what = work.what;
  return steps;
}

verdict check_chain(const chain_sizes& sizes, const workload& work) {
  verdict v;
  v.bound = gamma_bound(sizes.dim * (sizes.d + sizes.q) + 1 + 2 * (2 * sizes.dim + 1), work.types().in);
  const double beta = work.what.scale().beta.re;
  for (const index_t e : sample_positions(work.batch(), checked_elements)) {
    work.out().fetch(e);
    const numbers wanted = exact(sizes, work, e, false), magnitudes = exact(sizes, work, e, true);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const index_t at = work.out().host().offset(index_t(i), e);
      const long double old = beta == 0 ? 0 : (long double)(beta)*work.out().initial(at).re;
      const double error =
          double(std::abs(found(work.out().host(), at) - wanted[i] - old) / (magnitudes[i] + std::abs(old)));
      v.error = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(v.error, error);
    }
  }
  return v;
}

}  // namespace tessera::bench
