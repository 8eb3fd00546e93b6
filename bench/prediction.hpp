// SPDX-License-Identifier: BSD-3-Clause
// What the models say a case takes: by the levels of memory, which are measured when a case first needs them.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tessera/space.hpp>

#include "models/transfer.hpp"

namespace tessera::bench {

/// A level of memory: data of at most `capacity` bytes stays in it, and copying it takes as long as the line says.
struct memory_level {
  std::string name;
  double capacity = std::numeric_limits<double>::infinity();  // bytes
  std::vector<double> sizes = {};                             // bytes of the copies that the line is fitted to
  models::transfer_line line = {};                            // bandwidth 0: not measured yet
};

/// Latency and the longer of two times: T_0 + max(Q / B, F / P).
struct prediction {
  double seconds = 0;
  const char* by = "bandwidth";
  std::string level;
  double latency = 0;    // seconds
  double bandwidth = 0;  // bytes/s
  double peak = 0;       // flop/s; 0: flops are no bound
};

/// `peak` as in `prediction`; a peak that is not finite counts as 0.
prediction predict(const memory_level& in, double peak, double flops, double bytes);
/// The same with a latency that is known otherwise, such as that of a thousand launches.
prediction predict(const memory_level& in, double peak, double flops, double bytes, double latency);

/// Its members, and how it compares with a measured time: predicted / measured, intensity, ridge and what to improve.
nlohmann::json to_json(const prediction& p, double flops, double bytes, double measured_seconds);

/// The line of a level. Where a busy machine copied more bytes in less time, it is that of the largest copy, without
/// latency, so that the bandwidth is finite.
models::transfer_line line_through(const std::vector<models::transfer_sample>& samples);

/// Such a line of copies of these sizes, `seconds_of` bytes each. On a busy machine the times of one round may leave no
/// latency: then up to two more rounds are taken, and of each size the shortest time counts.
models::transfer_line line_of_copies(const std::vector<double>& sizes, const std::function<double(double)>& seconds_of);

/// A latency as text: "1.50 us", or "not seen" where the times left none, which is no latency of 0.
std::string latency_text(double seconds);

class memory_model {
 public:
  /// Of this machine: caches and memory of `threads` cores, or L2 and memory of the GPU.
  memory_model(space_kind space, int threads);
  /// Levels that are known, smallest first; the last one has room for everything.
  explicit memory_model(std::vector<memory_level> levels);

  /// The level that holds this many bytes; measured by the first call.
  const memory_level& level_for(double bytes);
  /// Measures all that were not.
  const std::vector<memory_level>& measured();

  /// Levels that were measured.
  nlohmann::json to_json() const;

 private:
  void measure(memory_level& level) const;

  space_kind space_ = space_kind::cpu;
  int threads_ = 1;
  std::vector<memory_level> levels_;
};

}  // namespace tessera::bench
