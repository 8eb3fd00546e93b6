// SPDX-License-Identifier: BSD-3-Clause
// Operators over several processes that share a GPU.
#include "distributed_checks.hpp"
#include "testing/jit.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("gpu distributed operators: the results of one process", "[fem][distributed][gpu]") {
  if (absent()) return;
  for (const int count : {1, 2, 3}) {
    const unknowns u = plain_box(3, 3, 3, 1), shuffled = shuffled_box(2, 5, 2, 1, false, 3);
    check_distributed<double>(options_of(operator_kind::diffusion, 3, target::cuda, element_form::partial_assembly), 3,
                              u, slabs(u.elements, count), count);
    check_distributed<float>(options_of(operator_kind::mass, 2, target::cuda, element_form::partial_assembly), 2,
                             shuffled, dealt(shuffled.elements, count), count);
  }
}

// Sanitizers see one process: under racecheck threads that wait for each other at every message do not end.
TEST_CASE("gpu distributed operators: one process, numbers that no one sends", "[fem][distributed][gpu][sanitize]") {
  if (absent()) return;
  unknowns u = plain_box(2, 2, 2, 2);
  std::set<index_t> apart;
  for (index_t k = 0; k < u.size; k += 10) apart.insert(k), apart.insert(k + 1);
  element_operator_options o = options_of(operator_kind::elasticity, 2, target::cuda, element_form::partial_assembly);
  o.components = 2;
  check_distributed<double>(o, 2, u, slabs(u.elements, 1), 1, apart);
}

TEST_CASE("gpu distributed operators: components, constrained numbers, numbers that no one sends",
          "[fem][distributed][gpu]") {
  if (absent()) return;
  unknowns u = plain_box(2, 4, 2, 2);
  for (index_t k = 0; k < u.size; k += 7) u.constrained.push_back(k);
  element_operator_options o = options_of(operator_kind::elasticity, 2, target::cuda, element_form::partial_assembly);
  o.components = 2;
  check_distributed<double>(o, 2, u, slabs(u.elements, 2), 2);
  u.constrained.clear();
  std::set<index_t> apart;
  for (index_t k = 0; k < u.size; k += 10) apart.insert(k), apart.insert(k + 1);
  check_distributed<double>(o, 2, u, slabs(u.elements, 3), 3, apart);
}
