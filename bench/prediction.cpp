// SPDX-License-Identifier: BSD-3-Clause
// Predictions, and the copies that they rest on.
#include "prediction.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <tessera/error.hpp>
#include <tessera/memory.hpp>

#include "measure/gpu/device.hpp"
#include "measure/limits/cpu.hpp"
#include "measure/limits/isa.hpp"
#include "measure/machine.hpp"
#include "measure/measure.hpp"
#include "measure/trust.hpp"
#include "models/roofline.hpp"
#include "report.hpp"

namespace tessera::bench {

namespace {

using nlohmann::json;

constexpr double megabyte = 1 << 20;

json finite_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

std::vector<memory_level> levels_of_cpu(int threads) {
  const machine& m = this_machine();
  const auto parts_of = [](double bytes) { return std::vector{bytes / 8, bytes / 4, bytes / 2}; };
  const double l1 = double(m.l1_bytes) * threads, l2 = double(m.l2_bytes) * threads, last = double(m.llc_bytes);
  std::vector<memory_level> all{{"L1", l1, parts_of(l1)}, {"L2", l2, parts_of(l2)}};
  if (m.has_l3 && last > l2) all.push_back({"L3", last, parts_of(last)});
  const double in_memory = std::max(4 * last, 256 * megabyte);
  all.push_back({.name = "DRAM", .sizes = {in_memory / 2, 0.75 * in_memory, in_memory}});
  return all;
}

std::vector<memory_level> levels_of_gpu() {
  return {{"L2", device_cache_bytes, {0.25 * megabyte, megabyte, 4 * megabyte, 12 * megabyte, 24 * megabyte}},
          {.name = "DRAM", .sizes = {128 * megabyte, 384 * megabyte, 1024 * megabyte}}};
}

// Seconds of a pass, the shortest of up to five samples, since other load only lengthens them. On a busy machine
// threads may wait for each other in every pass: then fewer do.
double timed(const std::function<void()>& pass, const timer& time) {
  constexpr double least_sample = 5e-4, most_seconds = 0.1;
  time(pass, 1);
  long passes = 1;
  double seconds = time(pass, passes);
  while (seconds < least_sample) seconds = time(pass, passes *= 2);
  double shortest = seconds / double(passes), spent = seconds;
  for (int more = 4; more > 0 && spent < most_seconds; --more) {
    seconds = time(pass, passes);
    spent += seconds;
    shortest = std::min(shortest, seconds / double(passes));
  }
  return shortest;
}

// Two arrays read, one written, as a product moves its operands; from memory the better of both kinds of stores.
double copy_on_cpu(double bytes, int threads, bool in_memory) {
  const std::size_t n = std::size_t(bytes / 3 / sizeof(double)) / 64 * 64, stride = n + 64;
  const buffer memory(space_kind::cpu, 3 * stride * sizeof(double));
  double* const base = static_cast<double*>(memory.data());
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t i = 0; i < 3 * stride; ++i)
    base[i] = std::bit_cast<double>(written_bits);  // zeros are copied faster
  const arrays moved{base, base + stride, base + 2 * stride, n, n, n};
  const double ordinary = timed([&] { move_once(moved, false, false, threads); }, host_seconds);
  if (!in_memory) return ordinary;
  return std::min(ordinary, timed([&] { move_once(moved, false, true, threads); }, host_seconds));
}

}  // namespace

models::transfer_line line_through(const std::vector<models::transfer_sample>& samples) {
  models::transfer_line line = models::fit_transfers(samples);
  if (std::isfinite(line.bandwidth)) return line;
  const auto by_bytes = [](const auto& a, const auto& b) { return a.bytes < b.bytes; };
  const models::transfer_sample& largest = *std::max_element(samples.begin(), samples.end(), by_bytes);
  line = {.bandwidth = largest.bytes / largest.seconds};
  for (const models::transfer_sample& s : samples)
    line.worst_fit = std::max(line.worst_fit, std::abs(s.bytes / line.bandwidth / s.seconds - 1));
  return line;
}

