// SPDX-License-Identifier: BSD-3-Clause
// Runs the search over journal and device, and puts the record together.
#include "command/tune_case.hpp"

#include <algorithm>
#include <ctime>

#include <tessera/gpu_records.hpp>
#include <tessera/records.hpp>

#include "search/journaled.hpp"
#include "space/as_config.hpp"
#include "statistics.hpp"

namespace tessera::tune {

namespace {

constexpr int duel_rounds = 15;

// What this build runs at that size.
config present_config(const tuning_case& c, const config& otherwise) {
  if (c.on != target::cuda) return as_config(cpu_tuning_for(c.on, c.type, c.m, c.n, c.k));
  for (const gpu_gemm_record& r : gpu_gemm_records)
    if (r.type == c.type && r.m == c.m && r.n == c.n && r.k == c.k) return as_config(r.tuning);
  return otherwise;
}

int position_of(const config& c, const std::vector<config>& all) {
  const auto found = std::find(all.begin(), all.end(), c);
  return found == all.end() ? -1 : int(found - all.begin());
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// Winner and default one after the other in every round: the median of their ratios is free of drift.
double seconds_of_default(int winner, double winner_seconds, int initial, evaluator& e) {
  if (winner == initial) return winner_seconds;
  std::vector<double> ratios;
  for (int i = 0; i < duel_rounds; ++i) {
    const std::vector<sample> both = e.round({winner, initial});
    if (both[0].how == outcome::ok && both[1].how == outcome::ok) ratios.push_back(both[1].seconds / both[0].seconds);
  }
  return ratios.empty() ? 0 : winner_seconds * bench::median(ratios);
}

}  // namespace

space searched_space(const tuned_device& on, const tuning_case& c, int most) {
  const space whole = make_space(on.gemm(), c, on.limits());
  std::vector<int> chosen = shortlist(whole, most);
  const int present = position_of(present_config(c, on.gemm().initial), whole.candidates);
  if (present >= 0 && std::find(chosen.begin(), chosen.end(), present) == chosen.end()) chosen.push_back(present);
  space s = whole;
  s.candidates.clear();
  s.predicted.clear();
  for (const int i : chosen) {
    if (i == whole.initial) s.initial = int(s.candidates.size());
    s.candidates.push_back(whole.candidates[std::size_t(i)]);
    s.predicted.push_back(whole.predicted[std::size_t(i)]);
  }
  return s;
}

std::vector<config> likely_configs(const space& s, double share) {
  const std::vector<int> order = ranked(s);
  const std::size_t wanted = std::max<std::size_t>(20, std::size_t(2 * share * double(order.size())));
  std::vector<config> likely{s.candidates[std::size_t(s.initial)]};
  for (std::size_t i = 0; i < order.size() && likely.size() < wanted; ++i)
    if (order[i] != s.initial) likely.push_back(s.candidates[std::size_t(order[i])]);
  return likely;
}

tuned_case tune_case(tuned_device& on, const space& s, const named_strategy& how, const search_options& o,
                     journal& memory) {
  const std::unique_ptr<evaluator> measures = on.evaluator_for(s.of, s.candidates);
  journaled_evaluator remembers(*measures, memory, key_of(s.of), s.candidates);
  search_problem p = problem_of(s);
  const int present = position_of(present_config(s.of, on.gemm().initial), s.candidates);
  p.incumbent = present >= 0 ? present : s.initial;
  search_result result = how.run(p, remembers, o);

  tuned_case t;
  t.timings = recorded(s, result);
  for (const tried& each : result.all)
    if (each.how != outcome::ok && t.failed++ == 0) t.failure = std::string(name_of(each.how)) + ": " + each.reason;
  if (result.winner < 0) return t;
  record& r = t.found;
  r.initial_seconds = seconds_of_default(result.winner, result.median, s.initial, remembers);
  if (r.initial_seconds > 0 && r.initial_seconds < result.median) {
    // Noise let a worse one win: the default stays.
    result.runner_up = result.winner;
    result.runner_up_median = result.median;
    result.winner = s.initial;
    result.median = r.initial_seconds;
    result.tie = true;
  }
  t.has_winner = true;
  r.of = s.of;
  r.winner = s.candidates[std::size_t(result.winner)];
  r.runner_up = s.candidates[std::size_t(result.runner_up >= 0 ? result.runner_up : result.winner)];
  r.seconds = result.median;
  r.mad = result.mad;
  r.runner_up_seconds = result.runner_up >= 0 ? result.runner_up_median : result.median;
  r.fraction = on.bound(s.of) / result.median;
  r.tie = result.tie;
  r.tried = int(result.all.size());
  r.candidates = int(s.candidates.size());
  r.strategy = how.name;
  r.date = today();
  return t;
}

}  // namespace tessera::tune
