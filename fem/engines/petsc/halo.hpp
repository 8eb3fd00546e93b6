// SPDX-License-Identifier: BSD-3-Clause
// What processes tell each other about a DMPlex's numbers, by a PetscSF of nothing else.
#pragma once

#include <petscdevice.h>
#include <petscsf.h>

#include <memory>
#include <vector>

#include <tessera/fem/distributed_operator.hpp>

#include "plex_cells.hpp"

namespace tessera::petsc {

class halo {
 public:
  halo(MPI_Comm comm, const plex_cells& cells);
  ~halo();
  halo(const halo&) = delete;

  /// Own numbers that others receive, or this process itself.
  const std::vector<index_t>& sent() const { return sent_; }
  /// The exchange of numbers in that memory, which must not outlive this.
  fem::halo_exchange<double> exchange(space_kind space) const;

 private:
  PetscLogEvent gather_, sum_;
  PetscSF sf_ = nullptr;
  std::vector<double> zeros_;
  std::vector<index_t> sent_;
};

}  // namespace tessera::petsc
