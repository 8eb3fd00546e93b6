// SPDX-License-Identifier: BSD-3-Clause
// A few candidates that represent a large space: the model's best ones, and the best one of every value of every axis.
#include <algorithm>
#include <set>

#include "space.hpp"

namespace tessera::tune {

namespace {

// For each axis and value, in turn, the best-ranked candidate with it.
std::vector<int> best_of_each_value(const space& s, const std::vector<int>& order) {
  std::vector<int> found;
  std::set<std::pair<int, int>> seen;
  for (const int candidate : order) {
    bool is_new = false;
    for (int a = 0; a < max_axes; ++a)
      is_new = seen.emplace(a, s.candidates[std::size_t(candidate)].value[a]).second || is_new;
    if (is_new) found.push_back(candidate);
  }
  return found;
}

}  // namespace

std::vector<int> shortlist(const space& s, int most) {
  std::vector<int> order = ranked(s);
  if (int(order.size()) <= most) return order;
  std::vector<char> taken(order.size(), 0);
  int count = 0;
  const auto take = [&](int candidate) {
    char& t = taken[std::size_t(candidate)];
    if (t || count >= most) return;
    t = 1;
    ++count;
  };
  if (s.initial >= 0) take(s.initial);
  for (int i = 0; i < most / 2; ++i) take(order[std::size_t(i)]);
  for (const int candidate : best_of_each_value(s, order)) take(candidate);
  for (const int candidate : order) take(candidate);

  std::vector<int> chosen;
  std::copy_if(order.begin(), order.end(), std::back_inserter(chosen), [&](int c) { return taken[std::size_t(c)]; });
  return chosen;
}

}  // namespace tessera::tune
