// SPDX-License-Identifier: BSD-3-Clause
// Writes the nine disclosure items.
#include "disclosure.hpp"

#include <xsimd/config/xsimd_config.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>

#include <tessera/numa.hpp>

#include "build_facts.hpp"
#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "power_meter.hpp"

namespace tessera::bench {

namespace {

using nlohmann::json;

std::string distribution() {
  std::ifstream in("/etc/os-release");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("PRETTY_NAME=")) return line.substr(13, line.size() - 14);
  return "unknown";
}

std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string interconnect() {
  const device::facts& gpu = device::this_device();
  return "one host; GPU: " + (gpu.present ? link_of_gpu(gpu.bus) : "none") +
         "; GPU traffic is outside the timed intervals";
}

json platform() {
  const machine& m = this_machine();
  json item{{"cpu", m.cpu},
            {"cores", m.cores},
            {"l1_bytes", m.l1_bytes},
            {"l2_bytes", m.l2_bytes},
            {"llc_bytes", m.llc_bytes},
            {"memory_bytes", m.memory_bytes},
            {"numa_nodes", numa_nodes()},
            {"interconnect", interconnect()}};
  const device::facts& gpu = device::this_device();
  if (!gpu.present) {
    item["gpu"] = "none";
    return item;
  }
  item["gpu"] = {{"name", gpu.name},
                 {"multiprocessors", gpu.multiprocessors},
                 {"capability", gpu.capability / 10.0},
                 {"memory_bytes", gpu.memory_bytes},
                 {"l2_bytes", gpu.l2_bytes},
                 {"highest_clock_mhz", gpu.clock_mhz}};
  return item;
}

json software(const std::vector<peer>& peers) {
  const device::facts& gpu = device::this_device();
  json libraries{{"xsimd", std::to_string(XSIMD_VERSION_MAJOR) + "." + std::to_string(XSIMD_VERSION_MINOR) + "." +
                               std::to_string(XSIMD_VERSION_PATCH)}};
  for (const peer& p : peers) libraries[p.name] = p.found ? p.version : "absent: " + p.version;
  return {{"system", distribution() + ", " + this_machine().system},
          {"compiler", build::compiler},
          {"cuda_compiler", build::cuda_compiler},
          {"gpu_driver", gpu.present ? gpu.driver : "none"},
          {"cuda_runtime", gpu.present ? gpu.runtime : "none"},
          {"libraries", libraries},
          {"profiler", "none"}};
}

json source_json(bool gpu) {
  const energy_source from = source_of_energy(gpu);
  return {{"source", from.name}, {"sampling_seconds", from.period > 0 ? json(from.period) : json(nullptr)}};
}

json timing(const options& o) {
  return {{"warm_up", "one pass for the check, one to load code and data, and the passes that calibrate the sample"},
          {"sample", "as many passes over the whole batch as last a millisecond; sustained: a tenth of a second"},
          {"repetitions", {{"least", o.reps}, {"most", 4 * o.reps}, {"until_rrs_below", 0.02}}},
          {"order", o.heat == thermal::cool ? "contenders interleaved, with another one first in each round"
                                            : "one contender after the other, 3 s of load before 2 s of samples"},
          {"disturbance", "CPU: a sample that the system interrupted is repeated, and counted"},
          {"thermal", name_of(o.heat)},
          {"energy", source_json(o.target_name == "cuda")},
          {"synchronisation", "CPU: wall clock around a sample; GPU: events around a sample on the default stream"}};
}

}  // namespace

std::string link_of_gpu(std::string bus, const std::filesystem::path& devices) {
  // CUDA writes hexadecimal digits in capitals, the system does not.
  std::transform(bus.begin(), bus.end(), bus.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  const auto rate = [&](const std::string& which) -> std::string {
    const std::filesystem::path device = devices / bus;
    const std::string speed = first_line(device / (which + "_link_speed")),
                      width = first_line(device / (which + "_link_width"));
    // A link that is not there is "Unknown", of 0 or 255 lanes.
    const bool is_known = speed.find("GT/s") != std::string::npos && !width.empty() && width != "0" && width != "255";
    return is_known ? speed + " x" + width : "unknown";
  };
  if (bus.empty()) return "unknown";
  const std::string now = rate("current"), best = rate("max");
  return now == "unknown" ? now : now + (best == "unknown" ? "" : ", at most " + best);
}

json disclose(const options& o, const std::vector<peer>& peers) {
  return {
      {"platform", platform()},
      {"software", software(peers)},
      {"build",
       {{"type", build::build_type},
        {"flags", build::flags},
        {"peer_flags", build::peer_flags},
        {"cuda_architectures", build::cuda_architectures},
        {"rows", build::rows},
        {"sanitizers", build::sanitizers},
        {"math", std::string(type_name(o.type)) + ", no fast-math, fused multiply-add where the target has it"}}},
      {"workloads",
       {{"cases", "the case, batch, type and threads of every result"},
        {"inputs", "values uniform in [-1, 1), a hash of seed and position; outputs NaN where beta = 0"},
        {"regime", "that of every result"},
        {"assumed_regime", o.assumed ? name_of(*o.assumed) : "auto"},
        {"numa", o.numa}}},
      {"timing", timing(o)},
      {"profiling",
       {{"commands", "none in this run"},
        {"metrics", "none"},
        {"attribution",
         "no counters were collected: causes of a difference are non-attributed; bench/kpi.py reads them"}}},
      {"statistics",
       {{"point", "median"},
        {"spread", "MAD; sigma = 1.4826 MAD; rrs = sigma / median"},
        {"interval", "95 % percentile bootstrap of the median, 1000 resamples, fixed seed"},
        {"across_cases", "geometric mean"}}},
      {"correctness",
       {{"reference", "the einsum summed in long double"},
        {"tolerance", "gamma_{k+2} (sum |a||b| + |beta c|), u of the type"},
        {"frequency", "every contender of every case, up to 16 batch entries, the first and the last among them"}}},
      {"artifacts",
       {{"run", o.command_line},
        {"compare", "bench/compare.py A.json B.json"},
        {"figures", "bench/plot.py FILE.json"},
        {"counters", "bench/kpi.py"}}},
  };
}

}  // namespace tessera::bench
