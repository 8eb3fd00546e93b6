// SPDX-License-Identifier: BSD-3-Clause
// Matrices over a DMPlex: what they do to polynomials, whichever way cells are turned and whoever has them.
#include "plex_meshes.hpp"

using namespace tessera::testing;

namespace {

// Harmonic in 2-D and in 3-D, of order 3.
PetscErrorCode harmonic(PetscInt, PetscReal, const PetscReal x[], PetscInt, PetscScalar* u, void*) {
  u[0] = x[0] * x[0] * x[0] - 3 * x[0] * x[1] * x[1] + 2 * x[0] * x[1] - x[1] + 0.5;
  return 0;
}
PetscErrorCode waves(PetscInt dim, PetscReal, const PetscReal x[], PetscInt components, PetscScalar* u, void*) {
  for (PetscInt c = 0; c < components; ++c)
    u[c] = std::sin(2 * x[0] + c) * std::cos(x[1]) + (dim > 2 ? x[2] * x[2] : 0);
  return 0;
}
PetscErrorCode none(PetscInt, PetscReal, const PetscReal*, PetscInt components, PetscScalar* u, void*) {
  for (PetscInt c = 0; c < components; ++c) u[c] = 0;
  return 0;
}
PetscErrorCode one(PetscInt, PetscReal, const PetscReal*, PetscInt components, PetscScalar* u, void*) {
  for (PetscInt c = 0; c < components; ++c) u[c] = 1;
  return 0;
}
// In 1-D, component c: (c + 1) x^2.
PetscErrorCode parabolas(PetscInt, PetscReal, const PetscReal x[], PetscInt components, PetscScalar* u, void*) {
  for (PetscInt c = 0; c < components; ++c) u[c] = double(c + 1) * x[0] * x[0];
  return 0;
}
// A rigid rotation, without strain.
PetscErrorCode rotation(PetscInt, PetscReal, const PetscReal x[], PetscInt components, PetscScalar* u, void*) {
  u[0] = -x[1], u[1] = x[0];
  if (components > 2) u[2] = 0.25;
  return 0;
}

double dot(Vec a, Vec b) {
  PetscScalar sum = 0;
  ok(VecDot(a, b, &sum));
  return sum;
}

}  // namespace

TEST_CASE("petsc: given values of a harmonic polynomial make it the solution", "[petsc]") {
  for (const int dim : {2, 3})
    for (const int order : {3, 4, 5})
      for (const bool turned : {false, true}) {
        // Straight cells, on which order 3 is exact.
        const held_dm dm = turned_box(dim, 3, turned, 0);
        ok(tessera_petsc_set_field(dm, 1, order));
        fix_boundary(dm, harmonic);
        const held_mat A = matrix_on(dm, tessera_petsc_defaults("diffusion"));
        const held_vec u = interpolated(dm, harmonic), local = interpolated_locally(dm, harmonic);
        const held_vec b = like(A), y = like(A);
        ok(tessera_petsc_load(A, none, nullptr, b));
        ok(tessera_petsc_subtract_boundary(A, local, b));
        const double size = norm(b);
        ok(MatMult(A, u, y));
        ok(VecAXPY(y, -1, b));
        INFO(dim << "-D, order " << order << (turned ? ", turned" : "") << ": " << norm(y) << " of " << size);
        CHECK(norm(y) < 1e-13 * size);
        PetscReal error = 1;
        ok(tessera_petsc_l2_error(A, harmonic, nullptr, local, &error));
        CHECK(error < 1e-13);
      }
}

TEST_CASE("petsc: the mass of the unit box, rigid motions", "[petsc]") {
  for (const int dim : {2, 3})
    for (const bool turned : {false, true}) {
      const held_dm dm = turned_box(dim, 3, turned);
      ok(tessera_petsc_set_field(dm, 1, 3));
      const held_mat M = matrix_on(dm, tessera_petsc_defaults("mass"));
      const held_vec ones = interpolated(dm, one), y = like(M), b = like(M);
      ok(MatMult(M, ones, y));
      CHECK(std::abs(dot(ones, y) - 1) < 1e-13);
      ok(tessera_petsc_load(M, one, nullptr, b));  // the same integrals
      ok(VecAXPY(b, -1, y));
      CHECK(norm(b) < 1e-15);

      const held_dm of_vectors = turned_box(dim, 3, turned);
      ok(tessera_petsc_set_field(of_vectors, dim, 2));
      const held_mat E = matrix_on(of_vectors, tessera_petsc_defaults("elasticity"));
      const held_vec r = interpolated(of_vectors, rotation), w = interpolated(of_vectors, waves), z = like(E);
      ok(MatMult(E, w, z));
      const double size = norm(z);
      ok(MatMult(E, r, z));
      CHECK(norm(z) < 1e-13 * size);
    }
}

