/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules, faces, points of elements and faces, norms and D read back, from C. */
#include "elements.h"

#include <math.h>
#include <stddef.h>

/* [0,2] x [0,1] in two cells; nodes of order 1 are counted row by row, three a row. */
enum { NODES = 6, POINTS = 9 };
static const int32_t nodes_of_cells[8] = {0, 1, 3, 4, 1, 2, 4, 5};
static const double corners[2][2][4] = {{{0, 1, 0, 1}, {0, 0, 1, 1}}, {{1, 2, 1, 2}, {0, 0, 1, 1}}};
static const double u[NODES] = {0, 1, 2, 3, 4, 5}; /* x + 3 y */

static tessera_restriction* all_nodes(void) {
  tessera_restriction* made = NULL;
  tessera_restriction_options o = {0};
  o.elements = 2;
  o.entries = 4;
  o.size = NODES;
  o.offsets = nodes_of_cells;
  expect(tessera_restriction_create(&made, &o) == TESSERA_OK, "restriction");
  return made;
}

static tessera_points* points_of_cells(void) {
  tessera_points* made = NULL;
  const tessera_element_options o = tessera_element_defaults("mass", 2, 1);
  const tessera_element_nodes nodes = corners_at(corners[0][0], 2);
  expect(tessera_points_create(&made, &o, &nodes) == TESSERA_OK, "points");
  return made;
}

static void test_rules(void) {
  double x[4], w[4], sum = 0;
  expect(tessera_gauss_lobatto(4, x, w) == TESSERA_OK, "Gauss-Lobatto");
  expect(x[0] == 0 && x[3] == 1 && near(x[1], (1 - sqrt(0.2)) / 2) && near(w[0], 1.0 / 12), "four points");
  expect(tessera_gauss(2, x, NULL) == TESSERA_OK && near(x[0], (1 - sqrt(1.0 / 3)) / 2), "Gauss");
  expect(tessera_gauss(3, NULL, w) == TESSERA_OK, "weights alone");
  for (int k = 0; k < 3; ++k) sum += w[k];
  expect(near(sum, 1), "weights");
  expect_failure(tessera_gauss_lobatto(1, x, w), TESSERA_INVALID_ARGUMENT, "gauss_lobatto", "1 points");
}

static void test_points(void) {
  double x[2 * POINTS * 2], J[2 * POINTS * 4], inverse[2 * POINTS * 4], w[2 * POINTS], values[2 * POINTS],
      g[2 * POINTS * 2], slopes[2 * POINTS * 2], sum = 0, b[NODES], wanted[NODES];
  tessera_points* const at = points_of_cells();
  tessera_restriction* const r = all_nodes();
  const tessera_points_sizes sizes = tessera_points_sizes_of(at);
  tessera_global_operator* M = NULL;
  const tessera_element_options o = tessera_element_defaults("mass", 2, 1);
  const tessera_element_nodes nodes = corners_at(corners[0][0], 2);
  expect(sizes.elements == 2 && sizes.count == 2 && sizes.points == POINTS && sizes.functions == 4 && sizes.dim == 2 &&
             sizes.components == 1,
         "sizes");
  expect(tessera_points_coordinates(at, x) == TESSERA_OK && tessera_points_jacobians(at, J) == TESSERA_OK &&
             tessera_points_inverse_jacobians(at, inverse) == TESSERA_OK && tessera_points_weights(at, w) == TESSERA_OK,
         "geometry");
  expect(tessera_points_values(at, r, u, values) == TESSERA_OK && tessera_points_gradients(at, r, u, g) == TESSERA_OK &&
             tessera_points_reference_gradients(at, r, u, slopes) == TESSERA_OK,
         "u");
  for (int k = 0; k < 2 * POINTS; ++k) {
    sum += w[k];
    expect(near(values[k], x[2 * k] + 3 * x[2 * k + 1]), "a value");
    expect(near(g[2 * k], 1) && near(g[2 * k + 1], 3) && near(slopes[2 * k], 1) && near(slopes[2 * k + 1], 3),
           "a gradient");
    expect(near(J[4 * k], 1) && near(J[4 * k + 1], 0) && near(J[4 * k + 3], 1) && near(inverse[4 * k], 1), "J");
  }
  expect(near(sum, 2), "the area");
  expect(tessera_global_create(&M, &o, &nodes, r, NULL, NULL) == TESSERA_OK, "mass");
  expect(tessera_global_apply(M, u, wanted, 0, NULL) == TESSERA_OK, "M u");
  expect(tessera_points_load(at, values, r, b, 0) == TESSERA_OK && agree(b, wanted, NODES), "a load");
  expect(tessera_points_load(at, values, r, b, 1) == TESSERA_OK && near(b[4], 2 * wanted[4]), "added");
  expect(tessera_points_gradient_load(at, g, r, b, 0) == TESSERA_OK && near(b[0], -2) && near(b[5], 2),
         "a load of gradients");
  expect(tessera_points_gradient_load(at, g, r, b, 1) == TESSERA_OK && near(b[5], 4), "added gradients");
  expect(tessera_points_describe(at) != NULL, "description");
  tessera_global_destroy(M);
  tessera_restriction_destroy(r);
  tessera_points_destroy(at);
}

