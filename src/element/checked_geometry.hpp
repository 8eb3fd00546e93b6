// SPDX-License-Identifier: BSD-3-Clause
// The geometry that D is computed from, on a CPU or a GPU: it fits the operator, and says all that was left out.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <tessera/element/evaluation.hpp>
#include <tessera/error.hpp>

#include "faulty_point.hpp"
#include "operator_sizes.hpp"
#include "point_source.hpp"

namespace tessera::detail {

[[noreturn]] void refuse_geometry(const std::string& why, status code = status::shape_mismatch);

template <class T>
class checked_geometry {
 public:
  /// Throws where what is given does not fit together, or does not fit the operator. Coordinates and coefficients at
  /// points, which may be in device memory, are not read.
  checked_geometry(const operator_sizes& s, const geometry_spec<T>& from);

  /// As given, coefficients and layout filled in.
  const geometry_spec<T>& spec() const { return from_; }
  operator_kind kind() const { return kind_; }
  int dim() const { return dim_; }
  bool dense() const { return dense_; }
  bool varying() const { return from_.at_points != nullptr; }
  index_t points() const { return points_; }
  int q() const { return int(q_); }
  index_t nodes_in_all() const;
  /// What computing D from it reads: coordinates, and coefficients at points.
  std::array<caller_memory, 2> reads() const;
  /// One a point.
  const std::vector<T>& weights() const { return weights_; }
  const std::vector<T>& constants() const { return constants_; }
  /// Of the geometry's functions at the points: (q,n), of dense tables (points, nodes, dim).
  const std::vector<double>& derivatives() const { return derivatives_; }

  /// Throws what is wrong with elements [first, last), of the first one from `point` on.
  [[noreturn]] void refuse_elements(index_t first, index_t last, index_t point, const number_range<T>& range) const;
  [[noreturn]] void refuse_too_small(const number_range<T>& range) const;

 private:
  void take_coefficients();
  void check_lines(const operator_sizes& s);
  void check_dense();
  /// Where coordinates and coefficients are.
  void check_places();

  geometry_spec<T> from_;
  operator_kind kind_;
  int dim_;
  bool dense_;
  index_t q_, points_;
  std::vector<T> weights_, constants_;
  std::vector<double> derivatives_;
};

}  // namespace tessera::detail
