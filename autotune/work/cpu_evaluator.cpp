// SPDX-License-Identifier: BSD-3-Clause
// Compile, inspect the machine code, check, time; and recover when the worker dies.
#include "work/cpu_evaluator.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tessera/error.hpp>

#include "measure/machine.hpp"
#include "measure/statistics.hpp"
#include "measure/stopwatch.hpp"
#include "work/stack_traffic.hpp"
#include "work/worker.hpp"

namespace tessera::tune {

using nlohmann::json;

namespace {

constexpr long samples_a_clock = 256;
// A crash may be a late effect of an earlier candidate: the second worker starts clean.
constexpr int most_tries = 2;

// Such candidates pass their results through the stack on purpose.
bool stages_on_the_stack(const tuning_case& c, const config& how) {
  const std::vector<named_axis>& axes = gemm_family(c.on).axes;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].name == "nontemporal") return how.value[i] != 0;
  return false;
}

}  // namespace

cpu_evaluator::cpu_evaluator(const tuning_case& c, std::vector<config> configs, cpu_compiler& compiler,
                             worker_settings settings)
    : case_(c),
      configs_(std::move(configs)),
      compiler_(compiler),
      settings_(std::move(settings)),
      states_(configs_.size()) {
  if (!is_available(c.on))
    throw error(std::string("cannot time candidates for ") + name_of(c.on) + ": this machine or this build lacks it",
                status::no_target);
}

void cpu_evaluator::prepare(const std::vector<int>& candidates) {
  std::vector<int> fresh;
  for (const int i : candidates)
    if (!std::exchange(states_.at(std::size_t(i)).prepared, true)) fresh.push_back(i);
  if (fresh.empty()) return;
  compile(fresh);
  refuse_spills(fresh);
  for (const int i : fresh) check(states_[std::size_t(i)]);
}

std::vector<sample> cpu_evaluator::round(const std::vector<int>& candidates) {
  prepare(candidates);
  if (std::ranges::any_of(candidates, [&](int i) { return states_[std::size_t(i)].how == outcome::ok; })) allocate();
  const bench::stopwatch watch;
  const double before = bench::cpu_energy_joules();
  std::vector<sample> samples;
  for (const int i : candidates) samples.push_back(time(states_[std::size_t(i)]));
  // The counter wraps around occasionally.
  if (const double used = bench::cpu_energy_joules() - before; used > 0) joules_ += used, seconds_ += watch.seconds();
  return samples;
}

void cpu_evaluator::renew() {
  if (has_memory_) worker_.reset();
}

conditions cpu_evaluator::seen() const {
  return {clocks_mhz_.empty() ? 0 : bench::median(clocks_mhz_), seconds_ > 0 ? joules_ / seconds_ : 0};
}

void cpu_evaluator::compile(const std::vector<int>& candidates) {
  std::vector<candidate> all;
  for (const int i : candidates) all.push_back({case_, configs_[std::size_t(i)]});
  const std::vector<compiled> done = compiler_.compile(all);
  for (std::size_t i = 0; i < done.size(); ++i) {
    state& s = states_[std::size_t(candidates[i])];
    s.how = done[i].how;
    s.reason = done[i].reason;
    s.object = done[i].object;
    s.index = done[i].index;
  }
}

void cpu_evaluator::note_stack_accesses(const std::string& object) {
  std::vector<int>& of_index = stack_accesses_[object];
  const auto counts = stack_accesses_of(object);
  if (!counts) return;
  const worker_process::answer opened = ask_once({{"do", "open"}, {"object", object}});
  if (opened.how != outcome::ok || !opened.reply.contains("offsets")) return;
  for (const std::uint64_t offset : opened.reply["offsets"]) {
    const auto at = counts->find(offset);
    of_index.push_back(at == counts->end() ? 0 : at->second);
  }
}

