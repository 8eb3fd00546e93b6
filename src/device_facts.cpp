// SPDX-License-Identifier: BSD-3-Clause
// Queries the processor and GPU once, from the operating system and the CUDA runtime.
#include <tessera/device_facts.hpp>

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "kernel_hashes.hpp"

namespace tessera {

namespace {

struct facts {
  std::string name = "unknown";
  int compute_capability = 0;
  index_t cache_bytes = 0;
  index_t core_cache_bytes = 0, first_cache_bytes = 0;  // of a CPU
};

// Reads a system file. Running out of memory throws: a stream would treat it as the end of the file, and the result is
// cached.
std::ifstream opened(const std::string& path) {
  std::ifstream in(path);
  in.exceptions(std::ios::badbit);
  return in;
}

std::string cpu_name() try {
  std::ifstream in = opened("/proc/cpuinfo");
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
} catch (const std::ios_base::failure&) {  // it cannot be read
  return "unknown";
}

// The bytes of the cache of that level of the first core, 0 if there is none. sysconf returns the sum over separate
// caches: 320 MB of L3 of which a core can use 32.
index_t cache_of_level(int level, int otherwise) try {
  for (int i = 0; i < 8; ++i) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i);
    std::ifstream levels = opened(folder + "/level"), types = opened(folder + "/type"),
                  sizes = opened(folder + "/size");
    int of = 0;
    std::string type;
    index_t size = 0;
    char unit = 0;
    if (!(levels >> of) || of != level || !(types >> type) || type == "Instruction" || !(sizes >> size)) continue;
    if (!(sizes >> unit)) return size;
    return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size;
  }
  return std::max<index_t>(sysconf(otherwise), 0);
} catch (const std::ios_base::failure&) {
  return std::max<index_t>(sysconf(otherwise), 0);
}

facts cpu_facts() {
  const index_t second = cache_of_level(2, _SC_LEVEL2_CACHE_SIZE), third = cache_of_level(3, _SC_LEVEL3_CACHE_SIZE);
  return {cpu_name(), 0, third > 0 ? third : second, second, cache_of_level(1, _SC_LEVEL1_DCACHE_SIZE)};
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

std::string why_no_gpu() { return device::why_not_available(); }

const std::string& device_name(target on) { return facts_of(on).name; }
int compute_capability(target on) { return facts_of(on).compute_capability; }
index_t last_level_cache_bytes(target on) { return facts_of(on).cache_bytes; }
index_t core_cache_bytes() { return facts_of(target::reference).core_cache_bytes; }
index_t first_cache_bytes() { return facts_of(target::reference).first_cache_bytes; }

std::string_view kernel_source_hash(target on) {
  return on == target::cuda ? detail::gpu_kernel_hash : detail::cpu_kernel_hash;
}

}  // namespace tessera
