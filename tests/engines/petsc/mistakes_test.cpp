// SPDX-License-Identifier: BSD-3-Clause
// What the adapter to PETSc refuses, in sentences.
#include "plex_meshes.hpp"

using namespace tessera::testing;

namespace {

std::string told;

PetscErrorCode keep(MPI_Comm, int, const char*, const char*, PetscErrorCode code, PetscErrorType type, const char* text,
                    void*) {
  if (type == PETSC_ERROR_INITIAL) told = text;
  return code;
}

template <class Work>
void check_refused(const Work& work, std::initializer_list<const char*> words) {
  told.clear();
  PetscPushErrorHandler(keep, nullptr);
  const PetscErrorCode code = work();
  PetscPopErrorHandler();
  INFO("told: " << told);
  CHECK(code != 0);
  for (const char* word : words) CHECK(told.find(word) != std::string::npos);
}

}  // namespace

TEST_CASE("petsc: meshes and fields that are refused", "[petsc][one_process]") {
  held_mat A;
  const tessera_petsc_options mass = tessera_petsc_defaults("mass");
  const auto create = [&](DM dm, const tessera_petsc_options& o) {
    return tessera_petsc_create_mat(dm, &o, A.address());
  };
  held_dm simplices;
  ok(DMPlexCreateReferenceCell(PETSC_COMM_WORLD, DM_POLYTOPE_TETRAHEDRON, simplices.address()));
  ok(tessera_petsc_set_field(simplices, 1, 1));
  check_refused([&] { return create(simplices, mass); }, {"cell ", "tetrahedron", "hexahedron"});
  CHECK(A == nullptr);

  const held_dm bare = turned_box(2, 3, false);
  check_refused([&] { return create(bare, mass); }, {"no unknowns", "tessera_petsc_set_field"});
  check_refused([&] { return tessera_petsc_set_field(bare, 0, 2); }, {"0 components"});
  check_refused([&] { return tessera_petsc_set_field(bare, 1, 17); }, {"order 17", "1 to 16"});
  ok(tessera_petsc_set_field(bare, 1, 2));
  check_refused([&] { return tessera_petsc_set_field(bare, 1, 2); }, {"1 fields already"});

  check_refused([&] { return create(bare, tessera_petsc_defaults("masse")); }, {"'masse'", "mass, diffusion"});
  tessera_petsc_options o = mass;
  o.rule = "simpson";
  check_refused([&] { return create(bare, o); }, {"'simpson'", "gauss_lobatto"});
  o = mass;
  o.coefficient_count = 2;
  check_refused([&] { return create(bare, o); }, {"2 coefficients", "null"});
  o = mass;
  PetscBool has_cuda = PETSC_FALSE;
  ok(PetscHasExternalPackage("cuda", &has_cuda));
  o.target = "cuda";
  if (has_cuda == PETSC_FALSE) check_refused([&] { return create(bare, o); }, {"\"cuda\"", "no CUDA"});
  o.target = "cudda";
  check_refused([&] { return create(bare, o); }, {"cudda"});
  check_refused([&] { return create(bare, tessera_petsc_defaults("elasticity")); }, {"2", "component"});
  check_refused([&] { return tessera_petsc_create_mat(bare, nullptr, A.address()); }, {"null options"});
  check_refused([&] { return tessera_petsc_create_mat(nullptr, &mass, A.address()); }, {"null DM"});
  check_refused([&] { return tessera_petsc_create_mat(bare, &mass, nullptr); }, {"null result"});

  // Equidistant nodes.
  const held_dm even = turned_box(2, 2, false);
  PetscFE fe = nullptr;
  ok(PetscOptionsSetValue(nullptr, "-even_petscspace_degree", "4"));
  ok(PetscOptionsSetValue(nullptr, "-even_petscdualspace_lagrange_node_type", "equispaced"));
  ok(PetscFECreateDefault(PETSC_COMM_WORLD, 2, 1, PETSC_FALSE, "even_", -1, &fe));
  ok(DMSetField(even, 0, nullptr, PetscObject(fe)));
  ok(PetscFEDestroy(&fe));
  ok(DMCreateDS(even));
  check_refused([&] { return create(even, mass); }, {"other nodes than Gauss-Lobatto"});

  // Vectors and matrices of others.
  ok(tessera_petsc_create_mat(bare, &mass, A.address()));
  held_vec small;
  ok(VecCreateSeq(PETSC_COMM_SELF, 2, small.address()));
  PetscReal error = 0;
  check_refused(
      [&] {
        return tessera_petsc_l2_error(
            A, [](PetscInt, PetscReal, const PetscReal*, PetscInt, PetscScalar*, void*) { return PetscErrorCode(0); },
            nullptr, small, &error);
      },
      {"2 numbers", "local vectors of the DM have 49"});
  const auto constant = [](PetscInt, PetscReal, const PetscReal*, PetscInt, PetscScalar* u, void*) {
    u[0] = 1;
    return PetscErrorCode(0);
  };
  check_refused([&] { return tessera_petsc_load(A, constant, nullptr, small); }, {"b has 2 numbers, A 49"});
  held_vec local;
  ok(DMCreateLocalVector(bare, local.address()));
  check_refused([&] { return tessera_petsc_subtract_boundary(A, local, small); }, {"b has 2 numbers"});
  check_refused([&] { return tessera_petsc_describe(A, nullptr); }, {"null result"});
  held_mat other;
  ok(MatCreateSeqDense(PETSC_COMM_SELF, 2, 2, nullptr, other.address()));
  const char* text = nullptr;
  check_refused([&] { return tessera_petsc_describe(other, &text); }, {"none of tessera_petsc_create_mat"});
  // A function's own error comes back.
  const held_vec b = like(A);
  CHECK(tessera_petsc_load(
            A, [](PetscInt, PetscReal, const PetscReal*, PetscInt, PetscScalar*, void*) { return PetscErrorCode(77); },
            nullptr, b) == 77);
}

