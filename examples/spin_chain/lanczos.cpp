// SPDX-License-Identifier: BSD-3-Clause
// Lanczos' method: each new vector is made orthogonal to all before, twice.
#include "lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include <tessera/error.hpp>

#include "lapack.hpp"

namespace tessera::spin_chain {

namespace {

std::vector<index_t> with_last(std::vector<index_t> extents, index_t last) {
  extents.push_back(last);
  return extents;
}

index_t product_of(const std::vector<index_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), index_t{1}, std::multiplies<>());
}

}  // namespace

// A batch is of vectors: any number of them. Their sum is over all that there is memory for, with weights 0 for those
// that are not there yet.
lanczos::lanczos(space_kind where, const std::vector<index_t>& extents, index_t rows, int most,
                 const plan_options& plans)
    : where_(where),
      rows_(rows),
      columns_(product_of(extents) / rows),
      most_(std::min<index_t>(most, product_of(extents))),
      vectors_(where, with_last(extents, most_)),
      next_(where, extents),
      partial_(where, {columns_, most_}),
      ones_(where, {columns_}, std::vector<double>(std::size_t(columns_), 1.0)),
      factor_(where, {1}),
      weights_(where, {most_}),
      results_(where, {2 * most_ + 1}),
      over_rows_(make_plan(contraction("ic,ic->c"), packed_operands(where, vectors_.data(), {rows_, columns_}, most_),
                           matrix(next_.data()), packed_operands(where, partial_.data(), {columns_}, most_), plans)),
      over_columns_(make_plan(contraction("cz,c->z"), packed_operands(where, partial_.data(), {columns_, 1}, most_),
                              ones_.all(), packed_operands(where, results_.data(), {1}, most_), plans)),
      subtract_(make_plan(contraction("ick,k->ic", {-1, 1}),
                          packed_operand(where, vectors_.data(), {rows_, columns_, most_}), results(0),
                          matrix(next_.data()), plans)),
      combine_(make_plan(contraction("ick,k->ic"), packed_operand(where, vectors_.data(), {rows_, columns_, most_}),
                         weights_.all(), matrix(next_.data()), plans)),
      scale_(make_plan(contraction("icz,z->ic"), packed_operand(where, next_.data(), {rows_, columns_, 1}),
                       factor_.all(), matrix(vectors_.data()), plans)) {}

void lanczos::dots(double* vectors, index_t count, const packed_tensor& with, index_t first_result) {
  over_rows_.run(packed_operands(where_, vectors, {rows_, columns_}, count), matrix(with.data()),
                 packed_operands(where_, partial_.data(), {columns_}, count));
  over_columns_.run(packed_operands(where_, partial_.data(), {columns_, 1}, count), ones_.all(),
                    packed_operands(where_, results_.data() + first_result, {1}, count));
}

double lanczos::norm(const packed_tensor& x) {
  dots(x.data(), 1, x, 2 * most_);
  double square = 0;
  results_.get({&square, 1}, 2 * most_);
  if (!std::isfinite(square) || square <= 0)
    throw error("Lanczos' method: the square of a vector of " + std::to_string(x.size()) + " numbers is " +
                std::to_string(square));
  return std::sqrt(square);
}

void lanczos::scale(const packed_tensor& from, double factor, double* to) {
  factor_.set({&factor, 1});
  scale_.run(packed_operand(where_, from.data(), {rows_, columns_, 1}), factor_.all(), matrix(to));
}

lanczos::step_sums lanczos::orthogonalise(index_t vectors) {
  const operand all = packed_operand(where_, vectors_.data(), {rows_, columns_, most_});
  for (const index_t first : {index_t{0}, most_}) {
    dots(vectors_.data(), vectors, next_, first);
    subtract_.run(all, results(first), matrix(next_.data()));
  }
  dots(next_.data(), 1, next_, 2 * most_);
  const std::vector<double> sums = results_.numbers();
  return {sums[std::size_t(vectors - 1)] + sums[std::size_t(most_ + vectors - 1)],
          std::sqrt(sums[std::size_t(2 * most_)])};
}

lanczos_result lanczos::run(packed_tensor& x, const apply_function& apply, double tolerance) {
  results_.set(std::vector<double>(std::size_t(results_.size()), 0.0));
  scale(x, 1 / norm(x), vectors_.data());
  std::vector<double> diagonal, beside;
  lowest_pair found;
  lanczos_result result;
  for (index_t have = 1;; ++have) {
    apply(vectors_.last(have - 1), next_.all());
    const step_sums sums = orthogonalise(have);
    if (!std::isfinite(sums.along) || !std::isfinite(sums.beyond))
      throw error("Lanczos' method: H times vector " + std::to_string(have) + " of " + std::to_string(x.size()) +
                  " numbers is not finite");
    diagonal.push_back(sums.along);
    found = lowest_of_tridiagonal(diagonal, beside);
    result = {found.value, sums.beyond * std::abs(found.vector.back()), int(have)};
    if (have == most_ || result.residual <= tolerance) break;
    beside.push_back(sums.beyond);
    scale(next_, 1 / sums.beyond, vectors_.data() + have * x.size());
  }
  found.vector.resize(std::size_t(most_), 0.0);
  weights_.set(found.vector);
  combine_.run(packed_operand(where_, vectors_.data(), {rows_, columns_, most_}), weights_.all(), matrix(x.data()));
  return result;
}

}  // namespace tessera::spin_chain
