// SPDX-License-Identifier: BSD-3-Clause
// Whatever allocation fails, a call says so, has written nothing and lost nothing, and succeeds when it is repeated.
#include <cstdlib>

#include "check_sweeps.hpp"
#include "testing/catch.hpp"

using namespace tessera::faults;

namespace {

scenarios all_scenarios() {
  scenarios all;
  for (const auto part : {plan_scenarios, contract_scenarios, container_scenarios, chain_scenarios, element_scenarios,
                          element_c_scenarios, own_function_scenarios, point_scenarios, unknowns_scenarios,
                          mass_scenarios, record_scenarios})
    for (named_scenario& one : part()) all.push_back(std::move(one));
  return all;
}

// Every `each`-th allocation.
void check_all(int threads, int each) {
  setenv("CUDA_VISIBLE_DEVICES", "", 1);  // CUDA, once it has started, does not work in children of this process
  const failures which{.stride = each * TESSERA_FAULTS_STRIDE, .cold_stride = each * TESSERA_FAULTS_COLD_STRIDE};
  const tally all = check_sweeps(all_scenarios(), threads, which);
  if (which.stride <= 3 && !is_filtered()) CHECK(all.points >= 10000 / which.stride);
}

}  // namespace

// All of them take minutes.
TEST_CASE("every third allocation fails once, on 1 thread", "[faults]") { check_all(1, 3); }
TEST_CASE("every seventh allocation fails once, on 2 threads", "[faults]") { check_all(2, 7); }
TEST_CASE("every allocation fails once, on 1 thread", "[.long]") { check_all(1, 1); }
TEST_CASE("every allocation fails once, on 2 threads", "[.long]") { check_all(2, 1); }
