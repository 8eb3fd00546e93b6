/* SPDX-License-Identifier: BSD-3-Clause */
/* The C API's errors: a code, a text with contraction and extents, no plan, nothing written. */
#include "expect.h"

static double a[15], x[6 * 12], y[6 * 20];
static const int64_t table[] = {5, 3}, in[] = {3, 4}, out[] = {5, 4};
static tessera_operand good[3];

static void reset(void) {
  good[0] = tessera_packed(TESSERA_F64, TESSERA_CPU, a, 2, table, -1);
  good[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, x, 2, in, 6);
  good[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, y, 2, out, 6);
}

static tessera_status create(const char* einsum) {
  tessera_plan* plan = (tessera_plan*)y; /* must become NULL */
  const tessera_status status = tessera_plan_create(&plan, einsum, 1, 0, good, 3, NULL, 0);
  expect(status == TESSERA_OK || plan == NULL, "no plan on failure");
  if (status == TESSERA_OK) tessera_plan_destroy(plan);
  reset();
  return status;
}

static void test_plans(void) {
  tessera_plan* plan = NULL;
  expect(create("ij,jk->ik") == TESSERA_OK, "the good plan");
  expect_failure(create("ij,jk->iz"), TESSERA_BAD_EINSUM, "ij,jk->iz", "'z'");
  expect_failure(create("ij,jk->ii"), TESSERA_BAD_EINSUM, "repeated", "'i'");
  expect_failure(create("ij jk"), TESSERA_BAD_EINSUM, "contraction", "ij jk");
  good[1].extent[0] = 4;
  expect_failure(create("ij,jk->ik"), TESSERA_SHAPE_MISMATCH, "ij,jk->ik", "5x3, 4x4 -> 5x4");
  good[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, good[1].data, 2, NULL, good[1].count);
  expect_failure(create("ij,jk->ik"), TESSERA_INVALID_ARGUMENT, "plan_create", "without extents");
  good[2].lanes = 4; /* but the strides leave no room for lanes */
  expect_failure(create("ij,jk->ik"), TESSERA_OVERLAP, "ij,jk->ik", "5x4");
  good[1].type = TESSERA_F32;
  expect_failure(create("ij,jk->ik"), TESSERA_WRONG_TYPE, "f32", "5x3, 3x4 -> 5x4");
  good[1].space = TESSERA_GPU;
  expect_failure(create("ij,jk->ik"), TESSERA_WRONG_SPACE, "gpu memory", "5x3, 3x4 -> 5x4");
  expect_failure(tessera_plan_create(NULL, "ij,jk->ik", 1, 0, good, 3, NULL, 0), TESSERA_NULL_POINTER, "plan_create",
                 "null");
  expect_failure(tessera_plan_create(&plan, "ij,jk->ik", 1, 0, good, 2, NULL, 0), TESSERA_INVALID_ARGUMENT,
                 "2 operands", "plan_create");
  expect_failure(tessera_plan_create(&plan, "ij,jk->ik", 1, 0, good, 3, "z80", 0), TESSERA_NO_TARGET, "'z80'",
                 "reference");
  expect_failure(tessera_plan_create(&plan, "ij,jk->ik", 1, 0, good, 3, NULL, -1), TESSERA_INVALID_ARGUMENT,
                 "-1 threads", "5x3, 3x4 -> 5x4");
  expect_failure(tessera_plan_create(&plan, "ij,jk->ik", 1, 0, good, 3, "cuda", 0), TESSERA_WRONG_SPACE, "cuda",
                 "cpu memory");
}

