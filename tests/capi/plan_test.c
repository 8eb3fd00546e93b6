/* SPDX-License-Identifier: BSD-3-Clause */
/* The C API from C99: plans are made, described, run many times and on any target; the numbers are the definition's. */
#include "expect.h"

enum { Q = 5, D = 3, C = 4, BATCH = 7 };

static double b1d[Q * D], x[BATCH * D * C], y[BATCH * Q * C];
static const int64_t table[] = {Q, D}, in[] = {D, C}, out[] = {Q, C};

static void fill(double* data, int count, int seed) {
  for (int i = 0; i < count; ++i) data[i] = (i * 7 + seed * 5) % 9 - 4;
}

/* y(k,c) = alpha sum_j b1d(k,j) x(j,c) + beta before, for every entry of the batch. */
static int product_holds(const double* result, double alpha, double beta, double before) {
  for (int b = 0; b < BATCH; ++b)
    for (int c = 0; c < C; ++c)
      for (int k = 0; k < Q; ++k) {
        double sum = 0;
        for (int j = 0; j < D; ++j) sum += b1d[k + Q * j] * x[b * D * C + j + D * c];
        if (result[b * Q * C + k + Q * c] != alpha * sum + beta * before) return 0;
      }
  return 1;
}

static void set_all(double* data, int count, double value) {
  for (int i = 0; i < count; ++i) data[i] = value;
}

static void test_targets(void) {
  static const char* const names[] = {"best", "reference", "sse2", "avx2", "avx512", "neon", "sve256", "sve512"};
  tessera_operand all[3];
  all[0] = tessera_packed(TESSERA_F64, TESSERA_CPU, b1d, 2, table, -1);
  all[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, x, 2, in, BATCH);
  all[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, y, 2, out, BATCH);
  expect(tessera_target_available("reference") == 1, "the reference is available");
  expect(tessera_target_available("best") == 1, "the best target is available");
  expect(tessera_target_available("z80") == 0 && tessera_target_available(NULL) == 0, "unknown targets are not");
  for (int t = 0; t < 6; ++t) {
    tessera_plan* plan = NULL;
    if (!tessera_target_available(names[t])) {
      expect_failure(tessera_plan_create(&plan, "kj,jc->kc", 1, 0, all, 3, names[t], 0), TESSERA_NO_TARGET, names[t],
                     "5x3, 3x4 -> 5x4");
      expect(plan == NULL, "no plan on failure");
      continue;
    }
    set_all(y, BATCH * Q * C, 2);
    expect(tessera_plan_create(&plan, "kj,jc->kc", -2, 3, all, 3, names[t], 1) == TESSERA_OK, "plan_create");
    for (int repeat = 0; repeat < 3; ++repeat) {
      set_all(y, BATCH * Q * C, 2);
      expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK, "plan_run");
      expect(product_holds(y, -2, 3, 2), names[t]);
    }
    expect(strstr(tessera_plan_describe(plan), "kj,jc->kc") != NULL, "the description names the contraction");
    expect(t == 0 || strstr(tessera_plan_describe(plan), names[t]) != NULL, "the description names the target");
    const char* const brief = tessera_plan_describe_brief(plan);
    expect(strstr(brief, t == 0 ? " on " : names[t]) != NULL && strchr(brief, '\n') == NULL, "a line names the target");
    tessera_plan_destroy(plan);
  }
}

static void test_reuse_with_other_batches(void) {
  tessera_operand all[3];
  tessera_plan* plan = NULL;
  all[0] = tessera_packed(TESSERA_F64, TESSERA_CPU, b1d, 2, table, -1);
  all[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, NULL, 2, in, 0);
  all[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, NULL, 2, out, 0);
  expect(tessera_plan_create(&plan, "kj,jc->kc", 1, 0, all, 3, NULL, 0) == TESSERA_OK, "plan of an empty batch");
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK, "an empty batch is a no-op");
  all[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, x, 2, in, BATCH);
  all[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, y, 2, out, BATCH);
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK, "the same plan with seven");
  expect(product_holds(y, 1, 0, 0), "seven");
  /* A batch stride of 0 shares the input; here only its first tensor is looked at. */
  all[1].batch_stride = 0;
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK, "the same plan with a shared input");
  expect(memcmp(y, y + (BATCH - 1) * Q * C, Q * C * sizeof(double)) == 0, "all results are the same");
  tessera_plan_destroy(plan);
}

