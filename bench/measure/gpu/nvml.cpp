// SPDX-License-Identifier: BSD-3-Clause
// Reads the clock, power and energy of this process's GPU 0 through libnvidia-ml.
#include "measure/gpu/nvml.hpp"

#include <limits>

#include "measure/gpu/device.hpp"
#include "measure/shared_library.hpp"

namespace tessera::bench::nvml {

namespace {

using handle = void*;

struct first_gpu {
  shared_library library{"libnvidia-ml.so.1", "libnvidia-ml.so"};
  handle first = nullptr;

  first_gpu() {
    auto* const init = library.find<int()>("nvmlInit_v2");
    auto* const get = library.find<int(const char*, handle*)>("nvmlDeviceGetHandleByPciBusId_v2");
    // By its bus id: NVML counts all GPUs of the machine, CUDA those that are visible to this process.
    const std::string& bus = device::this_device().bus;
    if (init == nullptr || get == nullptr || bus.empty() || init() != 0 || get(bus.c_str(), &first) != 0)
      first = nullptr;
  }

  template <class Value>
  double read(const char* name, double unit) const {
    auto* const get = library.find<int(handle, Value*)>(name);
    Value value = 0;
    if (first == nullptr || get == nullptr || get(first, &value) != 0) return std::numeric_limits<double>::quiet_NaN();
    return double(value) * unit;
  }
};

const first_gpu& opened() {
  static const first_gpu once;
  return once;
}

}  // namespace

std::string driver() {
  auto* const get = opened().library.find<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
  char text[96] = {};
  return opened().first != nullptr && get != nullptr && get(text, sizeof text) == 0 ? text : "";
}

double clock_mhz() {
  constexpr int sm_clock = 1;
  auto* const get = opened().library.find<int(handle, int, unsigned*)>("nvmlDeviceGetClockInfo");
  unsigned value = 0;
  if (opened().first == nullptr || get == nullptr || get(opened().first, sm_clock, &value) != 0)
    return std::numeric_limits<double>::quiet_NaN();
  return value;
}

double watts() { return opened().read<unsigned>("nvmlDeviceGetPowerUsage", 1e-3); }

double joules() { return opened().read<unsigned long long>("nvmlDeviceGetTotalEnergyConsumption", 1e-3); }

}  // namespace tessera::bench::nvml
