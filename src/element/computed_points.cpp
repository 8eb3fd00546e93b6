// SPDX-License-Identifier: BSD-3-Clause
// Computes D of blocks of elements from their nodes.
#include "computed_points.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <tessera/element/geometry_factors.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/element/constants.hpp>
#include <tessera/scalar.hpp>
#include <tessera/size_check.hpp>

#include "layout_check.hpp"
#include "scratch.hpp"

namespace tessera::detail {

namespace {

[[noreturn]] void refuse(const std::string& why, status code = status::shape_mismatch) {
  throw error("point_data: " + why, code);
}

// One weight a point, of the products of a direction's where those are given.
template <class T>
std::vector<T> all_weights(const std::vector<double>& given, index_t q, int dim) {
  index_t points = 1;
  for (int a = 0; a < dim; ++a) points *= q;
  const bool a_direction = index_t(given.size()) == q;
  if (index_t(given.size()) != points && dim == 1)
    refuse(std::to_string(given.size()) + " weights, where there are " + std::to_string(q) + " points");
  if (!a_direction && index_t(given.size()) != points)
    refuse(std::to_string(given.size()) + " weights, where a direction has " + std::to_string(q) +
           " points and an element " + std::to_string(points));
  std::vector<T> all;
  for (index_t k = 0; k < points; ++k) {
    double weight = a_direction ? 1.0 : given[std::size_t(k)];
    index_t rest = k;
    for (int a = 0; a < dim && a_direction; ++a, rest /= q) weight *= given[std::size_t(rest % q)];
    all.push_back(T(weight));
  }
  return all;
}

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

template <class T>
operator_kind kind_of(const evaluation_state<T>& s) {
  if (!s.kind)
    refuse(s.name + ": D of a user's function is the user's to compute, and to set", status::invalid_argument);
  return *s.kind;
}

template <class T>
void check_coefficients(const geometry_spec<T>& from, operator_kind kind, int dim) {
  const int given = from.at_points != nullptr ? from.given : int(from.coefficients.size());
  const auto [fewest, most] = coefficients_of(kind, dim);
  if (given != fewest && given != most)
    refuse(std::string(name_of(kind)) + " takes " + std::to_string(fewest) +
           (most > fewest ? " or " + std::to_string(most) : "") + " coefficients at a point, not " +
           std::to_string(given));
}

}  // namespace

template <class T>
computed_points<T>::computed_points(const evaluation_state<T>& s, const geometry_spec<T>& from)
    : from_(from),
      kind_(kind_of(s)),
      dim_(s.dim),
      points_(s.points()),
      q_(s.q),
      factors_(s.factors),
      weights_(all_weights<T>(from.weights, s.q, s.dense != nullptr ? 1 : s.dim)),
      kernels_(s.kernels) {
  if (from.elements < 0) refuse(std::to_string(from.elements) + " elements", status::invalid_argument);
  if (from.coordinates == nullptr && from.elements > 0) refuse("coordinates are a null pointer", status::null_pointer);
  if (from.layout.lanes < 1) refuse("a layout with " + std::to_string(from.layout.lanes) + " lanes");
  for (const double weight : from.weights)
    if (!std::isfinite(weight)) refuse("a weight is " + std::to_string(weight));
  for (const std::vector<double>* table : {&from.interpolate, &from.gradients})
    for (const double entry : *table)
      if (!std::isfinite(entry)) refuse("a table of the geometry's functions has an entry " + std::to_string(entry));
  take_coefficients();
  formula_ = row_of(kernels_->factors, kind_, dim_).run;
  if (s.dense != nullptr)
    go_dense(s);
  else
    go_by_lines(s);
  check_places();
  for (const T weight : weights_) largest_weight_ = std::max(largest_weight_, std::abs(double(weight)));
}

template <class T>
void computed_points<T>::take_coefficients() {
  if (from_.at_points != nullptr && !from_.coefficients.empty())
    refuse("coefficients are given twice: " + std::to_string(from_.coefficients.size()) + " constant ones, and " +
               std::to_string(from_.given) + " at each point",
           status::invalid_argument);
  if (from_.at_points == nullptr && from_.given != 0 && from_.coefficients.empty())
    refuse(std::to_string(from_.given) + " coefficients at each point, and a null pointer for them",
           status::null_pointer);
  if (from_.coefficients.empty() && from_.at_points == nullptr)
    from_.coefficients.assign(std::size_t(coefficients_of(kind_, dim_).fewest), 1.0);
  check_coefficients(from_, kind_, dim_);
  constants_.assign(from_.coefficients.begin(), from_.coefficients.end());
  if (from_.at_points == nullptr) from_.given = int(constants_.size());
  for (std::size_t i = 0; i < constants_.size(); ++i) {
    if (std::isfinite(constants_[i])) continue;
    const bool only_here = std::isfinite(from_.coefficients[i]);
    refuse("coefficient " + std::to_string(i) + " is " + std::to_string(from_.coefficients[i]) +
               (only_here ? std::string(", too large for ") + name_of(scalar_of<T>) : ""),
           status::invalid_argument);
  }
}

template <class T>
void computed_points<T>::check_places() {
  const index_t n = nodes_in_all();
  from_.layout = filled_in(from_.layout, n, dim_);
  check_places_of("point_data: coordinates", {from_.layout, n, dim_, 0, from_.elements}, sizeof(T));
  if (from_.at_points != nullptr)
    checked_product("point_data: coefficients at points", {from_.elements, points_, from_.given}, sizeof(T));
}

template <class T>
void computed_points<T>::go_by_lines(const evaluation_state<T>& s) {
  check_lines(s);
  interpolate_ = owned_table<T>(from_.interpolate, s.q, from_.nodes, 1);
  tables_.interpolate = interpolate_.lay_out(true, kernels_->table_width);
  tables_.test_transposed.m = from_.nodes;  // nothing goes back, but room is taken for it
  if (from_.gradients.empty())
    go_through_points(s);
  else
    go_direct();
}

template <class T>
void computed_points<T>::check_lines(const evaluation_state<T>& s) const {
  const auto sizes = std::to_string(s.q) + " x " + std::to_string(from_.nodes);
  if (from_.nodes < 1 || index_t(from_.interpolate.size()) != s.q * from_.nodes)
    refuse("the geometry's interpolate has " + std::to_string(from_.interpolate.size()) + " entries, not " + sizes);
  if (!from_.gradients.empty() && from_.gradients.size() != from_.interpolate.size())
    refuse("the geometry's gradients have " + std::to_string(from_.gradients.size()) + " entries, not " + sizes);
  if (from_.nodes > longest_line)
    refuse("geometry of " + std::to_string(from_.nodes) + " nodes a direction; at most " +
           std::to_string(longest_line) + " can be served");
  if (from_.nodes > s.q && from_.gradients.empty())
    refuse("geometry of " + std::to_string(from_.nodes) + " nodes a direction at " + std::to_string(s.q) +
           " points: derivatives are taken through the points, of which there are fewer; give `gradients`");
}

template <class T>
void computed_points<T>::go_through_points(const evaluation_state<T>& s) {
  if (s.slopes.empty()) refuse("the operator was made without `differentiate`, which the geometry needs");
  derivatives_ = device::slopes_of(s.slopes, from_.interpolate, int(s.q), from_.nodes);
  differentiate_ = owned_table<T>(s.slopes, s.q, s.q, -1);
  const bool mirrored = interpolate_.mirrored() && differentiate_.mirrored();
  if (kernels_->isa != baseline_isa() && !mirrored)
    refuse("the geometry's tables do not mirror themselves, and the operator's do", status::invalid_argument);
  for (const jacobian_row<T>& row : kernels_->jacobians)
    if (row.dim == dim_ && row.mirrored == mirrored) jacobian_ = row.function;
  tables_.differentiate = differentiate_.lay_out(true, kernels_->table_width);
  jacobian_scratch_ = jacobian_.scratch(from_.nodes, q_, from_.nodes);
}

template <class T>
void computed_points<T>::go_direct() {
  direct_ = true;
  derivatives_ = from_.gradients;
  slopes_ = owned_table<T>(from_.gradients, q_, from_.nodes, -1);
  tables_.slopes = slopes_.lay_out(true, kernels_->table_width);
  jacobian_ = kernels_->direct;
  jacobian_scratch_ = derivatives_into<T>(dim_, nullptr).scratch(from_.nodes, q_, from_.nodes);
}

template <class T>
void computed_points<T>::go_dense(const evaluation_state<T>& s) {
  if (from_.nodes < 1 || index_t(from_.gradients.size()) != s.q * from_.nodes * dim_)
    refuse("the geometry's gradients have " + std::to_string(from_.gradients.size()) + " entries, not " +
           std::to_string(s.q) + " x " + std::to_string(from_.nodes) + " x " + std::to_string(dim_));
  derivatives_ = from_.gradients;
  const dense_basis nodes{.functions = from_.nodes, .gradients = from_.gradients};
  dense_ = std::make_shared<const dense_state<T>>(derivatives_into<T>(dim_, nullptr), nodes, nodes, s.q);
  jacobian_.run = kernels_->dense.run;
  jacobian_scratch_ = dense_->function.scratch();
}

template <class T>
index_t computed_points<T>::nodes_in_all() const {
  const index_t n = from_.nodes;
  if (dense_ != nullptr) return n;
  return dim_ == 3 ? n * n * n : dim_ == 2 ? n * n : n;
}

template <class T>
index_t computed_points<T>::jacobian_room() const {
  return points_ * dim_ * dim_;
}

template <class T>
index_t computed_points<T>::scratch() const {
  const index_t coefficients = from_.at_points != nullptr ? points_ * from_.given : 0;
  return kernels_->lanes *
         (jacobian_room() + points_ * factors_ + coefficients + nodes_in_all() * dim_ + jacobian_scratch_ + 8);
}

template <class T>
void computed_points<T>::jacobians(const lane_elements& lanes, T* J) const {
  const index_t W = kernels_->lanes;
  T* const x = J + jacobian_room() * W;
  T* const work = x + nodes_in_all() * dim_ * W;
  for (int c = 0; c < dim_; ++c) {
    lane_starts<const T> from;
    from.step = from_.layout.entry;
    from.adjacent = true;
    for (index_t w = 0; w < W; ++w) {
      from.start[w] = from_.coordinates + from_.layout.start(lanes.element[w], c);
      from.adjacent = from.adjacent && from.start[w] == from.start[0] + w;
    }
    kernels_->gather(from, nodes_in_all(), x + c * nodes_in_all() * W);
  }
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
            .weights = weights_.data(),
            .coefficients = varying ? coefficients : constants_.data(),
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
  return kernels_->lanes * nodes_in_all() * dim_ * index_t(sizeof(T));
}

template <class T>
void computed_points<T>::set(index_t, index_t, const T*) {
  refuse("set: this D is computed from the geometry", status::invalid_argument);
}

template <class T>
std::size_t computed_points<T>::bytes() const {
  const index_t coefficients = from_.at_points != nullptr ? from_.elements * points_ * from_.given : 0;
  return std::size_t(from_.elements * nodes_in_all() * dim_ + coefficients) * sizeof(T);
}

template <class T>
std::string computed_points<T>::describe() const {
  return "computed at each application from " + std::to_string(from_.nodes) +
         (dense_ != nullptr ? " nodes, " : " nodes a direction, ") + name_of(scalar_of<T>);
}

template <class T>
template <class Block>
void computed_points<T>::go_over(const number_range<T>& range, const Block& do_block) const {
  const index_t W = kernels_->lanes, blocks = from_.elements / W + (from_.elements % W != 0 ? 1 : 0);
  std::atomic<index_t> bad = blocks;  // the first of all
  const auto some = [&](index_t first, index_t last, T* scratch) {
    for (index_t b = first; b < last; ++b) {
      if (do_block(b, lanes_of_block(b, W, 0, from_.elements), scratch)) continue;
      index_t old = bad.load();
      while (b < old && !bad.compare_exchange_weak(old, b)) {
      }
    }
  };
  for_chunks_with_scratch<T>(blocks, scratch(), false, some);
  if (bad < blocks) refuse_elements(bad * W, std::min((bad + 1) * W, from_.elements), 0, range);
}

// Whether the coefficients are so small that no entry of D leaves the range, by the Jacobians alone: D is linear in
// them. A formula adds up at most 54 products of two entries of adj J over det J.
template <class T>
bool computed_points<T>::coefficients_keep(const number_range<T>& range, const jacobian_range<T>& of,
                                           const lane_elements& lanes) const {
  const double entry = of.entry, minor = dim_ == 3 ? entry * entry : dim_ == 2 ? entry : 1.0;
  const double size = std::max({double(of.most), minor, minor * (minor / double(of.least))});
  const double most = double(range.most) / (64 * largest_weight_ * size) / from_.given;
  const T limit = most < double(range.most) ? T(most) : range.most;
  if (from_.at_points == nullptr) return all_within(constants_.data(), from_.given, limit);
  const index_t count = points_ * from_.given;
  for (index_t w = 0; w < kernels_->lanes; ++w)
    if (!all_within(from_.at_points + lanes.element[w] * count, count, limit)) return false;
  return true;
}

template <class T>
void computed_points<T>::refuse_elements(index_t first, index_t last, index_t point,
                                         const number_range<T>& range) const {
  refuse_faulty<T>({from_, kind_, dim_, dense_ != nullptr, q_, points_, weights_, derivatives_, range}, first, last,
                   point);
}

template <class T>
void computed_points<T>::check() const {
  const number_range<T> range = number_range<T>::template of<T>();
  go_over(range, [&](index_t, const lane_elements& lanes, T* scratch) {
    T* const J = jacobians_in(scratch);
    jacobians(lanes, J);
    const jacobian_range<T> of = kernels_->range_of(dim_, J, points_);
    if (!of.positive) return false;
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
  go_over(range, [&](index_t b, const lane_elements& lanes, T* scratch) {
    const T* const D = block(lanes, scratch);
    take(b, D);
    if (!same && reaches(D, count, range.least)) large_enough = true;
    return kernels_->range_of(dim_, jacobians_in(scratch), points_).positive && all_within(D, count, range.most);
  });
  if (!large_enough) refuse_too_small(range);
}

template <class T>
void computed_points<T>::refuse_too_small(const number_range<T>& range) const {
  refuse("D is below the smallest normal number of " + std::string(range.type) + " everywhere; keep it in " +
             name_of(scalar_of<T>),
         status::invalid_argument);
}

template class computed_points<float>;
template class computed_points<double>;

}  // namespace tessera::detail
