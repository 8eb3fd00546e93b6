/* SPDX-License-Identifier: BSD-3-Clause */
/* Networks from C99: made, described, run by their own workspace and a caller's; the numbers are the definition's. */
#include <tessera/tessera_network.h>

#include "expect.h"

enum { A = 3, B = 20, C = 2, D = 4, BATCH = 5 };

static double x[BATCH * A * B], y[B * C], z[BATCH * C * D], out[BATCH * A * D];
static tessera_operand all[4];

static void set_up(void) {
  static const int64_t ab[] = {A, B}, bc[] = {B, C}, cd[] = {C, D}, ad[] = {A, D};
  for (int i = 0; i < BATCH * A * B; ++i) x[i] = i % 7 - 3;
  for (int i = 0; i < B * C; ++i) y[i] = i % 5 - 1;
  for (int i = 0; i < BATCH * C * D; ++i) z[i] = i % 3 - 1;
  all[0] = tessera_packed(TESSERA_F64, TESSERA_CPU, x, 2, ab, BATCH);
  all[1] = tessera_packed(TESSERA_F64, TESSERA_CPU, y, 2, bc, -1);
  all[2] = tessera_packed(TESSERA_F64, TESSERA_CPU, z, 2, cd, BATCH);
  all[3] = tessera_packed(TESSERA_F64, TESSERA_CPU, out, 2, ad, BATCH);
}

static void set_out(double value) {
  for (int i = 0; i < BATCH * A * D; ++i) out[i] = value;
}

/* out(a,d) = alpha sum_bc x(a,b) y(b,c) z(c,d) + beta before, for every entry of the batch. */
static int out_holds(double alpha, double beta, double before) {
  for (int e = 0; e < BATCH; ++e)
    for (int a = 0; a < A; ++a)
      for (int d = 0; d < D; ++d) {
        double sum = 0;
        for (int b = 0; b < B; ++b)
          for (int c = 0; c < C; ++c) sum += x[e * A * B + a + A * b] * y[b + B * c] * z[e * C * D + c + C * d];
        if (out[e * A * D + a + A * d] != alpha * sum + (beta == 0 ? 0 : beta * before)) return 0;
      }
  return 1;
}

// snippet network
/* out = 2 x y z - out, where `all` are the operands x, y, z and out. */
static tessera_status twice_the_product(const tessera_operand* all) {
  const tessera_scaling scaling = {{2, 0}, {-1, 0}, TESSERA_USUAL};
  tessera_network* network = NULL;
  tessera_status done = tessera_network_create(&network, "ab,bc,cd->ad", &scaling, all, 4, NULL);
  if (done == TESSERA_OK) done = tessera_network_run(network, all, 4, NULL);
  tessera_network_destroy(network);
  return done;
}
// end snippet

static void test_run(void) {
  tessera_network* network = NULL;
  const tessera_scaling scaling = {{2, 0}, {-1, 0}, TESSERA_USUAL};
  set_out(5);
  expect(twice_the_product(all) == TESSERA_OK && out_holds(2, -1, 5), "a network that runs once");
  expect(tessera_network_create(&network, "ab,bc,cd->ad", &scaling, all, 4, NULL) == TESSERA_OK, "a network");
  set_out(3);
  expect(tessera_network_run(network, all, 4, NULL) == TESSERA_OK && out_holds(2, -1, 3), "2 x y z - out");
  expect(strstr(tessera_network_describe(network), "\"ab,bc->ac\" of input 1 and input 2") != NULL, "the first pair");
  expect(strstr(tessera_network_describe_brief(network), "2 steps") != NULL, "the brief text");
  expect(strchr(tessera_network_describe_brief(network), '\n') == NULL, "one line");
  expect(tessera_network_flops(network) == 2.0 * BATCH * A * C * (B + D), "operations of both pairs");
  expect(tessera_network_flops_of_one_loop(network) == 3.0 * BATCH * A * B * C * D, "operations of one loop");
  tessera_network_destroy(network);
  tessera_network_destroy(NULL);
}

