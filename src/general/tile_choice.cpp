// SPDX-License-Identifier: BSD-3-Clause
// The tile of a record, else the cheapest one by the model for the rates of a GPU.
#include "tile_choice.hpp"

#include <string>
#include <string_view>

#include <tessera/detail/fits.hpp>
#include <tessera/detail/general_records.hpp>

namespace tessera::detail {

namespace {

// Bytes per second of DRAM by data sheets. Longer names come first: an H20 is no H200.
struct known_memory {
  std::string_view name;
  double dram;
};
constexpr known_memory known_memories[] = {{"GH200", 4.9e12},
                                           {"H200", 4.8e12},
                                           {"H100 PCIe", 2.04e12},
                                           {"H100 NVL", 3.94e12},
                                           {"H100", 3.35e12},
                                           {"H800", 3.35e12},
                                           {"H20", 4.0e12},
                                           {"GB200", 8.0e12},
                                           {"B200", 8.0e12},
                                           {"B300", 8.0e12},
                                           {"A100-SXM4-80GB", 2.04e12},
                                           {"A100 80GB", 1.94e12},
                                           {"A100", 1.56e12}};

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
  for (const known_memory& known : known_memories)
    if (gpu.name.find(known.name) != std::string::npos) {
      rates.dram = known.dram;
      break;
    }
  const gpu_limits limits = gpu_limits_of(capability);
  rates.shared_of_block = limits.shared_bytes;
  rates.shared_of_multiprocessor = limits.all_shared_bytes;
  rates.registers = limits.registers;
  rates.threads = limits.all_threads;
  return rates;
}

std::optional<tile_choice> tile_for(const general_form& form, const general_kind& kind,
                                    const device::device_info& gpu) {
  const gpu_rates rates = rates_of(gpu);
  const general_candidates all = candidates_of(form, rates, kind);
  if (all.found.empty()) return std::nullopt;
  const general_candidate& best = all.found.front();
  if (const auto recorded = recorded_choice(form, kind, gpu.name, rates, best.costs.seconds))
    return tile_choice{recorded->tile, cost_of(recorded->tile, form, rates, kind), {recorded->source}};
  return tile_choice{
      best.tile, best.costs, {"cheapest of " + std::to_string(all.found.size()) + " tiles by the model"}};
}

}  // namespace tessera::detail
