// SPDX-License-Identifier: BSD-3-Clause
// Reads a DMPlex by its closures, which go by lines of nodes once a section says so.
#include "plex_cells.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include <tessera/error.hpp>
#include <tessera/fem/basis.hpp>

#include "errors.hpp"

namespace tessera::petsc {

namespace {

[[noreturn]] void refuse_plex(const std::string& why) { throw error("DMPlex: " + why, status::invalid_argument); }

template <class Object, class Destroy>
class owned_object {
 public:
  explicit owned_object(Destroy destroy) : destroy_(destroy) {}
  owned_object(const owned_object&) = delete;
  ~owned_object() { destroy_(&it_); }
  Object* address() { return &it_; }
  operator Object() const { return it_; }

 private:
  Object it_ = nullptr;
  Destroy destroy_;
};

// The nodes of a cell in lexicographic order, components together; the DM's own section keeps its order.
class lexicographic_section {
 public:
  explicit lexicographic_section(DM dm) : section_(PetscSectionDestroy), dm_(dm) {
    PetscSection own = nullptr;
    PetscInt dim = 0, edge = 0, last_edge = 0, begin = 0, end = 0;
    check(DMGetDimension(dm, &dim));
    check(DMGetLocalSection(dm, &own));
    check(PetscSectionGetFieldComponents(own, 0, &components_));
    is_line_ = dim == 1;
    check(PetscSectionGetChart(own, &begin, &end));
    check(DMPlexGetDepthStratum(dm, 1, &edge, &last_edge));
    check(PetscSectionCreate(PETSC_COMM_SELF, section_.address()));
    if (edge == last_edge) return;  // no cells
    if (edge >= begin && edge < end)
      check(PetscSectionCopy(own, section_));
    else
      copy_vertices(own, begin, end);
    check(DMPlexSetClosurePermutationTensor(dm, PETSC_DETERMINE, section_));
  }
  /// f(the numbers of a cell).
  template <class F>
  void with_closure(Vec v, PetscInt cell, const F& f) const {
    PetscInt size = 0;
    PetscScalar* numbers = nullptr;
    check(DMPlexVecGetClosure(dm_, section_, v, cell, &size, &numbers));
    if (is_line_) first_end_to_front(numbers, size);
    f(numbers, size);
    check(DMPlexVecRestoreClosure(dm_, section_, v, cell, &size, &numbers));
  }

 private:
  // In one dimension PETSc takes no permutation: inner nodes come first, then both ends.
  void first_end_to_front(PetscScalar* numbers, PetscInt size) const {
    std::rotate(numbers, numbers + (size - 2 * components_), numbers + (size - components_));
  }
  // Coordinates of vertices may have a section of nothing else, and PETSc asks how many unknowns an edge has.
  void copy_vertices(PetscSection own, PetscInt begin, PetscInt end) {
    PetscInt first = 0, last = 0;
    check(DMPlexGetChart(dm_, &first, &last));
    check(PetscSectionSetNumFields(section_, 1));
    check(PetscSectionSetFieldComponents(section_, 0, components_));
    check(PetscSectionSetChart(section_, first, last));
    for (PetscInt point = begin; point < end; ++point) {
      PetscInt size = 0;
      check(PetscSectionGetDof(own, point, &size));
      check(PetscSectionSetDof(section_, point, size));
      check(PetscSectionSetFieldDof(section_, point, 0, size));
    }
    check(PetscSectionSetUp(section_));
  }