static void test_workspace(void) {
  tessera_network* network = NULL;
  tessera_network_options options = {0};
  void* workspace = NULL;
  options.no_workspace = 1;
  options.plans.threads = 1;
  options.plans.target = "reference";
  expect(tessera_network_create(&network, "ab,bc,cd->ad", NULL, all, 4, &options) == TESSERA_OK, "without a workspace");
  const size_t bytes = tessera_network_workspace_bytes(network);
  expect(bytes == BATCH * A * C * sizeof(double), "of all x y");
  expect_failure(tessera_network_run(network, all, 4, NULL), TESSERA_INVALID_ARGUMENT, "no workspace", "240 bytes");
  expect(tessera_allocate(&workspace, TESSERA_CPU, bytes) == TESSERA_OK, "allocate");
  set_out(7);
  expect(tessera_network_run_in(network, all, 4, workspace, bytes, NULL) == TESSERA_OK && out_holds(1, 0, 0), "x y z");
  expect_failure(tessera_network_run_in(network, all, 4, workspace, bytes - 1, NULL), TESSERA_INVALID_ARGUMENT,
                 "239 bytes", "240 needed");
  expect_failure(tessera_network_run_in(network, all, 4, (char*)workspace + 8, bytes, NULL), TESSERA_INVALID_ARGUMENT,
                 "8 bytes behind", "multiple of 64");
  expect_failure(tessera_network_run_in(network, all, 4, NULL, bytes, NULL), TESSERA_NULL_POINTER, "workspace", "null");
  expect_failure(tessera_network_run_in(network, all, 4, x, sizeof x, NULL),
                 (uintptr_t)x % 64 == 0 ? TESSERA_OVERLAP : TESSERA_INVALID_ARGUMENT, "workspace", "run network");
  tessera_free(TESSERA_CPU, workspace);
  tessera_network_destroy(network);
}

static void test_mistakes(void) {
  tessera_network* network = (tessera_network*)x;
  expect_failure(tessera_network_create(&network, "ab,bc,cd->ax", NULL, all, 4, NULL), TESSERA_BAD_EINSUM, "'x'",
                 "no input");
  expect(network == NULL, "nothing on failure");
  expect_failure(tessera_network_create(&network, "ab,bc,cd->ad", NULL, all, 2, NULL), TESSERA_INVALID_ARGUMENT,
                 "network_create", "2 operands");
  expect_failure(tessera_network_create(&network, "ab,bc->ac", NULL, all, 4, NULL), TESSERA_INVALID_ARGUMENT,
                 "4 operands given", "3 needed");
  expect_failure(tessera_network_create(&network, "ab,bc,cd->ad", NULL, NULL, 4, NULL), TESSERA_NULL_POINTER,
                 "network_create", "null operands");
  expect_failure(tessera_network_create(&network, NULL, NULL, all, 4, NULL), TESSERA_NULL_POINTER, "network_create",
                 "einsum");
  expect_failure(tessera_network_create(NULL, "ab,bc,cd->ad", NULL, all, 4, NULL), TESSERA_NULL_POINTER,
                 "network_create", "null network");
  expect_failure(tessera_network_create(&network, "ab,cd,bc->ad", NULL, all, 4, NULL), TESSERA_SHAPE_MISMATCH,
                 "disagree on the extent", "20 and ");
  expect_failure(tessera_network_run(NULL, all, 4, NULL), TESSERA_NULL_POINTER, "network_run", "null");
  expect_failure(tessera_network_run_in(NULL, all, 4, x, 8, NULL), TESSERA_NULL_POINTER, "network_run_in", "null");
  expect(tessera_network_workspace_bytes(NULL) == 0 && tessera_plan_workspace_bytes(NULL) == 0, "bytes of nothing");
  expect(tessera_network_describe(NULL) == NULL && tessera_network_describe_brief(NULL) == NULL, "texts of nothing");
  expect(tessera_network_flops(NULL) == 0 && tessera_network_flops_of_one_loop(NULL) == 0, "operations of nothing");
}

int main(void) {
  set_up();
  test_run();
  test_workspace();
  test_mistakes();
  return failures;
}
