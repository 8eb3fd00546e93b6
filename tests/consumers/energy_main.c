/* SPDX-License-Identifier: BSD-3-Clause */
/* A C program that is linked with a library around Tessera: the energy is right, and an error comes back as a value. */
#include "energy.h"

#include <stdio.h>

int main(void) {
  const double energy = dirichlet_energy(3, 30), wanted = 30 * 4.0 / 3;
  printf("energy %.15g, exactly %.15g; of order 0: %g\n", energy, wanted, dirichlet_energy(0, 1));
  return energy > wanted * (1 - 1e-12) && energy < wanted * (1 + 1e-12) && dirichlet_energy(0, 1) < 0 ? 0 : 1;
}
