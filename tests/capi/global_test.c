/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators between L-vectors from C: lists of both widths, constrained numbers, parts, y of other functions. */
#include "elements.h"

#include <stddef.h>

/* Two unit squares side by side; nodes of order 1 are counted row by row, three a row. */
enum { NODES = 6 };
static const int32_t nodes_of_cells[8] = {0, 1, 3, 4, 1, 2, 4, 5};
static const double corners[2][2][4] = {{{0, 1, 0, 1}, {0, 0, 1, 1}}, {{1, 2, 1, 2}, {0, 0, 1, 1}}};

static tessera_restriction_options cells(void) {
  tessera_restriction_options o = {0};
  o.elements = 2;
  o.entries = 4;
  o.size = NODES;
  o.offsets = nodes_of_cells;
  return o;
}

static tessera_restriction* restriction_of(const tessera_restriction_options* o) {
  tessera_restriction* made = NULL;
  expect(tessera_restriction_create(&made, o) == TESSERA_OK, "restriction");
  return made;
}

/* Two cells: gather, its transpose, and how often each number is an entry. */
static void test_restriction(void) {
  const tessera_restriction_options o = cells();
  tessera_restriction* G = restriction_of(&o);
  const double x[6] = {1, 2, 4, 8, 16, 32};
  float counts[6];
  double E[8], y[6] = {0};
  expect(tessera_restriction_to_elements(G, TESSERA_F64, x, E, NULL) == TESSERA_OK, "to elements");
  expect(tessera_restriction_add_from_elements(G, TESSERA_F64, E, y, NULL) == TESSERA_OK, "from elements");
  expect(tessera_restriction_multiplicity(G, TESSERA_F32, counts) == TESSERA_OK, "multiplicity");
  double all = 0;
  for (int i = 0; i < 6; ++i) {
    expect(y[i] == (double)counts[i] * x[i], "as often as it is an entry");
    all += (double)counts[i];
  }
  expect(all == 8, "entries of two cells");
  tessera_restriction_destroy(G);
}

static tessera_global_operator* operator_of(const char* kind, const tessera_restriction* x,
                                            const tessera_restriction* y, const int* part) {
  tessera_global_operator* made = NULL;
  tessera_patch_options patches = {0};
  const tessera_element_options o = tessera_element_defaults(kind, 2, 1);
  const tessera_element_nodes nodes = corners_at(corners[0][0], 2);
  patches.part = part;
  expect(tessera_global_create(&made, &o, &nodes, x, y, part == NULL ? NULL : &patches) == TESSERA_OK, kind);
  return made;
}

/* The mass of the function 1 is the area; the nodes in the middle have half of it. */
static void test_mass(void) {
  static const int64_t wide[8] = {0, 1, 3, 4, 1, 2, 4, 5};
  static const double share[NODES] = {0.25, 0.5, 0.25, 0.25, 0.5, 0.25};
  const double one[NODES] = {1, 1, 1, 1, 1, 1};
  double y[NODES] = {7, 7, 7, 7, 7, 7}, twice[NODES];
  tessera_restriction_options o = cells();
  for (int is_wide = 0; is_wide < 2; ++is_wide) {
    tessera_restriction* const r = restriction_of(&o);
    tessera_global_operator* const M = operator_of("mass", r, NULL, NULL);
    expect(tessera_restriction_describe(r) != NULL, "description of the restriction");
    tessera_restriction_destroy(r);
    expect(tessera_global_apply(M, one, y, 0, NULL) == TESSERA_OK, "apply");
    expect(agree(y, share, NODES), "shares of the area");
    expect(tessera_global_apply(M, one, y, 1, NULL) == TESSERA_OK, "add");
    for (int i = 0; i < NODES; ++i) twice[i] = 2 * share[i];
    expect(agree(y, twice, NODES), "twice");
    expect(tessera_global_describe(M) != NULL, "description");
    tessera_global_destroy(M);
    o.offsets = NULL;
    o.offsets64 = wide;
  }
}

