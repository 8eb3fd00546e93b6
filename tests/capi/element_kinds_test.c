/* SPDX-License-Identifier: BSD-3-Clause */
/* Every operator from C99, in every dimension and both types: what they make of linear fields is known. */
#include "elements.h"

#include <stdlib.h>

/* Boxes with sides 1 + e in the first direction and 2 and 3 in the others. */
enum { ELEMENTS = 3, MOST_NODES = 27, MOST_POINTS = 125 };

static int power(int n, int dim) { return dim == 3 ? n * n * n : dim == 2 ? n * n : n; }
static double edge(int e, int direction) { return direction == 0 ? 1.0 + e : 1.0 + direction; }
static double volume(int e, int dim) {
  double v = 1;
  for (int c = 0; c < dim; ++c) v *= edge(e, c);
  return v;
}

/* Numbers of one of the types. */
typedef struct numbers {
  tessera_type type;
  double in_double[ELEMENTS * MOST_POINTS * 7];
  float in_float[ELEMENTS * MOST_POINTS * 7];
} numbers;
static void* data_of(numbers* of) { return of->type == TESSERA_F32 ? (void*)of->in_float : (void*)of->in_double; }
static void put(numbers* to, int i, double value) {
  if (to->type == TESSERA_F32)
    to->in_float[i] = (float)value;
  else
    to->in_double[i] = value;
}
static double get(const numbers* from, int i) {
  return from->type == TESSERA_F32 ? (double)from->in_float[i] : from->in_double[i];
}

static numbers corners, x, y, coefficients;

static void set_type(tessera_type type) { corners.type = x.type = y.type = coefficients.type = type; }

static void place_corners(int dim) {
  const int n = power(2, dim);
  for (int e = 0; e < ELEMENTS; ++e)
    for (int c = 0; c < dim; ++c)
      for (int i = 0; i < n; ++i) put(&corners, i + n * (c + dim * e), edge(e, c) * (i >> c & 1));
}

/* Component c of x is slope[a + dim c] times coordinate a, summed, at the nodes of order 2: 0, 1/2, 1. */
static void linear_field(int dim, int components, const double* slope) {
  const int n = power(3, dim);
  for (int e = 0; e < ELEMENTS; ++e)
    for (int c = 0; c < components; ++c)
      for (int i = 0; i < n; ++i) {
        double value = 0;
        int rest = i;
        for (int a = 0; a < dim; ++a, rest /= 3) value += slope[a + dim * c] * edge(e, a) * (rest % 3) / 2;
        put(&x, i + n * (c + components * e), value);
      }
}

static tessera_element_operator* made(const char* kind, int dim, const double* given, int count, int form) {
  tessera_element_operator* op = NULL;
  tessera_element_options o = tessera_element_defaults(kind, dim, 2);
  tessera_element_nodes nodes = corners_at(data_of(&corners), ELEMENTS);
  o.type = x.type;
  o.matrix_free = form % 2;
  if (form == 2) o.rule = "gauss_lobatto";
  nodes.coefficient_count = count;
  if (form == 1) { /* the same at every point */
    for (int i = 0; i < ELEMENTS * power(4, dim) * count; ++i) put(&coefficients, i, given[i % count]);
    nodes.coefficients_at_points = data_of(&coefficients);
  } else {
    nodes.coefficients = given;
  }
  expect(tessera_element_create(&op, &o, &nodes) == TESSERA_OK, kind);
  return op;
}

/* x^T A x of each element is `energy` times its volume; or the sum of y is, where `of_sum`. */
static void check(const char* kind, int dim, const double* given, int count, int components, int of_sum,
                  double energy) {
  for (int form = 0; form < 3; ++form) {
    const int entries = power(3, dim) * components;
    tessera_element_operator* const op = made(kind, dim, given, count, form);
    if (op == NULL) return;
    expect(tessera_element_apply(op, data_of(&x), data_of(&y), 0, NULL) == TESSERA_OK, "apply");
    for (int e = 0; e < ELEMENTS; ++e) {
      double sum = 0;
      const double wanted = energy * volume(e, dim), close = x.type == TESSERA_F32 ? 1e-3 : 1e-12;
      for (int i = entries * e; i < entries * (e + 1); ++i) sum += get(&y, i) * (of_sum ? 1 : get(&x, i));
      expect(size_of(sum - wanted) <= close * (1 + size_of(wanted)), tessera_element_describe(op));
    }
    tessera_element_destroy(op);
  }
}