static void test_lanes(void) {
  enum { W = 4, BLOCKS = (BATCH + W - 1) / W };
  static double x_lanes[BLOCKS * W * D * C], y_lanes[BLOCKS * W * Q * C];
  tessera_operand from, to, all[3];
  tessera_plan* plan = NULL;
  from = tessera_packed(TESSERA_F64, TESSERA_CPU, x, 2, in, BATCH);
  to = from;
  to.data = x_lanes;
  to.lanes = W;
  to.stride[0] = W;
  to.stride[1] = W * D;
  to.batch_stride = W * D * C;
  expect(tessera_copy(&from, &to) == TESSERA_OK, "copy into lanes");
  expect(x_lanes[W * D * C + 2 + W * (1 + D * 3)] == x[6 * D * C + 1 + D * 3], "entry (1,3) of tensor 6");
  all[0] = tessera_packed(TESSERA_F64, TESSERA_CPU, b1d, 2, table, -1);
  all[1] = to;
  all[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, y_lanes, 2, out, BATCH);
  all[2].lanes = W;
  all[2].stride[0] = W;
  all[2].stride[1] = W * Q;
  all[2].batch_stride = W * Q * C;
  expect(tessera_plan_create(&plan, "kj,jc->kc", 1, 0, all, 3, NULL, 0) == TESSERA_OK, "plan over lanes");
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK, "run over lanes");
  to = tessera_packed(TESSERA_F64, TESSERA_CPU, y, 2, out, BATCH);
  set_all(y, BATCH * Q * C, -99);
  expect(tessera_copy(&all[2], &to) == TESSERA_OK, "copy out of lanes");
  expect(product_holds(y, 1, 0, 0), "lanes give the packed result");
  tessera_plan_destroy(plan);
}

static void test_groups(void) {
  tessera_operand all[3];
  tessera_plan* plan = NULL;
  void *inputs[BATCH], *results[BATCH];
  for (int b = 0; b < BATCH; ++b) {
    inputs[b] = x + b * D * C;
    results[b] = y + b * Q * C;
  }
  all[0] = tessera_packed(TESSERA_F64, TESSERA_CPU, b1d, 2, table, -1);
  all[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, NULL, 2, in, BATCH);
  all[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, NULL, 2, out, BATCH);
  all[1].members = inputs;
  all[2].members = results;
  set_all(y, BATCH * Q * C, 2);
  expect(tessera_plan_create(&plan, "kj,jc->kc", -2, 3, all, 3, NULL, 0) == TESSERA_OK, "plan over groups");
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK, "run over groups");
  expect(product_holds(y, -2, 3, 2), "groups give the batch's result");
  results[4] = results[1];
  expect_failure(tessera_plan_run(plan, all, 3, NULL), TESSERA_OVERLAP, "members 1 and 4", "5x3, 3x4 -> 5x4");
  results[4] = NULL;
  expect_failure(tessera_plan_run(plan, all, 3, NULL), TESSERA_NULL_POINTER, "member 4", "5x4");
  expect(product_holds(y, -2, 3, 2), "what is refused writes nothing");
  all[2].batched = 0;
  expect_failure(tessera_plan_run(plan, all, 3, NULL), TESSERA_INVALID_ARGUMENT, "plan_run", "batched");
  tessera_plan_destroy(plan);
}

static void test_three_inputs_in_float(void) {
  /* M(i,j) = sum_k B(k,i) B(k,j) d(k), written with axes of size 1 as (9) has them. */
  static float b[3 * 2] = {1, 2, 3, -1, 0, 2}, d[3] = {1, 2, -1}, m[4];
  static const int64_t basis[] = {3, 2}, weights[] = {3, 1}, matrix[] = {2, 1, 2};
  tessera_operand all[4];
  tessera_plan* plan = NULL;
  all[0] = all[1] = tessera_packed(TESSERA_F32, TESSERA_CPU, b, 2, basis, -1);
  all[2] = tessera_packed(TESSERA_F32, TESSERA_CPU, d, 2, weights, -1);
  all[3] = tessera_packed(TESSERA_F32, TESSERA_CPU, m, 3, matrix, -1);
  expect(tessera_plan_create(&plan, "ki,kj,kl->ilj", 1, 0, all, 4, NULL, 0) == TESSERA_OK, "plan of (9)");
  expect(tessera_plan_run(plan, all, 4, NULL) == TESSERA_OK, "run of (9)");
  expect(m[0] == 0 && m[1] == -7 && m[2] == -7 && m[3] == -3, "B^T D B");
  tessera_plan_destroy(plan);
}

