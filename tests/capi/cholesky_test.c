/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of small systems from C: solutions in both types, block Jacobi, mistakes. */
#include "expect.h"

#include <stddef.h>

#include <tessera/tessera_solver.h>

enum { ROWS = 5, COUNT = 21, ALL = ROWS * COUNT };

static double A[COUNT][ROWS][ROWS]; /* column-major; symmetric */
static float A_in_float[COUNT][ROWS][ROWS];
static double wanted[ALL], b[ALL];

static void multiply(const double* x, double* y) {
  for (int m = 0; m < COUNT; ++m)
    for (int i = 0; i < ROWS; ++i) {
      y[ROWS * m + i] = 0;
      for (int j = 0; j < ROWS; ++j) y[ROWS * m + i] += A[m][j][i] * x[ROWS * m + j];
    }
}
static double size_of(double x) { return x < 0 ? -x : x; }

static void fill(void) {
  for (int m = 0; m < COUNT; ++m)
    for (int j = 0; j < ROWS; ++j)
      for (int i = 0; i < ROWS; ++i) {
        A[m][j][i] = i == j ? 8 + m : 1.0 / (1 + i + j);
        A_in_float[m][j][i] = (float)A[m][j][i];
      }
  for (int k = 0; k < ALL; ++k) wanted[k] = k * 37 % 19 - 9;
  multiply(wanted, b);
}

static void test_solutions(void) {
  double x[ALL];
  float y[ALL];
  tessera_batched_cholesky* mass = NULL;
  tessera_status status;
  // snippet cholesky
  status = tessera_batched_cholesky_create(&mass, TESSERA_F64, ROWS, COUNT, A, TESSERA_CPU, NULL);
  if (status == TESSERA_OK) status = tessera_batched_cholesky_solve(mass, b, x, NULL);
  if (status != TESSERA_OK) puts(tessera_last_error());
  // end snippet
  expect(status == TESSERA_OK, "solve");
  for (int k = 0; k < ALL; ++k) expect(size_of(x[k] - wanted[k]) < 1e-12, "solution");
  expect(strstr(tessera_batched_cholesky_describe(mass), "f64: 21 matrices of 5x5") != NULL, "description");
  tessera_batched_cholesky_destroy(mass);

  expect(tessera_batched_cholesky_create(&mass, TESSERA_F32, ROWS, COUNT, A_in_float, TESSERA_CPU, NULL) == TESSERA_OK,
         "in float");
  for (int k = 0; k < ALL; ++k) y[k] = (float)b[k];
  expect(tessera_batched_cholesky_solve(mass, y, y, NULL) == TESSERA_OK, "in place");
  for (int k = 0; k < ALL; ++k) expect(size_of(y[k] - wanted[k]) < 1e-4, "solution in float");
  tessera_batched_cholesky_destroy(mass);
}

static tessera_status apply(void* context, const void* x, void* y, void* stream) {
  (void)context, (void)stream;
  multiply((const double*)x, (double*)y);
  return TESSERA_OK;
}

/* The preconditioner is the inverse. */
static void test_preconditioner(void) {
  double x[ALL];
  tessera_batched_cholesky* blocks = NULL;
  tessera_cg* solver = NULL;
  tessera_cg_result result;
  tessera_cg_options o = tessera_cg_defaults(TESSERA_F64, ALL, apply, NULL);
  expect(tessera_batched_cholesky_create(&blocks, TESSERA_F64, ROWS, COUNT, A, TESSERA_CPU, NULL) == TESSERA_OK,
         "blocks");
  o.precondition = tessera_batched_cholesky_as_function;
  o.precondition_context = blocks;
  o.relative = 1e-12;
  expect(tessera_cg_create(&solver, &o) == TESSERA_OK, "solver");
  expect(tessera_cg_solve(solver, b, x, 1, NULL, &result) == TESSERA_OK, "conjugate gradients");
  expect(result.outcome == TESSERA_CONVERGED && result.iterations <= 2, "two iterations at most");
  tessera_cg_destroy(solver);
  o.size = ALL - 1;
  expect_failure(tessera_cg_create(&solver, &o), TESSERA_SHAPE_MISMATCH, "105", "104");
  tessera_batched_cholesky_destroy(blocks);
}

static void test_mistakes(void) {
  double x[ALL];
  static int some;
  tessera_batched_cholesky* made = (tessera_batched_cholesky*)&some;
  expect_failure(tessera_batched_cholesky_create(&made, TESSERA_C64, ROWS, COUNT, A, TESSERA_CPU, NULL),
                 TESSERA_WRONG_TYPE, "neither float nor double", "type");
  expect(made == NULL, "nothing on failure");
  expect_failure(tessera_batched_cholesky_create(&made, TESSERA_F64, ROWS, COUNT, A, 7, NULL), TESSERA_INVALID_ARGUMENT,
                 "space 7", "TESSERA_GPU");
  expect_failure(tessera_batched_cholesky_create(&made, TESSERA_F64, 129, COUNT, A, TESSERA_CPU, NULL),
                 TESSERA_INVALID_ARGUMENT, "129 rows", "1 to 128");
  expect_failure(tessera_batched_cholesky_create(NULL, TESSERA_F64, ROWS, COUNT, A, TESSERA_CPU, NULL),
                 TESSERA_NULL_POINTER, "null result pointer", "");
  expect_failure(tessera_batched_cholesky_solve(NULL, b, x, NULL), TESSERA_NULL_POINTER, "null matrices", "");
  A[13][2][2] = -1;
  expect_failure(tessera_batched_cholesky_create(&made, TESSERA_F64, ROWS, COUNT, A, TESSERA_CPU, NULL),
                 TESSERA_INVALID_ARGUMENT, "matrix 13 is not positive definite", "pivot 2 is -");
  expect(tessera_batched_cholesky_describe(NULL) == NULL, "description of NULL");
  tessera_batched_cholesky_destroy(NULL);
}

int main(void) {
  fill();
  test_solutions();
  test_preconditioner();
  test_mistakes();
  if (failures == 0) printf("all well\n");
  return failures;
}
