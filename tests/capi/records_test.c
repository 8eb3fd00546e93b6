/* SPDX-License-Identifier: BSD-3-Clause */
/* TESSERA_RECORDS names a folder: a plan says so, and names both. The test's environment sets it. */
#include "expect.h"

#include <stdlib.h>

int main(void) {
  static double a[15], x[12], y[20];
  static const int64_t table[] = {5, 3}, in[] = {3, 4}, out[] = {5, 4};
  const char* const folder = getenv("TESSERA_RECORDS");
  expect(folder != NULL, "the test is run with TESSERA_RECORDS");
  if (folder == NULL) return failures;
  const tessera_operand operands[] = {tessera_packed(TESSERA_F64, TESSERA_CPU, a, 2, table, -1),
                                      tessera_packed(TESSERA_F64, TESSERA_CPU, x, 2, in, -1),
                                      tessera_packed(TESSERA_F64, TESSERA_CPU, y, 2, out, -1)};
  /* Twice: it stays an error, as long as the variable names the folder. */
  for (int i = 0; i < 2; ++i) {
    tessera_plan* plan = NULL;
    const tessera_status status = tessera_plan_create(&plan, "ij,jk->ik", 1, 0, operands, 3, NULL, 0);
    expect_failure(status, TESSERA_INVALID_ARGUMENT, "TESSERA_RECORDS", folder);
    expect_failure(status, TESSERA_INVALID_ARGUMENT, "tuning records", "a folder, not a regular file");
  }
  return failures;
}
