/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of entries, pairs of operations, addends, integers and mixed types from C, in either memory. */
#include "expect.h"

static const int64_t square[] = {2, 2};
static double a[] = {1, -2, -3, 4}, b[] = {2, 1, -1, -2}, d[] = {10, 20, 30, 40}, y[4];
static tessera_operand all[4];

static void reset(void) {
  double* const data[] = {a, b, d, y};
  for (int i = 0; i < 4; ++i) all[i] = tessera_packed(TESSERA_F64, TESSERA_CPU, data[i], 2, square, -1);
  for (int i = 0; i < 4; ++i) y[i] = 7;
}

/* Whether a GPU computes the same numbers as the CPU has, 2 x 2 of each operand. */
static int is_same_on_gpu(const char* einsum, const tessera_scaling* scaling, const tessera_functions* functions,
                          const tessera_operand* on_cpu, int count) {
  static const size_t bytes_of[] = {4, 8, 8, 16, 2, 2, 2, 4, 8}; /* of each type */
  char found[4 * 16];
  tessera_operand there[4];
  tessera_plan* plan = NULL;
  int same;
  for (int i = 0; i < count; ++i) {
    there[i] = on_cpu[i];
    there[i].space = TESSERA_GPU;
    if (tessera_allocate(&there[i].data, TESSERA_GPU, 4 * bytes_of[on_cpu[i].type]) != TESSERA_OK) return 0;
    if (i < count - 1) expect(tessera_copy(&on_cpu[i], &there[i]) == TESSERA_OK, "a copy to the GPU");
  }
  same = tessera_plan_create_fused(&plan, einsum, scaling, functions, there, count, NULL) == TESSERA_OK &&
         tessera_plan_run(plan, there, count, NULL) == TESSERA_OK;
  tessera_plan_destroy(plan);
  if (same) {
    tessera_operand back = on_cpu[count - 1];
    back.data = found;
    same = tessera_copy(&there[count - 1], &back) == TESSERA_OK &&
           memcmp(found, on_cpu[count - 1].data, 4 * bytes_of[back.type]) == 0;
  }
  for (int i = 0; i < count; ++i) tessera_free(TESSERA_GPU, there[i].data);
  return same;
}

static tessera_status run(const char* einsum, const tessera_scaling* scaling, const tessera_functions* functions,
                          int count) {
  tessera_plan* plan = NULL;
  tessera_status status;
  reset();
  if (count == 3) all[2] = all[3];
  status = tessera_plan_create_fused(&plan, einsum, scaling, functions, all, count, NULL);
  expect((status == TESSERA_OK) == (plan != NULL), "a plan, or a failure");
  if (status == TESSERA_OK) status = tessera_plan_run(plan, all, count, NULL);
  tessera_plan_destroy(plan);
  if (status == TESSERA_OK && tessera_target_available("cuda"))
    expect(is_same_on_gpu(einsum, scaling, functions, all, count), "the same numbers on a GPU");
  return status;
}

static int is(double first, double second, double third, double fourth) {
  return y[0] == first && y[1] == second && y[2] == third && y[3] == fourth;
}

static void test_functions(void) {
  tessera_functions of = {0};
  tessera_scaling twice = {{2, 0}, {0, 0}, TESSERA_USUAL};
  expect(run("ik,kj->ij", NULL, NULL, 3) == TESSERA_OK && is(-1, 0, 5, -6), "no functions");
  of.a = "relu";
  expect(run("ik,kj->ij", &twice, &of, 3) == TESSERA_OK && is(4, 8, -2, -16), "relu of A");
  of.result = "leaky_relu 0.5";
  expect(run("ik,kj->ij", NULL, &of, 3) == TESSERA_OK && is(2, 4, -0.5, -4), "and of the result");
  of.a = of.result = NULL;
  of.pair = "min_plus";
  expect(run("ik,kj->ij", NULL, &of, 3) == TESSERA_OK && is(-2, 0, -5, -3), "min_plus");
  expect(run("ik,kj+ji->ij", NULL, NULL, 4) == TESSERA_OK && is(9, 30, 25, 34), "an addend, transposed");
}

