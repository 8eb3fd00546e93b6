// SPDX-License-Identifier: BSD-3-Clause
// Finds out which own numbers others receive, and brings them there and sums back.
#include "halo.hpp"

#include <tessera/memory.hpp>

#include "errors.hpp"

namespace tessera::petsc {

namespace {

// Of this initialisation of PETSc: another one has none of its events.
PetscLogEvent event_named(const char* name) {
  PetscLogEvent event = -1;
  check(PetscLogEventGetId(name, &event));
  if (event >= 0) return event;
  PetscClassId id = 0;
  check(PetscClassIdRegister("Tessera", &id));
  check(PetscLogEventRegister(name, id, &event));
  return event;
}

// Waits, which -log_view shows.
template <class Work>
void logged(PetscLogEvent event, const Work& work) {
  check(PetscLogEventBegin(event, 0, 0, 0, 0));
  work();
  check(PetscLogEventEnd(event, 0, 0, 0, 0));
}

}  // namespace

halo::halo(MPI_Comm comm, const plex_cells& cells)
    : gather_(event_named("TesseraGatherWait")), sum_(event_named("TesseraSumWait")) {
  // Numbers with an owner, among the received ones.
  std::vector<PetscInt> leaves, places;
  for (std::size_t k = 0; k < cells.received.size(); ++k)
    if (cells.received[k] >= 0) {
      leaves.push_back(PetscInt(k));
      places.push_back(cells.received[k]);
    }
  const PetscInt count = PetscInt(leaves.size());
  PetscLayout layout = nullptr;
  PetscSF to_own = nullptr;
  check(PetscLayoutCreateFromSizes(comm, PetscInt(cells.owned), PETSC_DECIDE, 1, &layout));
  check(PetscSFCreate(comm, &to_own));
  check(PetscSFSetGraphLayout(to_own, layout, count, leaves.data(), PETSC_COPY_VALUES, places.data()));

  // The same graph, of the numbers that someone receives.
  const PetscInt* receivers = nullptr;
  check(PetscSFComputeDegreeBegin(to_own, &receivers));
  check(PetscSFComputeDegreeEnd(to_own, &receivers));
  std::vector<PetscInt> place_of(std::size_t(cells.owned), -1), place_of_received(cells.received.size(), -1);
  for (index_t k = 0; k < cells.owned; ++k)
    if (receivers[k] > 0) {
      place_of[std::size_t(k)] = PetscInt(sent_.size());
      sent_.push_back(k);
    }
  check(PetscSFBcastBegin(to_own, MPIU_INT, place_of.data(), place_of_received.data(), MPI_REPLACE));
  check(PetscSFBcastEnd(to_own, MPIU_INT, place_of.data(), place_of_received.data(), MPI_REPLACE));
  std::vector<PetscSFNode> roots;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    PetscMPIInt owner = 0;
    check(PetscLayoutFindOwner(layout, places[k], &owner));
    roots.push_back({owner, place_of_received[std::size_t(leaves[k])]});
  }
  check(PetscSFDestroy(&to_own));
  check(PetscLayoutDestroy(&layout));
  check(PetscSFCreate(comm, &sf_));
  check(PetscSFSetFromOptions(sf_));
  check(PetscSFSetGraph(sf_, PetscInt(sent_.size()), count, leaves.data(), PETSC_COPY_VALUES, roots.data(),
                        PETSC_COPY_VALUES));
  check(PetscSFSetUp(sf_));
  zeros_.resize(sent_.size());
}

halo::~halo() {
  if (sf_ != nullptr) PetscSFDestroy(&sf_);
}

fem::halo_exchange<double> halo::exchange(space_kind space) const {
  const PetscSF sf = sf_;
  const PetscLogEvent gather = gather_, sum = sum_;
  const std::vector<double>* const zeros = &zeros_;
  const bool gpu = space == space_kind::gpu;
  const PetscMemType memory = gpu ? PETSC_MEMTYPE_DEVICE : PETSC_MEMTYPE_HOST;
  // PETSc has a stream of its own.
  const auto wait_for = [gpu](stream_view on) {
    if (gpu) on.synchronize();
  };
  const auto wait_for_petsc = [gpu] {
    if (gpu) check(PetscDeviceContextSynchronize(nullptr));
  };
  return {
      .begin_gather =
          [=](const double* sent, double* received, stream_view on) {
            wait_for(on);
            check(PetscSFBcastWithMemTypeBegin(sf, MPIU_SCALAR, memory, sent, memory, received, MPI_REPLACE));
          },
      .end_gather =
          [=](const double* sent, double* received, stream_view) {
            logged(gather, [&] {
              check(PetscSFBcastEnd(sf, MPIU_SCALAR, sent, received, MPI_REPLACE));
              wait_for_petsc();
            });
          },
      .begin_sum =
          [=](const double* received, double* to, stream_view on) {
            wait_for(on);
            copy_memory(to, zeros->data(), zeros->size() * sizeof(double));
            check(PetscSFReduceWithMemTypeBegin(sf, MPIU_SCALAR, memory, received, memory, to, MPIU_SUM));
          },
      .end_sum =
          [=](const double* received, double* to, stream_view) {
            logged(sum, [&] {
              check(PetscSFReduceEnd(sf, MPIU_SCALAR, received, to, MPIU_SUM));
              wait_for_petsc();
            });
          },
  };
}

}  // namespace tessera::petsc
