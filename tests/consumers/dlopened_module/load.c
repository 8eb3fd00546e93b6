/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads a module, calls it, unloads it, and does so again, as interpreters and plug-in systems do. */
#include <dlfcn.h>
#include <stdio.h>

typedef double (*energy_function)(int order, int elements);

static int is_right(const char* path) {
  const double wanted = 3000 * 4.0 / 3; /* enough elements for several threads */
  void* const module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  energy_function energy = NULL;
  double found = 0;
  if (module != NULL) *(void**)&energy = dlsym(module, "dirichlet_energy");
  if (energy == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 0;
  }
  found = energy(3, 3000);
  printf("energy %.15g, exactly %.15g\n", found, wanted);
  return dlclose(module) == 0 && found > wanted * (1 - 1e-12) && found < wanted * (1 + 1e-12);
}

int main(int count, char** arguments) {
  int i;
  if (count != 2) return 2;
  for (i = 0; i < 5; ++i)
    if (!is_right(arguments[1])) return 1;
  return 0;
}