  owned_object<PetscSection, PetscErrorCode (*)(PetscSection*)> section_;
  bool is_line_ = false;
  PetscInt components_ = 1;
  DM dm_;
};

bool is_power(PetscInt n, int side, int dim) {
  for (int a = 0; a < dim; ++a) {
    if (n % side != 0) return false;
    n /= side;
  }
  return n == 1;
}

// The order whose cells have so many nodes, or 0.
int order_of(PetscInt nodes, int dim) {
  for (int p = 1; p <= fem::max_order; ++p)
    if (is_power(nodes, p + 1, dim)) return p;
  return 0;
}

PetscInt closure_size(DM dm, PetscSection section, PetscInt cell) {
  PetscInt count = 0, *closure = nullptr, size = 0, begin = 0, end = 0;
  check(PetscSectionGetChart(section, &begin, &end));
  check(DMPlexGetTransitiveClosure(dm, cell, PETSC_TRUE, &count, &closure));
  for (PetscInt i = 0; i < count; ++i) {
    const PetscInt point = closure[2 * i];
    PetscInt dof = 0;
    if (point >= begin && point < end) check(PetscSectionGetDof(section, point, &dof));
    size += dof;
  }
  check(DMPlexRestoreTransitiveClosure(dm, cell, PETSC_TRUE, &count, &closure));
  return size;
}

// Nodes of other polynomials would be taken for Gauss-Lobatto ones.
void check_nodes(DM dm, const char* of, int order) {
  PetscInt fields = 0;
  check(DMGetNumFields(dm, &fields));
  if (fields < 1 || order < 3) return;
  PetscObject object = nullptr;
  PetscClassId id = 0;
  check(DMGetField(dm, 0, nullptr, &object));
  check(PetscObjectGetClassId(object, &id));
  if (id != PETSCFE_CLASSID) return;
  PetscDualSpace space = nullptr;
  PetscInt functions = 0;
  check(PetscFEGetDualSpace(PetscFE(object), &space));
  check(PetscDualSpaceGetDimension(space, &functions));
  const fem::basis lobatto(fem::basis_kind::gauss_lobatto, order);
  const std::span<const double> nodes = lobatto.nodes();
  for (PetscInt i = 0; i < functions; ++i) {
    PetscQuadrature at = nullptr;
    PetscInt dim = 0, points = 0;
    const PetscReal* x = nullptr;
    check(PetscDualSpaceGetFunctional(space, i, &at));
    check(PetscQuadratureGetData(at, &dim, nullptr, &points, &x, nullptr));
    bool is_node = points == 1;
    for (PetscInt a = 0; a < dim && is_node; ++a)
      is_node =
          std::any_of(nodes.begin(), nodes.end(), [&](double node) { return std::abs((x[a] + 1) / 2 - node) < 1e-10; });
    if (!is_node)
      refuse_plex(std::string(of) + " of order " + std::to_string(order) +
                  " has other nodes than Gauss-Lobatto points; tessera_petsc_set_field makes such a field");
  }
}

std::pair<PetscInt, PetscInt> cells_of(DM dm) {
  PetscInt first = 0, last = 0;
  check(DMPlexGetSimplexOrBoxCells(dm, 0, &first, &last));
  return {first, last};
}

}  // namespace

plex_field field_of(DM dm) {
  PetscBool is_plex = PETSC_FALSE;
  check(PetscObjectTypeCompare(PetscObject(dm), DMPLEX, &is_plex));
  if (is_plex == PETSC_FALSE) refuse_plex("the DM is of another type");
  PetscInt dim = 0, fields = 0, components = 1;
  check(DMGetDimension(dm, &dim));
  if (dim < 1 || dim > 3) refuse_plex(std::to_string(dim) + " dimensions; there are 1 to 3");
  PetscInt in_space = 0;
  check(DMGetCoordinateDim(dm, &in_space));
  if (in_space != dim)
    refuse_plex("cells of " + std::to_string(dim) + " dimensions in a space of " + std::to_string(in_space));
  PetscInt overlap = 0;
  check(DMPlexGetOverlap(dm, &overlap));
  if (overlap > 0)
    refuse_plex("distributed with an overlap of " + std::to_string(overlap) + ", whose cells several processes have");
  PetscSection section = nullptr, of_anchors = nullptr, of_constraints = nullptr;
  Mat constraints = nullptr;
  check(DMPlexGetAnchors(dm, &of_anchors, nullptr));
  check(DMGetDefaultConstraints(dm, &of_constraints, &constraints, nullptr));
  if (of_anchors != nullptr || constraints != nullptr)
    refuse_plex("unknowns that others give, as at hanging nodes; it has to have none");
  check(DMGetLocalSection(dm, &section));
  check(PetscSectionGetNumFields(section, &fields));
  if (fields > 1) refuse_plex(std::to_string(fields) + " fields; one is needed, of a DMCreateSubDM for example");
  if (fields == 1) check(PetscSectionGetFieldComponents(section, 0, &components));

  const DMPolytopeType wanted = dim == 1   ? DM_POLYTOPE_SEGMENT
                                : dim == 2 ? DM_POLYTOPE_QUADRILATERAL
                                           : DM_POLYTOPE_HEXAHEDRON;
  // Unknowns of a cell, the same negative for their minimum, and whether this process refuses its cells.
  PetscInt of_this[3] = {0, PETSC_MIN_INT, 0}, of_all[3] = {0, 0, 0};
  std::string why;
  const auto [first, last] = cells_of(dm);
  for (PetscInt cell = first; cell < last && why.empty(); ++cell) {
    DMPolytopeType type{};
    check(DMPlexGetCellType(dm, cell, &type));
    const PetscInt size = closure_size(dm, section, cell);
    if (type != wanted)
      why = "cell " + std::to_string(cell) + " is a " + DMPolytopeTypes[type] + ", not a " + DMPolytopeTypes[wanted];
    else if (cell > first && size != of_this[0])
      why = "cell " + std::to_string(cell) + " has " + std::to_string(size) + " unknowns, the first one " +
            std::to_string(of_this[0]);
    of_this[0] = size, of_this[1] = -size, of_this[2] = why.empty() ? 0 : 1;
  }
  check(PetscErrorCode(MPI_Allreduce(of_this, of_all, 3, MPIU_INT, MPI_MAX, PetscObjectComm(PetscObject(dm)))));
  if (of_all[2] != 0) refuse_plex(why.empty() ? "another process refuses its cells" : why);
  if (of_all[0] == 0) refuse_plex("its cells have no unknowns; tessera_petsc_set_field gives it a field");
  const int order = order_of(of_all[0] / components, int(dim));
  if (of_all[0] != -of_all[1] || of_all[0] % components != 0 || order == 0)
    refuse_plex(std::to_string(of_all[0]) + " unknowns of a cell with " + std::to_string(components) +
                " components are no product of lines of 2 to " + std::to_string(fem::max_order + 1) + " nodes");
  check_nodes(dm, "its field", order);
  return {int(dim), order, int(components)};
}

plex_cells::plex_cells(DM dm) : field(field_of(dm)) {
  const auto [first, last] = cells_of(dm);
  cells = last - first;
  find_numbers(dm);
  find_coordinates(dm);
}

// A global vector that has its own places, brought to the local vectors, says which number a local one is.
void plex_cells::find_numbers(DM dm) {
  owned_object<Vec, PetscErrorCode (*)(Vec*)> global(VecDestroy), there(VecDestroy);
  check(DMCreateGlobalVector(dm, global.address()));
  check(DMCreateLocalVector(dm, there.address()));
  PetscInt begin = 0, end = 0, size = 0;
  check(VecGetOwnershipRange(global, &begin, &end));
  PetscScalar* places = nullptr;
  check(VecGetArrayWrite(global, &places));
  for (PetscInt k = begin; k < end; ++k) places[k - begin] = PetscScalar(k);
  check(VecRestoreArrayWrite(global, &places));
  check(VecSet(there, -1));
  check(DMGlobalToLocalBegin(dm, global, INSERT_VALUES, there));
  check(DMGlobalToLocalEnd(dm, global, INSERT_VALUES, there));
  check(VecGetLocalSize(there, &size));
  local_size = size;

  owned = end - begin;
  std::vector<PetscInt> place(std::size_t(size), -1);  // in global vectors; -1: a boundary condition
  const PetscScalar* read = nullptr;
  check(VecGetArrayRead(there, &read));
  for (PetscInt k = 0; k < size; ++k) place[std::size_t(k)] = PetscInt(std::llround(read[k]));
  check(VecRestoreArrayRead(there, &read));

  check(VecGetArrayWrite(there, &places));
  for (PetscInt k = 0; k < size; ++k) places[k] = PetscScalar(k);
  check(VecRestoreArrayWrite(there, &places));
  const lexicographic_section section(dm);
  const auto [first, last] = cells_of(dm);
  std::vector<PetscInt> nodes;  // of each cell: the place of component 0 in local vectors
  for (PetscInt cell = first; cell < last; ++cell)
    section.with_closure(there, cell, [&](const PetscScalar* k, PetscInt count) {
      for (PetscInt j = 0; j < count; j += field.components) nodes.push_back(PetscInt(k[j]));
    });

  const int c = field.components;
  const auto place_of = [&](PetscInt k) { return place[std::size_t(k)]; };
  const auto is_owned = [&](PetscInt node) {
    for (int i = 0; i < c; ++i)
      if (const PetscInt at = place_of(node + i); at < begin || at >= end || at != place_of(node) + i) return false;
    return true;
  };
  local.assign(std::size_t(owned), -1);
  std::vector<std::int64_t> number(std::size_t(size), -1);
  std::vector<PetscInt> all = nodes;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const PetscInt node : all) {
    const bool own = is_owned(node);
    const std::size_t first_number = own ? std::size_t(place_of(node) - begin) : local.size();
    number[std::size_t(node)] = std::int64_t(first_number);
    for (int i = 0; i < c; ++i)
      if (own) {
        local[first_number + std::size_t(i)] = node + i;
      } else {
        local.push_back(node + i);
        received.push_back(place_of(node + i));
      }
  }
  for (const PetscInt node : nodes) offsets.push_back(number[std::size_t(node)]);
}

