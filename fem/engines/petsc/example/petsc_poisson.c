/* SPDX-License-Identifier: BSD-3-Clause */
/* -div grad u = f on a box or on any mesh of segments, quadrilaterals or hexahedra, u given on its boundary: the mesh
   by PETSc's -dm_plex options, the solver by its -ksp and -pc options, the operator by Tessera. */
#include <petscksp.h>

#include <tessera/petsc/tessera_petsc.h>

static const char help[] =
    "Poisson's equation with a known solution, on Tessera's operators.\n"
    "  -order <4>          of the elements\n"
    "  -points <order + 2> Gauss points in each direction\n"
    "  -matrix_free        the geometry is computed at every product\n"
    "  -bend <0.05>        how far the mesh is bent\n"
    "  -target cuda        on a GPU, with -dm_vec_type cuda; or a CPU's instruction set, such as avx2\n"
    "Meshes: -dm_plex_dim 2, -dm_plex_box_faces 8,8,8, -dm_plex_filename file.msh, -dm_refine 2, ...\n"
    "Solvers: -ksp_type cg, -pc_type jacobi, -ksp_rtol 1e-10, -ksp_monitor, -log_view, ...\n\n";

/* u = sin(2 x + y) exp(z) + 1 */
static PetscErrorCode exact(PetscInt dim, PetscReal time, const PetscReal x[], PetscInt components, PetscScalar* u,
                            void* context) {
  (void)time, (void)components, (void)context;
  u[0] = PetscSinReal(2 * x[0] + (dim > 1 ? x[1] : 0)) * PetscExpReal(dim > 2 ? x[2] : 0) + 1;
  return 0;
}

/* -div grad u: 4 of x, 1 of y, -1 of z. */
static PetscErrorCode load(PetscInt dim, PetscReal time, const PetscReal x[], PetscInt components, PetscScalar* f,
                           void* context) {
  PetscCall(exact(dim, time, x, components, f, context));
  f[0] = (f[0] - 1) * (4 + (dim > 1) - (dim > 2));
  return 0;
}

/* Nothing is bent on a boundary of the unit box. */
static PetscErrorCode bend(DM dm, PetscReal by) {
  Vec x;
  PetscScalar* at;
  PetscInt dim, n;
  PetscFunctionBeginUser;
  PetscCall(DMGetDimension(dm, &dim));
  PetscCall(DMGetCoordinatesLocal(dm, &x));
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(VecGetArray(x, &at));
  for (PetscInt k = 0; k < n; k += dim) {
    PetscReal bump = by;
    for (PetscInt a = 0; a < dim; ++a) bump *= PetscSinReal(PETSC_PI * at[k + a]);
    for (PetscInt a = 0; a < dim; ++a) at[k + a] += a == 1 ? -bump : bump;
  }
  PetscCall(VecRestoreArray(x, &at));
  PetscCall(DMSetCoordinatesLocal(dm, x));
  PetscFunctionReturn(0);
}

/* The boundary is marked before the mesh is distributed: afterwards a process cannot tell it from its own border. The
   label is our own: PETSc's on a segment has another number at the right end, and files may have one of any meaning. */
