/* SPDX-License-Identifier: BSD-3-Clause */
/* A C program: the energy of x^2 on unit cubes by a diffusion operator through the C API, 4/3 each. */
#include <tessera/fem/tessera_fem.h>

#include <stdio.h>

enum { ELEMENTS = 10, ENTRIES = 27 };

static double corners[ELEMENTS * 24], x[ELEMENTS * ENTRIES], y[ELEMENTS * ENTRIES];

int main(void) {
  const double node[3] = {0, 0.5, 1}; /* Gauss-Lobatto points of order 2 */
  tessera_element_operator* diffusion = NULL;
  tessera_element_options options = tessera_element_defaults("diffusion", 3, 2);
  tessera_element_nodes nodes = {0};
  double energy = 0;
  int i;
  for (i = 0; i < ELEMENTS * 24; ++i) corners[i] = (i % 8) >> (i / 8 % 3) & 1;
  for (i = 0; i < ELEMENTS * ENTRIES; ++i) x[i] = node[i % 3] * node[i % 3];
  nodes.order = 1;
  nodes.elements = ELEMENTS;
  nodes.coordinates = corners;
  if (tessera_element_create(&diffusion, &options, &nodes) != TESSERA_OK ||
      tessera_element_apply(diffusion, x, y, 0, NULL) != TESSERA_OK) {
    fprintf(stderr, "%s\n", tessera_last_error());
    return 1;
  }
  for (i = 0; i < ELEMENTS * ENTRIES; ++i) energy += x[i] * y[i];
  printf("%s\nenergy %.15g\n", tessera_element_describe(diffusion), energy);
  tessera_element_destroy(diffusion);
  energy -= ELEMENTS * 4.0 / 3;
  return energy < 1e-11 && energy > -1e-11 ? 0 : 1;
}
