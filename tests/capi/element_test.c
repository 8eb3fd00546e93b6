/* SPDX-License-Identifier: BSD-3-Clause */
/* Element operators from C99: their numbers are those of closed forms, whichever call made them; mistakes are named. */
#include "elements.h"

enum { ELEMENTS = 5, NODES = 8, POINTS = 27 };

/* Boxes of edges h, 2h, 3h, h = 1 + e. */
static double corners[ELEMENTS * NODES * 3];
static double x[2 * ELEMENTS * NODES], y[2 * ELEMENTS * NODES], M[ELEMENTS * NODES * NODES];

static double edge(int e, int direction) { return (1 + e) * (1.0 + direction); }
static double volume(int e) { return edge(e, 0) * edge(e, 1) * edge(e, 2); }

static void place_corners(void) {
  for (int e = 0; e < ELEMENTS; ++e)
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < NODES; ++i) corners[i + NODES * (c + 3 * e)] = edge(e, c) * (i >> c & 1);
}

static void set_all(double* data, int count, double value) {
  for (int i = 0; i < count; ++i) data[i] = value;
}

static double sum(const double* of, int count) {
  double s = 0;
  for (int i = 0; i < count; ++i) s += of[i];
  return s;
}

static tessera_element_nodes boxes(void) { return corners_at(corners, ELEMENTS); }

static tessera_element_operator* made(const char* kind, int matrix_free) {
  tessera_element_operator* op = NULL;
  tessera_element_options options = tessera_element_defaults(kind, 3, 1);
  const tessera_element_nodes nodes = boxes();
  options.matrix_free = matrix_free;
  expect(tessera_element_create(&op, &options, &nodes) == TESSERA_OK, kind);
  return op;
}

/* The mass of 1 is the volume; what diffusion makes of x is the flux through the faces x = 0 and x = h. */
static void test_closed_forms(int matrix_free) {
  tessera_element_operator* const mass = made("mass", matrix_free);
  tessera_element_operator* const diffusion = made("diffusion", matrix_free);
  const tessera_element_sizes sizes = tessera_element_sizes_of(diffusion);
  expect(sizes.elements == ELEMENTS && sizes.trial_entries == NODES && sizes.test_entries == NODES, "sizes");
  expect(sizes.components == 1 && sizes.points == POINTS && sizes.factors == 6, "sizes at points");
  set_all(x, ELEMENTS * NODES, 1);
  expect(tessera_element_apply(mass, x, y, 0, NULL) == TESSERA_OK, "apply");
  for (int e = 0; e < ELEMENTS; ++e) expect(near(sum(y + NODES * e, NODES), volume(e)), "the volume");
  expect(tessera_element_apply(mass, x, y, 1, NULL) == TESSERA_OK, "add");
  for (int e = 0; e < ELEMENTS; ++e) expect(near(sum(y + NODES * e, NODES), 2 * volume(e)), "twice the volume");

  for (int e = 0; e < ELEMENTS; ++e)
    for (int i = 0; i < NODES; ++i) x[i + NODES * e] = corners[i + NODES * 3 * e];
  expect(tessera_element_apply(diffusion, x, y, 0, NULL) == TESSERA_OK, "apply");
  for (int e = 0; e < ELEMENTS; ++e)
    for (int i = 0; i < NODES; ++i) {
      const double quarter = edge(e, 1) * edge(e, 2) / 4;
      expect(near(y[i + NODES * e], i & 1 ? quarter : -quarter), "the flux");
    }
  expect(strstr(tessera_element_describe(diffusion), "diffusion 3-D") != NULL, "the description");
  expect(strstr(tessera_element_describe_brief(diffusion), "diffusion 3-D") != NULL, "the brief description");
  tessera_element_destroy(mass);
  tessera_element_destroy(diffusion);
}