/* Constrained numbers: y = x there, and 1 on the diagonal. */
static void test_constrained(void) {
  static const int64_t fixed[2] = {3, 0};
  static const int32_t with_marks[8] = {-1, 1, -4, 4, 1, 2, 4, 5};
  const double x[NODES] = {5, 1, 2, 6, 3, 4}, zeroed[NODES] = {0, 1, 2, 0, 3, 4};
  double y[NODES], wanted[NODES], diagonal[NODES], given[NODES] = {0};
  tessera_restriction_options o = cells();
  tessera_restriction *r = restriction_of(&o), *all = r;
  tessera_global_operator *A = operator_of("diffusion", r, NULL, NULL), *B = NULL;
  expect(tessera_global_apply(A, zeroed, wanted, 0, NULL) == TESSERA_OK, "free");
  tessera_global_destroy(A);
  wanted[0] = 5;
  wanted[3] = 6;
  o.constrained = fixed;
  o.constrained_count = 2;
  for (int by_marks = 0; by_marks < 2; ++by_marks) {
    r = restriction_of(&o);
    A = operator_of("diffusion", r, NULL, NULL);
    expect(tessera_global_apply(A, x, y, 0, NULL) == TESSERA_OK, "constrained");
    expect(agree(y, wanted, NODES), "the rest as if they were 0");
    expect(tessera_global_diagonal(A, diagonal) == TESSERA_OK, "diagonal");
    expect(diagonal[0] == 1 && diagonal[3] == 1 && near(diagonal[1], 4.0 / 3), "entries of the diagonal");
    /* Values given there: the load less A of them. */
    given[0] = 2;
    given[3] = 2;
    expect(tessera_global_eliminate(A, given) == TESSERA_OK, "eliminate");
    expect(given[0] == 2 && given[3] == 2 && near(given[1] + given[2] + given[4] + given[5], 2), "given values");
    expect(near(given[2], 0) && near(given[1], 1), "the load of neighbours alone");
    expect_failure(tessera_global_eliminate(A, NULL), TESSERA_NULL_POINTER, "b is a null pointer", "eliminate");
    for (int i = 0; i < NODES; ++i) given[i] = 0;
    /* Other restrictions of x and y: 0 there. */
    B = operator_of("diffusion", r, all, NULL);
    expect(tessera_global_apply(B, x, y, 0, NULL) == TESSERA_OK, "x alone");
    expect(near(y[1], wanted[1]) && !near(y[0], wanted[0]), "rows of y are free");
    expect_failure(tessera_global_diagonal(B, diagonal), TESSERA_SHAPE_MISMATCH, "different restrictions", "diagonal");
    tessera_global_destroy(A);
    tessera_global_destroy(B);
    tessera_restriction_destroy(r);
    o.constrained = NULL;
    o.constrained_count = 0;
    o.offsets = with_marks;
    o.negative = "constrained";
  }
  tessera_restriction_destroy(all);
}

static void test_parts(void) {
  static const int part[2] = {1, 0};
  const double x[NODES] = {5, 1, 2, 6, 3, 4};
  double whole[NODES], y[NODES];
  const tessera_restriction_options o = cells();
  tessera_restriction* const r = restriction_of(&o);
  tessera_global_operator *const A = operator_of("mass", r, NULL, NULL), *const P = operator_of("mass", r, NULL, part);
  tessera_global_operator* given = NULL;
  tessera_global_run* run = NULL;
  const tessera_element_options e = tessera_element_defaults("mass", 2, 1);
  const tessera_element_nodes nodes = corners_at(corners[0][0], 2);
  tessera_patch_options patches = {0};
  patches.parts = 3;
  patches.part = part;
  patches.patch_elements = 1;
  patches.in_given_order = 1;
  patches.atomic_sums = 1;
  expect(tessera_global_apply(A, x, whole, 0, NULL) == TESSERA_OK, "whole");
  expect(tessera_global_begin(&run, P, x, y, 0, NULL) == TESSERA_OK, "begin");
  expect(tessera_global_part(run, 1) == TESSERA_OK, "part 1");
  expect_failure(tessera_global_end(run), TESSERA_INVALID_ARGUMENT, "part 0 has not run", "part 0");
  expect_failure(tessera_global_part(run, 2), TESSERA_INVALID_ARGUMENT, "part 2 of 2", "part 2");
  expect(tessera_global_part(run, 0) == TESSERA_OK, "part 0");
  expect(tessera_global_end(run) == TESSERA_OK, "end");
  for (int i = 0; i < NODES; ++i) expect(y[i] == whole[i], "the same bits");
  tessera_global_run_destroy(run);
  expect(tessera_global_create(&given, &e, &nodes, r, NULL, &patches) == TESSERA_OK, "patches as given");
  expect(tessera_global_apply(given, x, y, 0, NULL) == TESSERA_OK, "apply");
  for (int i = 0; i < NODES; ++i) expect(y[i] == whole[i], "the same bits by other patches");
  expect(strstr(tessera_global_describe(given), "in 2 patches of up to 1") != NULL, tessera_global_describe(given));
  tessera_global_destroy(given);
  patches.parts = 1;
  expect_failure(tessera_global_create(&given, &e, &nodes, r, NULL, &patches), TESSERA_INVALID_ARGUMENT,
                 "element 0 is in part 1", "0..0");
  tessera_global_destroy(A);
  tessera_global_destroy(P);
  tessera_restriction_destroy(r);
}

