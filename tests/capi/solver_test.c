/* SPDX-License-Identifier: BSD-3-Clause */
/* Conjugate gradients from C: operators of Tessera and of the caller, preconditioners, outcomes, mistakes. */
#include "elements.h"

#include <stddef.h>

#include <tessera/tessera_solver.h>

enum { SIDE = 9, NODES = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1) };

static tessera_cg* solver_of(const tessera_cg_options* o) {
  tessera_cg* made = NULL;
  expect(tessera_cg_create(&made, o) == TESSERA_OK, "solver");
  return made;
}

/* -div grad u on a square of unit cells, u fixed on its boundary. */
static tessera_global_operator* diffusion(void) {
  static int32_t nodes_of_cells[4 * CELLS];
  static double corners[CELLS][2][4];
  static int64_t fixed[NODES];
  tessera_restriction_options r = {0};
  tessera_restriction* unknowns = NULL;
  tessera_global_operator* made = NULL;
  const tessera_element_options o = tessera_element_defaults("diffusion", 2, 1);
  tessera_element_nodes nodes;
  for (int e = 0; e < CELLS; ++e)
    for (int i = 0; i < 4; ++i) {
      const int x = e % (SIDE - 1) + i % 2, y = e / (SIDE - 1) + i / 2;
      nodes_of_cells[4 * e + i] = (int32_t)(x + SIDE * y);
      corners[e][0][i] = x;
      corners[e][1][i] = y;
    }
  for (int k = 0; k < NODES; ++k)
    if (k % SIDE == 0 || k % SIDE == SIDE - 1 || k / SIDE == 0 || k / SIDE == SIDE - 1)
      fixed[r.constrained_count++] = k;
  r.constrained = fixed;
  r.elements = CELLS;
  r.entries = 4;
  r.size = NODES;
  r.offsets = nodes_of_cells;
  nodes = corners_at(corners[0][0], CELLS);
  expect(tessera_restriction_create(&unknowns, &r) == TESSERA_OK, "restriction");
  expect(tessera_global_create(&made, &o, &nodes, unknowns, NULL, NULL) == TESSERA_OK, "diffusion");
  tessera_restriction_destroy(unknowns);
  return made;
}

/* A function of the caller: y is a multiple of x. */
static tessera_status scale(void* context, const void* x, void* y, void* stream) {
  const double by = *(const double*)context;
  (void)stream;
  for (int k = 0; k < NODES; ++k) ((double*)y)[k] = by * ((const double*)x)[k];
  return TESSERA_OK;
}
static tessera_status scale_float(void* context, const void* x, void* y, void* stream) {
  const double by = *(const double*)context;
  (void)stream;
  for (int k = 0; k < NODES; ++k) ((float*)y)[k] = (float)by * ((const float*)x)[k];
  return TESSERA_OK;
}
static tessera_status fail(void* context, const void* x, void* y, void* stream) {
  (void)context, (void)x, (void)y, (void)stream;
  return TESSERA_OUT_OF_MEMORY;
}

static tessera_status count_sums(void* context, double* sums, int count, void* stream) {
  (void)sums, (void)stream;
  *(int*)context += count > 0;
  return TESSERA_OK;
}

