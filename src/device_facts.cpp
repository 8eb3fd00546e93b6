// SPDX-License-Identifier: BSD-3-Clause
// Asks the operating system and the GPU once who they are.
#include <tessera/device_facts.hpp>

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include <tessera/error.hpp>
#include <tessera/gpu/runtime.hpp>

#include "kernel_hashes.hpp"

namespace tessera {

namespace {

struct facts {
  std::string name = "unknown";
  int compute_capability = 0;
  index_t cache_bytes = 0;
  index_t core_cache_bytes = 0;  // of a CPU
};

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  std::string line, family, number, name, implementer, part;
  const auto value = [&] { return line.substr(std::min(line.size(), line.find(':') + 2)); };
  while (std::getline(in, line) && !line.empty()) {
    if (line.starts_with("model name"))
      name = value();
    else if (line.starts_with("cpu family"))
      family = value();
    else if (line.starts_with("model"))
      number = value();
    else if (line.starts_with("CPU implementer"))
      implementer = value();
    else if (line.starts_with("CPU part"))
      part = value();
  }
  // 64-bit ARM has no name here.
  if (name.empty() && !part.empty()) return "ARM CPU (implementer " + implementer + ", part " + part + ")";
  if (name.empty()) return "unknown";
  return family.empty() ? name : name + " (family " + family + ", model " + number + ")";
}

facts cpu_facts() {
  const index_t second = std::max<index_t>(sysconf(_SC_LEVEL2_CACHE_SIZE), 0);
  const index_t third = std::max<index_t>(sysconf(_SC_LEVEL3_CACHE_SIZE), 0);
  return {cpu_name(), 0, third > 0 ? third : second, second};
}

facts gpu_facts() {
  if (!device::available()) return {};
  const device::device_info info = device::info();
  return {info.name, 10 * info.major + info.minor, info.l2};
}

const facts& facts_of(target on) {
  static const facts cpu = cpu_facts();
  if (on != target::cuda) return cpu;
  static const facts gpu = gpu_facts();
  return gpu;
}

}  // namespace

const std::string& device_name(target on) { return facts_of(on).name; }
int compute_capability(target on) { return facts_of(on).compute_capability; }
index_t last_level_cache_bytes(target on) { return facts_of(on).cache_bytes; }
index_t core_cache_bytes() { return facts_of(target::reference).core_cache_bytes; }

std::string_view kernel_source_hash(target on) {
  return on == target::cuda ? detail::gpu_kernel_hash : detail::cpu_kernel_hash;
}

}  // namespace tessera