static PetscErrorCode make_mesh(PetscReal by, DM* dm) {
  DMLabel label;
  DM distributed;
  PetscFunctionBeginUser;
  PetscCall(DMCreate(PETSC_COMM_WORLD, dm));
  PetscCall(DMSetType(*dm, DMPLEX));
  PetscCall(PetscOptionsSetValue(NULL, "-dm_plex_simplex", "0"));
  PetscCall(DMPlexDistributeSetDefault(*dm, PETSC_FALSE));
  PetscCall(DMSetFromOptions(*dm));
  PetscCall(DMCreateLabel(*dm, "boundary"));
  PetscCall(DMGetLabel(*dm, "boundary", &label));
  PetscCall(DMPlexMarkBoundaryFaces(*dm, 1, label));
  PetscCall(DMPlexLabelComplete(*dm, label));
  if (by != 0) PetscCall(bend(*dm, by));
  PetscCall(DMPlexDistribute(*dm, 0, NULL, &distributed));
  if (distributed) {
    PetscCall(DMDestroy(dm));
    *dm = distributed;
  }
  PetscCall(DMViewFromOptions(*dm, NULL, "-dm_view"));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  DM dm;
  PetscInt order = 4, points = 0, unknowns, iterations;
  PetscReal by = 0.05, error;
  PetscBool matrix_free = PETSC_FALSE, has_target;
  char target[16];
  const PetscInt wall = 1;
  DMLabel label;
  tessera_petsc_options options = tessera_petsc_defaults("diffusion");
  const char* text;
  Mat A;
  KSP solver;
  Vec b, u, local;
  PetscLogStage set_up, solve;
  PetscLogDouble start, end;
  KSPConvergedReason reason;

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, help));
  PetscCall(PetscLogStageRegister("Setting up", &set_up));
  PetscCall(PetscLogStageRegister("Solving", &solve));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-order", &order, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-points", &points, NULL));
  PetscCall(PetscOptionsGetReal(NULL, NULL, "-bend", &by, NULL));
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-matrix_free", &matrix_free, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-target", target, sizeof target, &has_target));

  PetscCall(PetscLogStagePush(set_up));
  PetscCall(make_mesh(by, &dm));
  // snippet matrix
  PetscCall(tessera_petsc_set_field(dm, 1, order));
  PetscCall(DMGetLabel(dm, "boundary", &label));
  PetscCall(
      DMAddBoundary(dm, DM_BC_ESSENTIAL, "wall", label, 1, &wall, 0, 0, NULL, (void (*)(void))exact, NULL, NULL, NULL));
  options.points = points;
  options.matrix_free = matrix_free;
  if (has_target) options.target = target;
  PetscCall(tessera_petsc_create_mat(dm, &options, &A));
  // end snippet
  PetscCall(MatCreateVecs(A, &u, &b));
  PetscCall(DMGetLocalVector(dm, &local));
  PetscCall(VecZeroEntries(local));
  PetscCall(DMPlexInsertBoundaryValues(dm, PETSC_TRUE, local, 0, NULL, NULL, NULL));
  PetscCall(tessera_petsc_load(A, load, NULL, b));
  PetscCall(tessera_petsc_subtract_boundary(A, local, b));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetOperators(solver, A, A));
  PetscCall(KSPSetType(solver, KSPCG));
  PetscCall(KSPSetTolerances(solver, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  {
    PC pc;
    PetscCall(KSPGetPC(solver, &pc));
    PetscCall(PCSetType(pc, PCJACOBI));
  }
  PetscCall(KSPSetFromOptions(solver));
  PetscCall(KSPSetUp(solver));
  PetscCall(PetscLogStagePop());

  PetscCall(PetscLogStagePush(solve));
  PetscCall(PetscTime(&start));
  PetscCall(KSPSolve(solver, b, u));
  PetscCall(PetscTime(&end));
  PetscCall(PetscLogStagePop());

  PetscCall(DMGlobalToLocal(dm, u, INSERT_VALUES, local));
  PetscCall(tessera_petsc_l2_error(A, exact, NULL, local, &error));
  PetscCall(DMRestoreLocalVector(dm, &local));
  PetscCall(VecGetSize(u, &unknowns));
  PetscCall(KSPGetIterationNumber(solver, &iterations));
  PetscCall(KSPGetConvergedReason(solver, &reason));
  PetscCall(tessera_petsc_describe(A, &text));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "[process 0: %s]\n", text));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d unknowns of order %d: %s in %d iterations, L2 error %.3e\n",
                        (int)unknowns, (int)order, KSPConvergedReasons[reason], (int)iterations, (double)error));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%.3f s, %.1f million unknowns x iterations/s\n", end - start,
                        1e-6 * (double)unknowns * iterations / (end - start)));
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&u));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&A));
  PetscCall(DMDestroy(&dm));
  PetscCall(PetscFinalize());
  return reason > 0 ? 0 : 1;
}
