// SPDX-License-Identifier: BSD-3-Clause
// Element matrices by columns on a CPU, which threads share by elements.
#include "matrix_checks.hpp"

#include <omp.h>

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("element matrices: by columns, more than threads take at a time, from anywhere", "[fem][element]") {
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  // In float, vectors are the widest; ranges begin and end inside of them.
  for (const index_t count : {1, 15, 70, 300})
    check_matrices<float, pointwise::diffusion<2>>(
        {.kind = operator_kind::diffusion, .trial = {.order = 1}, .points = 2}, count + 9,
        {.first = 7, .count = count, .behind = 1});
  check_matrices<double, pointwise::convection<2>>(
      {.kind = operator_kind::convection, .trial = {.order = 2}, .points = 3}, 1100, {.first = 3, .count = 1090});
  omp_set_num_threads(threads);
}