static void test_solutions(void) {
  static double b[NODES], u[NODES], x[NODES], diagonal[NODES];
  double by = 0.375, dot = 0;
  int sums = 0;
  tessera_global_operator* const A = diffusion();
  for (int k = 0; k < NODES; ++k) u[k] = (k * 37 % 19) - 9;
  expect(tessera_global_apply(A, u, b, 0, NULL) == TESSERA_OK, "right-hand side");
  expect(tessera_global_diagonal(A, diagonal) == TESSERA_OK, "diagonal");
  expect(tessera_global_with_dot(A, u, x, &dot, NULL) == TESSERA_OK, "with x.y");
  for (int k = 0; k < NODES; ++k) expect(x[k] == b[k], "the same y"), dot -= u[k] * b[k];
  expect(size_of(dot) < 1e-9, "x.y");
  expect_failure(tessera_global_with_dot(A, u, x, NULL, NULL), TESSERA_NULL_POINTER, "null dot", "");
  for (int kind = 0; kind < 5; ++kind) {
    tessera_cg_options o = tessera_cg_defaults(TESSERA_F64, NODES, tessera_global_as_function, A);
    tessera_cg_result result;
    tessera_cg* solver;
    o.relative = 1e-12;
    o.flexible = kind % 2;
    if (kind % 3 == 0) o.apply_with_dot = tessera_global_with_dot;
    if (kind == 1 || kind == 2) o.diagonal = diagonal;
    if (kind == 2) o.chebyshev_degree = 3;
    if (kind >= 3) {
      o.precondition = kind == 3 ? scale : scale_float;
      o.precondition_in_float = kind == 4;
      o.precondition_context = &by;
    }
    o.all_reduce = count_sums;
    o.all_reduce_context = &sums;
    sums = 0;
    solver = solver_of(&o);
    expect(strstr(tessera_cg_describe(solver), "not solved") != NULL, "before a solve");
    for (int from_zero = 0; from_zero < 2; ++from_zero) {
      for (int k = 0; k < NODES; ++k) x[k] = 1;
      expect(tessera_cg_solve(solver, b, x, from_zero, NULL, &result) == TESSERA_OK, "solve");
      expect(result.outcome == TESSERA_CONVERGED, tessera_cg_describe(solver));
      expect(result.iterations > 3 && result.residual_count == result.iterations + 1, "iterations");
      expect(result.residuals[result.residual_count - 1] <= result.limit, "residual");
      expect(result.residuals[result.residual_count - 2] > result.limit, "no iteration too many");
      expect(result.smallest_eigenvalue > 0 && result.largest_eigenvalue > result.smallest_eigenvalue, "eigenvalues");
      for (int k = 0; k < NODES; ++k) expect(size_of(x[k] - u[k]) < 1e-9, "solution");
    }
    expect(sums > 2 * result.iterations, "sums of the caller");
    tessera_cg_destroy(solver);
  }
  tessera_global_destroy(A);
}

/* As the documents show it: Jacobi around an operator of Tessera's that also gives x.y. */
static void test_plain(void) {
  static double b[NODES], x[NODES], diagonal[NODES], y[NODES];
  tessera_global_operator* const A = diffusion();
  tessera_cg* solver = NULL;
  tessera_cg_result result;
  tessera_status status;
  b[NODES / 2] = 1;
  expect(tessera_global_diagonal(A, diagonal) == TESSERA_OK, "diagonal");
  // snippet solver
  tessera_cg_options options = tessera_cg_defaults(TESSERA_F64, NODES, tessera_global_as_function, A);
  options.apply_with_dot = tessera_global_with_dot;
  options.diagonal = diagonal;  // of tessera_global_diagonal: Jacobi
  options.relative = 1e-12;
  status = tessera_cg_create(&solver, &options);
  if (status == TESSERA_OK) status = tessera_cg_solve(solver, b, x, 1, NULL, &result);
  if (status != TESSERA_OK) puts(tessera_last_error());
  // end snippet
  expect(status == TESSERA_OK && result.outcome == TESSERA_CONVERGED, "a plain solve");
  expect(tessera_global_apply(A, x, y, 0, NULL) == TESSERA_OK, "A x");
  for (int k = 0; k < NODES; ++k) expect(size_of(y[k] - b[k]) < 1e-9, "A x = b");
  tessera_cg_destroy(solver);
  tessera_global_destroy(A);
}

typedef struct seen {
  int iterations, stop_at;
  double latest;
} seen;
static tessera_status look(void* context, int iteration, double residual) {
  seen* const s = (seen*)context;
  expect(iteration == ++s->iterations, "iterations one by one");
  s->latest = residual;
  return iteration == s->stop_at ? TESSERA_OUT_OF_MEMORY : TESSERA_OK;
}

