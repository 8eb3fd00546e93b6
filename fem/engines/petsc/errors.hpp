// SPDX-License-Identifier: BSD-3-Clause
// PETSc's errors through C++, and Tessera's as PETSc's.
#pragma once

#include <petscsys.h>

#include <exception>
#include <new>

#include <tessera/error.hpp>

namespace tessera::petsc {

/// What PETSc has already told.
struct petsc_failure {
  PetscErrorCode code;
};

inline void check(PetscErrorCode code) {
  if (code != 0) throw petsc_failure{code};
}

inline PetscErrorCode code_of(status s) {
  switch (s) {
    case status::null_pointer: return PETSC_ERR_ARG_NULL;
    case status::shape_mismatch:
    case status::overflow: return PETSC_ERR_ARG_SIZ;
    case status::overlap: return PETSC_ERR_ARG_IDN;
    case status::wrong_type:
    case status::wrong_space: return PETSC_ERR_ARG_WRONG;
    case status::out_of_memory: return PETSC_ERR_MEM;
    case status::launch_failure: return PETSC_ERR_GPU;
    case status::no_target:
    case status::no_device: return PETSC_ERR_SUP;
    case status::internal: return PETSC_ERR_PLIB;
    default: return PETSC_ERR_ARG_OUTOFRANGE;
  }
}

/// Runs what a function does; an exception becomes an error of PETSc with its text.
template <class Work>
PetscErrorCode guarded(const char* function, const char* file, int line, Work work) noexcept {
  const auto told = [&](PetscErrorCode code, PetscErrorType type, const char* text) {
    return PetscError(PETSC_COMM_SELF, line, function, file, code, type, "%s", text);
  };
  try {
    work();
    return PetscErrorCode(0);
  } catch (const petsc_failure& f) {
    return told(f.code, PETSC_ERROR_REPEAT, " ");
  } catch (const error& e) {
    return told(code_of(e.code()), PETSC_ERROR_INITIAL, e.what());
  } catch (const std::bad_alloc&) {
    return told(PETSC_ERR_MEM, PETSC_ERROR_INITIAL, "no host memory left");
  } catch (const std::exception& e) {
    return told(PETSC_ERR_LIB, PETSC_ERROR_INITIAL, e.what());
  } catch (...) {
    return told(PETSC_ERR_LIB, PETSC_ERROR_INITIAL, "unknown exception");
  }
}

}  // namespace tessera::petsc
