// SPDX-License-Identifier: BSD-3-Clause
// Compile all, inspect spills, check, time; a worker whose device context is broken is abandoned.
#include "work/gpu_evaluator.hpp"

#include <algorithm>
#include <utility>

#include <tessera/detail/jit.hpp>
#include <tessera/error.hpp>

#include "measure/statistics.hpp"
#include "space/as_config.hpp"
#include "space/element_space.hpp"
#include "space/matrix_space.hpp"
#include "work/worker.hpp"

namespace tessera::tune {

using nlohmann::json;

namespace {

// A crash may be a late effect of an earlier candidate: the second worker starts clean.
constexpr int most_tries = 2;
// A sample at less than this fraction of the highest clock so far is repeated, a few times.
constexpr double throttled = 0.9;
constexpr int most_retakes = 2;

json values_of(const config& c) {
  json values = json::array();
  for (const int value : c.value) values.push_back(value);
  return values;
}

}  // namespace

worker_process::answer gpu_worker::ask(const tuning_case& c, const json& request, double seconds) {
  if (!process_ || !process_->is_alive()) {
    process_ = std::make_unique<worker_process>(program_);
    case_.clear();
    ++started_;
  }
  if (case_ != key_of(c)) {
    json named = json_of(c);
    named["do"] = "gpu case";
    const worker_process::answer a = process_->ask(named, seconds);
    if (a.how != outcome::ok) return a;
    if (a.reply.at("how") != "ok")
      throw error("the GPU worker cannot take " + key_of(c) + ": " + a.reply.value("reason", "") +
                      "; it needs 2 GiB of GPU memory for each type",
                  status::no_device);
    case_ = key_of(c);
  }
  return process_->ask(request, seconds);
}

gpu_evaluator::gpu_evaluator(const tuning_case& c, std::vector<config> configs, gpu_worker& worker,
                             gpu_settings settings)
    : case_(c),
      configs_(std::move(configs)),
      worker_(worker),
      settings_(std::move(settings)),
      states_(configs_.size()) {
  // Measured: some numbers of a thread there can be better than fewer warps.
  if (c.is_of_matrices()) settings_.most_local_bytes = std::max(settings_.most_local_bytes, 256);
  if (settings_.cache.empty())
    throw error("cannot tune the GPU: no folder for compiled candidates; name one in TESSERA_CACHE");
}

void gpu_evaluator::prepare(const std::vector<int>& candidates) {
  std::vector<int> fresh;
  for (const int i : candidates)
    if (!std::exchange(states_.at(std::size_t(i)).prepared, true)) fresh.push_back(i);
  if (fresh.empty()) return;
  const std::vector<jit_code> codes = compiled(fresh);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (!codes[i].cache_problem.empty())
      throw error("cannot keep compiled candidates: " + codes[i].cache_problem +
                  "; name another folder in TESSERA_CACHE");
    if (codes[i].machine_code.empty())
      states_[std::size_t(fresh[i])] = {true, outcome::not_compiled, codes[i].first_error()};
    else
      check(fresh[i]);
  }
}

std::vector<jit_code> gpu_evaluator::compiled(const std::vector<int>& candidates) const {
  const jit_options how{.cache_folder = settings_.cache, .threads = settings_.compile_threads};
  if (case_.is_of_matrices()) {
    std::vector<jit_matrix> kernels;
    for (const int i : candidates) kernels.push_back(jit_matrix_of(case_, configs_[std::size_t(i)]));
    return jit_compile(kernels, how, settings_.architecture);
  }
  if (case_.element) {
    std::vector<jit_element> kernels;
    for (const int i : candidates) kernels.push_back(jit_element_of(case_, configs_[std::size_t(i)]));
    return jit_compile(kernels, how, settings_.architecture);
  }
  std::vector<jit_gemm> rows;
  for (const int i : candidates)
    rows.push_back(
        {case_.type, case_.m, case_.n, case_.k, as_tuning<gpu_gemm_tuning>(configs_[std::size_t(i)]), case_.layouts});
  return jit_compile(rows, how, settings_.architecture);
}

std::vector<sample> gpu_evaluator::round(const std::vector<int>& candidates) {
  prepare(candidates);
  std::vector<sample> samples;
  for (const int i : candidates) samples.push_back(time(i));
  return samples;
}

conditions gpu_evaluator::seen() const {
  return {clocks_mhz_.empty() ? 0 : bench::median(clocks_mhz_), watts_.empty() ? 0 : bench::median(watts_)};
}

void gpu_evaluator::check(int candidate) {
  state& s = states_[std::size_t(candidate)];
  const json loaded = ask_about(candidate, "gpu load");
  if (s.how != outcome::ok) return;
  const int local = loaded.at("local_bytes");
  if (local > settings_.most_local_bytes) {
    s.how = outcome::spilled;
    s.reason = std::to_string(local) + " bytes of a thread's registers in local memory, at most " +
               std::to_string(settings_.most_local_bytes) + " are allowed";
    return;
  }
  ask_about(candidate, "gpu check");
}

sample gpu_evaluator::time(int candidate) {
  const state& s = states_[std::size_t(candidate)];
  for (int tries = 0; s.how == outcome::ok; ++tries) {
    const json reply = ask_about(candidate, "gpu time");
    if (s.how == outcome::ok) {
      // Null where they cannot be read.
      const double mhz = reply.at("mhz").is_number() ? reply.at("mhz").get<double>() : 0;
      best_mhz_ = std::max(best_mhz_, mhz);
      if (mhz < throttled * best_mhz_ && tries < most_retakes) continue;
      if (mhz > 0) clocks_mhz_.push_back(mhz);
      if (reply.at("watts").is_number()) watts_.push_back(reply.at("watts"));
      return sample_in(reply);
    }
  }
  return {s.how, 0, s.reason};
}

// The answer if it is good; otherwise the candidate's state has the failure.
json gpu_evaluator::ask_about(int candidate, const char* what) {
  state& s = states_[std::size_t(candidate)];
  const json request{{"do", what},
                     {"tuning", values_of(configs_[std::size_t(candidate)])},
                     {"cache", settings_.cache},
                     {"least", settings_.least_sample}};
  worker_process::answer a;
  for (int tries = 0; tries < most_tries; ++tries) {
    a = worker_.ask(case_, request, settings_.candidate_seconds);
    if (a.how == outcome::ok && a.reply.at("how") != "failed") break;
    // CUDA reports "failed" for an illegal address, now and in every later call of this process.
    worker_.replace();
    if (a.how == outcome::timed_out) break;
  }
  s.how = a.how;
  s.reason = a.reason;
  if (a.how != outcome::ok || a.reply.at("how") == "ok") return std::move(a.reply);
  s.how = a.reply.at("how") == "wrong" ? outcome::wrong : outcome::crashed;
  s.reason = a.reply.value("reason", "");
  return {};
}

}  // namespace tessera::tune
