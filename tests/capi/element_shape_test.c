/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangles and tetrahedra from C99, and elements by tables of the caller's own: closed forms; mistakes are named. */
#include "elements.h"

enum { ELEMENTS = 3 };

/* Right triangles at the origin, with sides 1 + e and 2. */
static double corners[3 * 2 * ELEMENTS];
static double area(int e) { return 1.0 + e; }
static void place_corners(void) {
  for (int e = 0; e < ELEMENTS; ++e) {
    corners[1 + 6 * e] = 1 + e;
    corners[3 + 2 + 6 * e] = 2;
  }
}

static tessera_element_nodes triangles(void) { return corners_at(corners, ELEMENTS); }

static void test_simplices(void) {
  double x[6 * ELEMENTS], y[6 * ELEMENTS];
  tessera_element_operator* mass = NULL;
  tessera_element_options options = tessera_element_defaults("mass", 2, 2);
  const tessera_element_nodes nodes = triangles();
  options.shape = "simplex";
  expect(tessera_element_create(&mass, &options, &nodes) == TESSERA_OK, "quadratic triangles");
  expect(tessera_element_sizes_of(mass).trial_entries == 6 && tessera_element_sizes_of(mass).points == 9, "sizes");
  for (int i = 0; i < 6 * ELEMENTS; ++i) x[i] = 1;
  expect(tessera_element_apply(mass, x, y, 0, NULL) == TESSERA_OK, "apply");
  for (int e = 0; e < ELEMENTS; ++e) {
    double sum = 0;
    for (int i = 0; i < 6; ++i) sum += y[i + 6 * e];
    expect(near(sum, area(e)), "the area");
  }
  expect(strstr(tessera_element_describe(mass), "dense tables") != NULL, "the description");
  tessera_element_destroy(mass);
}

// snippet tables
/* Linear triangles with a point in the middle of each edge, side by side in memory: k + 3 i. */
static const double values[9] = {0.5, 0, 0.5, 0.5, 0.5, 0, 0, 0.5, 0.5};
static const double gradients[18] = {-1, -1, -1, 1, 1, 1, 0, 0, 0, /* first direction */
                                     -1, -1, -1, 0, 0, 0, 1, 1, 1};
static const double weights[3] = {1.0 / 6, 1.0 / 6, 1.0 / 6};

static tessera_element_tables linear_triangles(void) {
  tessera_element_tables tables = {0};
  tables.points = 3;
  tables.functions = tables.nodes = 3;
  tables.values = values;
  tables.gradients = tables.node_gradients = gradients;
  tables.weights = weights;
  return tables;
}
// end snippet

static tessera_element_operator* made(const char* kind, const tessera_element_tables* tables) {
  tessera_element_operator* op = NULL;
  tessera_element_options options = tessera_element_defaults(kind, 2, 77);
  const tessera_element_nodes nodes = triangles();
  options.tables = tables;
  expect(tessera_element_create(&op, &options, &nodes) == TESSERA_OK, kind);
  return op;
}

static void test_tables(void) {
  const tessera_element_tables tables = linear_triangles();
  tessera_element_operator* const mass = made("mass", &tables);
  tessera_element_operator* const diffusion = made("diffusion", &tables);
  double M[9 * ELEMENTS], lower[6 * ELEMENTS], diagonal[3 * ELEMENTS];
  expect(tessera_element_assemble(mass, 0, ELEMENTS, M) == TESSERA_OK, "mass matrices");
  for (int e = 0; e < ELEMENTS; ++e)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        expect(near(M[i + 3 * (j + 3 * e)], area(e) / (i == j ? 6 : 12)), "an entry of the mass");
  expect(tessera_element_assemble_lower(diffusion, 0, ELEMENTS, lower) == TESSERA_OK, "stiffness matrices");
  expect(tessera_element_diagonal(diffusion, diagonal) == TESSERA_OK, "the diagonal");
  for (int e = 0; e < ELEMENTS; ++e) {
    /* Half of the ratios of the sides, a / b and b / a. */
    const double p = 2 / area(e) / 2, q = area(e) / 2 / 2;
    const double wanted[6] = {p + q, -p, -q, p, 0, q};
    for (int i = 0; i < 6; ++i) expect(near(lower[i + 6 * e], wanted[i]), "an entry of the stiffness");
    expect(near(diagonal[3 * e], p + q) && near(diagonal[1 + 3 * e], p) && near(diagonal[2 + 3 * e], q), "diagonal");
  }
  tessera_element_destroy(mass);
  tessera_element_destroy(diffusion);
}

