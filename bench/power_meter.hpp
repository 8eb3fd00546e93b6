// SPDX-License-Identifier: BSD-3-Clause
// Energy of a device that reports only its power: samples of it, integrated by the trapezoidal rule.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tessera::bench {

/// Samples in a thread of its own while it exists.
class power_meter {
 public:
  explicit power_meter(std::function<double()> watts, double period_seconds = 0.02);
  ~power_meter();
  power_meter(const power_meter&) = delete;
  power_meter& operator=(const power_meter&) = delete;

  /// Since the meter was made; takes a sample. NaN once the power could not be read.
  double joules();

 private:
  void sample();

  std::function<double()> watts_;
  double last_seconds_, last_watts_, joules_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

/// Joules that GPU 0 has used so far: NVML's counter where it has one, else its power, integrated.
double gpu_joules();

/// Where the energy of results comes from, and the sampling period in seconds, 0 for a counter.
struct energy_source {
  std::string name;
  double period = 0;
};
energy_source source_of_energy(bool gpu);

}  // namespace tessera::bench
