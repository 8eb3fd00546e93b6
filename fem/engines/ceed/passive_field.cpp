// SPDX-License-Identifier: BSD-3-Clause
// Reads passive inputs an element at a time; fields by sums over one direction after the other.
#include "passive_field.hpp"

#include <algorithm>

#include "failure.hpp"

namespace tessera::ceed {

namespace {

// Direction by direction: to(before, k, after) = sum over i of table(k, i) from(before, i, after).
void contract(const double* table, index_t q, index_t n, index_t before, index_t after, const double* from,
              double* to) {
  for (index_t z = 0; z < after; ++z)
    for (index_t k = 0; k < q; ++k) {
      double* sum = to + before * (k + q * z);
      std::fill_n(sum, before, 0.0);
      for (index_t i = 0; i < n; ++i) {
        const double factor = table[k + q * i];
        const double* x = from + before * (i + n * z);
        for (index_t j = 0; j < before; ++j) sum[j] += factor * x[j];
      }
    }
}

// u's values at the points, or its derivatives in that direction; the result is in one of the work arrays.
const double* evaluate(const basis_tables& b, int direction, const double* u, std::vector<double> (&work)[2]) {
  if (!b.tensor) {
    const double* table =
        direction < 0 ? b.values.data() : b.gradients.data() + std::size_t(direction) * b.values.size();
    contract(table, b.points, b.functions, 1, 1, u, work[0].data());
    return work[0].data();
  }
  index_t before = 1, after = b.power(b.functions) / b.functions;
  for (int a = 0; a < b.dim; ++a) {
    double* to = work[a % 2].data();
    contract((a == direction ? b.gradients : b.values).data(), b.points, b.functions, before, after, u, to);
    before *= b.points;
    after /= b.functions;
    u = to;
  }
  return u;
}

}  // namespace

passive_field::passive_field(const operator_field& of, int first) : field_(of), first_(first), size_(of.size) {
  if (of.mode == CEED_EVAL_WEIGHT) {
    weights_ = weights_of(of.basis);
    return;
  }
  if (of.mode != CEED_EVAL_NONE) tables_ = tables_of(of.basis);
  CeedSize length = 0, least = 0;
  check(CeedVectorGetLength(of.vector, &length));
  check(CeedElemRestrictionGetLVectorSize(of.restriction, &least));
  if (length < least) throw not_taken{"the vector of a passive input is too short"};
}

bool passive_field::has_changed() const {
  if (field_.mode == CEED_EVAL_WEIGHT) return !known_;
  std::uint64_t state = 0;
  check(CeedVectorGetState(field_.vector, &state));
  return !known_ || state != state_;
}

void passive_field::remember() {
  known_ = true;
  if (field_.mode != CEED_EVAL_WEIGHT) check(CeedVectorGetState(field_.vector, &state_));
}

passive_field::reader::reader(const passive_field& of) : of_(of) {
  const basis_tables& b = of.tables_;
  const index_t largest = std::max(b.functions, b.points);
  for (std::vector<double>& work : work_) work.resize(std::size_t(b.power(int(largest))));
  values_.resize(std::size_t(b.all_functions()));
  if (of.field_.mode == CEED_EVAL_WEIGHT) return;
  where_.emplace(of.field_.restriction);
  check(CeedVectorGetArrayRead(of.field_.vector, CEED_MEM_HOST, &array_));
}

passive_field::reader::~reader() {
  if (array_ != nullptr) CeedVectorRestoreArrayRead(of_.field_.vector, &array_);
}

void passive_field::reader::write(index_t element, double* to, int stride) {
  to += of_.first_;
  switch (of_.field_.mode) {
    case CEED_EVAL_WEIGHT:
      for (const double w : of_.weights_) {
        *to = w;
        to += stride;
      }
      return;
    case CEED_EVAL_NONE: return write_data(element, to, stride);
    default: return write_evaluated(element, to, stride);
  }
}

void passive_field::reader::write_data(index_t element, double* to, int stride) const {
  const entry_numbers& number = *where_;
  for (index_t k = 0; k < number.entries(); ++k) {
    const CeedScalar* from = array_ + number(k, element);
    for (int c = 0; c < number.components(); ++c) to[c + stride * k] = from[c * number.component_stride()];
  }
}

void passive_field::reader::write_evaluated(index_t element, double* to, int stride) {
  const entry_numbers& number = *where_;
  const basis_tables& b = of_.tables_;
  const bool slopes = of_.field_.mode == CEED_EVAL_GRAD;
  for (int c = 0; c < number.components(); ++c) {
    for (index_t i = 0; i < number.entries(); ++i)
      values_[std::size_t(i)] = array_[number(i, element) + c * number.component_stride()];
    for (int a = slopes ? 0 : -1; a < (slopes ? b.dim : 0); ++a) {
      const double* at_points = evaluate(b, a, values_.data(), work_);
      const int place = c + number.components() * std::max(a, 0);
      for (index_t k = 0; k < b.all_points(); ++k) to[place + stride * k] = at_points[k];
    }
  }
}

}  // namespace tessera::ceed