/* v = *context D u */
static void scaled_mass(const tessera_point_block* b, void* context) {
  for (int64_t n = 0; n < b->count; ++n)
    ((double*)b->value_out)[n] = *(const double*)context * ((const double*)b->D)[n] * ((const double*)b->value)[n];
}

static void test_function(void) {
  const tessera_element_tables tables = linear_triangles();
  double by = 3, D[3 * ELEMENTS], x[3 * ELEMENTS], y[3 * ELEMENTS], wanted[3 * ELEMENTS];
  tessera_element_operator *own = NULL, *mass = NULL;
  tessera_element_options options = tessera_element_defaults("mass", 2, 1);
  tessera_element_function function = {0};
  options.tables = &tables;
  function.dim = 2;
  function.components = function.test_components = function.factors = 1;
  function.takes_value = function.gives_value = 1;
  function.at_points = scaled_mass;
  function.context = &by;
  for (int i = 0; i < 3 * ELEMENTS; ++i) D[i] = 1.0 / (1 + i), x[i] = i;
  expect(tessera_element_create_from_function(&own, &options, &function, ELEMENTS, D) == TESSERA_OK, "a function");
  expect(tessera_element_create_from_data(&mass, &options, ELEMENTS, D) == TESSERA_OK, "D of one's own");
  expect(tessera_element_apply(own, x, y, 0, NULL) == TESSERA_OK, "apply");
  expect(tessera_element_apply(mass, x, wanted, 0, NULL) == TESSERA_OK, "apply");
  for (int i = 0; i < 3 * ELEMENTS; ++i) expect(near(y[i], 3 * wanted[i]), "three times the mass");
  expect(size_of(wanted[4]) > 0.1, "not nothing");
  tessera_element_destroy(own);
  tessera_element_destroy(mass);
}

/* The same tables on both sides, where there is a GPU. */
static void test_gpu(void) {
  enum { ALL = 3 * ELEMENTS };
  tessera_element_operator *here = NULL, *there = NULL;
  tessera_element_options options = tessera_element_defaults("diffusion", 2, 1);
  tessera_element_tables tables = linear_triangles();
  tessera_element_nodes nodes = triangles();
  double x[ALL], y[ALL], z[ALL];
  if (!tessera_target_available("cuda")) {
    printf("no GPU: tables were not tried there\n");
    return;
  }
  for (int i = 0; i < ALL; ++i) x[i] = (double)(i * 7 % 11) - 5;
  options.tables = &tables;
  expect(tessera_element_create(&here, &options, &nodes) == TESSERA_OK, "on the host");
  options.target = "cuda";
  expect(tessera_element_create(&there, &options, &nodes) == TESSERA_OK, "on the device");
  apply_on_gpu(there, x, z, ALL);
  expect(tessera_element_apply(here, x, y, 0, NULL) == TESSERA_OK, "apply here");
  expect(agree(z, y, ALL), "both sides agree");
  tessera_element_destroy(here);
  tessera_element_destroy(there);
}

static void test_mistakes(void) {
  tessera_element_options options = tessera_element_defaults("mass", 2, 1);
  tessera_element_tables tables = linear_triangles();
  tessera_element_nodes nodes = triangles();
  options.shape = "prism";
  expect_no_operator(&options, &nodes, TESSERA_INVALID_ARGUMENT, "prism", "simplex");
  options.shape = "simplex";
  options.order = 11;
  expect_no_operator(&options, &nodes, TESSERA_INVALID_ARGUMENT, "order 11", "10");
  options = tessera_element_defaults("diffusion", 2, 1);
  options.tables = &tables;
  tables.gradients = NULL;
  expect_no_operator(&options, &nodes, TESSERA_SHAPE_MISMATCH, "trial.gradients", "3 x 3 x 2");
  tables = linear_triangles();
  tables.points = 0;
  expect_no_operator(&options, &nodes, TESSERA_INVALID_ARGUMENT, "d = 3, q = 0", "size");
  tables = linear_triangles();
  tables.nodes = 0;
  expect_no_operator(&options, &nodes, TESSERA_SHAPE_MISMATCH, "geometry", "3 x 0 x 2");
  tables = linear_triangles();
  options.target = "cuda";
  if (!tessera_target_available("cuda")) expect_no_operator(&options, &nodes, TESSERA_NO_DEVICE, "dense tables", "GPU");
  options.target = NULL;
  corners[1 + 6] = -1; /* turns triangle 1 */
  expect_no_operator(&options, &nodes, TESSERA_INVALID_ARGUMENT, "element 1", "point 0 of 3");
}

int main(void) {
  place_corners();
  test_simplices();
  test_tables();
  test_function();
  test_gpu();
  test_mistakes(); /* turns a triangle */
  if (failures == 0) printf("all well\n");
  return failures;
}
