/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields at points from C: a residual v u^2 and its Jacobian 2 v u0 du, whose state is evaluated to D. */
#include "elements.h"

enum { ORDER = 2, POINTS = 4, Q = POINTS * POINTS, NODES = 9, ELEMENTS = 6, SIDE = 7, UNKNOWNS = SIDE * 5 };

/* D = {w}: v = w u^2. */
static void square(const tessera_point_block* b, void* context) {
  const double *D = (const double*)b->D, *u = (const double*)b->value;
  double* v = (double*)b->value_out;
  (void)context;
  for (int64_t k = 0; k < b->count; ++k) v[k] = D[k] * u[k] * u[k];
}
// snippet state
/* D = {w, u0}: v = 2 w u0 du, the derivative of w u^2 at the state u0. */
static void square_jacobian(const tessera_point_block* b, void* context) {
  const int64_t n = b->count;
  const double *w = (const double*)b->D, *u0 = w + n, *du = (const double*)b->value;
  double* v = (double*)b->value_out;
  (void)context;
  for (int64_t k = 0; k < n; ++k) v[k] = 2 * w[k] * u0[k] * du[k];
}
// end snippet

static tessera_element_function function_of(tessera_point_function at_points, int factors) {
  tessera_element_function f = {0};
  f.name = "square";
  f.dim = 2;
  f.components = f.test_components = 1;
  f.takes_value = f.gives_value = 1;
  f.factors = factors;
  f.at_points = at_points;
  return f;
}

static tessera_element_options options(void) {
  tessera_element_options o = tessera_element_defaults(NULL, 2, ORDER);
  o.points = POINTS;
  return o;
}

static double w[ELEMENTS * Q], D[ELEMENTS * Q * 2];

static void fill(void) {
  for (int i = 0; i < ELEMENTS * Q; ++i) {
    w[i] = 1 + (i * 37 % 101) / 101.0;
    D[2 * i] = w[i];
    D[2 * i + 1] = -7;
  }
}

/* (F(u + d) - F(u - d)) / 2 is the derivative of a quadratic F. */
static void halve_difference(const double* plus, const double* minus, double* half, int count) {
  for (int i = 0; i < count; ++i) half[i] = (plus[i] - minus[i]) / 2;
}

static void test_elements(void) {
  double u[ELEMENTS * NODES], d[ELEMENTS * NODES], plus[ELEMENTS * NODES], minus[ELEMENTS * NODES];
  double F_plus[ELEMENTS * NODES], F_minus[ELEMENTS * NODES], half[ELEMENTS * NODES], y[ELEMENTS * NODES];
  const tessera_element_options o = options();
  const tessera_element_function F = function_of(square, 1), J = function_of(square_jacobian, 2);
  tessera_element_operator *residual = NULL, *jacobian = NULL;
  tessera_point_fields* state = NULL;
  for (int i = 0; i < ELEMENTS * NODES; ++i) {
    u[i] = (i * 53 % 97) / 97.0;
    d[i] = (i * 29 % 83) / 83.0 - 0.5;
    plus[i] = u[i] + d[i];
    minus[i] = u[i] - d[i];
  }
  fill();
  expect(tessera_element_create_from_function(&residual, &o, &F, ELEMENTS, w) == TESSERA_OK, "residual");
  expect(tessera_element_create_from_function(&jacobian, &o, &J, ELEMENTS, D) == TESSERA_OK, "Jacobian");
  expect(tessera_point_fields_create(&state, &o, 1, 0) == TESSERA_OK, "state");
  expect(tessera_point_fields_size(state) == 1, "one number a point");
  expect(tessera_point_fields_evaluate(state, ELEMENTS, u, D, 2, 1, NULL) == TESSERA_OK, "evaluate");
  for (int i = 0; i < ELEMENTS * Q; ++i) expect(D[2 * i] == w[i], "other numbers stay");
  expect(tessera_element_set_data(jacobian, 0, ELEMENTS, D) == TESSERA_OK, "set D");
  expect(tessera_element_apply(residual, plus, F_plus, 0, NULL) == TESSERA_OK, "F(u + d)");
  expect(tessera_element_apply(residual, minus, F_minus, 0, NULL) == TESSERA_OK, "F(u - d)");
  expect(tessera_element_apply(jacobian, d, y, 0, NULL) == TESSERA_OK, "J(u) d");
  halve_difference(F_plus, F_minus, half, ELEMENTS * NODES);
  expect(agree(y, half, ELEMENTS * NODES), "the derivative");
  tessera_element_destroy(residual);
  tessera_element_destroy(jacobian);
  tessera_point_fields_destroy(state);
}

