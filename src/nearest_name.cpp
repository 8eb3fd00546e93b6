// SPDX-License-Identifier: BSD-3-Clause
// Edit distances between names.
#include <tessera/detail/nearest_name.hpp>

#include <algorithm>
#include <array>

namespace tessera {

namespace {

constexpr std::size_t longest_name = 40;  // letters; longer names are not compared

constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

// Two neighbours swapped count once (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::array<std::size_t, longest_name + 1>, longest_name + 1> d{};  // (letters of a, letters of b)
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const std::size_t changed = lower_case(a[i - 1]) == lower_case(b[j - 1]) ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + changed});
      const bool swapped = i > 1 && j > 1 && lower_case(a[i - 1]) == lower_case(b[j - 2]) &&
                           lower_case(a[i - 2]) == lower_case(b[j - 1]);
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

bool begins_with(std::string_view name, std::string_view given) {
  return given.size() >= 3 && given.size() < name.size() &&
         std::equal(given.begin(), given.end(), name.begin(),
                    [](char a, char b) { return lower_case(a) == lower_case(b); });
}

}  // namespace

std::string_view nearest_name(std::string_view given, std::span<const std::string_view> known) {
  if (given.empty() || given.size() > longest_name) return {};
  std::string_view best;
  std::size_t fewest = longest_name;
  for (const std::string_view name : known) {
    if (name.size() > longest_name) continue;
    const std::size_t changes = begins_with(name, given) ? 1 : edit_distance(given, name);
    const std::size_t most = std::max<std::size_t>(1, std::max(given.size(), name.size()) / 3);
    // One letter is close to any other letter.
    if (changes > most || changes >= std::min(given.size(), name.size()) || changes >= fewest) continue;
    best = name;
    fewest = changes;
  }
  return best;
}

std::string did_you_mean(std::string_view given, std::span<const std::string_view> known) {
  const std::string_view name = nearest_name(given, known);
  return name.empty() ? "" : " (did you mean '" + std::string(name) + "'?)";
}

}  // namespace tessera
