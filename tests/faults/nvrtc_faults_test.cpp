// SPDX-License-Identifier: BSD-3-Clause
// Whatever call to NVRTC fails for lack of memory, that arrives, on any number of threads; no GPU is needed.
#include <tessera/detail/jit.hpp>
#include <tessera/gpu/detail/loaded_code.hpp>

#include "check_sweeps.hpp"
#include "child.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::faults;

namespace {

// Kernels that compile at once: they include nothing.
named_scenario compiled(int sources, int threads) {
  return {
      std::to_string(sources) + " sources on " + std::to_string(threads) + " threads", [=](int) {
        return scenario{[=](said& words) {
          std::vector<device::jit_source> wanted;
          for (int i = 0; i < sources; ++i)
            wanted.push_back({"template <int> __global__ void mine() {}\n", {"mine<" + std::to_string(i) + ">"}});
          for (const jit_code& code : device::compile_sources(wanted, {.cache_folder = {}, .threads = threads}, 90)) {
            words.add(std::to_string(code.entries.size()) + " kernels\n");
            words.add(code.machine_code.empty() ? code.first_error() : "compiled");
          }
        }};
      }};
}

}  // namespace

TEST_CASE("every call to NVRTC fails once", "[faults][nvrtc]") {
  // Asked in a child, so that threads of NVRTC stay out of the parent.
  const shared<bool> found;
  run_in_child([&] { *found = why_no_jit().empty(); });
  if (!*found) return testing::skip("no NVRTC");
  check_sweeps({compiled(1, 1), compiled(3, 2)}, 1, {.cold_stride = 0, .of_gpu = true});
}
