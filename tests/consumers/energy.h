/* SPDX-License-Identifier: BSD-3-Clause */
/* What the users' libraries of this folder offer to C: an energy with a known value. */
#ifndef CONSUMER_ENERGY_H
#define CONSUMER_ENERGY_H

#ifdef __cplusplus
extern "C" {
#endif

/* The integral of |grad x^2|^2 over `elements` unit cubes, which is 4/3 each, by an operator of that order, 2 or more.
   Negative where Tessera reports an error. */
double dirichlet_energy(int order, int elements);

#ifdef __cplusplus
}
#endif

#endif