/* C(i,j) = alpha sum_k conj(A(k,i)) B(k,j) + beta C(i,j), as pairs of numbers. */
static void test_complex(void) {
  static double a[3 * 2 * 2], b[3 * 2 * 2], c[2 * 2 * 2];
  static const int64_t tall[] = {3, 2}, square[] = {2, 2};
  const tessera_scaling s = {{0, 2}, {1, -1}, TESSERA_USUAL};
  tessera_operand all[3];
  tessera_plan* plan = NULL;
  fill(a, 12, 1);
  fill(b, 12, 2);
  set_all(c, 8, 1);
  all[0] = tessera_packed(TESSERA_C64, TESSERA_CPU, a, 2, tall, -1);
  all[1] = tessera_packed(TESSERA_C64, TESSERA_CPU, b, 2, tall, -1);
  all[2] = tessera_packed(TESSERA_C64, TESSERA_CPU, c, 2, square, -1);
  all[0].conjugated = 1;
  expect(tessera_plan_create_scaled(&plan, "ki,kj->ij", &s, all, 3, NULL, 0) == TESSERA_OK, "complex plan");
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK, "complex run");
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      double re = 0, im = 0;
      for (int k = 0; k < 3; ++k) {
        const double *x = a + 2 * (k + 3 * i), *y = b + 2 * (k + 3 * j);
        re += x[0] * y[0] + x[1] * y[1];
        im += x[0] * y[1] - x[1] * y[0];
      }
      /* 2i (re + i im) + (1 - i) (1 + i) */
      expect(c[2 * (i + 2 * j)] == -2 * im + 2 && c[2 * (i + 2 * j) + 1] == 2 * re, "2i A^H B + (1 - i) C");
    }
  all[0].conjugated = 0;
  expect_failure(tessera_plan_run(plan, all, 3, NULL), TESSERA_INVALID_ARGUMENT, "input 1", "conjugated");
  tessera_plan_destroy(plan);
}

static void test_narrow(void) {
  static uint16_t halves[2] = {0x3c00, 0x4000}, brains[2] = {0x3f80, 0x4000}; /* 1, 2 in either format */
  static float sum[1], large[4] = {16777216, 1, 1, -16777216}, ones[4] = {1, 1, 1, 1};
  static const int64_t row[] = {1, 2}, col[] = {2, 1}, one[] = {1, 1}, row4[] = {1, 4}, col4[] = {4, 1};
  const tessera_scaling in_double = {{1, 0}, {0, 0}, TESSERA_F64}, in_half = {{1, 0}, {0, 0}, TESSERA_F16};
  tessera_operand all[3];
  tessera_plan* plan = NULL;
  all[2] = tessera_packed(TESSERA_F32, TESSERA_CPU, sum, 2, one, -1);
  for (int brain = 0; brain < 2; ++brain) {
    all[0] = tessera_packed(brain ? TESSERA_BF16 : TESSERA_F16, TESSERA_CPU, brain ? brains : halves, 2, row, -1);
    all[1] = tessera_packed(brain ? TESSERA_BF16 : TESSERA_F16, TESSERA_CPU, brain ? brains : halves, 2, col, -1);
    expect(tessera_plan_create(&plan, "ik,kj->ij", 3, 0, all, 3, NULL, 0) == TESSERA_OK, "16-bit plan");
    expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK && sum[0] == 15, "16 bits in, float out");
    tessera_plan_destroy(plan);
  }
  expect_failure(tessera_plan_create_scaled(&plan, "ik,kj->ij", &in_half, all, 3, NULL, 0), TESSERA_WRONG_TYPE,
                 "input 1 is bf16, input 2 bf16, the output f32", "sums in f16");
  all[0] = tessera_packed(TESSERA_F32, TESSERA_CPU, large, 2, row4, -1);
  all[1] = tessera_packed(TESSERA_F32, TESSERA_CPU, ones, 2, col4, -1);
  expect(tessera_plan_create_scaled(&plan, "ik,kj->ij", &in_double, all, 3, NULL, 0) == TESSERA_OK, "sums in double");
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK && sum[0] == 2, "what float would forget");
  tessera_plan_destroy(plan);
  expect_failure(tessera_plan_create_scaled(&plan, "ik,kj->ij", NULL, all, 3, NULL, 0), TESSERA_NULL_POINTER,
                 "plan_create", "scaling");
}

