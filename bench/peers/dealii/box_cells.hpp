// SPDX-License-Identifier: BSD-3-Clause
// A box of cells as a deal.II user has it: mesh, unknowns, MatrixFree, vectors in its numbering, D by groups of cells.
#pragma once

#include "peers/dealii/lanes.hpp"

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/matrix_free/matrix_free.h>

#include <vector>

#include "peers/dealii/cell_loop.hpp"

namespace tessera::bench::dealii_peer {

using vector = dealii::LinearAlgebra::distributed::Vector<double>;

class box_cells {
 public:
  explicit box_cells(const box_loop& loop);
  box_cells(const box_cells&) = delete;
  box_cells& operator=(const box_cells&) = delete;

  /// y to the caller's numbering.
  void fetch() const;

 private:
  box_loop loop_;
  dealii::Triangulation<3> mesh_;
  dealii::FE_Q<3> space_;
  dealii::DoFHandler<3> unknowns_;
  std::vector<std::int32_t> number_;  // in the caller's numbering

 public:
  dealii::MatrixFree<3, double, lanes> all;
  vector x;
  mutable vector y;
  dealii::AlignedVector<lanes> D;  // [group][point][factor]
  index_t factors = 1;
};

}  // namespace tessera::bench::dealii_peer