TEST_CASE("petsc: segments", "[petsc]") {
  for (const int components : {1, 2, 3})
    for (const int order : {2, 3, 6}) {
      const held_dm dm = segments(5);
      ok(tessera_petsc_set_field(dm, components, order));
      const held_mat M = matrix_on(dm, tessera_petsc_defaults("mass")),
                     K = matrix_on(dm, tessera_petsc_defaults("diffusion"));
      const held_vec u = interpolated(dm, parabolas), y = like(M);
      const double squares = components == 1 ? 1 : components == 2 ? 5 : 14;  // of 1, ..., components
      INFO(components << " components, order " << order);
      ok(MatMult(M, u, y));
      CHECK(std::abs(dot(u, y) - squares / 5) < 1e-13);  // the integral of x^4
      ok(MatMult(K, u, y));
      CHECK(std::abs(dot(u, y) - squares * 4 / 3) < 1e-12);  // of 4 x^2
    }
}

TEST_CASE("petsc: boundary conditions on some components", "[petsc]") {
  for (const int dim : {2, 3})
    for (const bool turned : {false, true}) {
      const held_dm dm = turned_box(dim, 3, turned);
      ok(tessera_petsc_set_field(dm, dim, 2));
      fix_boundary(dm, rotation, {0});
      const held_mat A = matrix_on(dm, tessera_petsc_defaults("elasticity"));
      const held_vec local = interpolated_locally(dm, rotation), u = interpolated(dm, rotation), b = like(A),
                     y = like(A), d = like(A), e = like(A);
      PetscInt all = 0, begin = 0, end = 0;
      ok(VecGetSize(u, &all));
      const int nodes = dim == 2 ? 49 : 343, inside = dim == 2 ? 25 : 125;
      CHECK(all == (dim - 1) * nodes + inside);
      ok(VecSet(b, 0));
      ok(tessera_petsc_subtract_boundary(A, local, b));
      ok(MatMult(A, u, y));
      CHECK(norm(b) > 0.1);
      ok(VecAXPY(y, -1, b));
      CHECK(norm(y) < 1e-12);

      // The diagonal is e.Ae.
      ok(MatGetDiagonal(A, d));
      ok(VecGetOwnershipRange(d, &begin, &end));
      for (const PetscInt k : {PetscInt(0), all / 3, all / 2, all - 1}) {
        ok(VecSet(e, 0));
        if (k >= begin && k < end) ok(VecSetValue(e, k, 1, INSERT_VALUES));
        ok(VecAssemblyBegin(e));
        ok(VecAssemblyEnd(e));
        ok(MatMult(A, e, y));
        CHECK(std::abs(dot(e, y) - dot(e, d)) < 1e-13 * norm(d));
      }
    }
}

TEST_CASE("petsc: products, transposed, added, scaled", "[petsc]") {
  const held_dm dm = turned_box(3, 3, true);
  ok(tessera_petsc_set_field(dm, 1, 4));
  fix_boundary(dm, none);
  tessera_petsc_options o = tessera_petsc_defaults("helmholtz");
  const double coefficients[2] = {0.5, 2};
  o.coefficients = coefficients;
  o.coefficient_count = 2;
  const held_mat A = matrix_on(dm, o);
  o.matrix_free = 1;
  const held_mat B = matrix_on(dm, o);
  const held_vec u = interpolated(dm, waves), y = like(A), z = like(A), w = like(A);
  ok(MatMult(A, u, y));
  const double size = norm(y);
  ok(MatMultTranspose(A, u, z));
  ok(VecAXPY(z, -1, y));
  CHECK(norm(z) == 0);
  ok(MatMult(B, u, z));
  ok(VecAXPY(z, -1, y));
  CHECK(norm(z) < 1e-13 * size);
  ok(MatMultAdd(A, u, u, z));
  ok(VecAXPY(z, -1, u));
  ok(VecAXPY(z, -1, y));
  CHECK(norm(z) < 1e-13 * size);
  ok(MatScale(A, 2));
  ok(MatMult(A, u, z));
  ok(VecAXPY(z, -2, y));
  CHECK(norm(z) < 1e-13 * size);
  const char* text = nullptr;
  ok(tessera_petsc_describe(B, &text));
  CHECK(std::string(text).find("helmholtz 3-D, d = 5, q = 6") != std::string::npos);
  PetscBool symmetric = PETSC_FALSE, known = PETSC_FALSE;
  ok(MatIsSymmetricKnown(A, &known, &symmetric));
  CHECK((known == PETSC_TRUE && symmetric == PETSC_TRUE));
  // Of one that is not symmetric there is no transposed product.
  const held_mat C = matrix_on(dm, tessera_petsc_defaults("convection"));
  CHECK(MatMultTranspose(C, u, z) != 0);
}
