/* SPDX-License-Identifier: BSD-3-Clause */
/* Element operators as PETSc matrices, over a DMPlex of segments, quadrilaterals or hexahedra. For C, C++,
   Fortran and, by ctypes, petsc4py. Functions are collective on the DM and return errors as PETSc's own do. */
#ifndef TESSERA_PETSC_H
#define TESSERA_PETSC_H

#include <petscdmplex.h>
#include <petscmat.h>

#if defined(PETSC_USE_COMPLEX) || !defined(PETSC_USE_REAL_DOUBLE)
#error "Tessera's adapter needs a PETSc whose scalars are double"
#endif

#if defined(__GNUC__)
#define TESSERA_PETSC_EXPORT __attribute__((visibility("default")))
#else
#define TESSERA_PETSC_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the DM one field: continuous polynomials with Gauss-Lobatto nodes, as Tessera's elements have them. Boundary
   conditions are added afterwards, with DMAddBoundary. */
TESSERA_PETSC_EXPORT PetscErrorCode tessera_petsc_set_field(DM dm, PetscInt components, PetscInt order);

/* What A is. Start from tessera_petsc_defaults. */
typedef struct tessera_petsc_options {
  const char* kind;   /* "mass", "diffusion", "helmholtz", "convection", "elasticity", "advection_diffusion" */
  int points;         /* in each direction; 0: order + 2 */
  const char* rule;   /* "gauss" or "gauss_lobatto" */
  int matrix_free;    /* 1: what is known at points is computed from the nodes at every product */
  int in_float;       /* 1: it is stored in float */
  const char* target; /* NULL: the host's best; "cuda": vectors are in a GPU's memory, as those of -dm_vec_type cuda */
  /* As in tessera_element_nodes: one set for all points, or coefficient_count numbers at each, number c of point k of a
     cell at c + coefficient_count (k + Q cell), cells as this process's part of the DM numbers them. None: all 1. */
  const double* coefficients;
  const double* coefficients_at_points; /* has to stay if matrix_free */
  int coefficient_count;
} tessera_petsc_options;

/* Gauss points, stored, no coefficients. */
TESSERA_PETSC_EXPORT tessera_petsc_options tessera_petsc_defaults(const char* kind);

/* A on the DM's global vectors, which have no unknowns with boundary conditions: a shell matrix with MULT, MULT_ADD,
   GET_DIAGONAL, and MULT_TRANSPOSE of symmetric kinds. Its order, dimension and components are those of the DM's
   field. Cells whose unknowns are all this process's are computed while those of others travel. */
TESSERA_PETSC_EXPORT PetscErrorCode tessera_petsc_create_mat(DM dm, const tessera_petsc_options* options, Mat* A);

/* The same with a matrix of MatCreate's, for languages that make their own. */
TESSERA_PETSC_EXPORT PetscErrorCode tessera_petsc_set_up_mat(DM dm, const tessera_petsc_options* options, Mat A);

/* The same as for DMProjectFunction: u[0 .. components) at x. */
typedef PetscErrorCode (*tessera_petsc_function)(PetscInt dim, PetscReal time, const PetscReal x[], PetscInt components,
                                                 PetscScalar* u, void* context);

/* b = the integrals of f times each function, by A's quadrature. */
TESSERA_PETSC_EXPORT PetscErrorCode tessera_petsc_load(Mat A, tessera_petsc_function f, void* context, Vec b);
/* b -= A of the values that a local vector has at unknowns with boundary conditions, as DMPlexInsertBoundaryValues
   leaves them. */
TESSERA_PETSC_EXPORT PetscErrorCode tessera_petsc_subtract_boundary(Mat A, Vec local, Vec b);
/* The L2 norm of u - f, u a local vector with its boundary values, by order + 3 points a direction. */
TESSERA_PETSC_EXPORT PetscErrorCode tessera_petsc_l2_error(Mat A, tessera_petsc_function f, void* context, Vec local,
                                                           PetscReal* error);
/* Sizes, kernel and its tuning, how many cells wait for other processes; of this process. Valid as long as A. */
TESSERA_PETSC_EXPORT PetscErrorCode tessera_petsc_describe(Mat A, const char** text);

#ifdef __cplusplus
}
#endif

#endif