static void test_kinds(int dim) {
  static const double slope[3] = {2, -1, 3};
  static const double K[4][6] = {{0}, {2}, {2, 0.5, 3}, {2, 0.5, 0.25, 3, -0.5, 4}};
  static const double rotation[4][9] = {{0}, {0}, {0, -2, 2, 0}, {0, -2, 1, 2, 0, 3, -1, -3, 0}};
  static const double stretch[4][9] = {{0}, {2}, {2, 0, 0, -1}, {2, 0, 0, 0, -1, 0, 0, 0, 3}};
  static const double velocity[3] = {1, 4, -2}, lame[2] = {1.5, 0.75}, rho[1] = {2.5}, kappa[1] = {0.5};
  const int symmetric = dim * (dim + 1) / 2;
  double both[7] = {0}, flow[9] = {0}, squares = 0, along = 0, of_K = 0, trace = 0, strain = 0;
  int place = 0;
  for (int i = 0; i < dim; ++i) {
    squares += slope[i] * slope[i];
    along += velocity[i] * slope[i];
    trace += stretch[dim][i + dim * i];
    strain += stretch[dim][i + dim * i] * stretch[dim][i + dim * i];
    for (int j = i; j < dim; ++j, ++place) of_K += (i == j ? 1 : 2) * K[dim][place] * slope[i] * slope[j];
  }
  place_corners(dim);
  for (int i = 0; i < ELEMENTS * power(3, dim); ++i) put(&x, i, 1);
  check("mass", dim, rho, 1, 1, 0, 2.5);
  both[0] = 2.5;
  for (int i = 0; i < symmetric; ++i) both[1 + i] = K[dim][i];
  check("helmholtz", dim, both, 1 + symmetric, 1, 0, 2.5);
  check("diffusion", dim, kappa, 1, 1, 0, 0);

  linear_field(dim, 1, slope);
  check("diffusion", dim, kappa, 1, 1, 0, 0.5 * squares);
  check("diffusion", dim, K[dim], symmetric, 1, 0, of_K);
  check("convection", dim, velocity, dim, 1, 1, along);
  for (int i = 0; i < symmetric; ++i) flow[i] = K[dim][i];
  for (int i = 0; i < dim; ++i) flow[symmetric + i] = velocity[i];
  check("advection_diffusion", dim, flow, symmetric + dim, 1, 1, along); /* diffusion's y adds up to nothing */
  linear_field(dim, dim, rotation[dim]);
  check("elasticity", dim, lame, 2, dim, 0, 0);
  linear_field(dim, dim, stretch[dim]);
  check("elasticity", dim, lame, 2, dim, 0, lame[0] * trace * trace + 2 * lame[1] * strain);
}

/* y in functions of its own, and x and y in the layout that needs no transposing. */
static void test_spaces(int dim) {
  tessera_element_operator* op = NULL;
  tessera_element_options o = tessera_element_defaults("mass", dim, 2);
  const tessera_element_nodes nodes = corners_at(data_of(&corners), ELEMENTS);
  tessera_element_sizes sizes;
  tessera_element_application a;
  const int nx = power(3, dim), ny = power(2, dim);
  o.type = x.type;
  o.test_basis = "bernstein";
  o.test_order = 1;
  expect(tessera_element_create(&op, &o, &nodes) == TESSERA_OK, "y in other functions");
  sizes = tessera_element_sizes_of(op);
  expect(sizes.trial_entries == nx && sizes.test_entries == ny, "sizes of both");
  expect(sizes.lanes >= 1 && sizes.lanes <= 16, "lanes");
  for (int i = 0; i < 16 * MOST_NODES; ++i) put(&x, i, 1);
  a = tessera_element_application_of(op, data_of(&x), data_of(&y));
  a.x_layout.entry = a.x_layout.lanes = a.y_layout.entry = a.y_layout.lanes = sizes.lanes;
  a.x_layout.element = a.y_layout.element = 1;
  a.x_layout.block = (int64_t)sizes.lanes * nx;
  a.y_layout.block = (int64_t)sizes.lanes * ny;
  expect(tessera_element_run(op, &a) == TESSERA_OK, "run");
  for (int e = 0; e < ELEMENTS; ++e) {
    double sum = 0;
    for (int i = 0; i < ny; ++i) sum += get(&y, e % sizes.lanes + sizes.lanes * (i + ny * (e / sizes.lanes)));
    expect(size_of(sum - volume(e, dim)) <= (x.type == TESSERA_F32 ? 1e-4 : 1e-12), "the volume");
  }
  tessera_element_destroy(op);
}

int main(void) {
  for (int dim = 1; dim <= 3; ++dim) {
    set_type(TESSERA_F64);
    test_kinds(dim);
    test_spaces(dim);
    set_type(TESSERA_F32);
    test_kinds(dim);
    test_spaces(dim);
  }
  if (failures == 0) printf("all well\n");
  return failures;
}
