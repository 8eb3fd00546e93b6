// SPDX-License-Identifier: BSD-3-Clause
// Gives a DMPlex a field of Tessera's elements.
#include <tessera/petsc/tessera_petsc.h>

#include <petscfe.h>

#include <string>

#include <tessera/fem/basis.hpp>

#include "errors.hpp"

using tessera::petsc::check;
using tessera::petsc::guarded;

PetscErrorCode tessera_petsc_set_field(DM dm, PetscInt components, PetscInt order) {
  return guarded(__func__, __FILE__, __LINE__, [&] {
    if (components < 1) throw tessera::error("a field of " + std::to_string(components) + " components");
    if (order < 1 || order > tessera::fem::max_order)
      throw tessera::error("a field of order " + std::to_string(order) + ", not 1 to " +
                           std::to_string(tessera::fem::max_order));
    PetscInt dim = 0, fields = 0;
    check(DMGetDimension(dm, &dim));
    check(DMGetNumFields(dm, &fields));
    if (fields > 0) throw tessera::error("the DM has " + std::to_string(fields) + " fields already");
    PetscFE fe = nullptr;
    const MPI_Comm comm = PetscObjectComm(PetscObject(dm));
    check(PetscFECreateLagrange(comm, dim, components, PETSC_FALSE, order, PETSC_DETERMINE, &fe));
    check(PetscObjectSetName(PetscObject(fe), "u"));
    check(DMSetField(dm, 0, nullptr, PetscObject(fe)));
    check(PetscFEDestroy(&fe));
    check(DMCreateDS(dm));
    check(DMSetLocalSection(dm, nullptr));  // one that was asked for before has no unknowns
  });
}
