// SPDX-License-Identifier: BSD-3-Clause
// D from the geometry: Jacobians of a block's elements at the points, then the operator's formula.
#pragma once

#include <vector>

#include "point_source.hpp"
#include "state.hpp"

namespace tessera::detail {

/// Throws naming the element and point of k + points e, where the determinant is not positive.
[[noreturn]] void refuse_inverted(index_t bad, index_t points);

template <class T>
class computed_points : public block_source<T> {
 public:
  /// Throws where what is given does not fit together.
  computed_points(const evaluation_state<T>& s, const geometry_spec<T>& from);

  const T* block(const lane_elements& lanes, T* scratch) const override;
  index_t scratch() const override;
  const char* memory_of(index_t b) const override;
  index_t memory_bytes() const override;
  void set(index_t first, index_t count, const T* values) override;

  bool is_stored() const override { return false; }
  index_t elements() const override { return from_.elements; }
  index_t lanes() const override { return kernels_->lanes; }
  index_t block_entries() const override { return points_ * factors_; }
  std::size_t bytes() const override;
  std::string describe() const override;

  /// As given, coefficients filled in.
  const geometry_spec<T>& spec() const { return from_; }
  operator_kind kind() const { return kind_; }
  /// One a point.
  const std::vector<T>& weights() const { return weights_; }
  /// Throws naming the first element and point whose determinant is not positive.
  void check_determinants() const;

 private:
  index_t nodes_in_all() const;
  index_t jacobian_room() const;
  /// Chooses the kernel of the Jacobians, and its tables.
  void go_through_points(const evaluation_state<T>& s);
  void go_direct();
  void check_lines(const evaluation_state<T>& s) const;
  void go_dense(const evaluation_state<T>& s);
  /// The derivatives of the coordinates at the points, in `J`; what follows it is used, too.
  void jacobians(const lane_elements& lanes, T* J) const;

  geometry_spec<T> from_;
  operator_kind kind_;
  int dim_;
  index_t points_, q_, factors_;
  owned_table<T> interpolate_, differentiate_, slopes_;
  evaluation_tables<T> tables_;
  std::vector<T> weights_;
  std::vector<T> constants_;
  const element_kernels<T>* kernels_;
  element_function<T> jacobian_;
  index_t jacobian_scratch_ = 0;  // vectors
  bool direct_ = false;
  std::shared_ptr<const dense_state<T>> dense_;  // tables of the Jacobians, where the operator's are dense
  void (*formula_)(const factors_block<T>&) = nullptr;
};

}  // namespace tessera::detail
