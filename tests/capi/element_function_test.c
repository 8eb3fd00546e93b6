/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointwise functions from C99: equal to built-in operators where they say the same, in any dimension, order and type.
 */
#include "elements.h"

#include <stdlib.h>

enum { ELEMENTS = 11, MOST_POINTS = 7 * 7 * 7, MOST_NODES = 6 * 6 * 6 };

typedef struct scaled {
  int dim;
  double by;
} scaled;

// snippet diffusion
/* grad v = s D grad u, D symmetric: 00 01 11, or 00 01 02 11 12 22. */
static void diffusion(const tessera_point_block* b, void* context) {
  const scaled* s = (const scaled*)context;
  const int64_t n = b->count;
  const double* D = (const double*)b->D;
  const double* u = (const double*)b->gradient;
  double* v = (double*)b->gradient_out;
  int i, j, f = 0;
  for (int64_t k = 0; k < n * s->dim; ++k) v[k] = 0;
  for (i = 0; i < s->dim; ++i)
    for (j = i; j < s->dim; ++j, ++f)
      for (int64_t k = 0; k < n; ++k) {
        v[k + n * i] += s->by * D[k + n * f] * u[k + n * j];
        if (i != j) v[k + n * j] += s->by * D[k + n * f] * u[k + n * i];
      }
}
// end snippet

static void diffusion_in_float(const tessera_point_block* b, void* context) {
  const scaled* s = (const scaled*)context;
  const int64_t n = b->count;
  const float *D = (const float*)b->D, *u = (const float*)b->gradient;
  float* v = (float*)b->gradient_out;
  int f = 0;
  for (int64_t k = 0; k < n * s->dim; ++k) v[k] = 0;
  for (int i = 0; i < s->dim; ++i)
    for (int j = i; j < s->dim; ++j, ++f)
      for (int64_t k = 0; k < n; ++k) {
        v[k + n * i] += (float)s->by * D[k + n * f] * u[k + n * j];
        if (i != j) v[k + n * j] += (float)s->by * D[k + n * f] * u[k + n * i];
      }
}

/* Component c of v is D u_(1 - c), and its derivatives are those of u_c: two coupled components in the plane. */
static void exchange(const tessera_point_block* b, void* context) {
  const int64_t n = b->count;
  const double *D = (const double*)b->D, *u = (const double*)b->value, *slope = (const double*)b->gradient;
  double *v = (double*)b->value_out, *slope_out = (double*)b->gradient_out;
  expect(context == NULL, "no context is no context");
  for (int c = 0; c < 2; ++c)
    for (int64_t k = 0; k < n; ++k) {
      v[k + n * c] = D[k] * u[k + n * (1 - c)];
      for (int a = 0; a < 2; ++a) slope_out[k + n * (a + 2 * c)] = D[k] * slope[k + n * (a + 2 * c)];
    }
}

/* v = D u^2, not linear. */
static void square(const tessera_point_block* b, void* context) {
  const double *D = (const double*)b->D, *u = (const double*)b->value;
  double* v = (double*)b->value_out;
  (void)context;
  expect(b->gradient == NULL && b->gradient_out == NULL, "what is not taken is not there");
  for (int64_t k = 0; k < b->count; ++k) v[k] = D[k] * u[k] * u[k];
}

/* v = D u, after another operator's application on the same thread. */
static void product(const tessera_point_block* b, void* context) {
  static const double ones[MOST_NODES] = {1};
  double result[MOST_NODES];
  const double *D = (const double*)b->D, *u = (const double*)b->value;
  double* v = (double*)b->value_out;
  expect(tessera_element_apply((const tessera_element_operator*)context, ones, result, 0, NULL) == TESSERA_OK,
         "within");
  for (int64_t k = 0; k < b->count; ++k) v[k] = D[k] * u[k];
}

static double D[ELEMENTS * MOST_POINTS * 6], x[ELEMENTS * MOST_NODES * 2], y[ELEMENTS * MOST_NODES * 2],
    z[ELEMENTS * MOST_NODES * 2];