static void test_mistakes(void) {
  static int some;
  static const int negative_part[2] = {0, -1};
  double y[NODES] = {0};
  const tessera_element_options e = tessera_element_defaults("mass", 2, 1);
  const tessera_element_nodes nodes = corners_at(corners[0][0], 2);
  tessera_restriction_options o = cells();
  tessera_restriction *r = (tessera_restriction*)&some, *good = restriction_of(&o);
  tessera_global_operator *op = (tessera_global_operator*)&some, *M = operator_of("mass", good, NULL, NULL);
  tessera_global_run* run = (tessera_global_run*)&some;
  tessera_patch_options patches = {0};
  patches.part = negative_part;
  o.size = 5;
  expect_failure(tessera_restriction_create(&r, &o), TESSERA_INVALID_ARGUMENT, "offset 5 of entry 3 of element 1",
                 "0 to 4");
  expect(r == NULL, "no restriction on failure");
  o = cells();
  o.negative = "minus";
  expect_failure(tessera_restriction_create(&r, &o), TESSERA_INVALID_ARGUMENT, "'minus'", "sign");
  o = cells();
  o.constrained_count = 3;
  expect_failure(tessera_restriction_create(&r, &o), TESSERA_NULL_POINTER, "restriction: constrained numbers: null",
                 "constrained");
  expect_failure(tessera_restriction_create(&r, NULL), TESSERA_NULL_POINTER, "null options", "null");
  expect_failure(tessera_restriction_create(NULL, &o), TESSERA_NULL_POINTER, "null result pointer", "null");
  expect_failure(tessera_global_create(&op, &e, &nodes, NULL, NULL, NULL), TESSERA_NULL_POINTER, "null restriction",
                 "null");
  expect_failure(tessera_restriction_to_elements(NULL, TESSERA_F64, y, y, NULL), TESSERA_NULL_POINTER,
                 "null restriction", "null");
  expect_failure(tessera_restriction_to_elements(good, TESSERA_F16, y, y, NULL), TESSERA_INVALID_ARGUMENT, "type 4",
                 "TESSERA_F32");
  expect_failure(tessera_restriction_add_from_elements(good, TESSERA_F64, NULL, y, NULL), TESSERA_NULL_POINTER,
                 "null vector", "null");
  expect_failure(tessera_restriction_multiplicity(good, TESSERA_F64, NULL), TESSERA_NULL_POINTER, "null vector",
                 "null");
  expect(op == NULL, "no operator on failure");
  expect_failure(tessera_global_create(&op, &e, NULL, good, NULL, NULL), TESSERA_NULL_POINTER, "null nodes", "null");
  expect_failure(tessera_global_create(&op, &e, &nodes, good, NULL, &patches), TESSERA_INVALID_ARGUMENT,
                 "element 1 is in part -1", "part");
  expect_failure(tessera_global_apply(NULL, y, y, 0, NULL), TESSERA_NULL_POINTER, "null operator", "null");
  expect_failure(tessera_global_apply(M, y, y, 0, NULL), TESSERA_OVERLAP, "x and y overlap", "6");
  expect_failure(tessera_global_apply(M, NULL, y, 0, NULL), TESSERA_NULL_POINTER, "x is a null pointer", "null");
  expect_failure(tessera_global_diagonal(M, NULL), TESSERA_NULL_POINTER, "y is a null pointer", "null");
  expect_failure(tessera_global_begin(&run, NULL, y, y, 0, NULL), TESSERA_NULL_POINTER, "null operator", "null");
  expect(run == NULL, "no run on failure");
  expect_failure(tessera_global_part(NULL, 0), TESSERA_NULL_POINTER, "null run", "null");
  expect_failure(tessera_global_end(NULL), TESSERA_NULL_POINTER, "null run", "null");
  expect(tessera_global_describe(NULL) == NULL && tessera_restriction_describe(NULL) == NULL, "descriptions of NULL");
  tessera_global_destroy(M);
  tessera_restriction_destroy(good);
}

int main(void) {
  test_restriction();
  test_mass();
  test_constrained();
  test_parts();
  test_mistakes();
  if (failures == 0) printf("all well\n");
  return failures;
}
