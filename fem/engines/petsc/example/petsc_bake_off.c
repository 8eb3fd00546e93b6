/* SPDX-License-Identifier: BSD-3-Clause */
/* CEED's bake-off problems BP1 to BP6 in PETSc: iterations of its conjugate gradients around Tessera's operators. */
#include <petscksp.h>
#include <stdio.h>

#include <tessera/petsc/tessera_petsc.h>

static const char help[] =
    "CEED's bake-off problems on PETSc and Tessera: unknowns times iterations a second.\n"
    "  -problem <3>     1 to 6: mass, mass with 3 components, diffusion, with 3 components, both at the nodes\n"
    "  -order <4>       of the elements\n"
    "  -cells <8>       in each direction\n"
    "  -iterations <20> of each solve\n"
    "  -repetitions <3> of which the fastest counts\n"
    "  -gpu             on GPUs, with -dm_vec_type cuda\n\n";

int main(int argc, char** argv) {
  DM dm;
  PetscInt problem = 3, order = 4, cells = 8, iterations = 20, repetitions = 3, unknowns, components;
  char faces[64];
  PetscMPIInt processes;
  const PetscInt wall = 1;
  tessera_petsc_options options;
  Mat A;
  KSP solver;
  PC pc;
  Vec b, u;
  PetscRandom random;
  PetscBool gpu = PETSC_FALSE;
  double fastest = 0, product = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, help));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-problem", &problem, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-order", &order, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-cells", &cells, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-iterations", &iterations, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-repetitions", &repetitions, NULL));
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-gpu", &gpu, NULL));
  PetscCheck(problem >= 1 && problem <= 6, PETSC_COMM_WORLD, PETSC_ERR_ARG_OUTOFRANGE, "-problem %d is none of 1 to 6",
             (int)problem);
  PetscCheck(repetitions > 0 && iterations > 0 && cells > 0, PETSC_COMM_WORLD, PETSC_ERR_ARG_OUTOFRANGE,
             "-cells, -iterations and -repetitions are at least 1");
  components = problem % 2 == 0 ? 3 : 1;
  PetscCall(PetscSNPrintf(faces, sizeof(faces), "%d,%d,%d", (int)cells, (int)cells, (int)cells));
  PetscCall(PetscOptionsSetValue(NULL, "-dm_plex_dim", "3"));
  PetscCall(PetscOptionsSetValue(NULL, "-dm_plex_simplex", "0"));
  PetscCall(PetscOptionsSetValue(NULL, "-dm_plex_box_faces", faces));
  PetscCall(DMCreate(PETSC_COMM_WORLD, &dm));
  PetscCall(DMSetType(dm, DMPLEX));
  PetscCall(DMSetFromOptions(dm));
  PetscCall(tessera_petsc_set_field(dm, components, order));
  options = tessera_petsc_defaults(problem <= 2 ? "mass" : "diffusion");
  if (gpu) options.target = "cuda";
  if (problem > 2) {
    DMLabel label;
    PetscCall(DMGetLabel(dm, "marker", &label));
    PetscCall(DMAddBoundary(dm, DM_BC_ESSENTIAL, "wall", label, 1, &wall, 0, 0, NULL, NULL, NULL, NULL, NULL));
  }
  if (problem > 4) {
    options.rule = "gauss_lobatto";
    options.points = (int)order + 1;
  }
  PetscCall(tessera_petsc_create_mat(dm, &options, &A));
  PetscCall(MatCreateVecs(A, &u, &b));
  PetscCall(VecGetSize(u, &unknowns));
  PetscCall(PetscRandomCreate(PETSC_COMM_WORLD, &random));
  PetscCall(VecSetRandom(u, random));
  PetscCall(MatMult(A, u, b));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetOperators(solver, A, A));
  PetscCall(KSPSetType(solver, KSPCG));
  PetscCall(KSPGetPC(solver, &pc));
  PetscCall(PCSetType(pc, PCJACOBI));
  PetscCall(KSPSetTolerances(solver, 1e-30, 1e-300, PETSC_DEFAULT, iterations));
  PetscCall(KSPSetNormType(solver, KSP_NORM_NATURAL));
  PetscCall(KSPSetFromOptions(solver));
  for (PetscInt k = 0; k <= repetitions; ++k) { /* the first one warms up */
    PetscLogDouble start, end;
    PetscInt done;
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    PetscCall(PetscTime(&start));
    PetscCall(KSPSolve(solver, b, u));
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    PetscCall(PetscTime(&end));
    PetscCall(KSPGetIterationNumber(solver, &done));
    if (k > 0 && done / (end - start) > fastest) fastest = done / (end - start);
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    PetscCall(PetscTime(&start));
    for (int j = 0; j < iterations; ++j) PetscCall(MatMult(A, b, u));
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    PetscCall(PetscTime(&end));
    if (k > 0 && iterations / (end - start) > product) product = iterations / (end - start);
  }
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &processes));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "BP%d, order %d, %d unknowns, %d processes: %.2f million unknowns x iterations/s, %.2f million "
                        "unknowns x products/s\n",
                        (int)problem, (int)order, (int)unknowns, (int)processes, 1e-6 * unknowns * fastest,
                        1e-6 * unknowns * product));
  PetscCall(PetscRandomDestroy(&random));
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&u));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&A));
  PetscCall(DMDestroy(&dm));
  PetscCall(PetscFinalize());
  return 0;
}
