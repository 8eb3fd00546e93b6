// SPDX-License-Identifier: BSD-3-Clause
// D from the geometry: Jacobians of a block's elements at the points, then the operator's formula.
#pragma once

#include <functional>
#include <memory>

#include "block_source.hpp"
#include "cpu_operator.hpp"
#include "src/element/checked_geometry.hpp"

namespace tessera::detail {

template <class T>
class computed_points : public block_source<T> {
 public:
  /// Throws where the geometry does not fit together, or these kernels do not take it.
  computed_points(const operator_sizes& s, const element_kernels<T>& kernels, const geometry_spec<T>& from);
  computed_points(const computed_points&) = delete;
  computed_points& operator=(const computed_points&) = delete;

  const T* block(const lane_elements& lanes, T* scratch) const override;
  index_t scratch() const override;
  const char* memory_of(index_t b) const override;
  index_t memory_bytes() const override;
  void set(index_t first, index_t count, const T* values) override;
  void get(index_t first, index_t count, T* values) const override;

  bool is_stored() const override { return false; }
  std::array<caller_memory, 2> reads() const override { return geometry_.reads(); }
  index_t elements() const override { return from_.elements; }
  index_t lanes() const override { return kernels_->lanes; }
  index_t block_entries() const override { return points_ * factors_; }
  std::size_t bytes() const override;
  std::string describe() const override;

  /// Throws naming the first element and point whose determinant is not positive, or whose D is no number.
  void check() const;
  /// The same, and gives D of every block of elements, in lanes, to take(block, D), on all threads. Throws where D is
  /// out of range, too.
  void compute(const number_range<T>& range, const std::function<void(index_t block, const T* D)>& take) const;

 private:
  index_t jacobian_entries() const;
  /// The kernel of the Jacobians, and its tables.
  void set_up_lines(const operator_sizes& s);
  void set_up_derivatives(const operator_sizes& s);
  void set_up_direct();
  void set_up_dense();
  /// The derivatives of the coordinates at the points, in `J`; what follows it is used, too.
  void jacobians(const lane_elements& lanes, T* J) const;
  /// Where in scratch memory J and coefficients of points are; D comes first.
  T* coefficients_in(T* scratch) const { return scratch + points_ * factors_ * kernels_->lanes; }
  T* jacobians_in(T* scratch) const {
    return coefficients_in(scratch) + (from_.at_points != nullptr ? points_ * from_.given * kernels_->lanes : 0);
  }
  void gather_coefficients(const lane_elements& lanes, T* to) const;
  const T* D_from(const T* J, const lane_elements& lanes, T* scratch) const;
  /// do_block(block, lanes, scratch) for every block, false where it is faulty. Throws for the first one that is.
  template <class Block>
  void check_blocks(const number_range<T>& range, const Block& do_block) const;
  /// Whether determinants and derivatives of coordinates are such that D keeps its digits.
  bool is_proper(const jacobian_range<T>& of) const;
  bool coefficients_keep(const number_range<T>& range, const jacobian_range<T>& of, const lane_elements& lanes) const;

  checked_geometry<T> geometry_;
  const geometry_spec<T>& from_;  // geometry_'s
  int dim_;
  index_t points_, q_, factors_;
  owned_table<T> interpolate_, differentiate_, slopes_;
  evaluation_tables<T> tables_;
  double largest_weight_ = 0;
  const element_kernels<T>* kernels_;
  element_function<T> jacobian_;
  index_t jacobian_scratch_ = 0;  // vectors
  bool direct_ = false;
  std::shared_ptr<const dense_state<T>> dense_;  // tables of the Jacobians, where the operator's are dense
  void (*formula_)(const factors_block<T>&) = nullptr;
};

}  // namespace tessera::detail