/* 3 x 2 squares. */
static void test_global(void) {
  int32_t numbers[ELEMENTS * NODES];
  double u[UNKNOWNS], d[UNKNOWNS], plus[UNKNOWNS], minus[UNKNOWNS], F_plus[UNKNOWNS], F_minus[UNKNOWNS], half[UNKNOWNS],
      y[UNKNOWNS];
  const tessera_element_options o = options();
  const tessera_element_function F = function_of(square, 1), J = function_of(square_jacobian, 2);
  tessera_restriction_options r = {0};
  tessera_restriction* unknowns = NULL;
  tessera_global_operator *residual = NULL, *jacobian = NULL;
  tessera_point_fields* state = NULL;
  for (int e = 0; e < ELEMENTS; ++e)
    for (int i = 0; i < NODES; ++i) numbers[i + NODES * e] = e % 3 * ORDER + i % 3 + SIDE * (e / 3 * ORDER + i / 3);
  for (int i = 0; i < UNKNOWNS; ++i) {
    u[i] = (i * 53 % 97) / 97.0;
    d[i] = (i * 29 % 83) / 83.0 - 0.5;
    plus[i] = u[i] + d[i];
    minus[i] = u[i] - d[i];
  }
  fill();
  r.elements = ELEMENTS;
  r.entries = NODES;
  r.size = UNKNOWNS;
  r.offsets = numbers;
  expect(tessera_restriction_create(&unknowns, &r) == TESSERA_OK, "restriction");
  expect(tessera_global_create_from_function(&residual, &o, &F, w, unknowns, NULL, NULL) == TESSERA_OK, "residual");
  expect(tessera_global_create_from_function(&jacobian, &o, &J, D, unknowns, NULL, NULL) == TESSERA_OK, "Jacobian");
  expect(tessera_point_fields_create(&state, &o, 1, 0) == TESSERA_OK, "state");
  expect(tessera_point_fields_evaluate_global(state, unknowns, u, D, 2, 1, NULL) == TESSERA_OK, "evaluate");
  expect(tessera_global_set_data(jacobian, D) == TESSERA_OK, "set D");
  expect(tessera_global_apply(residual, plus, F_plus, 0, NULL) == TESSERA_OK, "F(u + d)");
  expect(tessera_global_apply(residual, minus, F_minus, 0, NULL) == TESSERA_OK, "F(u - d)");
  expect(tessera_global_apply(jacobian, d, y, 0, NULL) == TESSERA_OK, "J(u) d");
  halve_difference(F_plus, F_minus, half, UNKNOWNS);
  expect(agree(y, half, UNKNOWNS), "the derivative");
  tessera_global_destroy(residual);
  expect_failure(tessera_global_create_from_function(&residual, &o, NULL, w, unknowns, NULL, NULL),
                 TESSERA_NULL_POINTER, "null function", "");
  expect(residual == NULL, "nothing on failure");
  expect_failure(tessera_global_set_data(NULL, D), TESSERA_NULL_POINTER, "null operator", "");
  expect_failure(tessera_global_set_data(jacobian, NULL), TESSERA_NULL_POINTER, "D is a null pointer", "");
  expect_failure(tessera_point_fields_evaluate_global(state, NULL, u, D, 2, 1, NULL), TESSERA_NULL_POINTER,
                 "null restriction", "");
  tessera_global_destroy(jacobian);
  tessera_point_fields_destroy(state);
  tessera_restriction_destroy(unknowns);
}

/* In float, two components with their derivatives: component c is 1 + 2 x + 3 y + 10 c. */
static void test_numbers(void) {
  float x[8], numbers[4 * 6];
  float mean[6] = {0};
  static const float wanted[6] = {3.5f, 13.5f, 2, 3, 2, 3};
  tessera_element_options o = tessera_element_defaults(NULL, 2, 1);
  tessera_point_fields* fields = NULL;
  o.type = TESSERA_F32;
  o.components = 2;
  o.points = 2;
  for (int i = 0; i < 8; ++i) x[i] = (float)(1 + 2 * (i % 2) + 3 * (i % 4 / 2) + 10 * (i / 4));
  expect(tessera_point_fields_create(&fields, &o, 1, 1) == TESSERA_OK, "fields");
  expect(tessera_point_fields_size(fields) == 6, "two values and four derivatives");
  expect(tessera_point_fields_evaluate(fields, 1, x, numbers, 6, 0, NULL) == TESSERA_OK, "evaluate");
  for (int k = 0; k < 4; ++k)
    for (int f = 0; f < 6; ++f) mean[f] += numbers[f + 6 * k] / 4;
  for (int f = 0; f < 6; ++f) expect(size_of(mean[f] - wanted[f]) < 1e-4, "means of the numbers");
  expect(numbers[0] != numbers[6], "values differ from point to point");
  tessera_point_fields_destroy(fields);
}

static void test_mistakes(void) {
  double x[NODES] = {0}, numbers[Q * 2] = {0};
  tessera_element_options o = options();
  static int some;
  tessera_point_fields* fields = (tessera_point_fields*)&some;
  expect_failure(tessera_point_fields_create(&fields, &o, 0, 0), TESSERA_INVALID_ARGUMENT, "point_fields", "neither");
  expect(fields == NULL, "nothing on failure");
  expect_failure(tessera_point_fields_create(NULL, &o, 1, 0), TESSERA_NULL_POINTER, "null result", "");
  expect_failure(tessera_point_fields_create(&fields, NULL, 1, 0), TESSERA_NULL_POINTER, "null options", "");
  o.basis = "gaus";
  expect_failure(tessera_point_fields_create(&fields, &o, 1, 0), TESSERA_INVALID_ARGUMENT, "gaus", "gauss");
  o.basis = "gauss";
  expect(tessera_point_fields_create(&fields, &o, 1, 0) == TESSERA_OK, "fields");
  expect_failure(tessera_point_fields_evaluate(fields, 1, x, numbers, 2, 2, NULL), TESSERA_SHAPE_MISMATCH, "from 2 on",
                 "2 factors");
  expect_failure(tessera_point_fields_evaluate(fields, 1, NULL, numbers, 2, 1, NULL), TESSERA_NULL_POINTER, "x is", "");
  expect_failure(tessera_point_fields_evaluate(NULL, 1, x, numbers, 2, 1, NULL), TESSERA_NULL_POINTER, "null", "");
  expect(tessera_point_fields_size(NULL) == 0, "no numbers of nothing");
  tessera_point_fields_destroy(fields);
  tessera_point_fields_destroy(NULL);
}

int main(void) {
  test_elements();
  test_global();
  test_numbers();
  test_mistakes();
  return failures;
}