/* The caller sees each iteration, and may stop. */
static void test_progress(void) {
  static double b[NODES], x[NODES];
  seen s = {0, 0, 0};
  tessera_cg_result result;
  tessera_global_operator* const A = diffusion();
  tessera_cg_options o = tessera_cg_defaults(TESSERA_F64, NODES, tessera_global_as_function, A);
  tessera_cg* solver;
  o.progress = look;
  o.progress_context = &s;
  b[NODES / 2] = 1;
  solver = solver_of(&o);
  expect(tessera_cg_solve(solver, b, x, 1, NULL, &result) == TESSERA_OK, "solve");
  expect(s.iterations == result.iterations && s.latest == result.residuals[s.iterations], "the latest residual");
  s.iterations = 0;
  s.stop_at = 3;
  expect_failure(tessera_cg_solve(solver, b, x, 1, NULL, &result), TESSERA_OUT_OF_MEMORY, "progress", "status 11");
  expect(s.iterations == 3, "stopped");
  tessera_cg_destroy(solver);
  tessera_global_destroy(A);
}

static tessera_status twice(void* context, const void* x, void* y, void* stream) {
  (void)context;
  (void)stream;
  for (int k = 0; k < 4; ++k) ((double*)y)[k] = 2 * ((const double*)x)[k];
  return TESSERA_OK;
}

/* x[2] = (x[0] + x[1]) / 2, x[3] = 5. */
static void test_constraints(void) {
  static const int64_t numbers[2] = {3, 2}, starts[3] = {0, 0, 2}, others[2] = {0, 1}, backwards[3] = {0, 1, 0};
  static const double weights[2] = {0.5, 0.5}, values[2] = {5, 0};
  double x[4] = {2, 4, 0, 0}, b[4];
  float y[4] = {1, 1, 8, 9};
  tessera_linear_constraints* c = NULL;
  expect(tessera_linear_constraints_create(&c, 4, 2, numbers, starts, others, weights, values) == TESSERA_OK, "create");
  expect(tessera_linear_constraints_distribute(c, TESSERA_F64, x) == TESSERA_OK && x[2] == 3 && x[3] == 5,
         "distribute");
  expect(tessera_linear_constraints_extend(c, TESSERA_F64, x) == TESSERA_OK && x[2] == 3 && x[3] == 0, "extend");
  expect(tessera_linear_constraints_collect(c, TESSERA_F32, y) == TESSERA_OK, "collect");
  expect(y[0] == 5 && y[1] == 5 && y[2] == 0 && y[3] == 0, "the transpose");
  x[2] = 8;
  expect(tessera_linear_constraints_collect_diagonal(c, TESSERA_F64, x) == TESSERA_OK, "diagonal");
  expect(x[0] == 4 && x[1] == 6 && x[2] == 1 && x[3] == 1, "of the diagonal");
  /* With A = 2: b - 2 (0, 0, 0, 5), and half of number 2 to either other. */
  b[0] = 1, b[1] = 1, b[2] = 4, b[3] = 7;
  expect(tessera_linear_constraints_condense(c, TESSERA_F64, twice, NULL, b) == TESSERA_OK, "condense");
  expect(b[0] == 3 && b[1] == 3 && b[2] == 0 && b[3] == 0, "the right-hand side");
  expect_failure(tessera_linear_constraints_condense(c, TESSERA_F64, NULL, NULL, b), TESSERA_NULL_POINTER, "apply",
                 "null");
  expect_failure(tessera_linear_constraints_condense(c, TESSERA_F64, fail, NULL, b), TESSERA_OUT_OF_MEMORY, "apply",
                 "status 11");
  expect(strstr(tessera_linear_constraints_describe(c), "2 of 4 numbers") != NULL, "description");
  expect_failure(tessera_linear_constraints_extend(c, TESSERA_C64, x), TESSERA_WRONG_TYPE, "neither", "double");
  expect_failure(tessera_linear_constraints_extend(c, TESSERA_F64, NULL), TESSERA_NULL_POINTER, "the vector is a null",
                 "constraints");
  expect_failure(tessera_linear_constraints_extend(NULL, TESSERA_F64, x), TESSERA_NULL_POINTER, "null constraints", "");
  tessera_linear_constraints_destroy(c);
  expect_failure(tessera_linear_constraints_create(&c, 3, 2, numbers, starts, others, weights, values),
                 TESSERA_INVALID_ARGUMENT, "number 3", "there are 3");
  expect(c == NULL, "nothing on failure");
  expect_failure(tessera_linear_constraints_create(&c, 4, 2, numbers, backwards, others, weights, values),
                 TESSERA_INVALID_ARGUMENT, "start 2 is 0", "after 1");
  expect_failure(tessera_linear_constraints_create(&c, 4, 2, numbers, NULL, others, weights, values),
                 TESSERA_NULL_POINTER, "null starts", "null");
  expect_failure(tessera_linear_constraints_create(&c, 4, 2, numbers, starts, others, NULL, values),
                 TESSERA_NULL_POINTER, "null weights", "null");
  expect_failure(tessera_linear_constraints_create(&c, 4, -1, numbers, starts, others, weights, values),
                 TESSERA_OVERFLOW, "-1", "");
  expect(tessera_linear_constraints_describe(NULL) == NULL, "description of NULL");
}