TEST_CASE("petsc: meshes whose cells or unknowns are not this process's alone", "[petsc]") {
  held_mat A;
  const tessera_petsc_options mass = tessera_petsc_defaults("mass");
  const held_dm hanging = turned_box(2, 2, false);
  ok(tessera_petsc_set_field(hanging, 1, 1));
  PetscSection anchors = nullptr;
  IS numbers = nullptr;
  PetscInt first = 0, last = 0;
  ok(DMPlexGetDepthStratum(hanging, 0, &first, &last));
  ok(PetscSectionCreate(PETSC_COMM_SELF, &anchors));
  ok(PetscSectionSetChart(anchors, first, last));
  if (last - first > 2) ok(PetscSectionSetDof(anchors, first, 2));
  ok(PetscSectionSetUp(anchors));
  const PetscInt others[2] = {first + 1, first + 2};
  ok(ISCreateGeneral(PETSC_COMM_SELF, last - first > 2 ? 2 : 0, others, PETSC_COPY_VALUES, &numbers));
  ok(DMPlexSetAnchors(hanging, anchors, numbers));
  ok(PetscSectionDestroy(&anchors));
  ok(ISDestroy(&numbers));
  check_refused([&] { return tessera_petsc_create_mat(hanging, &mass, A.address()); }, {"hanging nodes"});

  const held_dm single = turned_box(2, 4, false);
  DM spread = nullptr;
  int processes = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &processes);
  if (processes == 1) return;
  ok(DMPlexDistributeOverlap(single, 1, nullptr, &spread));
  const held_dm overlapping(spread);
  ok(tessera_petsc_set_field(overlapping, 1, 1));
  check_refused([&] { return tessera_petsc_create_mat(overlapping, &mass, A.address()); }, {"overlap of 1"});
}