static void test_runs(void) {
  tessera_plan* plan = NULL;
  expect(tessera_plan_create(&plan, "ij,jk->ik", 1, 0, good, 3, NULL, 0) == TESSERA_OK, "the good plan");
  good[1].data = NULL;
  expect_failure(tessera_plan_run(plan, good, 3, NULL), TESSERA_NULL_POINTER, "input 2", "5x3, 3x4 -> 5x4");
  reset();
  good[1].data = y + 3;
  expect_failure(tessera_plan_run(plan, good, 3, NULL), TESSERA_OVERLAP, "input 2", "5x3, 3x4 -> 5x4");
  reset();
  good[2].batch_stride = 19;
  expect_failure(tessera_plan_run(plan, good, 3, NULL), TESSERA_OVERLAP, "stride 19", "5x3, 3x4 -> 5x4");
  reset();
  good[1].count = 5;
  expect_failure(tessera_plan_run(plan, good, 3, NULL), TESSERA_SHAPE_MISMATCH, "batch of 5", "5x3, 3x4 -> 5x4");
  reset();
  good[1].extent[1] = 3;
  expect_failure(tessera_plan_run(plan, good, 3, NULL), TESSERA_SHAPE_MISMATCH, "3x3", "made for 3x4");
  reset();
  expect_failure(tessera_plan_run(NULL, good, 3, NULL), TESSERA_NULL_POINTER, "plan_run", "null plan");
  expect_failure(tessera_plan_run(plan, NULL, 3, NULL), TESSERA_NULL_POINTER, "plan_run", "null operands");
  expect(tessera_plan_describe(NULL) == NULL, "no description of no plan");
  expect(tessera_plan_describe_brief(NULL) == NULL, "no brief description of no plan");
  tessera_plan_destroy(plan);
  tessera_plan_destroy(NULL);
}

/* Every failure leaves NULL, those before anything is looked at as well. */
static void test_no_plan_on_failure(void) {
  const tessera_scaling scaling = {{1, 0}, {0, 0}, TESSERA_USUAL}, unknown_sum = {{1, 0}, {0, 0}, 9},
                        no_sum = {{1, 0}, {0, 0}, -2};
  const struct {
    const char* einsum;
    const tessera_scaling* scaling;
    const tessera_operand* operands;
    int count, threads;
    tessera_status wanted;
    const char* word;
  } calls[] = {{NULL, &scaling, good, 3, 0, TESSERA_NULL_POINTER, "null"},
               {"ij,jk->ik", &scaling, NULL, 3, 0, TESSERA_NULL_POINTER, "null"},
               {"ij,jk->ik", NULL, good, 3, 0, TESSERA_NULL_POINTER, "scaling"},
               {"ij,jk->ik", &unknown_sum, good, 3, 0, TESSERA_INVALID_ARGUMENT, "9"},
               {"ij,jk->ik", &no_sum, good, 3, 0, TESSERA_INVALID_ARGUMENT, "-2"},
               {"ij,jk->ik", &scaling, good, -1, 0, TESSERA_INVALID_ARGUMENT, "-1 operands"},
               {"ij,jk->ik", &scaling, good, 5, 0, TESSERA_INVALID_ARGUMENT, "5 operands"},
               {"", &scaling, good, 3, 0, TESSERA_BAD_EINSUM, "contraction"},
               {"ij,jk->ik", &scaling, good, 3, INT32_MIN, TESSERA_INVALID_ARGUMENT, "-2147483648 threads"}};
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i)
    for (int scaled = calls[i].scaling != &scaling; scaled < 2; ++scaled) {
      tessera_plan* plan = (tessera_plan*)y;
      const tessera_status found =
          scaled ? tessera_plan_create_scaled(&plan, calls[i].einsum, calls[i].scaling, calls[i].operands,
                                              calls[i].count, NULL, calls[i].threads)
                 : tessera_plan_create(&plan, calls[i].einsum, 1, 0, calls[i].operands, calls[i].count, NULL,
                                       calls[i].threads);
      expect_failure(found, calls[i].wanted, calls[i].word, "");
      expect(plan == NULL, "no plan on failure");
    }
}

/* Numbers that no enum, rank, count or size can be, in a plan, a run and a copy. */
static tessera_operand* with(tessera_operand* changed) {
  reset();
  *changed = good[1];
  return changed;
}

static void refused(const tessera_operand* spoiled, tessera_status wanted, const char* word) {
  tessera_plan* plan = NULL;
  reset();
  expect(tessera_plan_create(&plan, "ij,jk->ik", 1, 0, good, 3, NULL, 0) == TESSERA_OK, "the good plan");
  expect_failure(tessera_copy(spoiled, &good[1]), wanted, word, "copy");
  expect_failure(tessera_copy(&good[1], spoiled), wanted, word, "copy");
  good[1] = *spoiled;
  expect_failure(tessera_plan_run(plan, good, 3, NULL), wanted, word, "plan_run");
  tessera_plan_destroy(plan);
  good[1] = *spoiled;
  expect_failure(create("ij,jk->ik"), wanted, word, "plan_create");
  reset();
}

