// SPDX-License-Identifier: BSD-3-Clause
// Runs the search over journal and device, and puts the record together.
#include "command/tune_case.hpp"

#include <algorithm>
#include <ctime>

#include <tessera/choose.hpp>
#include <tessera/device_facts.hpp>

#include "search/journaled.hpp"
#include "search/selection.hpp"
#include "space/as_config.hpp"
#include "space/element_run_space.hpp"
#include "space/element_space.hpp"
#include "statistics.hpp"

namespace tessera::tune {

namespace {

constexpr int duel_rounds = 15;
// Of the median ratio of a duel.
constexpr int resamples = 300;
constexpr double confidence = 0.99;

// Of an element operator on a CPU: how applications go over the elements is what is tuned.
bool is_run(const tuning_case& c) { return c.element && c.on != target::cuda; }

// What this build runs there on this machine.
config present_config(const tuning_case& c, const config& otherwise) {
  if (is_run(c)) return as_config(choose_element_run(run_facts_of(c), c.on, c.in).run);
  if (c.element) {
    const element_kernel_facts facts = jit_element_of(c, {}).facts();
    return as_config(default_element_tuning(facts, gpu_limits_of(compute_capability(c.on))));
  }
  if (c.lies != packed_lies{}) return otherwise;
  choice_query q{.where = c.on, .type = c.type, .m = c.m, .n = c.n, .k = c.k};
  q.device = device_name(c.on);
  q.compute_capability = compute_capability(c.on);
  q.cache_bytes = 1;
  q.bytes = c.in == memory_regime::stream ? 2 : 1;
  const choice row = choose(q);
  if (row.record == choice::generic) return otherwise;
  const auto at = std::size_t(row.record);
  return c.on == target::cuda ? as_config(gpu_gemm_records[at].tuning) : as_config(cpu_gemm_records[at].tuning);
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

struct duel {
  outcome winner = outcome::ok, initial = outcome::ok;
  double ratio = 1, mad = 0;  // seconds of the default over those of the winner; the spread of the default's seconds
  double least = 1;           // the low end of where the ratio is
};

// Winner and default one after the other in every round: the median of their ratios is free of drift.
duel fought(int winner, int initial, evaluator& e) {
  duel d;
  if (winner == initial) return d;
  std::vector<double> ratios, seconds;
  for (int i = 0; i < duel_rounds && d.winner == outcome::ok && d.initial == outcome::ok; ++i) {
    if (i % rounds_a_sitting == 0) e.renew();
    const std::vector<sample> both = e.round({winner, initial});
    d.winner = both[0].how;
    d.initial = both[1].how;
    if (d.winner != outcome::ok || d.initial != outcome::ok) break;
    ratios.push_back(both[1].seconds / both[0].seconds);
    seconds.push_back(both[1].seconds);
  }
  if (ratios.empty()) return d;
  d.ratio = bench::median(ratios);
  d.mad = bench::median_absolute_deviation(seconds);
  d.least = bench::bootstrap_median(ratios, resamples, confidence).low;
  return d;
}

// The default wins after all.
void give_way(search_result& result, int initial, const duel& d) {
  result.runner_up = result.winner;
  result.runner_up_median = result.median;
  result.winner = initial;
  result.median *= d.ratio;
  result.mad = d.mad;
}

}  // namespace

config initial_of(const tuned_device& on, const tuning_case& c) {
  if (!c.element) return on.gemm().initial;
  if (is_run(c)) return as_config(ruled_element_run(run_facts_of(c), c.on, c.in));
  const element_kernel_facts facts = jit_element_of(c, {}).facts();
  return as_config(ruled_element_tuning(facts, gpu_limits_of(compute_capability(c.on))));
}

space searched_space(const tuned_device& on, const tuning_case& c, int most) {
  if (is_run(c)) return element_run_space(c, as_tuning<element_run>(present_config(c, {})), most);
  if (c.element) {
    const gpu_limits limits = gpu_limits_of(compute_capability(c.on));
    return element_space(c, as_element_tuning(present_config(c, {})), limits, most);
  }
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

std::vector<config> likely_configs(const space& s, const search_options& o) {
  const std::vector<int> order = ranked(s);
  // What the model says is not all that a search takes, and what it takes otherwise is compiled by itself.
  const auto wanted = std::size_t(allowance(problem_of(s), o) + 2);
  const config& initial = s.candidates[std::size_t(s.initial)];
  std::vector<config> likely{initial};
  const auto add = [&](const config& c) {
    if (std::find(likely.begin(), likely.end(), c) == likely.end()) likely.push_back(c);
  };
  if (const int present = position_of(present_config(s.of, initial), s.candidates); present >= 0)
    add(s.candidates[std::size_t(present)]);
  for (std::size_t i = 0; i < order.size() && likely.size() < wanted; ++i) add(s.candidates[std::size_t(order[i])]);
  return likely;
}

tuned_case tune_case(tuned_device& on, const space& s, const named_strategy& how, const search_options& o,
                     journal& memory) {
  const std::unique_ptr<evaluator> measures = on.evaluator_for(s.of, s.candidates);
  journaled_evaluator remembers(*measures, memory, key_of(s.of), s.candidates);
  search_problem p = problem_of(s);
  const int present = position_of(present_config(s.of, initial_of(on, s.of)), s.candidates);
  p.incumbent = present >= 0 ? present : s.initial;
  search_result result = how.run(p, remembers, o);

  tuned_case t;
  t.timings = recorded(s, result);
  for (const tried& each : result.all)
    if (each.how != outcome::ok && t.failed++ == 0) t.failure = std::string(name_of(each.how)) + ": " + each.reason;
  if (result.winner < 0) return t;
  // Under a name of its own: a search that goes on later must not take these samples for its own.
  journaled_evaluator apart(*measures, memory, key_of(s.of) + ", against the default", s.candidates);
  const duel d = fought(result.winner, s.initial, apart);
  if (d.winner != outcome::ok) {
    // It failed after all, whatever it did before.
    t.failed++;
    t.failure = std::string(name_of(d.winner)) + " in the end";
    if (d.initial != outcome::ok || result.runner_up < 0) return t;
    result.winner = result.runner_up;
    result.median = result.runner_up_median;
  } else if (d.initial == outcome::ok &&
             (d.ratio < 1 || (is_run(s.of) && result.winner != s.initial && d.least <= 1))) {
    // Noise let a worse one win. The rule of an element operator on a CPU is not far from the best of its few
    // candidates, and stays unless the winner is apart from it.
    give_way(result, s.initial, d);
    result.tie = true;
  }
  t.has_winner = true;
  record& r = t.found;
  if (d.initial == outcome::ok && d.winner == outcome::ok)
    r.initial_seconds = result.winner == s.initial ? result.median : result.median * d.ratio;
  r.of = s.of;
  r.winner = s.candidates[std::size_t(result.winner)];
  r.runner_up = s.candidates[std::size_t(result.runner_up >= 0 ? result.runner_up : result.winner)];
  r.seconds = result.median;
  r.mad = result.mad;
  r.runner_up_seconds = result.runner_up >= 0 ? result.runner_up_median : result.median;
  r.fraction = on.bound(s.of) / result.median;
  r.tie = result.tie;
  r.tried = int(result.all.size());
  r.clock_mhz = remembers.seen().clock_mhz;
  r.watts = remembers.seen().watts;
  r.candidates = int(s.candidates.size());
  r.strategy = how.name;
  r.date = today();
  return t;
}

}  // namespace tessera::tune
