// SPDX-License-Identifier: BSD-3-Clause
// Samples power.
#include "power_meter.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "measure/gpu/nvml.hpp"
#include "measure/machine.hpp"
#include "models/energy.hpp"

namespace tessera::bench {

namespace {

constexpr double usual_period = 0.02;  // seconds; boards renew their reading every 20 to 100 ms

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Empty where there is a counter, or no power.
power_meter* integrating_meter() {
  static const auto once = [] {
    const bool needed = !std::isfinite(nvml::joules()) && std::isfinite(nvml::watts());
    return needed ? std::make_unique<power_meter>(nvml::watts, usual_period) : nullptr;
  }();
  return once.get();
}

}  // namespace

power_meter::power_meter(std::function<double()> watts, double period_seconds)
    : watts_(std::move(watts)), last_seconds_(now()), last_watts_(watts_()) {
  thread_ = std::thread([this, period_seconds] {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::duration<double>(period_seconds), [this] { return stop_; })) sample();
  });
}

power_meter::~power_meter() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void power_meter::sample() {
  const double seconds = now(), watts = watts_();
  if (!std::isfinite(watts) || !std::isfinite(joules_)) {
    joules_ = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  joules_ += models::integrated_energy({{last_seconds_, last_watts_}, {seconds, watts}});
  last_seconds_ = seconds;
  last_watts_ = watts;
}

double power_meter::joules() {
  const std::lock_guard lock(mutex_);
  sample();
  return joules_;
}

double gpu_joules() {
  power_meter* const meter = integrating_meter();
  return meter != nullptr ? meter->joules() : nvml::joules();
}

energy_source source_of_energy(bool gpu) {
  if (!gpu) return {std::isfinite(cpu_energy_joules()) ? "RAPL, the package's counter" : "none"};
  if (integrating_meter() != nullptr) return {"NVML, power of the board by the trapezoidal rule", usual_period};
  return {std::isfinite(nvml::joules()) ? "NVML, the board's counter" : "none"};
}

}  // namespace tessera::bench
