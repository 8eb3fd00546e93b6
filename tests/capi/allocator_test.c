/* SPDX-License-Identifier: BSD-3-Clause */
/* An allocator of the program's, from C99: it is asked for all memory, gets it back, and its mistakes are named. */
#include "expect.h"

#include <stdlib.h>
#include <tessera/fem/tessera_fem.h>

enum { UNIT = 64, ROOM = 1 << 16 };

/* A stack of memory, and what was asked of it. */
typedef struct pool {
  char* memory;
  size_t used;
  int given, taken_back;
} pool;

static void* from_pool(tessera_space space, size_t bytes, void* context) {
  pool* p = (pool*)context;
  void* memory = p->memory + p->used;
  expect(space == TESSERA_CPU, "host memory");
  if (p->used + bytes > ROOM) return NULL;
  p->used += (bytes + UNIT - 1) / UNIT * UNIT;
  ++p->given;
  return memory;
}
static void to_pool(tessera_space space, void* memory, void* context) {
  pool* p = (pool*)context;
  expect(space == TESSERA_CPU && (char*)memory >= p->memory && (char*)memory < p->memory + ROOM, "its own memory");
  ++p->taken_back;
}

static void test_memory(pool* p) {
  void *some = NULL, *more = NULL;
  expect(tessera_allocate(&some, TESSERA_CPU, 100) == TESSERA_OK && some == p->memory, "from the pool");
  expect(((char*)some)[0] == 0 && ((char*)some)[99] == 0 && ((char*)some)[100] == 7, "zeroed, and nothing more");
  expect_failure(tessera_set_allocator(NULL), TESSERA_INVALID_ARGUMENT, "1 allocations", "in use");
  expect_failure(tessera_allocate(&more, TESSERA_CPU, ROOM), TESSERA_OUT_OF_MEMORY, "65536 bytes", "allocator");
  p->used += 16;
  expect_failure(tessera_allocate(&more, TESSERA_CPU, 8), TESSERA_INVALID_ARGUMENT, "16 bytes", "multiple of 64");
  p->used -= 16;
  tessera_free(TESSERA_CPU, some);
  expect(p->given == 2 && p->taken_back == 2, "given and taken back");
}

/* What an operator keeps comes from there, too. */
static void test_operator(pool* p) {
  static double D[27], x[8], y[8];
  tessera_element_operator* op = NULL;
  const tessera_element_options o = tessera_element_defaults("mass", 3, 1);
  const int before = p->given;
  expect(tessera_element_create_from_data(&op, &o, 1, D) == TESSERA_OK, "create");
  expect(p->given > before, "tables and D");
  expect(tessera_element_apply(op, x, y, 0, NULL) == TESSERA_OK, "apply");
  expect_failure(tessera_set_allocator(NULL), TESSERA_INVALID_ARGUMENT, "set_allocator", "in use");
  tessera_element_destroy(op);
  expect(p->given == p->taken_back, "all of it went back");
}

int main(void) {
  char* const memory = (char*)malloc(ROOM + UNIT);
  pool p = {NULL, 0, 0, 0};
  tessera_allocator a = {from_pool, NULL, NULL};
  if (memory == NULL) return 1;
  memset(memory, 7, ROOM + UNIT);
  p.memory = memory + (UNIT - (uintptr_t)memory % UNIT) % UNIT;
  a.context = &p;
  expect_failure(tessera_set_allocator(&a), TESSERA_NULL_POINTER, "set_allocator", "deallocate");
  a.deallocate = to_pool;
  expect(tessera_set_allocator(&a) == TESSERA_OK, "set_allocator");
  test_memory(&p);
  test_operator(&p);
  expect(tessera_set_allocator(NULL) == TESSERA_OK, "the library's own again");
  free(memory);
  if (failures == 0) printf("all well\n");
  return failures;
}
