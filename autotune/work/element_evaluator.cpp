// SPDX-License-Identifier: BSD-3-Clause
// Check, time; and recover when the worker dies.
#include "work/element_evaluator.hpp"

#include <algorithm>
#include <utility>

#include <tessera/error.hpp>

#include "measure/statistics.hpp"
#include "work/worker.hpp"

namespace tessera::tune {

using nlohmann::json;

namespace {

constexpr long samples_a_clock = 256;
// A crash may be a late effect of an earlier candidate: the second worker starts clean.
constexpr int most_tries = 2;

}  // namespace

element_evaluator::element_evaluator(const tuning_case& c, std::vector<config> configs, worker_settings settings)
    : case_(c), configs_(std::move(configs)), settings_(std::move(settings)), states_(configs_.size()) {
  if (!is_available(c.on))
    throw error(
        std::string("cannot time element operators for ") + name_of(c.on) + ": this machine or this build lacks it",
        status::no_target);
}

void element_evaluator::prepare(const std::vector<int>& candidates) {
  for (const int i : candidates)
    if (!std::exchange(states_.at(std::size_t(i)).prepared, true)) ask_about(i, "element check");
}

std::vector<sample> element_evaluator::round(const std::vector<int>& candidates) {
  prepare(candidates);
  std::vector<sample> samples;
  for (const int i : candidates) samples.push_back(time(i));
  return samples;
}

void element_evaluator::renew() {
  if (has_memory_) worker_.reset();
}

conditions element_evaluator::seen() const { return {clocks_mhz_.empty() ? 0 : bench::median(clocks_mhz_), 0}; }

sample element_evaluator::time(int candidate) {
  const state& s = states_[std::size_t(candidate)];
  if (s.how == outcome::ok) {
    allocate();
    if (samples_++ % samples_a_clock == 0) {
      const worker_process::answer a = worker().ask({{"do", "clock"}}, settings_.candidate_seconds);
      if (a.how == outcome::ok && a.reply.contains("mhz") && a.reply.at("mhz").is_number())
        clocks_mhz_.push_back(a.reply.at("mhz").get<double>());
    }
    const json reply = ask_about(candidate, "element time");
    if (s.how == outcome::ok) return sample_in(reply);
  }
  return {s.how, 0, s.reason};
}

// The answer if it is good; otherwise the candidate's state has the failure.
json element_evaluator::ask_about(int candidate, const char* what) {
  state& s = states_[std::size_t(candidate)];
  json tuning = json::array();
  for (const int value : configs_[std::size_t(candidate)].value) tuning.push_back(value);
  const json request{{"do", what}, {"tuning", tuning}, {"least", settings_.least_sample}};
  worker_process::answer a;
  for (int tries = 0; tries < most_tries; ++tries) {
    a = worker().ask(request, settings_.candidate_seconds);
    if (a.how != outcome::crashed) break;
  }
  s.how = a.how;
  s.reason = a.reason;
  if (a.how != outcome::ok || a.reply.at("how") == "ok") return std::move(a.reply);
  s.reason = a.reply.value("reason", "");
  if (a.reply.at("how") != "wrong")
    throw error("the worker cannot run " + key_of(case_) + ": " + s.reason, status::internal);
  s.how = outcome::wrong;
  // It may have corrupted memory that other candidates would use.
  worker_.reset();
  return {};
}

void element_evaluator::allocate() {
  worker_process& w = worker();
  if (std::exchange(has_memory_, true)) return;
  const worker_process::answer a = w.ask({{"do", "element allocate"}}, settings_.allocation_seconds);
  if (a.how != outcome::ok || a.reply.at("how") != "ok")
    throw error("cannot time " + key_of(case_) + ": the worker has no memory for the operands (" +
                    (a.how == outcome::ok ? a.reply.value("reason", "") : a.reason) +
                    "); free memory or tune the cache regime alone",
                status::out_of_memory);
}

worker_process& element_evaluator::worker() {
  if (worker_ && worker_->is_alive()) return *worker_;
  worker_ = std::make_unique<worker_process>(settings_.program);
  has_memory_ = false;
  ++workers_started_;
  json named = json_of(case_);
  named["do"] = "element case";
  const worker_process::answer a = worker_->ask(named, settings_.candidate_seconds);
  if (a.how != outcome::ok || a.reply.at("how") != "ok")
    throw error("the worker '" + settings_.program + "' does not serve (" +
                    (a.how == outcome::ok ? a.reply.value("reason", "") : a.reason) +
                    "); it must be the tessera-tune-worker of this version",
                status::internal);
  return *worker_;
}

}  // namespace tessera::tune
