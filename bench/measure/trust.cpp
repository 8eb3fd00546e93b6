// SPDX-License-Identifier: BSD-3-Clause
// Finds suspect measurements and repeats them.
#include "measure/trust.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "measure/machine.hpp"

namespace tessera::bench {

namespace {

// The bound comes from the fastest movement; an error of it affects every fraction.
std::string disturbance_of_fastest(const std::vector<timing>& times, std::size_t ways, const bound& limit) {
  if (times.size() <= ways) return "";
  return disturbance_of_limit(
      *std::min_element(times.begin() + std::ptrdiff_t(ways), times.end(),
                        [](const timing& a, const timing& b) { return a.seconds.median < b.seconds.median; }),
      limit);
}

}  // namespace

double bound::most_fraction() const { return largest_fraction * honest; }
bool bound::by_bandwidth() const { return std::string_view(by) == "bandwidth"; }

double honest_movement(space_kind space, double bytes) {
  const double cache = space == space_kind::gpu ? device_cache_bytes : double(this_machine().llc_bytes);
  return bytes <= cache ? honest_in_cache : 1;
}

std::string disturbance(const timing& t) {
  char text[96] = "";
  if (!(std::isfinite(t.seconds.median) && t.seconds.median > 0)) return "no time was measured";
  if (t.seconds.rrs > largest_spread)
    std::snprintf(text, sizeof text, "samples spread by %.0f%% of their median", 100 * t.seconds.rrs);
  else if (2 * t.kept_disturbed > t.seconds.reps)
    std::snprintf(text, sizeof text, "%d of %d samples were interrupted", t.kept_disturbed, t.seconds.reps);
  return text;
}

std::string disturbance_of_limit(const timing& movement, const bound& limit) {
  const std::string why = limit.by_bandwidth() ? disturbance(movement) : "";
  return why.empty() ? "" : "the data movement that bounds it: " + why;
}

const timing& better_of(const timing& a, const timing& b) {
  const double seconds_a = a.seconds.median, seconds_b = b.seconds.median;
  const auto measured = [](double seconds) { return std::isfinite(seconds) && seconds > 0; };
  if (!measured(seconds_a)) return b;
  if (!measured(seconds_b)) return a;
  const bool clean_a = disturbance(a).empty(), clean_b = disturbance(b).empty();
  if (clean_a != clean_b) {
    const timing &clean = clean_a ? a : b, &other = clean_a ? b : a;
    return clean.seconds.median <= hardly_longer * other.seconds.median ? clean : other;
  }
  return seconds_b < seconds_a ? b : a;
}

std::string suspicion(const timing& t, const bound& limit) {
  if (const std::string why = disturbance(t); !why.empty()) return why;
  const double fraction = limit.seconds / t.seconds.median, most = limit.most_fraction();
  char text[96] = "";
  if (!(fraction <= most))  // NaN, too
    std::snprintf(text, sizeof text, "%.0f%% of the bound (%s): above %.0f%% is not plausible", 100 * fraction,
                  limit.by, 100 * most);
  return text;
}

measurement measure_until_trusted(const std::vector<contender>& all, std::size_t ways, const protocol& how,
                                  const bound_rule& rule) {
  measurement m;
  for (m.measured = 1;; ++m.measured) {
    m.times = measure(all, how);
    m.limit = rule(m.times, m.measured > 1);
    const std::string of_limit = disturbance_of_fastest(m.times, ways, m.limit);
    m.suspect.clear();
    for (std::size_t i = 0; i < ways; ++i) {
      const std::string own = suspicion(m.times[i], m.limit);
      m.suspect.push_back(own.empty() ? of_limit : own);
    }
    if (m.suspect.front().empty() || m.measured == most_measurements) return m;
  }
}

}  // namespace tessera::bench
