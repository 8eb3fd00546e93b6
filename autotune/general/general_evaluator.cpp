// SPDX-License-Identifier: BSD-3-Clause
// Compile, check against each other, time.
#include "general/general_evaluator.hpp"

#include <algorithm>
#include <utility>

#include <tessera/error.hpp>

#include "general/general_json.hpp"
#include "measure/statistics.hpp"
#include "measure/stopwatch.hpp"

namespace tessera::tune {

using nlohmann::json;

namespace {

constexpr double most_seconds_of_a_tile = 60;  // of a check or a sample
constexpr double most_seconds_compiling = 90;  // of a tile
constexpr double least_of_a_sample = 5e-3;
constexpr int most_tries_of_a_tile = 2;
// A sample at less than this fraction of the highest clock so far is repeated.
constexpr double low_clock = 0.9;
constexpr int most_low_samples = 2;

}  // namespace

void general_worker::take(const general_case& c) {
  general_problem of;
  of.form = c.form;
  of.kind = c.kind;
  std::copy_n(c.entries, 3, of.entries);
  case_ = json(problem_json(of));
  case_["do"] = "general case";
  is_told_ = false;
}

worker_process::answer general_worker::ask(const json& request, double seconds) {
  if (!process_ || !process_->is_alive()) {
    process_ = std::make_unique<worker_process>(program_);
    is_told_ = false;
  }
  if (!is_told_ && !case_.is_null()) {
    const worker_process::answer a = process_->ask(case_, seconds);
    if (a.how != outcome::ok) return a;
    if (a.reply.at("how") != "ok")
      throw error("the GPU worker cannot take the contraction: " + a.reply.value("reason", ""), status::out_of_memory);
    is_told_ = true;
  }
  return process_->ask(request, seconds);
}

general_evaluator::general_evaluator(general_form form, std::vector<detail::general_tile> tiles, general_asks ask,
                                     std::function<void()> replace)
    : form_(form),
      tiles_(std::move(tiles)),
      ask_(std::move(ask)),
      replace_(std::move(replace)),
      states_(tiles_.size()) {}

void general_evaluator::prepare(const std::vector<int>& candidates) {
  std::vector<int> fresh;
  for (const int c : candidates)
    if (!std::exchange(states_.at(std::size_t(c)).is_prepared, true)) fresh.push_back(c);
  if (fresh.empty()) return;
  const bench::stopwatch watch;
  compile(fresh);
  compiling_ += watch.seconds();
  check(fresh);
}

void general_evaluator::compile(const std::vector<int>& candidates) {
  json tiles = json::array();
  for (const int c : candidates) tiles.push_back(json(tile_json(tiles_[std::size_t(c)], form_)));
  const worker_process::answer a = ask_({{"do", "general compile"}, {"tiles", std::move(tiles)}},
                                        most_seconds_compiling * double(candidates.size()));
  const bool is_whole = a.how == outcome::ok && a.reply.contains("made") && a.reply["made"].size() == candidates.size();
  if (!is_whole) {
    // One that kills the compiler must not take the others with it.
    replace_();
    if (candidates.size() == 1) {
      state& s = states_[std::size_t(candidates.front())];
      s.how = outcome::not_compiled;
      s.reason = a.how != outcome::ok ? a.reason : a.reply.value("reason", "the worker's answer is not valid");
      return;
    }
    for (const int c : candidates) compile({c});
    return;
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    state& s = states_[std::size_t(candidates[i])];
    s.compile_seconds = a.reply["made"][i].value("seconds", 0.0);
    s.reason = a.reply["made"][i].value("reason", "");
    if (!s.reason.empty()) s.how = outcome::not_compiled;
  }
}

// A wrong result that was compared with is found by a later one: then the earlier tiles are checked again.
void general_evaluator::check(std::vector<int> candidates) {
  for (std::size_t i = 0, again = 0; i < candidates.size(); ++i) {
    if (states_[std::size_t(candidates[i])].how != outcome::ok) continue;
    const json reply = ask_about(candidates[i], "general check");
    const bool other = reply.is_object() && reply.contains("other_was_wrong") && reply["other_was_wrong"] == true;
    if (!other || again > 0 || i == 0) continue;
    std::rotate(candidates.begin(), candidates.begin() + std::ptrdiff_t(i), candidates.begin() + std::ptrdiff_t(i) + 1);
    again = 1;
    i = 0;  // the next one is the first of the earlier ones
  }
}

std::vector<sample> general_evaluator::round(const std::vector<int>& candidates) {
  prepare(candidates);
  std::vector<sample> samples;
  for (const int c : candidates) samples.push_back(time(c));
  return samples;
}

sample general_evaluator::time(int candidate) {
  state& s = states_.at(std::size_t(candidate));
  for (int tries = 0; s.how == outcome::ok; ++tries) {
    const json reply = ask_about(candidate, "general time");
    if (s.how != outcome::ok) break;
    // Null where they cannot be read.
    const double mhz = reply.at("mhz").is_number() ? reply["mhz"].get<double>() : 0;
    best_mhz_ = std::max(best_mhz_, mhz);
    if (mhz < low_clock * best_mhz_ && tries < most_low_samples) continue;
    if (mhz > 0) clocks_mhz_.push_back(mhz);
    if (reply.at("watts").is_number()) watts_.push_back(reply["watts"]);
    return sample_in(reply);
  }
  return {s.how, 0, s.reason};
}

// The answer if it is good; otherwise the candidate's state has the failure.
json general_evaluator::ask_about(int candidate, const char* what) {
  state& s = states_[std::size_t(candidate)];
  const json request{
      {"do", what}, {"tile", json(tile_json(tiles_[std::size_t(candidate)], form_))}, {"least", least_of_a_sample}};
  worker_process::answer a;
  for (int tries = 0; tries < most_tries_of_a_tile; ++tries) {
    a = ask_(request, most_seconds_of_a_tile);
    if (a.how == outcome::ok && a.reply.at("how") != "failed") break;
    // An illegal address breaks the context: all that follows fails, too.
    replace_();
    if (a.how == outcome::timed_out) break;
  }
  s.how = a.how;
  s.reason = a.reason;
  if (a.how != outcome::ok || a.reply.at("how") == "ok") return std::move(a.reply);
  s.how = a.reply.at("how") == "wrong" ? outcome::wrong : outcome::crashed;
  s.reason = a.reply.value("reason", "");
  return {};
}

conditions general_evaluator::seen() const {
  conditions c;
  if (!clocks_mhz_.empty()) c.clock_mhz = bench::median(clocks_mhz_);
  if (!watts_.empty()) c.watts = bench::median(watts_);
  return c;
}

}  // namespace tessera::tune