static void test_norms(void) {
  double norm = 0, exact[2 * POINTS * 2];
  tessera_points* const at = points_of_cells();
  tessera_restriction* const r = all_nodes();
  expect(tessera_points_l2_norm(at, r, u, NULL, &norm) == TESSERA_OK && near(norm * norm, 44.0 / 3), "norm");
  expect(tessera_points_h1_norm(at, r, u, NULL, &norm) == TESSERA_OK && near(norm * norm, 20), "of the gradient");
  expect(tessera_points_values(at, r, u, exact) == TESSERA_OK, "values");
  for (int k = 0; k < 2 * POINTS; ++k) exact[k] += 3;
  expect(tessera_points_l2_norm(at, r, u, exact, &norm) == TESSERA_OK && near(norm * norm, 18), "error");
  for (int k = 0; k < 2 * POINTS * 2; ++k) exact[k] = 3;
  expect(tessera_points_h1_norm(at, r, u, exact, &norm) == TESSERA_OK && near(norm * norm, 8), "of gradients");
  tessera_restriction_destroy(r);
  tessera_points_destroy(at);
}

/* The flux of (1,3) through the right side, of length 1, and the unknowns there. */
static void test_faces(void) {
  static const int64_t cells[2] = {2, 1};
  tessera_face faces[6], right[1];
  int64_t count = 0, numbers[NODES];
  double w[3], n[6], b[NODES];
  const tessera_element_options o = tessera_element_defaults("mass", 2, 1);
  const tessera_element_nodes nodes = corners_at(corners[0][0], 2);
  tessera_points* side = NULL;
  tessera_restriction* const r = all_nodes();
  expect(tessera_box_faces(2, cells, NULL, &count) == TESSERA_OK && count == 6, "count of faces");
  expect(tessera_box_faces(2, cells, faces, &count) == TESSERA_OK && count == 6, "faces");
  for (int f = 0; f < 6; ++f)
    if (faces[f].tag == 1) right[0] = faces[f];
  expect(right[0].element == 1 && right[0].face == 1, "the right side");
  expect(tessera_points_create_on_faces(&side, &o, &nodes, right, 1) == TESSERA_OK, "points on faces");
  expect(tessera_points_sizes_of(side).points == 3 && tessera_points_sizes_of(side).count == 1, "sizes");
  expect(tessera_points_weights(side, w) == TESSERA_OK && near(w[0] + w[1] + w[2], 1), "length");
  expect(tessera_points_normals(side, n) == TESSERA_OK && near(n[0], 1) && near(n[1], 0), "normal");
  expect(tessera_points_load(side, w, r, b, 0) == TESSERA_OK, "load of the side");
  expect(b[0] == 0 && b[4] == 0 && b[2] > 0 && near(b[2], b[5]), "on the side alone");
  count = NODES;
  expect(tessera_restriction_numbers_on(r, &o, right, 1, -1, numbers, &count) == TESSERA_OK, "unknowns");
  expect(count == 2 && numbers[0] == 2 && numbers[1] == 5, "unknowns of the side");
  count = 1;
  expect_failure(tessera_restriction_numbers_on(r, &o, right, 1, -1, numbers, &count), TESSERA_SHAPE_MISMATCH,
                 "room for 1 numbers", "there are 2");
  count = 5;
  expect_failure(tessera_box_faces(2, cells, faces, &count), TESSERA_SHAPE_MISMATCH, "room for 5 faces", "6");
  tessera_points_destroy(side);
  right[0].face = 4;
  expect_failure(tessera_points_create_on_faces(&side, &o, &nodes, right, 1), TESSERA_INVALID_ARGUMENT,
                 "face 4 of element 1", "has 4");
  expect(side == NULL, "no points on failure");
  tessera_restriction_destroy(r);
}