static void test_integers(void) {
  static int32_t left[] = {1, -2, -3, 4}, right[] = {2, 1, -1, -2}, sum[4];
  tessera_operand of[3];
  tessera_plan* plan = NULL;
  of[0] = tessera_packed(TESSERA_I32, TESSERA_CPU, left, 2, square, -1);
  of[1] = tessera_packed(TESSERA_I32, TESSERA_CPU, right, 2, square, -1);
  of[2] = tessera_packed(TESSERA_I32, TESSERA_CPU, sum, 2, square, -1);
  expect(tessera_plan_create(&plan, "ik,kj->ij", 1, 0, of, 3, NULL, 0) == TESSERA_OK, "a plan of integers");
  expect(tessera_plan_run(plan, of, 3, NULL) == TESSERA_OK, "its run");
  expect(sum[0] == -1 && sum[1] == 0 && sum[2] == 5 && sum[3] == -6, "their product");
  expect(strstr(tessera_plan_describe_brief(plan), "i32") != NULL, "the description names the type");
  tessera_plan_destroy(plan);
  if (tessera_target_available("cuda"))
    expect(is_same_on_gpu("ik,kj->ij", NULL, NULL, of, 3), "the same integers on a GPU");
}

/* 16-bit integers times float, sums and results in double. */
static void test_mixed_types(void) {
  static int16_t left[] = {1, -2, -3, 4};
  static float right[] = {2, 1, -1, -2};
  const tessera_scaling in_double = {{0.5, 0}, {0, 0}, TESSERA_F64}, usual = {{1, 0}, {0, 0}, TESSERA_USUAL};
  tessera_operand of[3];
  tessera_plan* plan = NULL;
  reset();
  of[0] = tessera_packed(TESSERA_I16, TESSERA_CPU, left, 2, square, -1);
  of[1] = tessera_packed(TESSERA_F32, TESSERA_CPU, right, 2, square, -1);
  of[2] = all[3];
  expect(tessera_plan_create_scaled(&plan, "ik,kj->ij", &in_double, of, 3, NULL, 0) == TESSERA_OK, "mixed types");
  expect(tessera_plan_run(plan, of, 3, NULL) == TESSERA_OK && is(-0.5, 0, 2.5, -3), "their product");
  tessera_plan_destroy(plan);
  if (tessera_target_available("cuda"))
    expect(is_same_on_gpu("ik,kj->ij", &in_double, NULL, of, 3), "the same of mixed types on a GPU");
  expect_failure(tessera_plan_create_scaled(&plan, "ik,kj->ij", &usual, of, 3, NULL, 0), TESSERA_WRONG_TYPE,
                 "input 1 is i16, input 2 f32, the output f64", "the type of their sums");
}

static void test_mistakes(void) {
  tessera_functions of = {0};
  tessera_scaling twice = {{2, 0}, {0, 0}, TESSERA_USUAL};
  of.b = "rellu";
  expect_failure(run("ik,kj->ij", NULL, &of, 3), TESSERA_INVALID_ARGUMENT, "'rellu'", "relu");
  of.b = NULL;
  of.pair = "times_plus";
  expect_failure(run("ik,kj->ij", NULL, &of, 3), TESSERA_INVALID_ARGUMENT, "'times_plus'", "plus_times");
  of.pair = "max_plus";
  expect_failure(run("ik,kj->ij", &twice, &of, 3), TESSERA_WRONG_TYPE, "max_plus", "alpha = 1");
  expect_failure(run("ik,kj+ik->ij", NULL, NULL, 4), TESSERA_BAD_EINSUM, "ik,kj+ik->ij", "'k' of the addend");
  expect(is(7, 7, 7, 7), "nothing is written");
}

int main(void) {
  if (!tessera_target_available("cuda")) printf("no GPU: its results were not compared\n");
  test_functions();
  test_integers();
  test_mixed_types();
  test_mistakes();
  return failures;
}
