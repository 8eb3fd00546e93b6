// SPDX-License-Identifier: BSD-3-Clause
// The cells of a DMPlex of one process: their nodes, and which numbers they have.
#pragma once

#include <petscdmplex.h>

#include <vector>

#include <tessera/element/restriction.hpp>
#include <tessera/fem/element_operator.hpp>

namespace tessera::petsc {

/// A DM's field: its polynomials on each cell.
struct plex_field {
  int dim = 0, order = 0, components = 0;
};

/// Throws unless the DM is a DMPlex of segments, quadrilaterals or hexahedra with one field of products of polynomials.
plex_field field_of(DM dm);

/// Numbers are first those of the process's part of global vectors, then those of nodes that it receives: of other
/// processes, or with boundary conditions on some of their components or on all.
struct plex_cells {
  plex_field field;
  index_t cells = 0, owned = 0;
  PetscInt local_size = 0;  // of local vectors
  std::vector<std::int64_t> offsets;
  std::vector<PetscInt> local;     // place of every number in local vectors; -1: of no cell here
  std::vector<PetscInt> received;  // places of received numbers in global vectors; -1: a boundary condition
  int geometry_order = 1;
  std::vector<double> coordinates;

  explicit plex_cells(DM dm);
  restriction unknowns() const;
  fem::element_nodes<double> nodes() const;

 private:
  void find_numbers(DM dm);
  void find_coordinates(DM dm);
};

}  // namespace tessera::petsc
