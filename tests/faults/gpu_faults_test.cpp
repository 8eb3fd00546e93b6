// SPDX-License-Identifier: BSD-3-Clause
// Whatever call to CUDA or NVRTC fails, an error says so, nothing is lost, and the next call works.
#include <tessera/detail/jit.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "check_sweeps.hpp"
#include "child.hpp"
#include "gpu_calls.hpp"
#include "gpu_memory.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::faults;

namespace {

// Asked in a child: CUDA would not work in children of a process that has used it.
bool cannot_run(bool needs_compiler) {
  const shared<int> found;
  run_in_child([&] { *found = !device::available() ? 1 : needs_compiler && !why_no_jit().empty() ? 2 : 3; });
  if (*found == 3) return false;
  testing::skip(*found == 2 ? "no NVRTC" : "no GPU");
  return true;
}

// Kernels are compiled and not kept, wherever that is said.
void keep_no_code() {
  for (const char* name : {"TESSERA_CACHE", "XDG_CACHE_HOME", "HOME", "TESSERA_JIT"}) unsetenv(name);
}

scenarios joined(std::initializer_list<scenarios (*)()> parts) {
  scenarios all;
  for (const auto part : parts)
    for (named_scenario& one : part()) all.push_back(std::move(one));
  return all;
}

void check_compiling(std::size_t scenario) {
  if (cannot_run(true)) return;
  keep_no_code();
  REQUIRE(gpu_compile_scenarios().size() == 3);  // a test for each
  count_gpu_calls(gpu_calls::compiling);
  check_sweeps({gpu_compile_scenarios().at(scenario)}, 1, {.cold_stride = 0, .of_gpu = true});
  count_gpu_calls(gpu_calls::all);
}

}  // namespace

TEST_CASE("every call to CUDA fails once", "[faults][gpu]") {
  if (cannot_run(false)) return;
  keep_no_code();
  const scenarios all = joined({gpu_plan_scenarios, gpu_memory_scenarios, gpu_element_scenarios});
  check_sweeps(all, 1, {.cold_stride = 0, .of_gpu = true});
}

// Of minutes each: so that they can run side by side.
TEST_CASE("every call that compiles a row fails once", "[faults][gpu]") { check_compiling(0); }
TEST_CASE("every call that compiles a chain fails once", "[faults][gpu]") { check_compiling(1); }
TEST_CASE("every call that compiles a user's function fails once", "[faults][gpu]") { check_compiling(2); }

TEST_CASE("every call to CUDA fails in the first call of a process", "[faults][gpu]") {
  if (cannot_run(false)) return;
  keep_no_code();
  check_sweeps(gpu_memory_scenarios(), 1, {.stride = 1 << 20, .of_gpu = true});
}
