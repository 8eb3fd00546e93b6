// SPDX-License-Identifier: BSD-3-Clause
// Two candidates a case, one after the other in each round: the median of their ratios.
#include "command/compare.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <tessera/error.hpp>
#include <tessera/fits.hpp>
#include <tessera/record_types.hpp>

#include "command/progress.hpp"
#include "command/tuned_device.hpp"
#include "statistics.hpp"

namespace tessera::tune {

namespace {

constexpr int rounds = 21;

const record* record_of(const tuning_case& c, const record_file& f) {
  const auto found = std::find_if(f.records.begin(), f.records.end(), [&](const record& r) { return r.of == c; });
  return found == f.records.end() ? nullptr : &*found;
}

// The winner of the nearest other size that fits, else the model's first choice.
config without_own_record(const record& own, const record_file& f, const tuned_device& device) {
  const record* nearest = nullptr;
  const auto distance_of = [&](const tuning_case& c) {
    return tessera::detail::distance({c.m, c.n, c.k}, {own.of.m, own.of.n, own.of.k});
  };
  for (const record& r : f.records) {
    tuning_case same_sizes = own.of;
    same_sizes.m = r.of.m, same_sizes.n = r.of.n, same_sizes.k = r.of.k;
    const bool is_near = tessera::detail::is_near({r.of.m, r.of.n, r.of.k}, {own.of.m, own.of.n, own.of.k});
    if (r.of == own.of || !(r.of == same_sizes) || !is_near || device.gemm().why_not(r.winner, own.of) != nullptr)
      continue;
    if (nearest == nullptr || distance_of(r.of) < distance_of(nearest->of)) nearest = &r;
  }
  if (nearest != nullptr) return nearest->winner;
  const space s = make_space(device.gemm(), own.of, device.limits());
  return s.candidates[std::size_t(ranked(s).front())];
}

// Seconds of the other over seconds of the record's winner; nothing where one of them fails.
std::optional<double> ratio_of(const tuning_case& c, const config& winner, const config& other, tuned_device& device) {
  if (winner == other) return 1.0;
  const std::unique_ptr<evaluator> e = device.evaluator_for(c, {winner, other});
  std::vector<double> ratios;
  for (int i = 0; i < rounds; ++i) {
    const std::vector<sample> both = e->round({0, 1});
    if (both[0].how != outcome::ok || both[1].how != outcome::ok) return std::nullopt;
    ratios.push_back(both[1].seconds / both[0].seconds);
  }
  return bench::median(ratios);
}

}  // namespace

int run_compare(const options& o) {
  const record_file mine = read_records(o.files[0]);
  std::optional<record_file> other;
  if (o.against != "default" && o.against != "nearest") other = read_records(o.against);
  const std::unique_ptr<tuned_device> device = device_for(target_from_name(mine.target));
  if (device->facts().device != mine.device)
    throw error("compare: " + o.files[0] + " is of " + mine.device + ", this is " + device->facts().device);
  std::printf("%s, %s: speed of %s relative to %s, interleaved\n", mine.device.c_str(), mine.target.c_str(),
              o.files[0].c_str(), o.against.c_str());
  std::vector<double> ratios;
  double worst = 0;
  std::string worst_case;
  for (const record& r : mine.records) {
    config rival = device->gemm().initial;
    if (o.against == "nearest") {
      rival = without_own_record(r, mine, *device);
    } else if (other) {
      const record* found = record_of(r.of, *other);
      if (found == nullptr) continue;
      rival = found->winner;
    }
    const std::optional<double> ratio = ratio_of(r.of, r.winner, rival, *device);
    if (!ratio) {
      std::printf("%-24s one of the two fails\n", key_of(r.of).c_str());
      continue;
    }
    std::printf("%-24s %6.3f   %s | %s\n", key_of(r.of).c_str(), *ratio, text_of(device->gemm(), r.winner).c_str(),
                text_of(device->gemm(), rival).c_str());
    std::fflush(stdout);
    ratios.push_back(*ratio);
    if (worst_case.empty() || *ratio < worst) worst = *ratio, worst_case = key_of(r.of);
  }
  if (ratios.empty()) throw error("compare: the records have no case in common");
  std::printf("geometric mean %.3f, least %.3f (%s), largest %.3f, %zu cases\n", bench::geometric_mean(ratios), worst,
              worst_case.c_str(), *std::max_element(ratios.begin(), ratios.end()), ratios.size());
  return worst < o.least ? 1 : 0;
}

}  // namespace tessera::tune
