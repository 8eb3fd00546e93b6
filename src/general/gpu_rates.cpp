// SPDX-License-Identifier: BSD-3-Clause
// Rates of known GPUs by data sheets, and those of others in proportion to an H100.
#include "gpu_rates.hpp"

#include <tessera/detail/fits.hpp>

namespace tessera::detail {

namespace {

// By data sheets: bytes per second of DRAM, and multiprocessors. Longer names come first: an H20 is no H200.
struct known_gpu {
  std::string_view name;
  int compute_capability, multiprocessors;
  double dram;
};
constexpr known_gpu known_gpus[] = {{"GH200", 90, 132, 4.9e12},
                                    {"H200", 90, 132, 4.8e12},
                                    {"H100 PCIe", 90, 114, 2.04e12},
                                    {"H100 NVL", 90, 132, 3.94e12},
                                    {"H100", 90, 132, 3.35e12},
                                    {"H800", 90, 132, 3.35e12},
                                    {"H20", 90, 78, 4.0e12},
                                    {"GB200", 100, 148, 8.0e12},
                                    {"B200", 100, 148, 8.0e12},
                                    {"B300", 103, 148, 8.0e12},
                                    {"A100-SXM4-80GB", 80, 108, 2.04e12},
                                    {"A100 80GB", 80, 108, 1.94e12},
                                    {"A100", 80, 108, 1.56e12}};

const known_gpu* known_as(std::string_view name) {
  for (const known_gpu& known : known_gpus)
    if (name.find(known.name) != std::string_view::npos) return &known;
  return nullptr;
}

// What a multiprocessor reaches of multiply-adds in double, by those of an H100: tensor cores from 8.0 on, and the few
// units of GPUs for other purposes.
constexpr double share_of_h100(int compute_capability) {
  switch (compute_capability) {
    case 80: return 0.39;
    case 90: return 1;
    case 100:
    case 103: return 0.55;
    default: return 0.03;
  }
}

}  // namespace

gpu_rates rates_of(const device::device_info& gpu) {
  gpu_rates rates = rates_of_h100;
  const int capability = 10 * gpu.major + gpu.minor;
  const double multiprocessors = double(gpu.sms) / rates.multiprocessors;
  rates.multiprocessors = gpu.sms;
  rates.flops *= multiprocessors * share_of_h100(capability);
  rates.flops_fma64 *= multiprocessors * share_of_h100(capability);
  for (double* flops : {&rates.flops_tf32, &rates.flops_16, &rates.flops_fma32}) *flops *= multiprocessors;
  rates.l2 *= multiprocessors;
  rates.shared *= multiprocessors;
  rates.dram *= multiprocessors;
  if (const known_gpu* known = known_as(gpu.name)) rates.dram = known->dram;
  const gpu_limits limits = gpu_limits_of(capability);
  rates.shared_of_block = limits.shared_bytes;
  rates.shared_of_multiprocessor = limits.all_shared_bytes;
  rates.registers = limits.registers;
  rates.threads = limits.all_threads;
  rates.most_splits = capability >= clusters_since ? most_of_cluster : 1;
  return rates;
}

gpu_rates rates_of_device(std::string_view name) {
  if (device::available())
    if (const device::device_info here = device::info(); here.name == name) return rates_of(here);
  const known_gpu* known = known_as(name);
  if (known == nullptr) return rates_of_h200;
  device::device_info gpu;
  gpu.name = name;
  gpu.major = known->compute_capability / 10;
  gpu.minor = known->compute_capability % 10;
  gpu.sms = known->multiprocessors;
  return rates_of(gpu);
}

}  // namespace tessera::detail
