/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions and pairs of the caller's own from C: calls on a CPU, text on a GPU, of every type of sums, and mistakes.
 */
#include "expect.h"

#include <math.h>

static const int64_t square[] = {2, 2};

// snippet own
static void soft(const void* x, void* y, void* context) {
  const double number = *(const double*)x;
  (void)context;
  *(double*)y = number / (1 + fabs(number));
}
static const tessera_own_function softsign = {"softsign", "x / (1 + fabs(x))", soft, NULL};
// end snippet

static void plus(const void* x, void* y, void* context) { *(float*)y = *(const float*)x + *(const float*)context; }

static void distance(const void* left, const void* right, void* result, void* context) {
  (void)context;
  *(double*)result = fabs(*(const double*)left - *(const double*)right);
}
static void larger(const void* left, const void* right, void* result, void* context) {
  (void)context;
  *(double*)result = fmax(*(const double*)left, *(const double*)right);
}

static void product_of_longs(const void* left, const void* right, void* result, void* context) {
  (void)context;
  *(int64_t*)result = *(const int64_t*)left + *(const int64_t*)right;
}
static void least_of_longs(const void* left, const void* right, void* result, void* context) {
  const int64_t a = *(const int64_t*)left, b = *(const int64_t*)right;
  (void)context;
  *(int64_t*)result = a < b ? a : b;
}

/* i z of a complex number: two doubles one behind the other. */
static void turned(const void* x, void* y, void* context) {
  const double* z = (const double*)x;
  (void)context;
  ((double*)y)[0] = -z[1];
  ((double*)y)[1] = z[0];
}

static int differs(const double* found, const double* wanted, int count) {
  for (int i = 0; i < count; ++i)
    if (fabs(found[i] - wanted[i]) > 1e-14 * fabs(wanted[i])) return 1;
  return 0;
}

static tessera_status run(const char* einsum, const tessera_scaling* scaling, const tessera_functions* functions,
                          const tessera_operand* all, int count) {
  tessera_plan* plan = NULL;
  tessera_status status = tessera_plan_create_fused(&plan, einsum, scaling, functions, all, count, NULL);
  expect((status == TESSERA_OK) == (plan != NULL), "a plan, or a failure");
  if (status == TESSERA_OK) status = tessera_plan_run(plan, all, count, NULL);
  tessera_plan_destroy(plan);
  return status;
}

/* Of four doubles; the numbers may differ by rounding. */
static void run_on_gpu(const char* einsum, const tessera_functions* functions, const tessera_operand* on_cpu, int count,
                       const char* what) {
  double found[4];
  tessera_operand there[4], back = on_cpu[count - 1];
  if (!tessera_target_available("cuda")) return;
  for (int i = 0; i < count; ++i) {
    there[i] = on_cpu[i];
    there[i].space = TESSERA_GPU;
    expect(tessera_allocate(&there[i].data, TESSERA_GPU, sizeof found) == TESSERA_OK, "memory of the GPU");
    if (i < count - 1) expect(tessera_copy(&on_cpu[i], &there[i]) == TESSERA_OK, "a copy to the GPU");
  }
  expect(run(einsum, NULL, functions, there, count) == TESSERA_OK, what);
  back.data = found;
  expect(tessera_copy(&there[count - 1], &back) == TESSERA_OK, "a copy from the GPU");
  expect(!differs(found, (const double*)on_cpu[count - 1].data, 4), what);
  for (int i = 0; i < count; ++i) tessera_free(TESSERA_GPU, there[i].data);
}