/* Matrices and diagonals of the mass, in closed form: h/3 and h/6 a direction. */
static void test_matrices(void) {
  tessera_element_operator* const mass = made("mass", 0);
  expect(tessera_element_assemble(mass, 1, 3, M) == TESSERA_OK, "assemble");
  for (int e = 0; e < 3; ++e)
    for (int j = 0; j < NODES; ++j)
      for (int i = 0; i < NODES; ++i) {
        double wanted = volume(1 + e);
        for (int c = 0; c < 3; ++c) wanted /= (i >> c & 1) == (j >> c & 1) ? 3 : 6;
        expect(near(M[i + NODES * (j + NODES * e)], wanted), "an entry of a matrix");
      }
  expect(tessera_element_assemble_lower(mass, 4, 1, M) == TESSERA_OK, "assemble a lower triangle");
  for (int j = 0, place = 0; j < NODES; ++j)
    for (int i = j; i < NODES; ++i, ++place) {
      double wanted = volume(4);
      for (int c = 0; c < 3; ++c) wanted /= (i >> c & 1) == (j >> c & 1) ? 3 : 6;
      expect(near(M[place], wanted), "an entry of a triangle");
    }
  expect(tessera_element_diagonal(mass, y) == TESSERA_OK, "diagonal");
  for (int e = 0; e < ELEMENTS; ++e) expect(near(y[NODES * e + 3], volume(e) / 27), "an entry of a diagonal");
  tessera_element_destroy(mass);
}

/* A list of elements, another layout, two right hand sides. */
static void test_applications(void) {
  static const int64_t some[] = {4, 1};
  const int apart = ELEMENTS * NODES;
  tessera_element_operator* const mass = made("mass", 0);
  tessera_element_application a = tessera_element_application_of(mass, x, y);
  set_all(x, apart, 1);
  set_all(x + apart, apart, 3);
  set_all(y, 2 * apart, -7);
  a.list = some;
  a.count = 2;
  a.sides = 2;
  a.x_side = a.y_side = apart;
  /* Entries of all elements side by side. */
  a.y_layout.entry = ELEMENTS;
  a.y_layout.lanes = a.y_layout.block = 1;
  expect(tessera_element_run(mass, &a) == TESSERA_OK, "run");
  for (int side = 0; side < 2; ++side)
    for (int e = 0; e < ELEMENTS; ++e) {
      double s = 0;
      for (int i = 0; i < NODES; ++i) s += y[apart * side + e + ELEMENTS * i];
      expect(near(s, e == 4 || e == 1 ? volume(e) * (side ? 3 : 1) : -7 * NODES), "elements of a list, sides");
    }
  tessera_element_destroy(mass);
}

/* D of the caller's own, given at once or later, in float. */
static void test_own_data(void) {
  static double D[ELEMENTS * POINTS];
  tessera_element_operator* op = NULL;
  tessera_element_options options = tessera_element_defaults("mass", 3, 1);
  set_all(D, ELEMENTS * POINTS, 0.5);
  options.in_float = 1;
  expect(tessera_element_create_from_data(&op, &options, ELEMENTS, D) == TESSERA_OK, "create from data");
  set_all(D, POINTS, 2);
  expect(tessera_element_set_data(op, 2, 1, D) == TESSERA_OK, "set data");
  set_all(x, ELEMENTS * NODES, 1);
  expect(tessera_element_apply(op, x, y, 0, NULL) == TESSERA_OK, "apply");
  for (int e = 0; e < ELEMENTS; ++e)
    expect(near(sum(y + NODES * e, NODES), POINTS * (e == 2 ? 2 : 0.5)), "the sum of D");
  tessera_element_destroy(op);
}