models::transfer_line line_of_copies(const std::vector<double>& sizes,
                                     const std::function<double(double)>& seconds_of) {
  constexpr int most_rounds = 3;
  std::vector<models::transfer_sample> samples;
  for (const double bytes : sizes) samples.push_back({bytes, seconds_of(bytes)});
  models::transfer_line line = line_through(samples);
  for (int round = 1; round < most_rounds && line.latency <= 0; ++round) {
    for (models::transfer_sample& s : samples) s.seconds = std::min(s.seconds, seconds_of(s.bytes));
    line = line_through(samples);
  }
  return line;
}

std::string latency_text(double seconds) { return seconds > 0 ? duration(seconds) : "not seen"; }

prediction predict(const memory_level& in, double peak, double flops, double bytes) {
  return predict(in, peak, flops, bytes, in.line.latency);
}

prediction predict(const memory_level& in, double peak, double flops, double bytes, double latency) {
  prediction p{.level = in.name, .latency = latency, .bandwidth = in.line.bandwidth};
  p.peak = std::isfinite(peak) && peak > 0 ? peak : 0;
  const double moved = models::transfer_seconds({.bandwidth = in.line.bandwidth}, 0, bytes);
  const double computed = p.peak > 0 ? flops / p.peak : 0;
  if (computed > moved) p.by = "flops";
  p.seconds = latency + std::max(moved, computed);
  return p;
}

json to_json(const prediction& p, double flops, double bytes, double measured_seconds) {
  json made{{"seconds", p.seconds},
            {"by", p.by},
            {"level", p.level},
            {"latency", p.latency},
            {"bandwidth", finite_or_null(p.bandwidth)},
            {"peak", p.peak > 0 ? json(p.peak) : json(nullptr)},
            {"over_measured", finite_or_null(p.seconds / measured_seconds)},
            {"intensity", finite_or_null(flops / bytes)},
            {"ridge", nullptr},
            {"improve", nullptr}};
  const models::roofline roof{p.peak, p.bandwidth};
  if (!(p.peak > 0 && std::isfinite(p.bandwidth) && bytes > 0 && measured_seconds > 0)) return made;
  made["ridge"] = models::ridge_point(roof);
  made["improve"] =
      p.latency > p.seconds / 2 ? "launches" : models::name_of(models::advice(roof, flops, bytes, measured_seconds));
  return made;
}

memory_model::memory_model(space_kind space, int threads)
    : space_(space), threads_(threads), levels_(space == space_kind::gpu ? levels_of_gpu() : levels_of_cpu(threads)) {}

memory_model::memory_model(std::vector<memory_level> levels) : levels_(std::move(levels)) {}

void memory_model::measure(memory_level& level) const {
  level.line = line_of_copies(level.sizes, [&](double bytes) {
    return space_ == space_kind::gpu ? timed(device::copy_pass(std::size_t(bytes)), device::seconds)
                                     : copy_on_cpu(bytes, threads_, &level == &levels_.back());
  });
}

const memory_level& memory_model::level_for(double bytes) {
  for (memory_level& level : levels_) {
    if (bytes > level.capacity) continue;
    if (level.line.bandwidth == 0) measure(level);
    return level;
  }
  throw error("memory model: no level holds " + std::to_string((long long)(bytes)) + " bytes");
}

const std::vector<memory_level>& memory_model::measured() {
  for (memory_level& level : levels_)
    if (level.line.bandwidth == 0) measure(level);
  return levels_;
}

json memory_model::to_json() const {
  json all = json::array();
  for (const memory_level& level : levels_)
    if (level.line.bandwidth > 0)
      all.push_back({{"level", level.name},
                     {"capacity", finite_or_null(level.capacity)},
                     {"latency", level.line.latency > 0 ? json(level.line.latency) : json(nullptr)},
                     {"bandwidth", finite_or_null(level.line.bandwidth)},
                     {"worst_fit", level.line.worst_fit}});
  return all;
}

}  // namespace tessera::bench
