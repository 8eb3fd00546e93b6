// SPDX-License-Identifier: BSD-3-Clause
// Peaks and limits of a GPU by its multiprocessors.
#include "models/chip.hpp"

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

void require_chip(const chip& on) {
  require_count("chip", "the number of multiprocessors", on.multiprocessors);
  require_positive("chip", "the clock in Hz", on.clock);
}

}  // namespace

double peak_of(const chip& on, int multiply_adds) {
  require_chip(on);
  require_count("chip", "the number of multiply-adds a cycle", multiply_adds);
  return 2.0 * on.multiprocessors * multiply_adds * on.clock;
}

double of_one_multiprocessor(const chip& on, double rate) {
  require_chip(on);
  require_not_negative("chip", "the rate", rate);
  return rate / on.multiprocessors;
}

index_t resident_warps(const chip& on) { return index_t{on.multiprocessors} * on.warps; }

index_t resident_threads(const chip& on) { return index_t{on.multiprocessors} * on.threads; }

double bytes_in_flight(const chip& on, double latency, double bandwidth) {
  require_chip(on);
  require_positive("chip", "the latency in cycles", latency);
  require_positive("chip", "the bandwidth in bytes/s", bandwidth);
  return latency / on.clock * bandwidth;
}

}  // namespace tessera::bench::models
