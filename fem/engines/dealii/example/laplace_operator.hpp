// SPDX-License-Identifier: BSD-3-Clause
// -div grad u on the unknowns of a DoFHandler, applied by Tessera: a matrix for deal.II's solvers.
#pragma once

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/vector.h>

#include <tessera/fem/global_operator.hpp>

#include <cstdint>
#include <stdexcept>
#include <vector>

// snippet operator
/// For FE_Q, whose nodes are Gauss-Lobatto points, and constraints that are given values.
template <int dim>
tessera::fem::global_operator<double> make_laplace(const dealii::Mapping<dim>& mapping,
                                                   const dealii::DoFHandler<dim>& unknowns,
                                                   const dealii::AffineConstraints<double>& given) {
  const auto& fe = dynamic_cast<const dealii::FE_Q<dim>&>(unknowns.get_fe());
  const int order = int(fe.degree);
  const std::vector<unsigned> lexicographic = fe.get_poly_space_numbering_inverse();
  dealii::FEValues<dim> nodes(mapping, fe, dealii::QGaussLobatto<dim>(fe.degree + 1), dealii::update_quadrature_points);

  std::vector<std::int64_t> numbers;  // of node i of cell e: [i + n e]
  std::vector<double> coordinates;    // coordinate c of node i of cell e: [i + n (c + dim e)]
  std::vector<dealii::types::global_dof_index> of_cell(fe.n_dofs_per_cell());
  for (const auto& cell : unknowns.active_cell_iterators()) {
    cell->get_dof_indices(of_cell);
    for (const unsigned i : lexicographic) numbers.push_back(std::int64_t(of_cell[i]));
    nodes.reinit(cell);
    for (unsigned c = 0; c < dim; ++c)
      for (const dealii::Point<dim>& x : nodes.get_quadrature_points()) coordinates.push_back(x[c]);
  }
  std::vector<tessera::index_t> constrained;
  for (const auto& line : given.get_lines()) {
    if (!line.entries.empty()) throw std::invalid_argument("make_laplace: a constraint is no given value");
    constrained.push_back(tessera::index_t(line.index));
  }

  const tessera::index_t cells = tessera::index_t(unknowns.get_triangulation().n_active_cells());
  const tessera::fem::element_nodes<double> mesh{
      .dim = dim, .order = order, .elements = cells, .coordinates = coordinates.data()};
  const tessera::restriction restriction({.elements = cells,
                                          .entries = tessera::index_t(of_cell.size()),
                                          .size = tessera::index_t(unknowns.n_dofs()),
                                          .offsets64 = numbers.data(),
                                          .constrained = constrained});
  return {mesh, restriction, {.kind = tessera::operator_kind::diffusion, .trial = {.order = order}}};
}
// end snippet

// snippet vmult
class laplace_operator {
 public:
  template <int dim>
  laplace_operator(const dealii::Mapping<dim>& mapping, const dealii::DoFHandler<dim>& unknowns,
                   const dealii::AffineConstraints<double>& given)
      : A_(make_laplace(mapping, unknowns, given)) {}
  void vmult(dealii::Vector<double>& y, const dealii::Vector<double>& x) const { A_.apply(x.begin(), y.begin()); }
  void diagonal(dealii::Vector<double>& y) const { A_.diagonal(y.begin()); }
  void eliminate(dealii::Vector<double>& b) const { A_.eliminate(b.begin()); }

 private:
  tessera::fem::global_operator<double> A_;
};
// end snippet