static void test_outcomes(void) {
  static double b[NODES], x[NODES];
  double by = -2;
  tessera_cg_result result;
  tessera_cg_options o = tessera_cg_defaults(TESSERA_F64, NODES, scale, &by);
  tessera_cg* const solver = solver_of(&o);
  x[3] = 4;
  expect(tessera_cg_solve(solver, b, x, 0, NULL, &result) == TESSERA_OK, "zero");
  expect(result.outcome == TESSERA_ZERO_RIGHT_HAND_SIDE && x[3] == 0, "x is 0");
  b[0] = 1;
  expect(tessera_cg_solve(solver, b, x, 1, NULL, &result) == TESSERA_OK, "negative");
  expect(result.outcome == TESSERA_INDEFINITE_OPERATOR && result.iterations == 1, "p.Ap < 0");
  expect(strstr(tessera_cg_describe(solver), "in iteration 1") != NULL, "description");
  by = 0;
  by /= by;
  expect(tessera_cg_solve(solver, b, x, 1, NULL, &result) == TESSERA_OK, "NaN");
  expect(result.outcome == TESSERA_NOT_A_NUMBER, "NaN");
  by = 1;
  tessera_cg_destroy(solver);
  o.max_iterations = 0;
  {
    tessera_cg* const none = solver_of(&o);
    expect(tessera_cg_solve(none, b, x, 1, NULL, &result) == TESSERA_OK, "none");
    expect(result.outcome == TESSERA_ITERATION_LIMIT && result.iterations == 0, "no iterations");
    tessera_cg_destroy(none);
  }
}

