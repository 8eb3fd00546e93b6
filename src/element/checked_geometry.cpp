// SPDX-License-Identifier: BSD-3-Clause
// Checks geometry against an operator, and fills in what is left out.
#include "checked_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/scalar.hpp>

#include "layout_check.hpp"
#include "line_tables.hpp"

namespace tessera::detail {

namespace {

[[noreturn]] void refuse(const std::string& why, status code = status::shape_mismatch) { refuse_geometry(why, code); }

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

template <class T>
void check_coefficients(const geometry_spec<T>& from, operator_kind kind, int dim) {
  const int given = from.at_points != nullptr ? from.given : int(from.coefficients.size());
  const auto [fewest, most] = coefficients_of(kind, dim);
  if (given != fewest && given != most)
    refuse(std::string(name_of(kind)) + " takes " + std::to_string(fewest) +
           (most > fewest ? " or " + std::to_string(most) : "") + " coefficients at a point, not " +
           std::to_string(given));
}

operator_kind kind_of(const operator_sizes& s) {
  if (!s.kind)
    refuse(s.name + ": D of a user's function is the user's to compute, and to set", status::invalid_argument);
  return *s.kind;
}

}  // namespace

void refuse_geometry(const std::string& why, status code) { throw error("element data: " + why, code); }

template <class T>
checked_geometry<T>::checked_geometry(const operator_sizes& s, const geometry_spec<T>& from)
    : from_(from),
      kind_(kind_of(s)),
      dim_(s.dim),
      dense_(s.dense),
      q_(s.q),
      points_(s.points()),
      weights_(all_weights<T>(from.weights, s.q, s.dense ? 1 : s.dim)) {
  if (from.elements < 0) refuse(std::to_string(from.elements) + " elements", status::invalid_argument);
  if (from.coordinates == nullptr && from.elements > 0) refuse("coordinates are a null pointer", status::null_pointer);
  if (from.layout.lanes < 1) refuse("a layout with " + std::to_string(from.layout.lanes) + " lanes");
  for (const double weight : from.weights)
    if (!std::isfinite(weight)) refuse("a weight is " + std::to_string(weight));
  for (const std::vector<double>* table : {&from.interpolate, &from.gradients})
    for (const double entry : *table)
      if (!std::isfinite(entry)) refuse("a table of the geometry's functions has an entry " + std::to_string(entry));
  take_coefficients();
  if (dense_)
    check_dense();
  else
    check_lines(s);
  check_places();
}

template <class T>
void checked_geometry<T>::take_coefficients() {
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
    const double value = from_.coefficients[i];
    const bool large = std::isfinite(value) && !std::isfinite(constants_[i]),
               small = value != 0 && std::abs(value) < double(std::numeric_limits<T>::min());
    if (std::isfinite(value) && !large && !small) continue;
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    refuse("coefficient " + std::to_string(i) + " is " + text +
               (large ? std::string(", too large for ") + name_of(scalar_of<T>) : "") +
               (small ? std::string(", below the smallest normal number of ") + name_of(scalar_of<T>) : ""),
           status::invalid_argument);
  }
}

template <class T>
std::array<caller_memory, 2> checked_geometry<T>::reads() const {
  const index_t n = nodes_in_all(), numbers = points_ * from_.given;
  return {caller_memory{"the coordinates", from_.coordinates, {from_.layout, n, dim_, 0, from_.elements}},
          caller_memory{"the coefficients at points",
                        from_.at_points,
                        {element_layout::conventional(numbers, 1), numbers, 1, 0, varying() ? from_.elements : 0}}};
}

template <class T>
void checked_geometry<T>::check_places() {
  const index_t n = nodes_in_all();
  from_.layout = filled_in(from_.layout, n, dim_);
  check_places_of("element data: coordinates", {from_.layout, n, dim_, 0, from_.elements}, sizeof(T));
  if (from_.at_points != nullptr)
    checked_product("element data: coefficients at points", {from_.elements, points_, from_.given}, sizeof(T));
}

template <class T>
void checked_geometry<T>::check_lines(const operator_sizes& s) {
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
  if (!from_.gradients.empty()) {
    derivatives_ = from_.gradients;
    return;
  }
  if (s.slopes.empty()) refuse("the operator was made without `differentiate`, which the geometry needs");
  derivatives_ = slopes_of(s.slopes, from_.interpolate, s.q, from_.nodes);
}

template <class T>
void checked_geometry<T>::check_dense() {
  if (from_.nodes < 1 || index_t(from_.gradients.size()) != q_ * from_.nodes * dim_)
    refuse("the geometry's gradients have " + std::to_string(from_.gradients.size()) + " entries, not " +
           std::to_string(q_) + " x " + std::to_string(from_.nodes) + " x " + std::to_string(dim_));
  derivatives_ = from_.gradients;
}

template <class T>
index_t checked_geometry<T>::nodes_in_all() const {
  const index_t n = from_.nodes;
  if (dense_) return n;
  return dim_ == 3 ? n * n * n : dim_ == 2 ? n * n : n;
}

template <class T>
void checked_geometry<T>::refuse_elements(index_t first, index_t last, index_t point,
                                          const number_range<T>& range) const {
  refuse_faulty<T>({from_, kind_, dim_, dense_, q_, points_, weights_, derivatives_, range}, first, last, point);
}

template <class T>
void checked_geometry<T>::refuse_too_small(const number_range<T>& range) const {
  refuse("D is below the smallest normal number of " + std::string(range.type) + " everywhere; keep it in " +
             name_of(scalar_of<T>),
         status::invalid_argument);
}

template class checked_geometry<float>;
template class checked_geometry<double>;

}  // namespace tessera::detail
