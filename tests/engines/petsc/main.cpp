// SPDX-License-Identifier: BSD-3-Clause
// The tests of the adapter to PETSc, on every process of MPI at once.
#define CATCH_CONFIG_RUNNER
#include <petscsys.h>

#include "testing/catch.hpp"

int main(int argc, char** argv) {
  int none = 0;
  char** nothing = nullptr;
  if (PetscInitialize(&none, &nothing, nullptr, nullptr) != 0) return 1;
  PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);
  const int own = Catch::Session().run(argc, argv);
  int processes = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (own != 0 && processes > 1) MPI_Abort(MPI_COMM_WORLD, own);  // the others may wait for this one
  PetscFinalize();
  return own;
}