static float D_single[ELEMENTS * MOST_POINTS * 6], x_single[ELEMENTS * MOST_NODES], y_single[ELEMENTS * MOST_NODES],
    z_single[ELEMENTS * MOST_NODES];

static void fill(void) {
  for (int i = 0; i < ELEMENTS * MOST_POINTS * 6; ++i) D_single[i] = (float)(D[i] = (i * 37 % 101) / 101.0 - 0.3);
  for (int i = 0; i < ELEMENTS * MOST_NODES * 2; ++i) x[i] = (i * 53 % 97) / 97.0 - 0.5;
  for (int i = 0; i < ELEMENTS * MOST_NODES; ++i) x_single[i] = (float)x[i];
}

static tessera_element_function diffusion_of(scaled* s) {
  tessera_element_function f = {0};
  f.name = "my diffusion";
  f.dim = s->dim;
  f.components = f.test_components = 1;
  f.takes_gradient = f.gives_gradient = 1;
  f.factors = s->dim * (s->dim + 1) / 2;
  f.at_points = diffusion;
  f.context = s;
  return f;
}

/* Applications, matrices and diagonals of both; y += A x of some elements in another layout. */
static void compare(int dim, int order, int points, const char* rule, const char* target) {
  tessera_element_operator *built_in = NULL, *own = NULL;
  scaled s;
  tessera_element_function f;
  tessera_element_options o = tessera_element_defaults("diffusion", dim, order);
  tessera_element_sizes sizes;
  tessera_element_application a;
  int64_t n, all;
  s.dim = dim;
  s.by = 1;
  f = diffusion_of(&s);
  o.points = points;
  o.rule = rule;
  o.target = target;
  expect(tessera_element_create_from_data(&built_in, &o, ELEMENTS, D) == TESSERA_OK, "the built-in operator");
  o.kind = NULL;
  expect(tessera_element_create_from_function(&own, &o, &f, ELEMENTS, D) == TESSERA_OK, "one's own");
  if (built_in == NULL || own == NULL) return;
  sizes = tessera_element_sizes_of(own);
  n = sizes.trial_entries;
  all = n * ELEMENTS;
  expect(sizes.factors == f.factors && sizes.elements == ELEMENTS && sizes.components == 1, "sizes");
  expect(strstr(tessera_element_describe(own), "my diffusion") != NULL, "the name");
  expect(tessera_element_apply(built_in, x, y, 0, NULL) == TESSERA_OK, "apply");
  expect(tessera_element_apply(own, x, z, 0, NULL) == TESSERA_OK, "apply one's own");
  expect(agree(z, y, all), tessera_element_describe(own));
  expect(tessera_element_diagonal(built_in, y) == TESSERA_OK, "diagonal");
  expect(tessera_element_diagonal(own, z) == TESSERA_OK, "diagonal of one's own");
  expect(agree(z, y, all), "diagonals");
  if (n * n <= all) {
    expect(tessera_element_assemble(built_in, 3, 1, y) == TESSERA_OK, "assemble");
    expect(tessera_element_assemble(own, 3, 1, z) == TESSERA_OK, "assemble one's own");
    expect(agree(z, y, n * n), "matrices");
  }
  for (int64_t i = 0; i < all; ++i) y[i] = z[i] = 0.25;
  a = tessera_element_application_of(built_in, x, y);
  a.first = 2;
  a.count = 7;
  a.add = 1;
  a.x_layout.entry = ELEMENTS;
  a.x_layout.lanes = a.x_layout.block = 1;
  expect(tessera_element_run(built_in, &a) == TESSERA_OK, "run");
  a.y = z;
  expect(tessera_element_run(own, &a) == TESSERA_OK, "run one's own");
  expect(agree(z, y, all), "some elements, another layout, +=");
  tessera_element_destroy(built_in);
  tessera_element_destroy(own);
}