static void test_options(void) {
  static const char* const texts[] = {NULL, "cache: forced by plan_options::regime",
                                      "stream: forced by plan_options::regime"};
  tessera_operand all[3];
  tessera_plan* plan = NULL;
  all[0] = tessera_packed(TESSERA_F64, TESSERA_CPU, b1d, 2, table, -1);
  all[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, x, 2, in, BATCH);
  all[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, y, 2, out, BATCH);
  for (tessera_regime regime = TESSERA_BY_SIZE; regime <= TESSERA_STREAM; ++regime) {
    tessera_plan_options options = {0};
    options.target = "best";
    options.threads = 1;
    options.regime = regime;
    const tessera_scaling scaling = {{-2, 0}, {3, 0}, TESSERA_USUAL};
    expect(tessera_plan_create_with(&plan, "kj,jc->kc", &scaling, all, 3, &options) == TESSERA_OK, "with options");
    const char* const text = tessera_plan_describe(plan);
    if (regime != TESSERA_BY_SIZE) expect(strstr(text, texts[regime]) != NULL, texts[regime]);
    set_all(y, BATCH * Q * C, 2);
    expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK && product_holds(y, -2, 3, 2), "the same product");
    tessera_plan_destroy(plan);
  }
  expect(tessera_plan_create_with(&plan, "kj,jc->kc", NULL, all, 3, NULL) == TESSERA_OK, "without options");
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK && product_holds(y, 1, 0, 0), "alpha 1, beta 0");
  tessera_plan_destroy(plan);
  tessera_plan_options at_once = {0};
  at_once.no_wait = 1;
  expect(tessera_plan_create_with(&plan, "kj,jc->kc", NULL, all, 3, &at_once) == TESSERA_OK, "without waiting");
  expect(tessera_plan_is_ready(plan) == 1 && tessera_plan_is_ready(NULL) == -1, "nothing is compiled for a CPU");
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK && product_holds(y, 1, 0, 0), "the same product at once");
  tessera_plan_destroy(plan);
  tessera_plan_options rounded = {0};
  rounded.precision = TESSERA_TF32X3;
  rounded.no_workspace = 1;
  expect(tessera_plan_create_with(&plan, "kj,jc->kc", NULL, all, 3, &rounded) == TESSERA_OK, "with a precision");
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK && product_holds(y, 1, 0, 0), "exact on a CPU");
  tessera_plan_destroy(plan);
  tessera_plan_options unknown = {0};
  unknown.precision = 3;
  expect_failure(tessera_plan_create_with(&plan, "kj,jc->kc", NULL, all, 3, &unknown), TESSERA_INVALID_ARGUMENT,
                 "plan_create", "unknown precision 3");
  unknown.precision = TESSERA_EXACT;
  unknown.regime = 3;
  expect_failure(tessera_plan_create_with(&plan, "kj,jc->kc", NULL, all, 3, &unknown), TESSERA_INVALID_ARGUMENT,
                 "plan_create", "unknown memory regime 3");
  unknown.regime = TESSERA_CACHE;
  unknown.target = "z80";
  expect_failure(tessera_plan_create_with(&plan, "kj,jc->kc", NULL, all, 3, &unknown), TESSERA_NO_TARGET, "z80",
                 "known");
  expect(plan == NULL, "no plan on failure");
}

static void test_parts(void) {
  tessera_operand all[3];
  tessera_plan* plan = NULL;
  tessera_bound_plan* bound = NULL;
  all[0] = tessera_packed(TESSERA_F64, TESSERA_CPU, b1d, 2, table, -1);
  all[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, x, 2, in, BATCH);
  all[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, y, 2, out, BATCH);
  expect(tessera_plan_create(&plan, "kj,jc->kc", -2, 3, all, 3, NULL, 0) == TESSERA_OK, "a plan");
  expect(tessera_plan_bind(&bound, plan, all, 3) == TESSERA_OK, "bind");
  expect_failure(tessera_plan_bind(NULL, plan, all, 3), TESSERA_NULL_POINTER, "plan_bind", "null");
  tessera_plan_destroy(plan);
  set_all(y, BATCH * Q * C, 2);
  expect(tessera_bound_plan_run(bound, 3, BATCH - 3) == TESSERA_OK, "the last entries");
  for (int i = 0; i < 3 * Q * C; ++i) expect(y[i] == 2, "other entries stay");
  expect(tessera_bound_plan_run(bound, 0, 3) == TESSERA_OK, "the first entries");
  expect(product_holds(y, -2, 3, 2), "all entries, once");
  expect_failure(tessera_bound_plan_run(bound, 0, BATCH + 1), TESSERA_INVALID_ARGUMENT, "8 entries from 0 on",
                 "a batch of 7");
  expect_failure(tessera_bound_plan_run(NULL, 0, 1), TESSERA_NULL_POINTER, "bound_plan_run", "null");
  tessera_bound_plan_destroy(bound);
  tessera_bound_plan_destroy(NULL);
  bound = (tessera_bound_plan*)y;
  expect_failure(tessera_plan_bind(&bound, NULL, all, 3), TESSERA_NULL_POINTER, "plan_bind", "null");
  expect(bound == NULL, "nothing on failure");
}

