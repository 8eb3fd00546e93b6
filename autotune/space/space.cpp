// SPDX-License-Identifier: BSD-3-Clause
// Enumerates all points of a space, keeps those that fit, and counts the others by reason.
#include "space.hpp"

#include <algorithm>
#include <numeric>

#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

// Points by reason. Reasons are few literals, so their addresses are compared: a map of strings would be slower than
// the rules.
class tally {
 public:
  void add(const char* reason) {
    for (auto& [known, count] : counts_)
      if (known == reason) return void(++count);
    counts_.emplace_back(reason, 1);
  }
  std::map<std::string, long> by_text() const {
    std::map<std::string, long> sum;
    for (const auto& [reason, count] : counts_) sum[reason] += count;
    return sum;
  }

 private:
  std::vector<std::pair<const char*, long>> counts_;
};

// The next point, the last axis varying fastest; false after the last one.
bool advance(const std::vector<named_axis>& axes, std::vector<std::size_t>& at, config& c) {
  for (std::size_t i = axes.size(); i-- > 0;) {
    const bool more = ++at[i] < axes[i].values.size();
    if (!more) at[i] = 0;
    c.value[i] = axes[i].values[at[i]];
    if (more) return true;
  }
  return false;
}

void check_axes(const family& f) {
  if (f.axes.size() > std::size_t(max_axes))
    throw error("family " + f.name + " has " + std::to_string(f.axes.size()) + " axes; a config holds " +
                std::to_string(max_axes) + ": raise max_axes");
  for (const named_axis& a : f.axes)
    if (a.values.empty())
      throw error("axis " + a.name + " of family " + f.name + " has no values: give it at least one");
}

}  // namespace

space make_space(const family& f, const tuning_case& c, const machine_limits& limits) {
  check_axes(f);
  space s;
  s.of = c;
  s.candidates.push_back(f.initial);
  s.initial = 0;
  const config stand_in = f.canonical ? f.canonical(f.initial, c) : f.initial;

  tally refused;
  config point;
  for (std::size_t i = 0; i < f.axes.size(); ++i) point.value[i] = f.axes[i].values.front();
  std::vector<std::size_t> at(f.axes.size(), 0);
  do {
    ++s.points;
    if (point == f.initial) continue;
    const char* reason = f.why_not(point, c);
    if (!reason && point == stand_in) reason = "same kernel as another";
    if (reason)
      refused.add(reason);
    else
      s.candidates.push_back(point);
  } while (advance(f.axes, at, point));

  s.refused = refused.by_text();
  s.predicted.reserve(s.candidates.size());
  for (const config& each : s.candidates) s.predicted.push_back(f.predict(each, c, limits));
  return s;
}

std::vector<int> ranked(const space& s) {
  std::vector<int> order(s.candidates.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return s.predicted[std::size_t(a)].seconds < s.predicted[std::size_t(b)].seconds;
  });
  return order;
}

}  // namespace tessera::tune