/* Sizes, types and memory that are not the operator's: nothing is written. */
static void test_operators_of_other_vectors(void) {
  static const int64_t numbers[1] = {0};
  static const int64_t starts[2] = {0, 0};
  static double b[NODES + 1];
  tessera_global_operator* const A = diffusion();
  tessera_linear_constraints* c = NULL;
  tessera_cg* solver = NULL;
  const tessera_cg_options good = tessera_cg_defaults(TESSERA_F64, NODES, tessera_global_as_function, A);
  tessera_cg_options o = good;
  o.size = NODES + 1;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_SHAPE_MISMATCH, "apply: its operator has 81 numbers", "82");
  o = good;
  o.type = TESSERA_F32;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_WRONG_TYPE, "type TESSERA_F64", "of TESSERA_F32");
  o = good;
  o.space = TESSERA_GPU;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_WRONG_SPACE, "memory of a cpu", "of a gpu");
  o = good;
  o.context = NULL;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_NULL_POINTER, "apply has a null context", "tessera_cg");
  o.apply = scale;
  o.apply_with_dot = tessera_global_with_dot;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_NULL_POINTER, "apply_with_dot has a null context", "");
  o.context = A;
  o.size = NODES - 1;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_SHAPE_MISMATCH, "apply_with_dot", "the vectors 80");
  o = good;
  o.precondition = tessera_global_as_function;
  o.precondition_context = A;
  o.precondition_in_float = 1;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_WRONG_TYPE, "precondition: its operator", "TESSERA_F32");
  expect(solver == NULL, "no solver on failure");
  expect(tessera_linear_constraints_create(&c, NODES + 1, 1, numbers, starts, NULL, NULL, NULL) == TESSERA_OK,
         "number");
  expect_failure(tessera_linear_constraints_condense(c, TESSERA_F64, tessera_global_as_function, A, b),
                 TESSERA_SHAPE_MISMATCH, "apply: its operator has 81 numbers", "82");
  tessera_linear_constraints_destroy(c);
  tessera_global_destroy(A);
}

static void test_mistakes(void) {
  static double b[NODES], x[NODES];
  static int some;
  double by = 1;
  tessera_cg_result result;
  tessera_cg* solver = (tessera_cg*)&some;
  const tessera_cg_options good = tessera_cg_defaults(TESSERA_F64, NODES, scale, &by);
  tessera_cg_options o = good;
  b[0] = 1;
  o.apply = NULL;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_NULL_POINTER, "apply", "null");
  expect(solver == NULL, "no solver on failure");
  o = good;
  o.type = TESSERA_C64;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_WRONG_TYPE, "neither float nor double", "type");
  o = good;
  o.space = 7;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_INVALID_ARGUMENT, "space 7", "TESSERA_GPU");
  o = good;
  o.chebyshev_degree = 2;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_NULL_POINTER, "Chebyshev", "diagonal");
  o.diagonal = b;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_INVALID_ARGUMENT, "number 1 of the diagonal", "not positive");
  o.precondition = scale;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_INVALID_ARGUMENT, "diagonal", "preconditioner");
  o = good;
  o.type = TESSERA_F32;
  o.precondition = scale;
  o.precondition_in_float = 1;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_WRONG_TYPE, "precondition_in_float", "double");
  o = good;
  o.relative = -1;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_INVALID_ARGUMENT, "tolerances", "-1");
  expect_failure(tessera_cg_create(&solver, NULL), TESSERA_NULL_POINTER, "null options", "null");
  expect_failure(tessera_cg_create(NULL, &good), TESSERA_NULL_POINTER, "null result pointer", "null");
  expect_failure(tessera_cg_solve(NULL, b, x, 0, NULL, &result), TESSERA_NULL_POINTER, "null solver", "null");
  solver = solver_of(&good);
  expect_failure(tessera_cg_solve(solver, NULL, x, 0, NULL, &result), TESSERA_NULL_POINTER, "b is a null", "solve");
  expect_failure(tessera_cg_solve(solver, b, b, 0, NULL, &result), TESSERA_OVERLAP, "b and x overlap", "81");
  expect_failure(tessera_cg_solve(solver, b, x, 0, NULL, NULL), TESSERA_NULL_POINTER, "null result", "null");
  tessera_cg_destroy(solver);
  o = good;
  o.apply = fail;
  solver = solver_of(&o);
  expect_failure(tessera_cg_solve(solver, b, x, 0, NULL, &result), TESSERA_OUT_OF_MEMORY, "apply", "status 11");
  tessera_cg_destroy(solver);
  expect(tessera_cg_describe(NULL) == NULL, "description of NULL");
}

int main(void) {
  test_solutions();
  test_plain();
  test_progress();
  test_constraints();
  test_outcomes();
  test_operators_of_other_vectors();
  test_mistakes();
  if (failures == 0) printf("all well\n");
  return failures;
}
