// SPDX-License-Identifier: BSD-3-Clause
// A shell matrix of PETSc's around a distributed operator.
#include <tessera/element/operator_names.hpp>
#include <tessera/element/operators.hpp>

#include <cstring>

#include "errors.hpp"
#include "plex_matrix.hpp"

namespace tessera::petsc {

namespace {

constexpr const char* name_of_container = "tessera";

fem::element_operator_options options_from(const tessera_petsc_options& o, const plex_field& field) {
  if (o.kind == nullptr || o.rule == nullptr)
    throw error(o.kind == nullptr ? "null kind" : "null rule", status::null_pointer);
  PetscBool has_cuda = PETSC_FALSE;
  check(PetscHasExternalPackage("cuda", &has_cuda));
  if (o.target != nullptr && target_from_name(o.target) == target::cuda && has_cuda == PETSC_FALSE)
    throw error("target \"cuda\": this PETSc has no CUDA", status::no_target);
  const std::optional<operator_kind> kind = operator_from_name(o.kind);
  if (!kind) throw error("there is no operator '" + std::string(o.kind) + "'; there are: " + list_of_operators());
  const bool lobatto = std::strcmp(o.rule, "gauss_lobatto") == 0;
  if (!lobatto && std::strcmp(o.rule, "gauss") != 0)
    throw error("there is no rule '" + std::string(o.rule) + "'; there are: gauss, gauss_lobatto");
  return {.kind = *kind,
          .trial = {.order = field.order},
          .components = field.components,
          .points = o.points,
          .rule = lobatto ? fem::points_kind::gauss_lobatto : fem::points_kind::gauss,
          .form = o.matrix_free != 0 ? fem::element_form::matrix_free : fem::element_form::partial_assembly,
          .storage = o.in_float != 0 ? point_storage::in_float : point_storage::same,
          .on = o.target == nullptr ? std::nullopt : std::optional(target_from_name(o.target))};
}

PetscErrorCode multiply(Mat A, Vec x, Vec y) {
  return guarded(__func__, __FILE__, __LINE__, [&] {
    const plex_matrix& m = matrix_of(A);
    const array_of from(x, false, m.A.space()), to(y, true, m.A.space());
    if (m.A.space() == space_kind::gpu) check(PetscDeviceContextSynchronize(nullptr));
    m.A.apply(from.data(), to.data());
    if (m.A.space() == space_kind::gpu) stream_view().synchronize();
  });
}

PetscErrorCode get_diagonal(Mat A, Vec d) {
  return guarded(__func__, __FILE__, __LINE__, [&] {
    const array_of to(d, true);
    matrix_of(A).A.diagonal(to.data());
  });
}

PetscErrorCode delete_with(PetscContainer holder) {
#if PETSC_VERSION_LT(3, 23, 0)
  return PetscContainerSetUserDestroy(holder, [](void* matrix) {
    delete static_cast<plex_matrix*>(matrix);
    return PetscErrorCode(0);
  });
#else
  // where the pointer is, a void** or a void*
  return PetscContainerSetCtxDestroy(holder, [](auto address) {
    delete *reinterpret_cast<plex_matrix**>(address);
    return PetscErrorCode(0);
  });
#endif
}

template <class Operation>
void set_operation(Mat A, MatOperation which, Operation f) {
  check(MatShellSetOperation(A, which, reinterpret_cast<void (*)(void)>(f)));
}

}  // namespace

array_of::array_of(Vec v, bool writes, space_kind space) : v_(v), writes_(writes), is_typed_(space == space_kind::gpu) {
  if (!is_typed_) {
    check(writes ? VecGetArrayWrite(v, &at_) : VecGetArrayRead(v, const_cast<const PetscScalar**>(&at_)));
    return;
  }
  PetscMemType memory = PETSC_MEMTYPE_HOST;
  check(writes ? VecGetArrayWriteAndMemType(v, &at_, &memory)
               : VecGetArrayReadAndMemType(v, const_cast<const PetscScalar**>(&at_), &memory));
  PetscInt size = 0;
  check(VecGetLocalSize(v, &size));
  if (PetscMemTypeDevice(memory) || size == 0) return;
  restore();
  throw error("A is on a GPU, and a vector is in host memory; -dm_vec_type cuda places those of the DM",
              status::wrong_space);
}
array_of::~array_of() { restore(); }

void array_of::restore() {
  if (!is_typed_ && writes_)
    VecRestoreArrayWrite(v_, &at_);
  else if (!is_typed_)
    VecRestoreArrayRead(v_, const_cast<const PetscScalar**>(&at_));
  else if (writes_)
    VecRestoreArrayWriteAndMemType(v_, &at_);
  else
    VecRestoreArrayReadAndMemType(v_, const_cast<const PetscScalar**>(&at_));
}

plex_matrix::plex_matrix(DM dm, const tessera_petsc_options& o)
    : comm(PetscObjectComm(PetscObject(dm))),
      options(options_from(o, field_of(dm))),
      cells(dm),
      exchanged(comm, cells),
      A(nodes(o), cells.unknowns(), {.owned = cells.owned, .sent = exchanged.sent()}, options,
        exchanged.exchange(options.on == target::cuda ? space_kind::gpu : space_kind::cpu)),
      description(A.describe()) {}

fem::element_nodes<double> plex_matrix::nodes(const tessera_petsc_options& o) const {
  fem::element_nodes<double> made = cells.nodes();
  if ((o.coefficients != nullptr || o.coefficients_at_points != nullptr) != (o.coefficient_count > 0))
    throw error(std::to_string(o.coefficient_count) + " coefficients are given, and where they are is " +
                    (o.coefficient_count > 0 ? "null" : "not null"),
                status::null_pointer);
  if (o.coefficients != nullptr && o.coefficients_at_points != nullptr)
    throw error("coefficients are given for all points and for each");
  if (o.coefficients != nullptr) made.coefficients.assign(o.coefficients, o.coefficients + o.coefficient_count);
  made.coefficients_at_points = o.coefficients_at_points;
  if (o.coefficients_at_points != nullptr) made.coefficients_given = o.coefficient_count;
  return made;
}

const plex_matrix& matrix_of(Mat A) {
  PetscContainer held = nullptr;
  void* matrix = nullptr;
  check(PetscObjectQuery(PetscObject(A), name_of_container, reinterpret_cast<PetscObject*>(&held)));
  if (held == nullptr) throw error("the matrix is none of tessera_petsc_create_mat", status::wrong_type);
  check(PetscContainerGetPointer(held, &matrix));
  return *static_cast<const plex_matrix*>(matrix);
}

}  // namespace tessera::petsc

