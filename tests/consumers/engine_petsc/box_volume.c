/* SPDX-License-Identifier: BSD-3-Clause */
/* The volume of a box, 1.Mx with the mass of a DMPlex. */
#include <petscdmplex.h>
#include <stdio.h>

#include <tessera/petsc/tessera_petsc.h>

int main(int argc, char** argv) {
  const PetscInt faces[3] = {2, 3, 2};
  const tessera_petsc_options mass = tessera_petsc_defaults("mass");
  DM dm;
  Mat M;
  Vec ones, y;
  PetscScalar volume;
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(DMPlexCreateBoxMesh(PETSC_COMM_WORLD, 3, PETSC_FALSE, faces, NULL, NULL, NULL, PETSC_TRUE, &dm));
  PetscCall(tessera_petsc_set_field(dm, 1, 3));
  PetscCall(tessera_petsc_create_mat(dm, &mass, &M));
  PetscCall(MatCreateVecs(M, &ones, &y));
  PetscCall(VecSet(ones, 1));
  PetscCall(MatMult(M, ones, y));
  PetscCall(VecDot(ones, y, &volume));
  printf("volume %.15f\n", (double)volume);
  PetscCall(VecDestroy(&ones));
  PetscCall(VecDestroy(&y));
  PetscCall(MatDestroy(&M));
  PetscCall(DMDestroy(&dm));
  PetscCall(PetscFinalize());
  return volume > 1 - 1e-13 && volume < 1 + 1e-13 ? 0 : 1;
}