void cpu_evaluator::refuse_spills(const std::vector<int>& candidates) {
  for (const int i : candidates) {
    state& s = states_[std::size_t(i)];
    if (s.how != outcome::ok || stages_on_the_stack(case_, configs_[std::size_t(i)])) continue;
    if (!stack_accesses_.contains(s.object)) note_stack_accesses(s.object);
    const std::vector<int>& accesses = stack_accesses_[s.object];
    const int count = std::size_t(s.index) < accesses.size() ? accesses[std::size_t(s.index)] : 0;
    if (count <= settings_.most_stack_accesses) continue;
    s.how = outcome::spilled;
    s.reason = std::to_string(count) + " vector accesses to the stack, at most " +
               std::to_string(settings_.most_stack_accesses) + " are allowed";
  }
}

void cpu_evaluator::check(state& s) {
  if (s.how == outcome::ok) ask_about(s, {{"do", "check"}});
}

sample cpu_evaluator::time(state& s) {
  if (s.how == outcome::ok) {
    if (samples_++ % samples_a_clock == 0) record_clock();
    const json reply = ask_about(s, {{"do", "time"}, {"least", settings_.least_sample}});
    if (s.how == outcome::ok) {
      const auto disturbed = reply.find("disturbed");
      disturbed_ += disturbed != reply.end() && disturbed->is_boolean() && disturbed->get<bool>() ? 1 : 0;
      return sample_in(reply);
    }
  }
  return {s.how, 0, s.reason};
}

// The answer if it is good; otherwise the candidate's state has the failure.
json cpu_evaluator::ask_about(state& s, json request) {
  request["object"] = s.object;
  request["index"] = s.index;
  worker_process::answer a;
  for (int tries = 0; tries < most_tries; ++tries) {
    a = ask_once(request);
    if (a.how != outcome::crashed) break;
  }
  s.how = a.how;
  s.reason = a.reason;
  if (a.how != outcome::ok || a.reply.at("how") == "ok") return std::move(a.reply);
  s.reason = a.reply.value("reason", "");
  if (a.reply.at("how") != "wrong")
    throw error("the worker cannot run candidates of " + key_of(case_) + ": " + s.reason, status::internal);
  s.how = outcome::wrong;
  // It may have corrupted memory that other candidates would use.
  worker_.reset();
  return {};
}

worker_process::answer cpu_evaluator::ask_once(const json& request) {
  if (request.at("do") == "time") allocate();
  return worker().ask(request, settings_.candidate_seconds);
}

void cpu_evaluator::allocate() {
  worker_process& w = worker();
  if (std::exchange(has_memory_, true)) return;
  const worker_process::answer a = w.ask({{"do", "allocate"}}, settings_.allocation_seconds);
  if (a.how != outcome::ok || a.reply.at("how") != "ok")
    throw error("cannot time candidates of " + key_of(case_) + ": the worker has no memory for the operands (" +
                    (a.how == outcome::ok ? a.reply.value("reason", "") : a.reason) +
                    "); free memory or tune the cache regime alone",
                status::out_of_memory);
}

void cpu_evaluator::record_clock() {
  const worker_process::answer a = worker().ask({{"do", "clock"}}, settings_.candidate_seconds);
  if (a.how == outcome::ok && a.reply.contains("mhz") && a.reply.at("mhz").is_number())
    clocks_mhz_.push_back(a.reply.at("mhz").get<double>());
}

worker_process& cpu_evaluator::worker() {
  if (worker_ && worker_->is_alive()) return *worker_;
  worker_ = std::make_unique<worker_process>(settings_.program);
  has_memory_ = false;
  ++workers_started_;
  json named = json_of(case_);
  named["do"] = "case";
  const worker_process::answer a = worker_->ask(named, settings_.candidate_seconds);
  if (a.how != outcome::ok || a.reply.at("how") != "ok")
    throw error("the worker '" + settings_.program + "' does not serve (" +
                    (a.how == outcome::ok ? a.reply.value("reason", "") : a.reason) +
                    "); it must be the tessera-tune-worker of this version",
                status::internal);
  return *worker_;
}

}  // namespace tessera::tune