static void test_double(void) {
  static const char* const targets[] = {NULL, "reference", "sse2", "avx2", "avx512", "neon", "sve256", "sve512"};
  for (int t = 0; t < 6; ++t) {
    if (targets[t] != NULL && !tessera_target_available(targets[t])) continue;
    for (int dim = 1; dim <= 3; ++dim)
      for (int order = 1; order <= 5; order += 2) {
        compare(dim, order, order, "gauss", targets[t]);
        compare(dim, order, order + 1, "gauss", targets[t]);
        compare(dim, order, order + 2, "gauss", targets[t]);
        compare(dim, order, order + 1, "gauss_lobatto", targets[t]);
      }
  }
}

static void test_float(void) {
  tessera_element_operator *built_in = NULL, *own = NULL;
  tessera_element_options o = tessera_element_defaults("diffusion", 3, 3);
  scaled s = {3, 1};
  tessera_element_function f = diffusion_of(&s);
  f.at_points = diffusion_in_float;
  o.type = TESSERA_F32;
  expect(tessera_element_create_from_data(&built_in, &o, ELEMENTS, D_single) == TESSERA_OK, "in float");
  expect(tessera_element_create_from_function(&own, &o, &f, ELEMENTS, D_single) == TESSERA_OK, "one's own in float");
  expect(tessera_element_apply(built_in, x_single, y_single, 0, NULL) == TESSERA_OK, "apply in float");
  expect(tessera_element_apply(own, x_single, z_single, 0, NULL) == TESSERA_OK, "apply one's own in float");
  for (int i = 0; i < ELEMENTS * 64; ++i)
    expect(size_of((double)y_single[i] - (double)z_single[i]) < 1e-3, "an entry in float");
  tessera_element_destroy(built_in);
  tessera_element_destroy(own);
}

/* The state of a function is looked at when it is called. */
static void test_context(void) {
  tessera_element_operator* own = NULL;
  const tessera_element_options o = tessera_element_defaults(NULL, 2, 2);
  scaled s = {2, 1};
  const tessera_element_function f = diffusion_of(&s);
  expect(tessera_element_create_from_function(&own, &o, &f, ELEMENTS, D) == TESSERA_OK, "one's own");
  expect(tessera_element_apply(own, x, y, 0, NULL) == TESSERA_OK, "apply");
  s.by = 3;
  expect(tessera_element_apply(own, x, z, 0, NULL) == TESSERA_OK, "apply");
  for (int i = 0; i < ELEMENTS * 9; ++i) y[i] *= 3;
  expect(agree(z, y, ELEMENTS * 9), "three times as much");
  tessera_element_destroy(own);
}

/* Components that change places are Helmholtz's two parts, one of them with the other component. */
static void test_components(void) {
  enum { N = 16, Q = 25 };
  static double DH[ELEMENTS * Q * 4], D1[ELEMENTS * Q];
  tessera_element_operator *mass = NULL, *stiff = NULL, *own = NULL;
  tessera_element_options o = tessera_element_defaults("mass", 2, 3);
  tessera_element_function f = {0};
  for (int i = 0; i < ELEMENTS * Q; ++i) {
    D1[i] = D[i];
    DH[3 * i] = DH[3 * i + 2] = D[i];
    DH[3 * i + 1] = 0;
  }
  o.components = f.components = f.test_components = 2;
  f.dim = 2;
  f.takes_value = f.takes_gradient = f.gives_value = f.gives_gradient = 1;
  f.factors = 1;
  f.at_points = exchange;
  expect(tessera_element_create_from_data(&mass, &o, ELEMENTS, D1) == TESSERA_OK, "mass");
  expect(tessera_element_create_from_function(&own, &o, &f, ELEMENTS, D1) == TESSERA_OK, "one's own");
  o.kind = "diffusion";
  expect(tessera_element_create_from_data(&stiff, &o, ELEMENTS, DH) == TESSERA_OK, "diffusion");
  /* y = diffusion of x + mass of x with its components exchanged. */
  for (int e = 0; e < ELEMENTS; ++e)
    for (int c = 0; c < 2; ++c)
      for (int i = 0; i < N; ++i) z[i + N * (c + 2 * e)] = x[i + N * (1 - c + 2 * e)];
  expect(tessera_element_apply(mass, z, y, 0, NULL) == TESSERA_OK, "mass");
  expect(tessera_element_apply(stiff, x, y, 1, NULL) == TESSERA_OK, "diffusion");
  expect(tessera_element_apply(own, x, z, 0, NULL) == TESSERA_OK, "one's own");
  expect(agree(z, y, ELEMENTS * N * 2), "coupled components");
  tessera_element_destroy(mass);
  tessera_element_destroy(stiff);
  tessera_element_destroy(own);
}