using namespace tessera::petsc;

tessera_petsc_options tessera_petsc_defaults(const char* kind) {
  tessera_petsc_options o{};
  o.kind = kind;
  o.rule = "gauss";
  return o;
}

PetscErrorCode tessera_petsc_set_up_mat(DM dm, const tessera_petsc_options* options, Mat A) {
  return guarded(__func__, __FILE__, __LINE__, [&] {
    if (dm == nullptr || options == nullptr || A == nullptr)
      throw tessera::error(dm == nullptr        ? "null DM"
                           : options == nullptr ? "null options"
                                                : "null matrix",
                           tessera::status::null_pointer);
    auto matrix = std::make_unique<plex_matrix>(dm, *options);
    const PetscInt n = PetscInt(matrix->cells.owned);
    const bool symmetric = tessera::is_symmetric(matrix->options.kind);
    const bool on_gpu = matrix->A.space() == tessera::space_kind::gpu;
    check(MatSetSizes(A, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
    check(MatSetType(A, MATSHELL));
    PetscContainer holder = nullptr;
    check(PetscContainerCreate(matrix->comm, &holder));
    check(delete_with(holder));
    check(PetscContainerSetPointer(holder, matrix.release()));
    check(PetscObjectCompose(PetscObject(A), name_of_container, PetscObject(holder)));
    check(PetscContainerDestroy(&holder));
    set_operation(A, MATOP_MULT, multiply);
    set_operation(A, MATOP_GET_DIAGONAL, get_diagonal);
    if (symmetric) {
      set_operation(A, MATOP_MULT_TRANSPOSE, multiply);
      check(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE));
      check(MatSetOption(A, MAT_SYMMETRY_ETERNAL, PETSC_TRUE));
    }
    if (on_gpu) check(MatShellSetVecType(A, VECCUDA));
    check(MatSetUp(A));
    check(MatSetDM(A, dm));
  });
}

PetscErrorCode tessera_petsc_create_mat(DM dm, const tessera_petsc_options* options, Mat* A) {
  return guarded(__func__, __FILE__, __LINE__, [&] {
    if (A == nullptr) throw tessera::error("null result pointer", tessera::status::null_pointer);
    *A = nullptr;
    if (dm == nullptr) throw tessera::error("null DM", tessera::status::null_pointer);
    Mat made = nullptr;
    check(MatCreate(PetscObjectComm(PetscObject(dm)), &made));
    const PetscErrorCode code = tessera_petsc_set_up_mat(dm, options, made);
    if (code != 0) MatDestroy(&made);
    check(code);
    *A = made;
  });
}

PetscErrorCode tessera_petsc_describe(Mat A, const char** text) {
  return guarded(__func__, __FILE__, __LINE__, [&] {
    if (text == nullptr) throw tessera::error("null result pointer", tessera::status::null_pointer);
    *text = matrix_of(A).description.c_str();
  });
}
