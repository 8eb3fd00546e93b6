// SPDX-License-Identifier: BSD-3-Clause
// Computes D of blocks of elements from their nodes.
#include "computed_points.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <tessera/detail/element/geometry_factors.hpp>
#include <tessera/error.hpp>
#include <tessera/scalar.hpp>

#include "e_vectors.hpp"

namespace tessera::detail {

namespace {

// From gradients, quantity by quantity, to J, point by point.
template <class T>
struct jacobians_of_block {
  T* J;
  index_t lanes;
  int entries;
  mutable index_t points = 0;  // that were put

  static void put(const points_block<T>& b, const void* state) {
    const jacobians_of_block& to = *static_cast<const jacobians_of_block*>(state);
    T* const J = to.J + to.points * to.entries * to.lanes;
    for (index_t i = 0; i < to.entries; ++i)
      for (index_t n = 0; n < b.count; ++n)
        J[n % to.lanes + to.lanes * (i + to.entries * (n / to.lanes))] = b.gradient[n + b.count * i];
    to.points += b.count / to.lanes;
  }
};

template <class T>
direct_function<T> derivatives_into(int dim, const jacobians_of_block<T>* to) {
  return {.dim = dim,
          .trial = {.components = dim, .gradient = true},
          .test = {.components = 0},
          .at_points = &jacobians_of_block<T>::put,
          .state = to};
}

}  // namespace

template <class T>
computed_points<T>::computed_points(const operator_sizes& s, const element_kernels<T>& kernels,
                                    const geometry_spec<T>& from)
    : geometry_(s, from),
      from_(geometry_.spec()),
      dim_(s.dim),
      points_(s.points()),
      q_(s.q),
      factors_(s.factors),
      kernels_(&kernels),
      formula_(row_of(kernels.factors, geometry_.kind(), s.dim).run) {
  if (s.dense)
    set_up_dense();
  else
    set_up_lines(s);
  for (const T weight : geometry_.weights()) largest_weight_ = std::max(largest_weight_, std::abs(double(weight)));
}

template <class T>
void computed_points<T>::set_up_lines(const operator_sizes& s) {
  interpolate_ = owned_table<T>(from_.interpolate, s.q, from_.nodes, 1);
  tables_.interpolate = interpolate_.lay_out(true, kernels_->table_width);
  tables_.test_transposed.m = from_.nodes;  // nothing goes back, but scratch memory is taken for it
  if (from_.gradients.empty())
    set_up_derivatives(s);
  else
    set_up_direct();
}

template <class T>
void computed_points<T>::set_up_derivatives(const operator_sizes& s) {
  differentiate_ = owned_table<T>(s.slopes, s.q, s.q, -1);
  const bool mirrored = interpolate_.mirrored() && differentiate_.mirrored();
  if (kernels_->isa != baseline_isa() && !mirrored)
    refuse_geometry("the geometry's tables do not mirror themselves, and the operator's do", status::invalid_argument);
  for (const jacobian_row<T>& row : kernels_->jacobians)
    if (row.dim == dim_ && row.mirrored == mirrored) jacobian_ = row.function;
  tables_.differentiate = differentiate_.lay_out(true, kernels_->table_width);
  jacobian_scratch_ = jacobian_.scratch(from_.nodes, q_, from_.nodes);
}

template <class T>
void computed_points<T>::set_up_direct() {
  direct_ = true;
  slopes_ = owned_table<T>(from_.gradients, q_, from_.nodes, -1);
  tables_.slopes = slopes_.lay_out(true, kernels_->table_width);
  jacobian_ = kernels_->direct;
  jacobian_scratch_ = derivatives_into<T>(dim_, nullptr).scratch(from_.nodes, q_, from_.nodes);
}

template <class T>
void computed_points<T>::set_up_dense() {
  const dense_basis nodes{.functions = from_.nodes, .gradients = from_.gradients};
  dense_ = std::make_shared<const dense_state<T>>(derivatives_into<T>(dim_, nullptr), nodes, nodes, q_);
  jacobian_.run = kernels_->dense.run;
  jacobian_scratch_ = dense_->function.scratch();
}

template <class T>
index_t computed_points<T>::jacobian_entries() const {
  return points_ * dim_ * dim_;
}

template <class T>
index_t computed_points<T>::scratch() const {
  const index_t coefficients = from_.at_points != nullptr ? points_ * from_.given : 0;
  return kernels_->lanes * (jacobian_entries() + points_ * factors_ + coefficients + geometry_.nodes_in_all() * dim_ +
                            jacobian_scratch_ + 8);
}

template <class T>
void computed_points<T>::jacobians(const lane_elements& lanes, T* J) const {
  const index_t W = kernels_->lanes;
  T* const x = J + jacobian_entries() * W;
  T* const work = x + geometry_.nodes_in_all() * dim_ * W;
  const index_t nodes = geometry_.nodes_in_all();
  const e_vector_loader<T> coordinates(*kernels_, {from_.coordinates, 0, from_.layout, nodes, dim_}, false);
  for (int c = 0; c < dim_; ++c) coordinates.load(lanes, 0, c, x + c * nodes * W);
  const char none = 0;
  const jacobians_of_block<T> to{J, W, dim_ * dim_};
  const direct_function<T> direct = derivatives_into<T>(dim_, &to);
  const void* function = direct_ ? static_cast<const void*>(&direct) : &none;
  dense_function<T> dense{.function = direct};
  if (dense_ != nullptr) {
    dense.tables = dense_->function.tables;
    function = &dense;
  }
  jacobian_.run({.x = x, .y = J, .scratch = work, .tables = &tables_, .function = function});
}

template <class T>
void computed_points<T>::gather_coefficients(const lane_elements& lanes, T* to) const {
  const index_t W = kernels_->lanes, count = points_ * from_.given;
  for (index_t w = 0; w < W; ++w) {
    const T* from = from_.at_points + lanes.element[w] * count;
    for (index_t i = 0; i < count; ++i) to[w + W * i] = from[i];
  }
}

template <class T>
const T* computed_points<T>::block(const lane_elements& lanes, T* scratch) const {
  T* const J = jacobians_in(scratch);
  jacobians(lanes, J);
  return D_from(J, lanes, scratch);
}

template <class T>
const T* computed_points<T>::D_from(const T* J, const lane_elements& lanes, T* scratch) const {
  T *const D = scratch, *const coefficients = coefficients_in(scratch);
  const bool varying = from_.at_points != nullptr;
  if (varying) gather_coefficients(lanes, coefficients);
  formula_({.J = J,
            .weights = geometry_.weights().data(),
            .coefficients = varying ? coefficients : geometry_.constants().data(),
            .given = from_.given,
            .varying = varying,
            .points = points_,
            .D = D});
  return D;
}

template <class T>
const char* computed_points<T>::memory_of(index_t b) const {
  return reinterpret_cast<const char*>(from_.coordinates + from_.layout.start(b * kernels_->lanes));
}
template <class T>
index_t computed_points<T>::memory_bytes() const {
  return kernels_->lanes * geometry_.nodes_in_all() * dim_ * index_t(sizeof(T));
}

template <class T>
void computed_points<T>::set(index_t, index_t, const T*) {
  refuse_geometry("set: this D is computed from the geometry", status::invalid_argument);
}

template <class T>
void computed_points<T>::get(index_t first, index_t count, T* values) const {
  const index_t W = kernels_->lanes, entries = block_entries();
  const element_blocks blocks(element_set::range(first, first + count), W);
  for_block_chunks<T>(blocks, scratch(), false, [&](const block_chunk<T>& chunk) {
    chunk.each([&](const lane_elements& lanes, index_t) {
      const T* const D = block(lanes, chunk.scratch);
      for (index_t w = 0; w < W; ++w) {
        T* const to = values + entries * (lanes.element[w] - first);
        for (index_t i = 0; i < entries && (lanes.active >> w & 1u) != 0; ++i) to[i] = D[w + W * i];
      }
    });
  });
}

template <class T>
std::size_t computed_points<T>::bytes() const {
  const index_t coefficients = from_.at_points != nullptr ? from_.elements * points_ * from_.given : 0;
  return std::size_t(from_.elements * geometry_.nodes_in_all() * dim_ + coefficients) * sizeof(T);
}

template <class T>
std::string computed_points<T>::describe() const {
  return "computed at each application from " + std::to_string(from_.nodes) +
         (dense_ != nullptr ? " nodes, " : " nodes a direction, ") + name_of(scalar_of<T>);
}

template <class T>
template <class Block>
void computed_points<T>::check_blocks(const number_range<T>& range, const Block& do_block) const {
  const index_t W = kernels_->lanes;
  const element_blocks blocks(element_set::range(0, from_.elements), W);
  std::atomic<index_t> bad = blocks.count();  // the first of all
  for_block_chunks<T>(blocks, scratch(), false, [&](const block_chunk<T>& chunk) {
    chunk.each([&](const lane_elements& lanes, index_t b) {
      if (do_block(b, lanes, chunk.scratch)) return;
      index_t old = bad.load();
      while (b < old && !bad.compare_exchange_weak(old, b)) {
      }
    });
  });
  if (bad < blocks.count()) geometry_.refuse_elements(bad * W, std::min((bad + 1) * W, from_.elements), 0, range);
}

template <class T>
bool computed_points<T>::is_proper(const jacobian_range<T>& of) const {
  return of.positive && !(geometry::squares_inverse(geometry_.kind(), dim_) && of.entry > geometry::longest<T>);
}

// Whether the coefficients are so small that no entry of D leaves the range, nor what it is computed by, judged by the
// Jacobians alone: D is linear in them. A formula adds up at most 54 products of entries of adj J and J^-1.
template <class T>
bool computed_points<T>::coefficients_keep(const number_range<T>& range, const jacobian_range<T>& of,
                                           const lane_elements& lanes) const {
  const double entry = of.entry, minor = dim_ == 3 ? entry * entry : dim_ == 2 ? entry : 1.0;
  const double inverse = minor / double(of.least);
  const double size =
      64 * std::max({double(of.most), minor, inverse, minor * inverse, inverse * inverse, 1 / double(of.least)});
  if (!(size <= double(range.most))) return false;
  const double most = double(range.most) / (size * std::max(largest_weight_, 1.0)) / from_.given;
  const T limit = most < double(range.most) ? T(most) : range.most;
  if (from_.at_points == nullptr) return all_within(geometry_.constants().data(), from_.given, limit);
  const index_t count = points_ * from_.given;
  for (index_t w = 0; w < kernels_->lanes; ++w)
    if (!all_within(from_.at_points + lanes.element[w] * count, count, limit)) return false;
  return true;
}

template <class T>
void computed_points<T>::check() const {
  const number_range<T> range = number_range<T>::template of<T>();
  check_blocks(range, [&](index_t, const lane_elements& lanes, T* scratch) {
    T* const J = jacobians_in(scratch);
    jacobians(lanes, J);
    const jacobian_range<T> of = kernels_->range_of(dim_, J, points_);
    if (!is_proper(of)) return false;
    return coefficients_keep(range, of, lanes) ||
           all_within(D_from(J, lanes, scratch), block_entries() * kernels_->lanes, range.most);
  });
}

template <class T>
void computed_points<T>::compute(const number_range<T>& range,
                                 const std::function<void(index_t block, const T* D)>& take) const {
  const index_t count = block_entries() * kernels_->lanes;
  const bool same = range.least == std::numeric_limits<T>::min();
  std::atomic<bool> large_enough = same || from_.elements == 0;
  check_blocks(range, [&](index_t b, const lane_elements& lanes, T* scratch) {
    const T* const D = block(lanes, scratch);
    take(b, D);
    if (!same && reaches(D, count, range.least)) large_enough = true;
    return is_proper(kernels_->range_of(dim_, jacobians_in(scratch), points_)) && all_within(D, count, range.most);
  });
  if (!large_enough) geometry_.refuse_too_small(range);
}

template class computed_points<float>;
template class computed_points<double>;

}  // namespace tessera::detail
