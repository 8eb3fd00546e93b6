/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts and prints what a C test finds wrong; main() returns the count. */
#ifndef TESSERA_TESTS_CAPI_EXPECT_H
#define TESSERA_TESTS_CAPI_EXPECT_H

#include <stdio.h>
#include <string.h>
#include <tessera/tessera.h>

static int failures = 0;

static inline void expect(int holds, const char* what) {
  if (holds) return;
  ++failures;
  printf("wrong: %s (last error: %s)\n", what, tessera_last_error());
}

/* The call must have failed so, with a text that has both words. */
static inline void expect_failure(tessera_status found, tessera_status wanted, const char* word, const char* other) {
  const char* text = tessera_last_error();
  if (found == wanted && strstr(text, word) != NULL && strstr(text, other) != NULL) return;
  ++failures;
  printf("wrong: status %d, not %d, or the text lacks '%s' or '%s': %s\n", (int)found, (int)wanted, word, other, text);
}

#endif
