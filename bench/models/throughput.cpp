// SPDX-License-Identifier: BSD-3-Clause
// Models of the microbenchmarks.
#include "models/throughput.hpp"

#include <algorithm>

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

int warps_of(int threads) { return (threads + 31) / 32; }

}  // namespace

double stride_traffic(double stride, double entry_bytes, double sector_bytes) {
  require_count("stride", "the stride in entries", stride);
  require_positive("stride", "the size of an entry in bytes", entry_bytes);
  require_positive("stride", "the size of a sector in bytes", sector_bytes);
  return std::max(1.0, std::min(stride, sector_bytes / entry_bytes));
}

double masked_footprint(double bytes, double stride, double entry_bytes, double sector_bytes) {
  require_not_negative("stride", "the number of bytes", bytes);
  return bytes * stride_traffic(stride, entry_bytes, sector_bytes) / stride;
}

multiprocessor with_threads(int threads) {
  if (threads < 32) refuse("occupancy", "the number of threads of a multiprocessor", threads, "at least 32");
  multiprocessor made;
  made.warps = threads / 32;
  return made;
}

int resident_blocks(int registers, int threads, const multiprocessor& on) {
  if (registers < 1 || registers > 255)
    refuse("occupancy", "the number of registers of a thread", registers, "1 to 255");
  if (threads < 1 || threads > 1024) refuse("occupancy", "the number of threads of a block", threads, "1 to 1024");
  constexpr int lanes = 32;
  const int warps = warps_of(threads);
  const int units = (registers * lanes + on.register_unit - 1) / on.register_unit;
  // Each scheduler has its part of the registers, and a warp's are in one part.
  const int by_registers = on.registers / on.schedulers / (units * on.register_unit) * on.schedulers / warps;
  return std::min({by_registers, on.warps / warps, on.blocks});
}

double occupancy(int registers, int threads, const multiprocessor& on) {
  const int warps = resident_blocks(registers, threads, on) * warps_of(threads);
  return double(warps) / on.warps;
}

double issue_fraction(double warps, double chains, double latency) {
  require_not_negative("issue", "the number of warps of a scheduler", warps);
  require_not_negative("issue", "the number of independent chains", chains);
  require_positive("issue", "the latency in cycles", latency);
  return std::min(1.0, warps * chains / latency);
}

}  // namespace tessera::bench::models
