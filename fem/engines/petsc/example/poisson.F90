! SPDX-License-Identifier: BSD-3-Clause
! Poisson's equation in Fortran, around a matrix of Tessera's: PETSc's options for its mesh and its solver.
#include <petsc/finclude/petscksp.h>
#include <petsc/finclude/petscdmplex.h>

module solution
  use, intrinsic :: iso_c_binding
  implicit none
contains
  ! u = sin(2 x + y), in one dimension sin(2 x), and -div grad u.
  integer(c_int) function exact(dim, time, x, components, u, context) bind(c)
    integer(c_int), value :: dim, components
    real(c_double), value :: time
    real(c_double), intent(in) :: x(*)
    real(c_double), intent(out) :: u(*)
    type(c_ptr), value :: context
    u(1) = sin(2 * x(1))
    if (dim > 1) u(1) = sin(2 * x(1) + x(2))
    exact = 0
  end function

  integer(c_int) function load(dim, time, x, components, f, context) bind(c)
    integer(c_int), value :: dim, components
    real(c_double), value :: time
    real(c_double), intent(in) :: x(*)
    real(c_double), intent(out) :: f(*)
    type(c_ptr), value :: context
    load = exact(dim, time, x, components, f, context)
    f(1) = merge(5, 4, dim > 1) * f(1)
  end function
end module

program poisson
  use petscksp
  use petscdmplex
  use tessera_petsc
  use solution
  implicit none

  integer(c_int), parameter :: wall(1) = [1], essential = 1
  character(kind=c_char, len=10), target :: kind = "diffusion" // c_null_char
  type(tessera_petsc_options) :: options
  type(tDM) :: dm, distributed
  type(tDMLabel) :: label
  type(tMat) :: A
  type(tVec) :: u, b, local
  type(tKSP) :: solver
  type(tPC) :: preconditioner
  real(c_double) :: error
  PetscInt :: order, iterations, unknowns
  PetscBool :: given
  PetscMPIInt :: rank
  PetscErrorCode :: ierr
  KSPConvergedReason :: reason
  character(len=80) :: line

  PetscCallA(PetscInitialize(ierr))
  order = 4
  PetscCallA(PetscOptionsGetInt(PETSC_NULL_OPTIONS, PETSC_NULL_CHARACTER, "-order", order, given, ierr))
  PetscCallA(PetscOptionsSetValue(PETSC_NULL_OPTIONS, "-dm_plex_simplex", "0", ierr))
  PetscCallA(DMCreate(PETSC_COMM_WORLD, dm, ierr))
  PetscCallA(DMSetType(dm, DMPLEX, ierr))
  PetscCallA(DMPlexDistributeSetDefault(dm, PETSC_FALSE, ierr))
  PetscCallA(DMSetFromOptions(dm, ierr))
  ! The boundary is marked before the mesh is distributed: afterwards a process cannot tell it from its own border.
  PetscCallA(DMCreateLabel(dm, "boundary", ierr))
  PetscCallA(DMGetLabel(dm, "boundary", label, ierr))
  PetscCallA(DMPlexMarkBoundaryFaces(dm, 1, label, ierr))
  PetscCallA(DMPlexLabelComplete(dm, label, ierr))
  PetscCallA(DMPlexDistribute(dm, 0, PETSC_NULL_SF, distributed, ierr))
  if (distributed /= PETSC_NULL_DM) then
    PetscCallA(DMDestroy(dm, ierr))
    dm = distributed
  end if

  ! snippet matrix
  call check(tessera_petsc_set_field(dm%v, 1, order))
  PetscCallA(DMGetLabel(dm, "boundary", label, ierr))
  call check(petsc_add_boundary(dm%v, essential, "wall" // c_null_char, label%v, 1, wall, 0, 0, c_null_ptr, &
                                c_funloc(exact), c_null_funptr, c_null_ptr, c_null_ptr))
  options = tessera_petsc_defaults(c_loc(kind))
  PetscCallA(MatCreate(PETSC_COMM_WORLD, A, ierr))
  call check(tessera_petsc_set_up_mat(dm%v, options, A%v))
  ! end snippet

  PetscCallA(MatCreateVecs(A, u, b, ierr))
  PetscCallA(DMCreateLocalVector(dm, local, ierr))
  PetscCallA(VecZeroEntries(local, ierr))
  call check(petsc_insert_boundary_values(dm%v, 1, local%v, 0d0, c_null_ptr, c_null_ptr, c_null_ptr))
  call check(tessera_petsc_load(A%v, c_funloc(load), c_null_ptr, b%v))
  call check(tessera_petsc_subtract_boundary(A%v, local%v, b%v))

  PetscCallA(KSPCreate(PETSC_COMM_WORLD, solver, ierr))
  PetscCallA(KSPSetOperators(solver, A, A, ierr))
  PetscCallA(KSPSetType(solver, KSPCG, ierr))
  PetscCallA(KSPGetPC(solver, preconditioner, ierr))
  PetscCallA(PCSetType(preconditioner, PCJACOBI, ierr))
  PetscCallA(KSPSetTolerances(solver, 1d-11, PETSC_DEFAULT_REAL, PETSC_DEFAULT_REAL, PETSC_DEFAULT_INTEGER, ierr))
  PetscCallA(KSPSetFromOptions(solver, ierr))
  PetscCallA(KSPSolve(solver, b, u, ierr))

  PetscCallA(DMGlobalToLocal(dm, u, INSERT_VALUES, local, ierr))
  call check(tessera_petsc_l2_error(A%v, c_funloc(exact), c_null_ptr, local%v, error))
  PetscCallA(KSPGetIterationNumber(solver, iterations, ierr))
  PetscCallA(KSPGetConvergedReason(solver, reason, ierr))
  PetscCallA(VecGetSize(u, unknowns, ierr))
  PetscCallMPIA(MPI_Comm_rank(PETSC_COMM_WORLD, rank, ierr))
  write (line, '(i0, a, i0, a, i0, a, es10.3)') unknowns, " unknowns of order ", order, ": ", iterations, &
    " iterations, L2 error ", error
  if (rank == 0) print '(a)', trim(line)

  PetscCallA(KSPDestroy(solver, ierr))
  PetscCallA(VecDestroy(local, ierr))
  PetscCallA(VecDestroy(b, ierr))
  PetscCallA(VecDestroy(u, ierr))
  PetscCallA(MatDestroy(A, ierr))
  PetscCallA(DMDestroy(dm, ierr))
  PetscCallA(PetscFinalize(ierr))
  if (reason <= 0) stop 1

contains
  ! Errors have been printed by PETSc.
  subroutine check(code)
    integer(c_int), intent(in) :: code
    if (code /= 0) call MPI_Abort(PETSC_COMM_WORLD, code, ierr)
  end subroutine
end program
