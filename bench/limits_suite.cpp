// SPDX-License-Identifier: BSD-3-Clause
// Suite limits: the measured limits of this machine, CPU and GPU.
#include <tessera/error.hpp>

#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "report.hpp"
#include "suites.hpp"

namespace tessera::bench {

int run_limits(const options& o) {
  const bool gpu_only = o.target_name == "cuda", gpu = gpu_only || o.target_name == "best";
  if (gpu_only && !device::this_device().present)
    throw error("limits: no GPU on this machine or in this build", status::no_device);
  report to(o, {});
  const auto show = [&](const limit& l) { to.add(l); };
  if (!gpu_only) {
    std::vector<int> threads{1};
    if (o.threads > 1)
      threads.push_back(o.threads);
    else if (this_machine().cores > 1)
      threads.push_back(this_machine().cores);
    measure_cpu_limits(threads, o.reps, show);
    to.note("clock: " + std::to_string(int(measured_clock_mhz())) + " MHz");
  }
  if (gpu && device::this_device().present)
    device::measure_limits(o.reps, show);
  else if (gpu)
    to.note("GPU limits: skipped, no device");
  return to.finish();
}

}  // namespace tessera::bench
