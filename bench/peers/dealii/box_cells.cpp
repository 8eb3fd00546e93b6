// SPDX-License-Identifier: BSD-3-Clause
// Makes deal.II's objects of a box, in the numbering that it recommends for its loops.
#include "peers/dealii/box_cells.hpp"

#include <deal.II/base/multithread_info.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/fe/fe_tools.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/matrix_free/mapping_info.templates.h>
#include <deal.II/matrix_free/matrix_free.templates.h>
#include <deal.II/matrix_free/shape_info.templates.h>

#include <cmath>

namespace tessera::bench::dealii_peer {

namespace {

using matrix_free = dealii::MatrixFree<3, double, lanes>;

// Number in the box of the cell [i, i + 1] x ..., first direction fastest.
index_t place_of(const dealii::Point<3>& center, const std::array<int, 3>& cells) {
  const auto at = [&](unsigned a) { return index_t(std::floor(center[a])); };
  return at(0) + cells[0] * (at(1) + cells[1] * at(2));
}

}  // namespace

box_cells::box_cells(const box_loop& loop) : loop_(loop), space_(unsigned(loop.p)), unknowns_(mesh_) {
  const std::array<int, 3>& n = loop.cells;
  dealii::MultithreadInfo::set_thread_limit(unsigned(loop.threads));
  dealii::GridGenerator::subdivided_hyper_rectangle(mesh_, {unsigned(n[0]), unsigned(n[1]), unsigned(n[2])},
                                                    dealii::Point<3>(), dealii::Point<3>(n[0], n[1], n[2]));
  unknowns_.distribute_dofs(space_);
  typename matrix_free::AdditionalData how;
  how.tasks_parallel_scheme =
      loop.threads > 1 ? matrix_free::AdditionalData::partition_partition : matrix_free::AdditionalData::none;
  how.mapping_update_flags = dealii::update_gradients;
  dealii::AffineConstraints<double> none;
  none.close();
  // The library has it for its own number of lanes alone.
  typename dealii::MatrixFree<3, double>::AdditionalData cells_one_by_one;
  cells_one_by_one.tasks_parallel_scheme = dealii::MatrixFree<3, double>::AdditionalData::none;
  dealii::DoFRenumbering::matrix_free_data_locality(unknowns_, none, cells_one_by_one);
  const dealii::MappingQ1<3> mapping;
  if (loop.nodal)
    all.reinit(mapping, unknowns_, none, dealii::QGaussLobatto<1>(unsigned(loop.p + 1)), how);
  else
    all.reinit(mapping, unknowns_, none, dealii::QGauss<1>(unsigned(loop.q)), how);
  all.initialize_dof_vector(x);
  all.initialize_dof_vector(y);

  std::vector<index_t> element(std::size_t(n[0]) * std::size_t(n[1]) * std::size_t(n[2]));
  for (std::size_t e = 0; e < element.size(); ++e) element[std::size_t(loop.cell[e])] = index_t(e);
  const std::vector<unsigned> in_box_order =
      dealii::FETools::hierarchic_to_lexicographic_numbering<3>(unsigned(loop.p));
  const index_t entries = index_t(in_box_order.size());
  std::vector<dealii::types::global_dof_index> own(in_box_order.size());
  number_.resize(unknowns_.n_dofs());
  for (const auto& cell : unknowns_.active_cell_iterators()) {
    cell->get_dof_indices(own);
    const index_t e = element[std::size_t(place_of(cell->center(), n))];
    for (std::size_t i = 0; i < own.size(); ++i) number_[own[i]] = loop.offsets[entries * e + index_t(in_box_order[i])];
  }
  for (std::size_t i = 0; i < number_.size(); ++i) x.local_element(unsigned(i)) = loop.x[number_[i]];

  factors = loop.gradients ? 6 : 1;
  const index_t numbers = index_t(loop.q) * loop.q * loop.q * factors;
  D.resize(std::size_t(all.n_cell_batches()) * std::size_t(numbers));
  for (unsigned batch = 0; batch < all.n_cell_batches(); ++batch)
    for (unsigned lane = 0; lane < all.n_active_entries_per_cell_batch(batch); ++lane) {
      const index_t e = element[std::size_t(place_of(all.get_cell_iterator(batch, lane)->center(), n))];
      for (index_t i = 0; i < numbers; ++i)
        D[std::size_t(batch) * std::size_t(numbers) + std::size_t(i)][lane] = loop.D[i + numbers * e];
    }
}

void box_cells::fetch() const {
  for (std::size_t i = 0; i < number_.size(); ++i) loop_.y[number_[i]] = y.local_element(unsigned(i));
}

}  // namespace tessera::bench::dealii_peer