static void test_functions(void) {
  static double a[] = {1, -2, -3, 4}, b[] = {2, 1, -1, -2}, d[] = {10, 20, 30, 40}, y[4];
  double of[4], wanted[4];
  double* const data[] = {a, b, d, y};
  tessera_operand all[4], three[3];
  tessera_functions f = {0};
  tessera_plan* plan = NULL;
  for (int i = 0; i < 4; ++i) all[i] = tessera_packed(TESSERA_F64, TESSERA_CPU, data[i], 2, square, -1);
  three[0] = all[0], three[1] = all[1], three[2] = all[3];
  for (int i = 0; i < 4; ++i) of[i] = a[i] / (1 + fabs(a[i]));
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) wanted[i + 2 * j] = of[i] * b[2 * j] + of[i + 2] * b[1 + 2 * j];
  f.own_a = &softsign;
  expect(run("ik,kj->ij", NULL, &f, three, 3) == TESSERA_OK && !differs(y, wanted, 4), "softsign of A");
  run_on_gpu("ik,kj->ij", &f, three, 3, "softsign of A by its text");
  expect(tessera_plan_create_fused(&plan, "ik,kj->ij", NULL, &f, three, 3, NULL) == TESSERA_OK, "a plan to describe");
  expect(strstr(tessera_plan_describe_brief(plan), "softsign (A)") != NULL, "the description names the function");
  tessera_plan_destroy(plan);

  /* Everywhere, beside a name. */
  f.own_b = f.own_addend = f.own_result = &softsign;
  f.own_a = NULL;
  f.a = "relu";
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      double sum = d[i + 2 * j] / (1 + d[i + 2 * j]);
      for (int k = 0; k < 2; ++k)
        sum += (a[i + 2 * k] > 0 ? a[i + 2 * k] : 0) * b[k + 2 * j] / (1 + fabs(b[k + 2 * j]));
      wanted[i + 2 * j] = sum / (1 + fabs(sum));
    }
  expect(run("ik,kj+ij->ij", NULL, &f, all, 4) == TESSERA_OK && !differs(y, wanted, 4), "functions of all");
  run_on_gpu("ik,kj+ij->ij", &f, all, 4, "functions of all by their texts");
}

/* Types of inputs, sums and output apart, D of another type than C; a context that is looked at in each call. */
static void test_types(void) {
  static int16_t left[] = {1, -2, -3, 4};
  static float right[] = {2, 1, -1, -2};
  static int32_t d[] = {10, 20, 30, 40};
  static double y[4];
  float more = 0.5f;
  tessera_own_function f = {"plus", NULL, plus, &more};
  const tessera_scaling in_float = {{1, 0}, {1, 0}, TESSERA_F32};
  tessera_functions functions = {0};
  tessera_operand all[4];
  all[0] = tessera_packed(TESSERA_I16, TESSERA_CPU, left, 2, square, -1);
  all[1] = tessera_packed(TESSERA_F32, TESSERA_CPU, right, 2, square, -1);
  all[2] = tessera_packed(TESSERA_I32, TESSERA_CPU, d, 2, square, -1);
  all[3] = tessera_packed(TESSERA_F64, TESSERA_CPU, y, 2, square, -1);
  functions.own_result = &f;
  expect(run("ik,kj+ji->ij", &in_float, &functions, all, 4) == TESSERA_OK, "i16 by f32 + i32 in f32 to f64");
  expect(y[0] == 9.5 && y[1] == 30.5 && y[2] == 25.5 && y[3] == 34.5, "their numbers");
}

static void test_complex(void) {
  static double a[] = {1, 2, 0, 0, 0, 0, 3, -1}, b[] = {1, 0, 0, 1, 2, 0, 0, -1}, y[8];
  tessera_own_function f = {"turned", "tessera::complex<double>(-x.im, x.re)", turned, NULL};
  tessera_functions functions = {0};
  tessera_operand all[3];
  double* const data[] = {a, b, y};
  for (int i = 0; i < 3; ++i) all[i] = tessera_packed(TESSERA_C64, TESSERA_CPU, data[i], 2, square, -1);
  functions.own_result = &f;
  expect(run("ik,kj->ij", NULL, &functions, all, 3) == TESSERA_OK, "complex numbers");
  /* A = diag(1 + 2i, 3 - i), B = (1, 2; i, -i): i A B. */
  {
    const double wanted[] = {-2, 1, -3, 1, -4, 2, 3, -1};
    expect(!differs(y, wanted, 8), "times i");
  }
}

static void test_pairs(void) {
  static double a[] = {1, -2, -3, 4}, b[] = {2, 1, -1, -2}, y[4];
  static int64_t from[] = {INT64_MAX / 4, 5, 7, INT64_MAX / 4}, to[4];
  const double none = 0;
  const int64_t far = INT64_MAX;
  tessera_own_pair farthest = {"farthest", "fabs(a - b)", "c < x ? x : c", distance, larger, NULL, NULL, 1, 0};
  tessera_own_pair paths = {"paths", NULL, NULL, product_of_longs, least_of_longs, NULL, NULL, 1, 0};
  const double wanted[] = {4, 4, 2, 6};
  tessera_functions f = {0};
  tessera_operand all[3], longs[3];
  double* const data[] = {a, b, y};
  for (int i = 0; i < 3; ++i) all[i] = tessera_packed(TESSERA_F64, TESSERA_CPU, data[i], 2, square, -1);
  farthest.neutral = &none;
  f.own_pair = &farthest;
  expect(run("ik,kj->ij", NULL, &f, all, 3) == TESSERA_OK && !differs(y, wanted, 4), "the largest distance");
  run_on_gpu("ik,kj->ij", &f, all, 3, "the largest distance by text");
  for (int i = 0; i < 3; ++i) longs[i] = tessera_packed(TESSERA_I64, TESSERA_CPU, i < 2 ? from : to, 2, square, -1);
  paths.neutral = &far;
  f.own_pair = &paths;
  expect(run("ik,kj->ij", NULL, &f, longs, 3) == TESSERA_OK, "paths of 64-bit integers");
  expect(to[0] == 12 && to[1] == INT64_MAX / 4 + 5 && to[2] == INT64_MAX / 4 + 7 && to[3] == 12, "their lengths");
}

