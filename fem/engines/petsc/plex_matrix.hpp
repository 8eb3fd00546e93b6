// SPDX-License-Identifier: BSD-3-Clause
// What is behind a matrix of Tessera's.
#pragma once

#include <petscmat.h>

#include <string>

#include <tessera/petsc/tessera_petsc.h>
#include <tessera/fem/distributed_operator.hpp>

#include "halo.hpp"
#include "plex_cells.hpp"

namespace tessera::petsc {

struct plex_matrix {
  MPI_Comm comm;
  fem::element_operator_options options;
  plex_cells cells;
  halo exchanged;
  fem::distributed_operator<double> A;
  std::string description;

  plex_matrix(DM dm, const tessera_petsc_options& o);
  /// The nodes with the caller's coefficients.
  fem::element_nodes<double> nodes(const tessera_petsc_options& o) const;
  /// Throws unless b is as long as this process's part of A.
  void check_load(Vec b) const;
  /// b = the numbers here, which are those of `cells`, and what other processes have for them.
  void add_up(const std::vector<double>& numbers, Vec b) const;
  /// The numbers of a local vector.
  std::vector<double> numbers_of(Vec local) const;
};

/// Of a matrix that tessera_petsc_create_mat made; throws for any other.
const plex_matrix& matrix_of(Mat A);

/// The array of a vector of PETSc's, for a while.
class array_of {
 public:
  /// In host memory, or where the operator is: throws if the vector is not there.
  array_of(Vec v, bool writes, space_kind space = space_kind::cpu);
  ~array_of();
  array_of(const array_of&) = delete;
  double* data() const { return at_; }

 private:
  void restore();
  Vec v_;
  bool writes_, is_typed_;
  PetscScalar* at_ = nullptr;
};

}  // namespace tessera::petsc
