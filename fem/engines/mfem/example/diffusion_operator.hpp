// SPDX-License-Identifier: BSD-3-Clause
// -div grad u on the unknowns of a FiniteElementSpace, applied by Tessera: an mfem::Operator.
#pragma once

#include <mfem.hpp>

#include <tessera/fem/global_operator.hpp>

#include <stdexcept>

// snippet operator
/// For scalar functions of H1_FECollection with its Gauss-Lobatto nodes, on a mesh with nodes (SetCurvature).
inline tessera::fem::global_operator<double> make_diffusion(mfem::FiniteElementSpace& space) {
  const auto* functions = dynamic_cast<const mfem::H1_FECollection*>(space.FEColl());
  if (functions == nullptr || functions->GetBasisType() != mfem::BasisType::GaussLobatto || space.GetVDim() != 1)
    throw std::invalid_argument("make_diffusion: the functions are not scalar ones of H1 with Gauss-Lobatto nodes");
  const mfem::GridFunction* nodes = space.GetMesh()->GetNodes();
  if (nodes == nullptr) throw std::invalid_argument("make_diffusion: the mesh has no nodes, which SetCurvature makes");

  const auto lexicographic = mfem::ElementDofOrdering::LEXICOGRAPHIC;
  const mfem::FiniteElementSpace& of_nodes = *nodes->FESpace();
  const mfem::Operator& nodes_of_elements = *of_nodes.GetElementRestriction(lexicographic);
  mfem::Vector coordinates(nodes_of_elements.Height());
  nodes_of_elements.Mult(*nodes, coordinates);

  const auto& G = dynamic_cast<const mfem::ElementRestriction&>(*space.GetElementRestriction(lexicographic));
  const int dim = space.GetMesh()->Dimension(), elements = space.GetNE();
  const tessera::fem::element_nodes<double> mesh{
      .dim = dim, .order = of_nodes.GetMaxElementOrder(), .elements = elements, .coordinates = coordinates.HostRead()};
  const tessera::restriction numbers({.elements = elements,
                                      .entries = G.GatherMap().Size() / elements,
                                      .size = space.GetVSize(),
                                      .offsets = G.GatherMap().HostRead(),
                                      .negative = tessera::negative_offset::sign});
  return {mesh, numbers, {.kind = tessera::operator_kind::diffusion, .trial = {.order = space.GetMaxElementOrder()}}};
}
// end snippet

// snippet mult
class diffusion_operator : public mfem::Operator {
 public:
  explicit diffusion_operator(mfem::FiniteElementSpace& space)
      : mfem::Operator(space.GetVSize()), space_(space), A_(make_diffusion(space)) {}
  void Mult(const mfem::Vector& x, mfem::Vector& y) const override { A_.apply(x.HostRead(), y.HostWrite()); }
  void AssembleDiagonal(mfem::Vector& y) const override { A_.diagonal(y.HostWrite()); }
  // For FormLinearSystem: what makes all unknowns from the true ones, where there are hanging nodes.
  const mfem::Operator* GetProlongation() const override { return space_.GetProlongationMatrix(); }
  const mfem::Operator* GetRestriction() const override { return space_.GetRestrictionMatrix(); }

 private:
  mfem::FiniteElementSpace& space_;
  tessera::fem::global_operator<double> A_;
};
// end snippet