void plex_cells::find_coordinates(DM dm) {
  PetscBool localized = PETSC_FALSE;
  check(DMGetCoordinatesLocalized(dm, &localized));
  if (localized == PETSC_TRUE) refuse_plex("periodic coordinates, which each cell has for itself");
  DM of_coordinates = nullptr;
  Vec x = nullptr;
  check(DMGetCoordinateDM(dm, &of_coordinates));
  check(DMGetCoordinatesLocal(dm, &x));
  if (x == nullptr) refuse_plex("no coordinates");
  const auto [first, last] = cells_of(dm);
  if (first == last) return;
  PetscSection own = nullptr;
  check(DMGetLocalSection(of_coordinates, &own));
  geometry_order = order_of(closure_size(of_coordinates, own, first) / field.dim, field.dim);
  if (geometry_order == 0)
    refuse_plex("coordinates of " + std::to_string(closure_size(of_coordinates, own, first)) +
                " numbers a cell, which are no product of polynomials");
  check_nodes(of_coordinates, "its coordinate field", geometry_order);
  const lexicographic_section section(of_coordinates);
  for (PetscInt cell = first; cell < last; ++cell)
    section.with_closure(x, cell, [&](const PetscScalar* nodes, PetscInt count) {
      for (int a = 0; a < field.dim; ++a)
        for (PetscInt i = 0; i < count / field.dim; ++i) coordinates.push_back(nodes[a + field.dim * i]);
    });
}

restriction plex_cells::unknowns() const {
  index_t entries = 1;
  for (int a = 0; a < field.dim; ++a) entries *= field.order + 1;
  return restriction({.elements = cells,
                      .entries = entries,
                      .components = field.components,
                      .size = index_t(local.size()),
                      .offsets64 = offsets.data(),
                      .component_stride = field.components > 1 ? 1 : 0});
}

fem::element_nodes<double> plex_cells::nodes() const {
  return {.dim = field.dim,
          .order = geometry_order,
          .elements = cells,
          .coordinates = coordinates.data(),
          .coefficients = {}};
}

}  // namespace tessera::petsc
