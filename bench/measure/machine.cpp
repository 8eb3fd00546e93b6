// SPDX-License-Identifier: BSD-3-Clause
// Facts of this machine's CPU from the operating system.
#include "measure/machine.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "measure/stopwatch.hpp"

namespace tessera::bench {

namespace {

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  std::string line, family, number, name;
  const auto value = [&] { return line.substr(std::min(line.size(), line.find(':') + 2)); };
  while (std::getline(in, line) && (name.empty() || number.empty() || family.empty())) {
    if (line.starts_with("model name"))
      name = value();
    else if (line.starts_with("cpu family"))
      family = value();
    else if (line.starts_with("model"))
      number = value();
    if (line.empty() && !name.empty()) break;
  }
  if (name.empty()) return "unknown";
  return family.empty() ? name : name + " (family " + family + ", model " + number + ")";
}

// "1024K" or "32M" in bytes.
std::size_t bytes_of(const std::string& text) {
  std::size_t digits = 0;
  const std::size_t value = text.empty() ? 0 : std::stoul(text, &digits);
  const char unit = digits < text.size() ? text[digits] : ' ';
  return unit == 'K' ? value << 10 : unit == 'M' ? value << 20 : value;
}

void read_caches(machine& m) {
  for (int i = 0; i < 8; ++i) {
    const std::string index = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    const std::string level = first_line(index + "level");
    if (level.empty()) break;
    const std::size_t bytes = bytes_of(first_line(index + "size"));
    if (bytes == 0 || first_line(index + "type") == "Instruction") continue;
    if (level == "1") m.l1_bytes = bytes;
    if (level == "2") m.l2_bytes = m.llc_bytes = bytes;
    if (level > "2") {
      m.llc_bytes = bytes;
      m.has_l3 = true;
    }
  }
}

machine read_machine() {
  machine m;
  m.cpu = cpu_name();
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) m.cores = CPU_COUNT(&usable);
  read_caches(m);
  m.memory_bytes = std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
  utsname kernel{};
  if (uname(&kernel) == 0) m.system = std::string(kernel.sysname) + " " + kernel.release + " " + kernel.machine;
  return m;
}

}  // namespace

const machine& this_machine() {
  static const machine m = read_machine();
  return m;
}

double measured_clock_mhz() {
  constexpr long steps = 2'000'000;
  double best = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 3; ++repeat) {
    long sum = 0, step = 3;
    asm volatile("" : "+r"(sum), "+r"(step));
    const stopwatch watch;
    for (long i = 0; i < steps; i += 8) {
#pragma GCC unroll 8
      for (int u = 0; u < 8; ++u) {
        sum += step;  // one cycle of latency on every core in use
        asm volatile("" : "+r"(sum));
      }
    }
    best = std::min(best, watch.seconds());
  }
  return double(steps) / best * 1e-6;
}

long involuntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

double cpu_energy_joules() {
  const std::string text = first_line("/sys/class/powercap/intel-rapl:0/energy_uj");
  return text.empty() ? std::numeric_limits<double>::quiet_NaN() : std::stod(text) * 1e-6;
}

}  // namespace tessera::bench
