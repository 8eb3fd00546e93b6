/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements by the nodes of order 1, numbers that agree but for rounding, and applications on either side. */
#ifndef TESSERA_TESTS_CAPI_ELEMENTS_H
#define TESSERA_TESTS_CAPI_ELEMENTS_H

#include "expect.h"

#include <tessera/fem/tessera_fem.h>

static inline double size_of(double a) { return a < 0 ? -a : a; }

/* No entry differs by more than rounding does. */
static inline int agree(const double* a, const double* b, int64_t count) {
  double most = 1;
  for (int64_t i = 0; i < count; ++i)
    if (size_of(b[i]) > most) most = size_of(b[i]);
  for (int64_t i = 0; i < count; ++i)
    if (!(size_of(a[i] - b[i]) <= 1e-12 * most)) return 0;
  return 1;
}
static inline int near(double a, double b) { return agree(&a, &b, 1); }

static inline tessera_element_nodes corners_at(const double* coordinates, int64_t elements) {
  tessera_element_nodes nodes = {0};
  nodes.order = 1;
  nodes.elements = elements;
  nodes.coordinates = coordinates;
  return nodes;
}

/* The creation must fail so, and leave NULL. */
static inline void expect_no_operator(const tessera_element_options* options, const tessera_element_nodes* nodes,
                                      tessera_status wanted, const char* word, const char* other) {
  static int some;
  tessera_element_operator* op = (tessera_element_operator*)&some;
  expect_failure(tessera_element_create(&op, options, nodes), wanted, word, other);
  expect(op == NULL, "no operator on failure");
}

/* y = A x of `count` numbers each, by an operator on the GPU and copies of x and y there. */
static inline void apply_on_gpu(const tessera_element_operator* op, double* x, double* y, int64_t count) {
  void *there_x = NULL, *there_y = NULL;
  tessera_operand host, device;
  expect(tessera_allocate(&there_x, TESSERA_GPU, (size_t)count * sizeof(double)) == TESSERA_OK, "device memory");
  expect(tessera_allocate(&there_y, TESSERA_GPU, (size_t)count * sizeof(double)) == TESSERA_OK, "device memory");
  host = tessera_packed(TESSERA_F64, TESSERA_CPU, x, 1, &count, -1);
  device = tessera_packed(TESSERA_F64, TESSERA_GPU, there_x, 1, &count, -1);
  expect(tessera_copy(&host, &device) == TESSERA_OK, "copy there");
  expect(tessera_element_apply(op, there_x, there_y, 0, NULL) == TESSERA_OK, "apply there");
  host.data = y;
  device.data = there_y;
  expect(tessera_copy(&device, &host) == TESSERA_OK, "copy back");
  tessera_free(TESSERA_GPU, there_x);
  tessera_free(TESSERA_GPU, there_y);
}

#endif
