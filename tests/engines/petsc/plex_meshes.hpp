// SPDX-License-Identifier: BSD-3-Clause
// Meshes of PETSc for tests, and its objects, which end with their scope.
#pragma once

#include <petscdmplex.h>
#include <petscksp.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <tessera/petsc/tessera_petsc.h>

#include "testing/catch.hpp"

namespace tessera::testing {

inline void ok(PetscErrorCode code) { REQUIRE(code == 0); }

template <class Object, PetscErrorCode (*Destroy)(Object*)>
class held {
 public:
  held() = default;
  explicit held(Object it) : it_(it) {}
  held(held&& other) noexcept : it_(std::exchange(other.it_, nullptr)) {}
  held& operator=(held&&) = delete;
  ~held() {
    if (it_ != nullptr) Destroy(&it_);
  }
  operator Object() const { return it_; }
  Object* address() { return &it_; }

 private:
  Object it_ = nullptr;
};
using held_dm = held<DM, DMDestroy>;
using held_mat = held<Mat, MatDestroy>;
using held_vec = held<Vec, VecDestroy>;

using function_of_x = PetscErrorCode (*)(PetscInt, PetscReal, const PetscReal[], PetscInt, PetscScalar*, void*);

/// Of vertices and cells that process 0 gives; the boundary has the label "marker".
inline held_dm distributed(int dim, PetscInt cells, PetscInt vertices, const std::vector<PetscInt>& corners,
                           const std::vector<PetscReal>& x) {
  held_dm serial;
  ok(DMPlexCreateFromCellListPetsc(PETSC_COMM_WORLD, dim, cells, vertices, 1 << dim, PETSC_TRUE, corners.data(), dim,
                                   x.data(), serial.address()));
  DMLabel label = nullptr;
  ok(DMCreateLabel(serial, "marker"));
  ok(DMGetLabel(serial, "marker", &label));
  ok(DMPlexMarkBoundaryFaces(serial, 1, label));
  ok(DMPlexLabelComplete(serial, label));
  DM spread = nullptr;
  ok(DMPlexDistribute(serial, 0, nullptr, &spread));
  return spread != nullptr ? held_dm(spread) : std::move(serial);
}

/// A box of cells, each turned around itself at random: neighbours see their faces and edges from all sides. Bent, too.
inline held_dm turned_box(int dim, int cells, bool turned, double bend = 0.03) {
  const int side = cells + 1;
  std::vector<PetscInt> corners;
  std::vector<PetscReal> x;
  std::mt19937 random(11);
  // Corners of a cell of PETSc by their coordinates, and the turns that keep them right-handed.
  const std::array<std::array<int, 3>, 8> places{
      {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
  const std::array<std::array<int, 3>, 4> square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}};
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  PetscInt count = 0;
  const int layers = dim == 3 ? cells : 1;
  for (int k = 0; k < layers && rank == 0; ++k)
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i, ++count) {
        std::array<int, 3> axis{0, 1, 2}, flip{0, 0, 0};
        if (turned) {
          std::shuffle(axis.begin(), axis.begin() + dim, random);
          for (int a = 0; a < dim; ++a) flip[std::size_t(a)] = int(random() % 2);
          int sign = flip[0] ^ flip[1] ^ flip[2];
          for (int a = 0; a < 3; ++a)
            for (int b = a + 1; b < 3; ++b) sign ^= int(axis[std::size_t(a)] > axis[std::size_t(b)]);
          if (sign != 0) flip[0] ^= 1;
        }
        for (int corner = 0; corner < 1 << dim; ++corner) {
          const auto& at = dim == 3 ? places[std::size_t(corner)] : square[std::size_t(corner)];
          std::array<int, 3> place{i, j, dim == 3 ? k : 0};
          for (int a = 0; a < dim; ++a)
            place[std::size_t(axis[std::size_t(a)])] += at[std::size_t(a)] ^ flip[std::size_t(a)];
          corners.push_back(place[0] + side * (place[1] + side * place[2]));
        }
      }
  const double pi = std::acos(-1.0);
  PetscInt vertices = 0;
  for (int k = 0; k < (dim == 3 ? side : 1) && rank == 0; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i, ++vertices) {
        const double at[3] = {double(i) / cells, double(j) / cells, double(k) / cells};
        double bump = bend;
        for (int a = 0; a < dim; ++a) bump *= std::sin(pi * at[a]);
        for (int a = 0; a < dim; ++a) x.push_back(at[a] + (a == 1 ? -bump : bump));
      }
  return distributed(dim, count, vertices, corners, x);
}

/// Segments from 0 to 1 of different lengths.
inline held_dm segments(int cells) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  std::vector<PetscInt> ends;
  std::vector<PetscReal> x;
  for (PetscInt k = 0; k < cells && rank == 0; ++k) ends.insert(ends.end(), {k, k + 1});
  for (int k = 0; k <= cells && rank == 0; ++k) x.push_back(std::pow(double(k) / cells, 1.2));
  return distributed(1, PetscInt(ends.size() / 2), PetscInt(x.size()), ends, x);
}

inline void fix_boundary(DM dm, function_of_x values, std::vector<PetscInt> components = {}) {
  DMLabel label = nullptr;
  const PetscInt wall = 1;
  ok(DMGetLabel(dm, "marker", &label));
  ok(DMAddBoundary(dm, DM_BC_ESSENTIAL, "wall", label, 1, &wall, 0, PetscInt(components.size()),
                   components.empty() ? nullptr : components.data(), reinterpret_cast<void (*)(void)>(values), nullptr,
                   nullptr, nullptr));
}

inline held_mat matrix_on(DM dm, const tessera_petsc_options& o) {
  held_mat A;
  ok(tessera_petsc_create_mat(dm, &o, A.address()));
  return A;
}
inline held_vec like(Mat A) {
  held_vec v;
  ok(MatCreateVecs(A, v.address(), nullptr));
  return v;
}
inline double norm(Vec v) {
  PetscReal size = 0;
  ok(VecNorm(v, NORM_INFINITY, &size));
  return size;
}
/// The interpolant of a function, in global and in local vectors.
inline held_vec interpolated(DM dm, function_of_x f) {
  held_vec v;
  ok(DMCreateGlobalVector(dm, v.address()));
  ok(DMProjectFunction(dm, 0, &f, nullptr, INSERT_VALUES, v));
  return v;
}
inline held_vec interpolated_locally(DM dm, function_of_x f) {
  held_vec v;
  ok(DMCreateLocalVector(dm, v.address()));
  ok(DMProjectFunctionLocal(dm, 0, &f, nullptr, INSERT_ALL_VALUES, v));
  return v;
}

}  // namespace tessera::testing