/* Of nodes that are the points nothing is interpolated: y = D x^2 there. */
static void test_nonlinear(void) {
  tessera_element_operator* own = NULL;
  tessera_element_options o = tessera_element_defaults(NULL, 3, 2);
  tessera_element_function f = {0};
  o.basis = "gauss";
  o.points = 3;
  f.dim = 3;
  f.components = f.test_components = f.takes_value = f.gives_value = f.factors = 1;
  f.at_points = square;
  expect(tessera_element_create_from_function(&own, &o, &f, ELEMENTS, D) == TESSERA_OK, "a square");
  expect(tessera_element_apply(own, x, y, 0, NULL) == TESSERA_OK, "apply");
  for (int i = 0; i < ELEMENTS * 27; ++i) z[i] = D[i] * x[i] * x[i];
  expect(agree(y, z, ELEMENTS * 27), "D u^2");
  tessera_element_destroy(own);
}

/* What a function is given, and what it is called from, stays as it is while it applies a larger operator. */
static void test_within(void) {
  tessera_element_operator *mass = NULL, *inner = NULL, *own = NULL;
  tessera_element_options o = tessera_element_defaults("mass", 3, 5);
  tessera_element_function f = {0};
  expect(tessera_element_create_from_data(&inner, &o, 1, D) == TESSERA_OK, "inner");
  o = tessera_element_defaults("mass", 3, 2);
  expect(tessera_element_create_from_data(&mass, &o, ELEMENTS, D) == TESSERA_OK, "mass");
  f.dim = 3;
  f.components = f.test_components = f.takes_value = f.gives_value = f.factors = 1;
  f.at_points = product;
  f.context = inner;
  expect(tessera_element_create_from_function(&own, &o, &f, ELEMENTS, D) == TESSERA_OK, "one's own");
  expect(tessera_element_apply(mass, x, y, 0, NULL) == TESSERA_OK, "mass");
  expect(tessera_element_apply(own, x, z, 0, NULL) == TESSERA_OK, "one's own");
  expect(agree(z, y, ELEMENTS * 27), "around another operator's application");
  tessera_element_destroy(mass);
  tessera_element_destroy(inner);
  tessera_element_destroy(own);
}

static void expect_refused(const tessera_element_options* o, const tessera_element_function* f, tessera_status wanted,
                           const char* word, const char* other) {
  tessera_element_operator* none = (tessera_element_operator*)y;
  expect_failure(tessera_element_create_from_function(&none, o, f, 1, D), wanted, word, other);
  expect(none == NULL, "no operator on failure");
}

