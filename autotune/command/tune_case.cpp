// SPDX-License-Identifier: BSD-3-Clause
// Runs the search over journal and device, and composes the record.
#include "command/tune_case.hpp"

#include <algorithm>
#include <ctime>
#include <optional>

#include <tessera/device_facts.hpp>
#include <tessera/explain.hpp>

#include "command/contest.hpp"
#include "search/journaled.hpp"
#include "search/selection.hpp"
#include "space/as_config.hpp"
#include "space/element_run_space.hpp"
#include "space/element_space.hpp"
#include "space/matrix_space.hpp"

namespace tessera::tune {

namespace {

// Of an element operator on a CPU: the tuning is how applications loop over the elements.
bool is_run(const tuning_case& c) { return c.element && c.on != target::cuda; }

gpu_limits limits_of(target on) { return gpu_limits_of(compute_capability(on)); }

std::optional<config> present_gemm(const tuning_case& c) {
  choice_query q{.where = c.on, .type = c.type, .m = c.m, .n = c.n, .k = c.k};
  q.cache_bytes = 1;
  q.bytes = c.in == memory_regime::stream ? 2 : 1;
  const auto config_of = [](const auto& tuning) { return tuning ? std::optional(as_config(*tuning)) : std::nullopt; };
  return c.on == target::cuda ? config_of(gpu_tuning_for(q, c.layouts)) : config_of(cpu_tuning_for(q));
}

// The tuning that the library uses for such a case in this process, by the current records (a file given at run time
// included); empty if that is the generic row: on a CPU if it has no row of these sizes.
std::optional<config> present_config(const family& gemm, const tuning_case& c) {
  if (c.is_of_matrices()) return as_config(choose_matrix_tuning(jit_matrix_of(c, {}).of, limits_of(c.on)).tuning);
  if (is_run(c)) return as_config(choose_element_run(run_facts_of(c), c.on, c.in).run);
  if (c.element) {
    const element_kernel_facts facts = jit_element_of(c, {}).facts();
    return as_config(default_element_tuning(facts, limits_of(c.on)));
  }
  const std::optional<config> found = present_gemm(c);
  if (!found || !gemm.canonical || *found == gemm.initial) return found;
  const config stand_in = gemm.canonical(*found, c);
  return stand_in == gemm.canonical(gemm.initial, c) ? gemm.initial : stand_in;
}

int position_of(const config& c, const std::vector<config>& all) {
  const auto found = std::find(all.begin(), all.end(), c);
  return found == all.end() ? -1 : int(found - all.begin());
}

void judge_one(const tuned_device& on, record& r, recorded_space& of) {
  const bench::bound limit = on.bound(r.of);
  r.fraction = limit.seconds / r.seconds;
  of.suspect = !(r.fraction <= limit.most_fraction());  // NaN, too
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

config initial_of(const tuned_device& on, const tuning_case& c) {
  if (!c.element) return on.gemm().initial;
  if (c.is_of_matrices()) return as_config(ruled_matrix_tuning(jit_matrix_of(c, {}).of, limits_of(c.on)));
  if (is_run(c)) return as_config(ruled_element_run(run_facts_of(c), c.on, c.in));
  const element_kernel_facts facts = jit_element_of(c, {}).facts();
  return as_config(ruled_element_tuning(facts, limits_of(c.on)));
}

space searched_space(const tuned_device& on, const tuning_case& c, int most) {
  const std::optional<config> present = present_config(on.gemm(), c);
  if (c.element) {
    space s = c.is_of_matrices() ? matrix_space(c, as_tuning<matrix_tuning>(*present), limits_of(c.on), most)
              : is_run(c)        ? element_run_space(c, as_tuning<element_run>(*present), most)
                                 : element_space(c, as_element_tuning(*present), limits_of(c.on), most);
    s.present = position_of(*present, s.candidates);
    return s;
  }
  const space whole = make_space(on.gemm(), c, on.limits());
  const std::vector<int> chosen = shortlist(whole, most);
  space s = whole;
  s.candidates.clear();
  s.predicted.clear();
  for (const int i : chosen) {
    if (i == whole.initial) s.initial = int(s.candidates.size());
    s.candidates.push_back(whole.candidates[std::size_t(i)]);
    s.predicted.push_back(whole.predicted[std::size_t(i)]);
  }
  if (!present) return s;
  s.present = position_of(*present, s.candidates);
  if (s.present < 0) {
    // Even if it is not among the points: it may have been measured with axes that had fewer values.
    s.present = int(s.candidates.size());
    s.candidates.push_back(*present);
    s.predicted.push_back(on.gemm().predict(*present, c, on.limits()));
  }
  return s;
}

std::vector<config> likely_configs(const space& s, const search_options& o) {
  const std::vector<int> order = ranked(s);
  // A search also takes candidates that the model does not rank first; those are compiled when needed.
  const auto wanted = std::size_t(allowance(problem_of(s), o) + 2);
  const config& initial = s.candidates[std::size_t(s.initial)];
  std::vector<config> likely{initial};
  const auto add = [&](const config& c) {
    if (std::find(likely.begin(), likely.end(), c) == likely.end()) likely.push_back(c);
  };
  if (s.present >= 0) add(s.candidates[std::size_t(s.present)]);
  for (std::size_t i = 0; i < order.size() && likely.size() < wanted; ++i) add(s.candidates[std::size_t(order[i])]);
  return likely;
}

tuned_case tune_case(tuned_device& on, const space& s, const named_strategy& how, const search_options& o,
                     journal& memory) {
  const std::unique_ptr<evaluator> measures = on.evaluator_for(s.of, s.candidates);
  journaled_evaluator remembers(*measures, memory, key_of(s.of), s.candidates);
  search_problem p = problem_of(s);
  if (s.present >= 0) p.incumbent = s.present;
  search_result result = how.run(p, remembers, o);

  tuned_case t;
  t.timings = recorded(s, result);
  if (s.present < 0) t.timings.present = present_row::none;
  for (const tried& each : result.all)
    if (each.how != outcome::ok && t.failed++ == 0) t.failure = std::string(name_of(each.how)) + ": " + each.reason;
  if (result.winner < 0) return t;
  // Under a name of its own, so that a later continuation of the search does not use these samples.
  journaled_evaluator apart(*measures, memory, key_of(s.of) + ", contest at the end", s.candidates);
  std::vector<int> rivals{s.initial};
  if (s.present >= 0) rivals.push_back(s.present);
  const std::map<int, duel> contest = contest_of(result.winner, rivals, apart);
  double initial_seconds = 0;
  if (const outcome how_it_ended = contest.at(result.winner).how; how_it_ended != outcome::ok) {
    // It failed at the end, although it worked before.
    t.failed++;
    t.failure = std::string(name_of(how_it_ended)) + " in the end";
    if (contest.at(s.initial).how != outcome::ok || result.runner_up < 0) return t;
    result.winner = result.runner_up;
    result.median = result.runner_up_median;
  } else {
    initial_seconds = seconds_of(contest.at(s.initial), result.median);
    if (s.present >= 0) {
      t.timings.present_seconds = seconds_of(contest.at(s.present), result.median);
      t.timings.present = t.timings.present_seconds > 0 ? present_row::runs : present_row::fails;
    }
    // For an element operator on a CPU the rule is close to the best of its few candidates: it is kept, like what runs
    // today, unless the winner is clearly faster.
    const bool is_new = result.winner != s.initial && result.winner != s.present;
    if (!beats_all(result.winner, contest, is_run(s.of) && is_new)) give_way(result, contest);
  }
  t.has_winner = true;
  record& r = t.found;
  r.of = s.of;
  r.winner = s.candidates[std::size_t(result.winner)];
  r.runner_up = s.candidates[std::size_t(result.runner_up >= 0 ? result.runner_up : result.winner)];
  r.seconds = result.median;
  r.initial_seconds = initial_seconds;
  r.mad = result.mad;
  r.runner_up_seconds = result.runner_up >= 0 ? result.runner_up_median : result.median;
  judge_one(on, r, t.timings);
  for (int measured = 1; t.timings.suspect && measured < bench::most_measurements; ++measured) {
    on.measure_limits_again();
    judge_one(on, r, t.timings);
  }
  r.tie = result.tie;
  r.tried = int(result.all.size());
  r.clock_mhz = remembers.seen().clock_mhz;
  r.watts = remembers.seen().watts;
  r.candidates = int(s.candidates.size());
  r.strategy = how.name;
  r.date = today();
  return t;
}

int judge(const tuned_device& on, record_file& found, recording& timings) {
  int suspects = 0;
  for (record& r : found.records) {
    recorded_space& of = *std::ranges::find(timings.spaces, key_of(r.of), &recorded_space::of);
    judge_one(on, r, of);
    suspects += of.suspect;
  }
  return suspects;
}

}  // namespace tessera::tune
