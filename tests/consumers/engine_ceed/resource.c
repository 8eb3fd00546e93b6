/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked with the backend, plain /cpu/self is Tessera's. */
#include <stdio.h>
#include <string.h>
#include <tessera/ceed/tessera_ceed.h>

int main(void) {
  Ceed ceed;
  const char* resource;
  CeedInit("/cpu/self", &ceed);
  CeedGetResource(ceed, &resource);
  printf("%s\n", resource);
  const int is_ours = strcmp(resource, "/cpu/self/tessera") == 0 && tessera_ceed_describe(NULL) == NULL;
  CeedDestroy(&ceed);
  return is_ours ? 0 : 1;
}