static void test_mistakes(void) {
  tessera_element_options o = tessera_element_defaults(NULL, 3, 1);
  scaled s = {3, 1};
  tessera_element_function f = diffusion_of(&s);
  const tessera_element_function good = f;
  expect_refused(&o, NULL, TESSERA_NULL_POINTER, "null", "function");
  f.dim = 2;
  expect_refused(&o, &f, TESSERA_SHAPE_MISMATCH, "2 dimensions", "options are for 3");
  f = good, f.dim = 4;
  expect_refused(&o, &f, TESSERA_INVALID_ARGUMENT, "dimension 4", "my diffusion");
  f = good, f.components = 0;
  expect_refused(&o, &f, TESSERA_INVALID_ARGUMENT, "0 components", "my diffusion");
  f = good, f.components = 2;
  expect_refused(&o, &f, TESSERA_SHAPE_MISMATCH, "1 components", "couples 2");
  f = good, f.factors = 0;
  expect_refused(&o, &f, TESSERA_INVALID_ARGUMENT, "0 factors", "");
  f = good, f.takes_gradient = 0;
  expect_refused(&o, &f, TESSERA_INVALID_ARGUMENT, "neither", "of u");
  f = good, f.gives_gradient = 0;
  expect_refused(&o, &f, TESSERA_INVALID_ARGUMENT, "neither", "test");
  f = good, f.at_points = NULL;
  expect_refused(&o, &f, TESSERA_NULL_POINTER, "at_points", "my diffusion");
  f = good, f.source = "struct a {};";
  expect_refused(&o, &f, TESSERA_NULL_POINTER, "text", "no type");
  f = good, f.state_bytes = 8;
  expect_refused(&o, &f, TESSERA_NULL_POINTER, "8 bytes", "state");
  f = good;
  tessera_element_operator* none = (tessera_element_operator*)y;
  expect_failure(tessera_element_create_from_function(&none, &o, &f, 1, NULL), TESSERA_NULL_POINTER, "null", "values");
  o.target = "cuda";
  expect_refused(&o, &f, TESSERA_NO_TARGET, "source", "GPU");
}

/* The same function as text, where there is a GPU. */
static void test_gpu(void) {
  static const char text[] =
      "#include <tessera/element/pointwise.hpp>\n"
      "namespace mine {\n"
      "struct diffusion {\n"
      "  static constexpr int dim = 3, factors = 6;\n"
      "  static constexpr tessera::point_shape trial{.gradient = true}, test{.gradient = true};\n"
      "  double by;\n"
      "  template <class S>\n"
      "  constexpr void operator()(const tessera::at_point<S, 1, 3>& u, const S (&D)[6],\n"
      "                            tessera::at_point<S, 1, 3>& v) const {\n"
      "    tessera::pointwise::multiply_symmetric<3, 0>(D, u.gradient[0], v.gradient[0]);\n"
      "    for (int a = 0; a < 3; ++a) v.gradient[0][a] = S(by) * v.gradient[0][a];\n"
      "  }\n"
      "};\n"
      "}\n";
  enum { N = 27, ALL = N * ELEMENTS };
  const double by = 2;
  tessera_element_operator *here = NULL, *there = NULL;
  tessera_element_options o = tessera_element_defaults(NULL, 3, 2);
  scaled s = {3, 2};
  tessera_element_function f = diffusion_of(&s);
  f.source = text;
  f.source_type = "mine::diffusion";
  f.state = &by;
  f.state_bytes = sizeof(by);
  if (!tessera_target_available("cuda")) {
    printf("no GPU: the function as text was not run\n");
    return;
  }
  expect(tessera_element_create_from_function(&here, &o, &f, ELEMENTS, D) == TESSERA_OK, "on the host");
  o.target = "cuda";
  expect(tessera_element_create_from_function(&there, &o, &f, ELEMENTS, D) == TESSERA_OK, "on the device");
  apply_on_gpu(there, x, z, ALL);
  expect(tessera_element_apply(here, x, y, 0, NULL) == TESSERA_OK, "apply here");
  expect(agree(z, y, ALL), "both sides agree");
  tessera_element_destroy(here);
  tessera_element_destroy(there);
}

int main(void) {
  fill();
  test_double();
  test_float();
  test_context();
  test_components();
  test_nonlinear();
  test_within();
  test_mistakes();
  test_gpu();
  if (failures == 0) printf("all well\n");
  return failures;
}
