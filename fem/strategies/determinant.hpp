// SPDX-License-Identifier: BSD-3-Clause
// Jacobian determinants of a block of elements at points, by contractions and pointwise products only, in any space.
#pragma once

#include "grid_tables.hpp"

#include <tessera/plan.hpp>

#include <vector>

namespace tessera::fem::detail {

template <class T>
class determinant_block {
 public:
  /// For `count` elements of (n,n[,n]) geometry nodes. `tables` must outlive it.
  determinant_block(const grid_tables<T>& tables, const shape& nodes, const shape& points, space_kind space,
                    index_t count, const plan_options& options);

  /// coordinates: dim x count tensors of nodes, component c of element e the (c + dim e)-th; det: `count` tensors of
  /// points.
  void run(const operand& coordinates, const operand& det, stream_view on);

  /// The working set of one element in bytes, which determines the size of blocks.
  static std::size_t bytes_an_element(int dim, index_t points) {
    return static_cast<std::size_t>((dim * dim + 3) * points) * sizeof(T);
  }
  std::string describe() const;

 private:
  operand component(int c, int direction) const;

  int dim_;
  index_t points_, count_;
  std::vector<field<T>> jacobian_;  // one a direction: component c of element e is the (c + dim e)-th tensor of points
  field<T> minor_;
  std::vector<chain> derivative_;  // one a direction
  std::vector<plan> products_;     // out = a b, out = out - a b, out = out + a b
  buffer workspace_;
};

extern template class determinant_block<float>;
extern template class determinant_block<double>;

}  // namespace tessera::fem::detail