static void test_mistakes(void) {
  static double a[4], b[4], y[] = {7, 7, 7, 7};
  double* const data[] = {a, b, y};
  const double none = 0;
  tessera_own_function text_only = {"text_only", "x + 1", NULL, NULL}, empty = {"empty", NULL, NULL, NULL},
                       nameless = {NULL, "x", soft, NULL};
  tessera_own_pair pair = {"mine", "a * b", "c + x", NULL, NULL, NULL, NULL, 1, 1};
  tessera_functions f = {0};
  tessera_operand all[3];
  for (int i = 0; i < 3; ++i) all[i] = tessera_packed(TESSERA_F64, TESSERA_CPU, data[i], 2, square, -1);
  f.own_b = &text_only;
  expect_failure(run("ik,kj->ij", NULL, &f, all, 3), TESSERA_WRONG_TYPE, "text_only (B)", "text is for GPUs");
  f.b = "relu";
  expect_failure(run("ik,kj->ij", NULL, &f, all, 3), TESSERA_INVALID_ARGUMENT, "both \"relu\"", "function of B");
  f.b = NULL;
  f.own_b = &empty;
  expect_failure(run("ik,kj->ij", NULL, &f, all, 3), TESSERA_NULL_POINTER, "function of B, empty,", "both null");
  f.own_b = &nameless;
  expect_failure(run("ik,kj->ij", NULL, &f, all, 3), TESSERA_NULL_POINTER, "function of B", "no name");
  f.own_b = NULL;
  f.own_pair = &pair;
  expect_failure(run("ik,kj->ij", NULL, &f, all, 3), TESSERA_NULL_POINTER, "mine", "no neutral element");
  pair.neutral = &none;
  expect_failure(run("ik,kj->ij", NULL, &f, all, 3), TESSERA_WRONG_TYPE, "the pair mine", "text is for GPUs");
  pair.add_call = larger;
  expect_failure(run("ik,kj->ij", NULL, &f, all, 3), TESSERA_NULL_POINTER, "mine", "no multiply_call");
  pair.add_call = NULL;
  pair.add = NULL;
  expect_failure(run("ik,kj->ij", NULL, &f, all, 3), TESSERA_NULL_POINTER, "mine", "no text of add");
  f.pair = "min_plus";
  expect_failure(run("ik,kj->ij", NULL, &f, all, 3), TESSERA_INVALID_ARGUMENT, "both \"min_plus\"", "pair");
  expect(y[0] == 7 && y[1] == 7 && y[2] == 7 && y[3] == 7, "nothing is written");
}

/* A call alone is nothing for a GPU. */
static void test_mistakes_on_gpu(void) {
  tessera_operand all[3];
  tessera_own_function call_only = {"call_only", NULL, soft, NULL};
  tessera_functions f = {0};
  if (!tessera_target_available("cuda")) return;
  for (int i = 0; i < 3; ++i) {
    all[i] = tessera_packed(TESSERA_F64, TESSERA_GPU, NULL, 2, square, -1);
    expect(tessera_allocate(&all[i].data, TESSERA_GPU, 4 * sizeof(double)) == TESSERA_OK, "memory of the GPU");
  }
  f.own_a = &call_only;
  expect_failure(run("ik,kj->ij", NULL, &f, all, 3), TESSERA_INVALID_ARGUMENT, "call_only", "no source");
  for (int i = 0; i < 3; ++i) tessera_free(TESSERA_GPU, all[i].data);
}

int main(void) {
  if (!tessera_target_available("cuda")) printf("no GPU: texts were not compiled\n");
  test_functions();
  test_types();
  test_complex();
  test_pairs();
  test_mistakes();
  test_mistakes_on_gpu();
  return failures;
}