static void test_numbers_out_of_range(void) {
  static void* members[1] = {x};
  static const tessera_type types[] = {TESSERA_USUAL, 9, 99, INT32_MIN, INT32_MAX};
  static const tessera_space spaces[] = {-1, 2, 99, INT32_MIN};
  static const int ranks[] = {-1, 13, 1000, INT32_MIN, INT32_MAX};
  static const int64_t large[] = {INT64_MAX, (int64_t)1 << 62, (int64_t)1 << 60, (int64_t)1 << 58};
  tessera_operand o;
  for (int i = 0; i < 5; ++i) with(&o)->type = types[i], refused(&o, TESSERA_INVALID_ARGUMENT, "scalar type");
  for (int i = 0; i < 4; ++i) with(&o)->space = spaces[i], refused(&o, TESSERA_INVALID_ARGUMENT, "space");
  for (int i = 0; i < 5; ++i) with(&o)->rank = ranks[i], refused(&o, TESSERA_INVALID_ARGUMENT, "rank");
  with(&o)->extent[0] = -1, refused(&o, TESSERA_OVERFLOW, "-1x4");
  with(&o)->stride[1] = INT64_MIN, refused(&o, TESSERA_OVERFLOW, "stride -9223372036854775808");
  with(&o)->count = INT64_MIN, refused(&o, TESSERA_OVERFLOW, "batch of -9223372036854775808");
  with(&o)->batch_stride = -1, refused(&o, TESSERA_OVERFLOW, "stride -1");
  with(&o)->lanes = 0, refused(&o, TESSERA_INVALID_ARGUMENT, "lanes 0");
  with(&o)->lanes = INT64_MIN, refused(&o, TESSERA_INVALID_ARGUMENT, "lanes");
  for (int i = 0; i < 4; ++i) {
    with(&o)->extent[1] = large[i], refused(&o, TESSERA_OVERFLOW, "3x");
    with(&o)->stride[1] = large[i], refused(&o, TESSERA_OVERFLOW, "3x4");
    with(&o)->count = large[i], refused(&o, TESSERA_OVERFLOW, "3x4");
    with(&o)->batch_stride = large[i], refused(&o, TESSERA_OVERFLOW, "3x4");
    if (large[i] > (int64_t)1 << 58) with(&o)->lanes = large[i], refused(&o, TESSERA_OVERFLOW, "3x4");
    with(&o)->count = large[i], o.batch_stride = 0, refused(&o, TESSERA_OVERFLOW, "3x4");
    with(&o)->count = large[i], o.members = members, refused(&o, TESSERA_OVERFLOW, "3x4");
  }
}

static void test_memory_and_copies(void) {
  void* memory = a; /* must become NULL */
  expect_failure(tessera_allocate(&memory, TESSERA_CPU, (size_t)1 << 62), TESSERA_OUT_OF_MEMORY, "allocate",
                 "4611686018427387904 bytes");
  expect(memory == NULL, "no memory on failure");
  expect_failure(tessera_allocate(NULL, TESSERA_CPU, 8), TESSERA_NULL_POINTER, "allocate", "null");
  expect_failure(tessera_allocate(&memory, (tessera_space)5, 8), TESSERA_INVALID_ARGUMENT, "allocate", "space 5");
  if (!tessera_target_available("cuda"))
    expect_failure(tessera_allocate(&memory, TESSERA_GPU, 64), TESSERA_NO_DEVICE, "allocate", "64 bytes");
  expect_failure(tessera_copy(NULL, &good[2]), TESSERA_NULL_POINTER, "copy", "null");
  expect_failure(tessera_copy(&good[1], &good[2]), TESSERA_SHAPE_MISMATCH, "f64 3x4 (batch of 6, cpu)", "f64 5x4");
}

int main(void) {
  for (int i = 0; i < 120; ++i) y[i] = -99;
  reset();
  test_plans();
  test_runs();
  test_no_plan_on_failure();
  test_numbers_out_of_range();
  test_memory_and_copies();
  for (int i = 0; i < 120; ++i) expect(y[i] == -99, "nothing was written");
  return failures;
}
