/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes that are made with element operators from C: each is a status and a text that names it. */
#include "elements.h"

#include <stdint.h>
#include <stdlib.h>

enum { ELEMENTS = 5, NODES = 8 };

static double corners[ELEMENTS * NODES * 3];
static double x[2 * ELEMENTS * NODES], y[2 * ELEMENTS * NODES];

static tessera_element_nodes boxes(void) { return corners_at(corners, ELEMENTS); }

static int is_huge_error(tessera_status found) { return found == TESSERA_OVERFLOW || found == TESSERA_OUT_OF_MEMORY; }

static void test_counts(void) {
  const int64_t many[] = {(int64_t)1 << 40, (int64_t)1 << 58, (int64_t)1 << 61, (int64_t)1 << 62, INT64_MAX};
  for (size_t i = 0; i < sizeof many / sizeof many[0]; ++i)
    for (int matrix_free = 0; matrix_free < 2; ++matrix_free) {
      tessera_element_options options = tessera_element_defaults("mass", 3, 1);
      tessera_element_nodes nodes = boxes();
      tessera_element_operator* op = NULL;
      options.matrix_free = matrix_free;
      nodes.elements = many[i];
      expect(is_huge_error(tessera_element_create(&op, &options, &nodes)) && op == NULL, "too many elements");
      options.matrix_free = 0;
      expect(is_huge_error(tessera_element_create_from_data(&op, &options, many[i], corners)) && op == NULL,
             "too many elements of data");
    }
}

static void test_options(void) {
  const tessera_element_nodes nodes = boxes();
  const tessera_element_options good = tessera_element_defaults("mass", 3, 1);
  tessera_element_options o = good;
  o.order = INT32_MAX;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "basis", "2147483647");
  o = good;
  o.points = INT32_MAX;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "gauss", "2147483647");
  o = good;
  o.components = INT32_MAX;
  expect_no_operator(&o, &nodes, TESSERA_OVERFLOW, "components", "2147483647");
  o = good;
  o.dim = 99;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "dimension", "99-D");
  o = good;
  o.type = (tessera_type)99;
  expect_no_operator(&o, &nodes, TESSERA_WRONG_TYPE, "type 99", "float");
  o = good;
  o.kind = "mas";
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "'mas'", "did you mean 'mass'?");
  expect(strstr(tessera_last_error(), "elasticity") != NULL, "the kinds that there are");
  o = good;
  o.rule = "Gauss";
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "'Gauss'", "did you mean 'gauss'?");
  o = good;
  o.in_float = o.matrix_free = 1;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "D in float", "matrix_free");
}

/* Sizes of tables are checked before a table is read: these have one number. */
static void test_tables(void) {
  static const double one[1] = {1};
  const tessera_element_nodes nodes = boxes();
  tessera_element_options o = tessera_element_defaults("mass", 3, 1);
  tessera_element_tables t = {0};
  t.points = t.functions = 1;
  t.values = t.gradients = one;
  o.tables = &t;
  o.dim = 1000000000;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "tables", "1000000000 dimensions");
  o.dim = 3;
  t.points = t.functions = INT32_MAX;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "tables", "2147483647 points, not in 0..65536");
  t.points = 1;
  t.nodes = 1000000000;
  t.node_gradients = one;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "tables", "of 2147483647 functions");
  t.functions = 1;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "tables", "1000000000 nodes");
  t.points = -1;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "tables", "-1 points");
  t.points = 1;
  t.nodes = -4;
  t.functions = 1;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "tables", "-4 nodes");
}

static void test_coefficients(void) {
  static double kappa[1] = {1}, at_points[ELEMENTS * 27];
  const tessera_element_options o = tessera_element_defaults("mass", 3, 1);
  tessera_element_nodes nodes = boxes();
  for (int i = 0; i < ELEMENTS * 27; ++i) at_points[i] = 1;
  nodes.coefficient_count = 1;
  nodes.coefficients = kappa;
  nodes.coefficients_at_points = at_points;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "coefficients are given twice", "at each point");
  nodes.coefficients_at_points = NULL;
  nodes.coefficient_count = INT32_MAX;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "2147483647 coefficients",
                     "mass in 3 dimensions takes at most 1");
  nodes.coefficient_count = 1;
  kappa[0] = strtod("nan", NULL);
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "coefficient 0", "nan");
  nodes.coefficients = NULL;
  nodes.coefficients_at_points = at_points;
  at_points[27 * 2 + 5] = strtod("nan", NULL);
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "element 2: coefficient 0 at point 5", "nan");
  nodes.coefficient_count = 0;
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "coefficients are given", "coefficient_count is 0");
  nodes = boxes();
  corners[NODES * 3 + 1] = strtod("nan", NULL);
  expect_no_operator(&o, &nodes, TESSERA_INVALID_ARGUMENT, "element 1: coordinate 0 of node 1", "nan");
  corners[NODES * 3 + 1] = 1;
}

static void expect_not_run(const tessera_element_operator* op, const tessera_element_application* a,
                           tessera_status wanted, const char* word, const char* other) {
  expect_failure(tessera_element_run(op, a), wanted, word, other);
  for (int i = 0; i < 2 * ELEMENTS * NODES; ++i) expect(y[i] == -1, "y is as it was");
}

static void test_applications(void) {
  const int64_t twice[] = {4, 1, 4};
  const tessera_element_options o = tessera_element_defaults("mass", 3, 1);
  const tessera_element_nodes nodes = boxes();
  tessera_element_operator* op = NULL;
  expect(tessera_element_create(&op, &o, &nodes) == TESSERA_OK, "create");
  for (int i = 0; i < 2 * ELEMENTS * NODES; ++i) x[i] = 1, y[i] = -1;
  const tessera_element_application good = tessera_element_application_of(op, x, y);
  tessera_element_application a = good;
  a.x = y + 4;
  expect_not_run(op, &a, TESSERA_OVERLAP, "x and y overlap", "in place");
  a = good;
  a.sides = 2;
  expect_not_run(op, &a, TESSERA_OVERLAP, "two entries of y", "side 0");
  a = good;
  a.sides = 0;
  expect_not_run(op, &a, TESSERA_INVALID_ARGUMENT, "0 right hand sides", "apply");
  a = good;
  a.add = 1;
  a.list = twice;
  a.count = 3;
  expect_not_run(op, &a, TESSERA_INVALID_ARGUMENT, "element 4 is twice in the list", "at 0 and 2");
  a.count = (int64_t)1 << 60;
  expect_not_run(op, &a, TESSERA_OVERFLOW, "list", "1152921504606846976");
  a = good;
  a.count = INT64_MAX;
  expect_not_run(op, &a, TESSERA_INVALID_ARGUMENT, "9223372036854775807 elements", "of 5");
  a = good;
  a.y_layout.entry = a.y_layout.lanes = 1;
  expect_not_run(op, &a, TESSERA_OVERLAP, "two entries of y", "block 0");
  a = good;
  a.y_layout.entry = -1;
  a.y_layout.lanes = 1;
  a.y_layout.block = NODES;
  expect_not_run(op, &a, TESSERA_INVALID_ARGUMENT, "y", "negative entry -1");
  tessera_element_destroy(op);
}

int main(void) {
  for (int e = 0; e < ELEMENTS; ++e)
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < NODES; ++i) corners[i + NODES * (c + 3 * e)] = i >> c & 1;
  test_counts();
  test_options();
  test_tables();
  test_coefficients();
  test_applications();
  return failures;
}