/* D of the mass is the weights; that of given D what was given, in float rounded. */
static void test_data(void) {
  double w[2 * POINTS], D[2 * POINTS], given[2 * POINTS];
  tessera_points* const at = points_of_cells();
  tessera_restriction* const r = all_nodes();
  tessera_element_options o = tessera_element_defaults("mass", 2, 1);
  const tessera_element_nodes nodes = corners_at(corners[0][0], 2);
  tessera_element_operator* op = NULL;
  tessera_global_operator* global = NULL;
  expect(tessera_points_weights(at, w) == TESSERA_OK, "weights");
  for (o.matrix_free = 0; o.matrix_free < 2; ++o.matrix_free) {
    expect(tessera_element_create(&op, &o, &nodes) == TESSERA_OK, "mass");
    expect(tessera_element_get_data(op, 0, 2, D) == TESSERA_OK && agree(D, w, 2 * POINTS), "D of the geometry");
    tessera_element_destroy(op);
    expect(tessera_global_create(&global, &o, &nodes, r, NULL, NULL) == TESSERA_OK, "mass of unknowns");
    expect(tessera_global_get_data(global, D) == TESSERA_OK && agree(D, w, 2 * POINTS), "D between L-vectors");
    tessera_global_destroy(global);
  }
  o.matrix_free = 0;
  o.in_float = 1;
  for (int i = 0; i < 2 * POINTS; ++i) given[i] = 1.0 / (i + 1);
  expect(tessera_element_create_from_data(&op, &o, 2, given) == TESSERA_OK, "with D");
  expect(tessera_element_get_data(op, 1, 1, D) == TESSERA_OK, "D of element 1");
  for (int i = 0; i < POINTS; ++i) expect(D[i] == (double)(float)given[POINTS + i], "rounded");
  expect_failure(tessera_element_get_data(op, 1, 2, D), TESSERA_INVALID_ARGUMENT, "2 elements from 1 on", "of 2");
  expect_failure(tessera_element_get_data(op, 0, 1, NULL), TESSERA_NULL_POINTER, "null pointer", "get");
  expect_failure(tessera_element_get_data(NULL, 0, 1, D), TESSERA_NULL_POINTER, "null operator", "null");
  expect_failure(tessera_global_get_data(NULL, D), TESSERA_NULL_POINTER, "null operator", "null");
  tessera_element_destroy(op);
  tessera_restriction_destroy(r);
  tessera_points_destroy(at);
}

static void test_mistakes(void) {
  static const double turned[2][4] = {{1, 0, 1, 0}, {0, 0, 1, 1}};
  static int some;
  double out[2 * POINTS], norm;
  int64_t count = 0;
  const int64_t cells[2] = {1, 1};
  tessera_points *at = points_of_cells(), *none = (tessera_points*)&some;
  tessera_element_options o = tessera_element_defaults("mass", 2, 1);
  tessera_element_nodes nodes = corners_at(turned[0], 1);
  expect_failure(tessera_points_create(&none, &o, &nodes), TESSERA_INVALID_ARGUMENT, "element 0 is inverted",
                 "point 0");
  expect(none == NULL, "no points on failure");
  expect_failure(tessera_points_create(&none, &o, NULL), TESSERA_NULL_POINTER, "null nodes", "null");
  expect_failure(tessera_points_create(&none, NULL, &nodes), TESSERA_NULL_POINTER, "null options", "null");
  expect_failure(tessera_points_create(NULL, &o, &nodes), TESSERA_NULL_POINTER, "null result pointer", "null");
  expect_failure(tessera_points_create_on_faces(&none, &o, &nodes, NULL, 1), TESSERA_NULL_POINTER, "null faces",
                 "null");
  expect_failure(tessera_points_weights(NULL, out), TESSERA_NULL_POINTER, "null points", "null");
  expect_failure(tessera_points_weights(at, NULL), TESSERA_NULL_POINTER, "element_points::weights", "null");
  expect_failure(tessera_points_values(at, NULL, NULL, out), TESSERA_NULL_POINTER, "u is a null pointer", "values");
  expect_failure(tessera_points_load(at, NULL, NULL, out, 0), TESSERA_NULL_POINTER, "values are a null", "load");
  expect_failure(tessera_points_normals(at, out), TESSERA_INVALID_ARGUMENT, "no normals", "normals");
  expect_failure(tessera_points_l2_norm(at, NULL, out, NULL, NULL), TESSERA_NULL_POINTER, "null norm", "null");
  expect_failure(tessera_points_h1_norm(at, NULL, NULL, NULL, &norm), TESSERA_NULL_POINTER, "u is a null", "integral");
  expect_failure(tessera_box_faces(4, cells, NULL, &count), TESSERA_INVALID_ARGUMENT, "4 dimensions", "1 to 3");
  expect_failure(tessera_box_faces(2, NULL, NULL, &count), TESSERA_NULL_POINTER, "null cells", "null");
  expect_failure(tessera_restriction_numbers_on(NULL, &o, NULL, 0, 0, NULL, &count), TESSERA_NULL_POINTER,
                 "null restriction", "null");
  expect(tessera_points_sizes_of(NULL).points == 0 && tessera_points_describe(NULL) == NULL, "of NULL");
  tessera_points_destroy(at);
}

int main(void) {
  test_rules();
  test_points();
  test_norms();
  test_faces();
  test_data();
  test_mistakes();
  if (failures == 0) printf("all well\n");
  return failures;
}
