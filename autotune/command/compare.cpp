// SPDX-License-Identifier: BSD-3-Clause
// Two candidates per case, interleaved in each round: the median of their ratios.
#include "command/compare.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <tessera/detail/gpu_model.hpp>
#include <tessera/detail/nearest.hpp>
#include <tessera/detail/records.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/error.hpp>

#include "command/progress.hpp"
#include "command/tune_case.hpp"
#include "command/tuned_device.hpp"
#include "measure/statistics.hpp"
#include "space/as_config.hpp"

namespace tessera::tune {

namespace {

constexpr int rounds = 25;
constexpr std::size_t pairs_at_once = 40;

const record* record_of(const tuning_case& c, const record_file& f) {
  const auto found = std::find_if(f.records.begin(), f.records.end(), [&](const record& r) { return r.of == c; });
  return found == f.records.end() ? nullptr : &*found;
}

bool is_same_size(const tuning_case& a, const tuning_case& b) { return a.m == b.m && a.n == b.n && a.k == b.k; }

// The library's rule applied to the records of all other sizes; empty if none of them is close.
template <class Tuning, class Limits>
std::optional<config> from_nearest(const tuning_case& own, const record_file& f, const Limits& limits) {
  std::vector<tuned_gemm<Tuning>> others;
  for (const record& r : f.records)
    if (!is_same_size(r.of, own))
      others.push_back(
          {own.on, r.of.type, r.of.in, r.of.m, r.of.n, r.of.k, 0, false, as_tuning<Tuning>(r.winner), r.of.layouts});
  const gemm_form form{own.type, own.m, own.n, own.k, own.in, own.layouts};
  const int at = tessera::detail::nearest_record(others, 0, int(others.size()), form, limits);
  if (at < 0) return std::nullopt;
  const tuned_gemm<Tuning>& nearest = others[std::size_t(at)];
  const gemm_form from{nearest.type, nearest.m, nearest.n, nearest.k, nearest.in, nearest.layouts};
  return as_config(tessera::detail::carried_over(nearest.tuning, from, form, limits));
}

// The config that a build without a record of this size would run.
config without_own_record(const tuning_case& own, const record_file& f, const tuned_device& device) {
  if (own.on == target::cuda) {
    const gpu_limits limits = gpu_limits_of(compute_capability(own.on));
    const gemm_form form{own.type, own.m, own.n, own.k, own.in, own.layouts};
    const auto nearest = from_nearest<gpu_gemm_tuning>(own, f, limits);
    const bool cached = own.in == memory_regime::cache;
    if (nearest && (cached || is_worth_passing_on(as_tuning<gpu_gemm_tuning>(*nearest), form, limits))) return *nearest;
    const auto modelled = modelled_gpu_tuning(form, limits);
    return modelled ? as_config(*modelled) : device.gemm().initial;
  }
  const int built_in = tessera::detail::built_in_square(own.on, own.type, {own.m, own.n, own.k});
  if (built_in >= 0 && own.in == memory_regime::cache)
    return as_config(tessera::detail::measured_squares[built_in].tuning);
  const auto nearest = from_nearest<cpu_gemm_tuning>(own, f, cpu_limits_of(own.on));
  return nearest ? *nearest : as_config(modelled_cpu_tuning(own.on, own.type, own.m, own.n, own.k));
}

// The winner and the rival of each case that both files have.
struct pair_of_configs {
  tuning_case of;
  config winner, rival;
};

std::vector<pair_of_configs> pairs_of(const record_file& mine, const record_file* other, bool nearest,
                                      const tuned_device& device) {
  std::vector<pair_of_configs> pairs;
  for (const record& r : mine.records) {
    config rival = initial_of(device, r.of);
    if (nearest) {
      rival = without_own_record(r.of, mine, device);
    } else if (other != nullptr) {
      const record* found = record_of(r.of, *other);
      if (found == nullptr) continue;
      rival = found->winner;
    }
    pairs.push_back({r.of, r.winner, rival});
  }
  return pairs;
}

// Many pairs at a time, so that compilers run concurrently and read the headers once for all of them.
void compile(const std::vector<pair_of_configs>& pairs, std::size_t first, std::size_t last, tuned_device& device) {
  std::vector<tuning_case> cases;
  std::vector<std::vector<config>> configs;
  for (std::size_t i = first; i < last; ++i) {
    if (pairs[i].winner == pairs[i].rival) continue;
    cases.push_back(pairs[i].of);
    configs.push_back({pairs[i].winner, pairs[i].rival});
  }
  if (!cases.empty()) device.warm_up(cases, configs);
}

// Time of the other divided by that of the record's winner; empty if one of them fails.
std::optional<double> ratio_of(const tuning_case& c, const config& winner, const config& other, tuned_device& device) {
  if (winner == other) return 1.0;
  const std::unique_ptr<evaluator> e = device.evaluator_for(c, {winner, other});
  std::vector<double> ratios;
  for (int i = 0; i < rounds; ++i) {
    if (i % rounds_a_sitting == 0) e->renew();
    const std::vector<sample> both = e->round({0, 1});
    if (both[0].how != outcome::ok || both[1].how != outcome::ok) return std::nullopt;
    ratios.push_back(both[1].seconds / both[0].seconds);
  }
  return bench::median(ratios);
}

}  // namespace

int run_compare(const options& o) {
  const record_file mine = read_records(o.files[0]);
  if (mine.family != "gemm" && o.against == "nearest")
    throw error("compare: " + o.files[0] + " is of element operators, which take no records of other sizes");
  std::optional<record_file> other;
  if (o.against != "default" && o.against != "nearest") other = read_records(o.against);
  const std::unique_ptr<tuned_device> device = device_for(target_from_name(mine.target));
  if (device->facts().device != mine.device)
    throw error("compare: " + o.files[0] + " is of " + mine.device + ", this is " + device->facts().device);
  std::printf("%s, %s: speed of %s relative to %s, interleaved\n", mine.device.c_str(), mine.target.c_str(),
              o.files[0].c_str(), o.against.c_str());
  const std::vector<pair_of_configs> pairs = pairs_of(mine, other ? &*other : nullptr, o.against == "nearest", *device);
  if (pairs.empty()) throw error("compare: the records have no case in common");
  std::vector<double> ratios;
  double worst = 0;
  std::string worst_case;
  std::size_t failed = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i % pairs_at_once == 0) compile(pairs, i, std::min(pairs.size(), i + pairs_at_once), *device);
    const auto& [of, winner, rival] = pairs[i];
    const std::optional<double> ratio = ratio_of(of, winner, rival, *device);
    if (!ratio) {
      std::printf("%-24s one of the two fails\n", key_of(of).c_str());
      ++failed;
      continue;
    }
    std::printf("%-24s %6.3f   %s | %s\n", key_of(of).c_str(), *ratio, text_of(device->family_of(of), winner).c_str(),
                text_of(device->family_of(of), rival).c_str());
    std::fflush(stdout);
    ratios.push_back(*ratio);
    if (worst_case.empty() || *ratio < worst) worst = *ratio, worst_case = key_of(of);
  }
  if (failed > 0) std::printf("%zu cases fail\n", failed);
  if (pairs.size() < mine.records.size())
    std::printf("%zu cases are in one of the files only\n", mine.records.size() - pairs.size());
  if (ratios.empty()) return 1;
  std::printf("geometric mean %.3f, least %.3f (%s), largest %.3f, %zu cases\n", bench::geometric_mean(ratios), worst,
              worst_case.c_str(), *std::max_element(ratios.begin(), ratios.end()), ratios.size());
  return failed > 0 || worst < o.least ? 1 : 0;
}

}  // namespace tessera::tune
