// SPDX-License-Identifier: BSD-3-Clause
// A space as text: the number of points, of those that fit, and of the others by reason.
#include <algorithm>
#include <utility>

#include "space.hpp"

namespace tessera::tune {

namespace {

std::string right_aligned(long number, std::size_t width) {
  const std::string text = std::to_string(number);
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string list_of(const std::vector<int>& values) {
  std::string text;
  for (const int v : values) text += (text.empty() ? "" : " ") + std::to_string(v);
  return text;
}

}  // namespace

std::string space_text(const space& s, const family& f) {
  const std::size_t width = std::to_string(s.points).size() + 2;
  std::string text = f.name + ", " + key_of(s.of) + "\n";
  std::size_t longest = 0;
  for (const named_axis& a : f.axes) longest = std::max(longest, a.name.size());
  for (const named_axis& a : f.axes)
    text += "  " + a.name + std::string(longest - a.name.size() + 2, ' ') +
            (a.values.empty() ? "as sizes allow" : list_of(a.values)) + "\n";

  text += right_aligned(s.points, width) + "  points\n";
  std::vector<std::pair<long, std::string>> reasons;
  for (const auto& [reason, count] : s.refused) reasons.emplace_back(-count, reason);
  std::sort(reasons.begin(), reasons.end());
  for (const auto& [negative, reason] : reasons) text += right_aligned(negative, width) + "  " + reason + "\n";
  text += right_aligned(long(s.candidates.size()), width) + "  candidates\n";

  if (s.initial >= 0) {
    text += "initial: " + text_of(f, s.candidates[std::size_t(s.initial)]);
    const char* reason = f.why_not(s.candidates[std::size_t(s.initial)], s.of);
    text += reason ? " (" + std::string(reason) + "; kept as the baseline of the others)\n" : "\n";
  }
  const std::size_t best = s.candidates.empty() ? 0 : std::size_t(ranked(s).front());
  if (!s.candidates.empty() && s.predicted[best].seconds > 0) {
    text += "model's best: " + text_of(f, s.candidates[best]) + ", limited by " + s.predicted[best].limited_by + "\n";
  }
  return text;
}

}  // namespace tessera::tune