static void test_memory(void) {
  void* memory = NULL;
  expect(tessera_allocate(&memory, TESSERA_CPU, 1000) == TESSERA_OK, "allocate");
  expect((uintptr_t)memory % 64 == 0, "aligned to 64 bytes");
  expect(((const char*)memory)[0] == 0 && ((const char*)memory)[999] == 0, "zeroed");
  tessera_free(TESSERA_CPU, memory);
  tessera_free(TESSERA_CPU, NULL);
  expect(tessera_allocate(&memory, TESSERA_CPU, 0) == TESSERA_OK && memory == NULL, "nothing");
}

/* Where an operand has no entries, no time is spent on the extents that it has besides. */
static void test_empty_over_large_extents(void) {
  const int64_t many = 4294967359, in[] = {many, 3, 1, 3, 1, 6, 0, 1}, other[] = {many, 3, 1, 1, 1},
                out[] = {many, 3, 3, 6, 0};
  static double nothing[1];
  tessera_operand o[3];
  tessera_plan* plan = NULL;
  o[0] = tessera_packed(TESSERA_F64, TESSERA_CPU, nothing, 8, in, -1);
  o[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, nothing, 5, other, -1);
  o[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, nothing, 5, out, -1);
  expect(tessera_plan_create(&plan, "abcDefgh,abceh->abDfg", 1, 0, o, 3, NULL, 1) == TESSERA_OK, "an empty output");
  expect(tessera_plan_run(plan, o, 3, NULL) == TESSERA_OK, "a run that writes nothing");
  tessera_plan_destroy(plan);
}

/* The output's columns backwards, x with one column that is repeated, and twelve dimensions, most of them of extent 1.
 */
static void test_strides(void) {
  static const char* const text = "kabcdjefghil,jm->kmabcdefghil";
  static const int64_t table12[TESSERA_MAX_RANK] = {Q, 1, 1, 1, 1, D, 1, 1, 1, 1, 1, 1};
  static const int64_t out12[TESSERA_MAX_RANK] = {Q, C, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  tessera_operand all[3];
  tessera_plan* plan = NULL;
  all[0] = tessera_packed(TESSERA_F64, TESSERA_CPU, b1d, 12, table12, -1);
  all[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, x, 2, in, -1);
  all[1].stride[1] = 0;
  all[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, y + Q * (C - 1), 12, out12, -1);
  all[2].stride[1] = -Q;
  set_all(y, BATCH * Q * C, 2);
  expect(tessera_plan_create(&plan, text, 1, 0, all, 3, NULL, 1) == TESSERA_OK, "strides of 0 and below");
  expect(tessera_plan_run(plan, all, 3, NULL) == TESSERA_OK, "a run with them");
  tessera_plan_destroy(plan);
  for (int c = 0; c < C; ++c)
    for (int k = 0; k < Q; ++k) {
      double sum = 0;
      for (int j = 0; j < D; ++j) sum += b1d[k + Q * j] * x[j];
      expect(y[k + Q * c] == sum, "entries of a reversed output");
    }
  expect(y[Q * C] == 2, "nothing behind it is written");
  all[2].stride[1] = 0;
  expect_failure(tessera_plan_create(&plan, text, 1, 0, all, 3, NULL, 1), TESSERA_OVERLAP, "plan",
                 "dimension 1 of extent 4 has stride 0");
}

int main(void) {
  test_empty_over_large_extents();
  fill(b1d, Q * D, 1);
  fill(x, BATCH * D * C, 2);
  expect(tessera_version() >= 100, "version");
  expect(tessera_last_error() != NULL, "there always is a text");
  test_targets();
  test_reuse_with_other_batches();
  test_lanes();
  test_strides();
  test_groups();
  test_three_inputs_in_float();
  test_complex();
  test_narrow();
  test_options();
  test_parts();
  test_memory();
  return failures;
}