static void test_mistakes(void) {
  tessera_element_operator* op = made("mass", 0);
  tessera_element_operator* none = op;
  tessera_element_options options = tessera_element_defaults("mass", 3, 1);
  tessera_element_nodes nodes = boxes();
  tessera_element_application a = tessera_element_application_of(op, x, y);
  options.basis = "hermite";
  expect_no_operator(&options, &nodes, TESSERA_INVALID_ARGUMENT, "hermite", "bernstein");
  options = tessera_element_defaults("mass", 3, 1);
  options.type = TESSERA_C64;
  expect_no_operator(&options, &nodes, TESSERA_WRONG_TYPE, "type 3", "double");
  options = tessera_element_defaults("diffusion", 3, 1);
  expect_no_operator(&options, NULL, TESSERA_NULL_POINTER, "null", "nodes");
  expect_failure(tessera_element_create_from_data(&none, &options, ELEMENTS, NULL), TESSERA_NULL_POINTER, "null",
                 "values");
  expect_failure(tessera_element_create_from_data(&none, &options, -1, corners), TESSERA_INVALID_ARGUMENT, "-1", "");
  expect_failure(tessera_element_set_data(NULL, 0, 1, corners), TESSERA_NULL_POINTER, "null", "operator");
  expect_failure(tessera_element_set_data(op, ELEMENTS, 1, corners), TESSERA_INVALID_ARGUMENT, "1 elements from 5",
                 "of 5");
  expect_failure(tessera_element_set_data(op, 1, INT64_MAX, corners), TESSERA_INVALID_ARGUMENT, "elements from 1",
                 "of 5");
  expect_failure(tessera_element_assemble(op, 0, ELEMENTS + 1, M), TESSERA_INVALID_ARGUMENT, "6", "5");
  expect_failure(tessera_element_assemble(op, 0, 1, NULL), TESSERA_NULL_POINTER, "M", "null");
  expect_failure(tessera_element_assemble_lower(op, -1, 1, M), TESSERA_INVALID_ARGUMENT, "-1", "5");
  expect_failure(tessera_element_diagonal(op, NULL), TESSERA_NULL_POINTER, "null", "y");
  expect_no_operator(NULL, &nodes, TESSERA_NULL_POINTER, "null", "options");
  expect_failure(tessera_element_create(NULL, &options, &nodes), TESSERA_NULL_POINTER, "null", "result");
  nodes.coefficient_count = 3;
  expect_no_operator(&options, &nodes, TESSERA_NULL_POINTER, "3 coefficients", "null");
  nodes = boxes();
  corners[7 + NODES * 3 * 2] = -10; /* turns element 2 inside out */
  expect_no_operator(&options, &nodes, TESSERA_INVALID_ARGUMENT, "element 2", "point");
  place_corners();
  expect_failure(tessera_element_apply(op, NULL, y, 0, NULL), TESSERA_NULL_POINTER, "null", "x");
  expect_failure(tessera_element_apply(NULL, x, y, 0, NULL), TESSERA_NULL_POINTER, "null", "operator");
  a.count = ELEMENTS + 1;
  expect_failure(tessera_element_run(op, &a), TESSERA_INVALID_ARGUMENT, "6", "5");
  a.first = INT64_MAX;
  expect_failure(tessera_element_run(op, &a), TESSERA_INVALID_ARGUMENT, "9223372036854775807", "5");
  a.first = 0;
  a.count = 1;
  a.x_layout.entry = 1;
  expect_failure(tessera_element_run(op, &a), TESSERA_INVALID_ARGUMENT, "lanes", "0");
  expect(tessera_element_describe(NULL) == NULL, "no description of nothing");
  expect(tessera_element_describe_brief(NULL) == NULL, "no brief description of nothing");
  expect(tessera_element_sizes_of(NULL).elements == 0, "no sizes of nothing");
  tessera_element_destroy(op);
  tessera_element_destroy(NULL);
}

int main(void) {
  place_corners();
  test_closed_forms(0);
  test_closed_forms(1);
  test_matrices();
  test_applications();
  test_own_data();
  test_mistakes();
  if (failures == 0) printf("all well\n");
  return failures;
}
