// SPDX-License-Identifier: BSD-3-Clause
// Parses the size specifications of the command line.
#include "sizes.hpp"

#include <limits>
#include <random>
#include <string>

#include <tessera/error.hpp>

#include "measure/numbers.hpp"

namespace tessera::bench {

namespace {

constexpr index_t largest_random_extent = 32, largest_extent = 100000;

void append_random(std::vector<gemm_size>& all, std::string_view part) {
  const auto fields = split(part, ':');
  if (fields.size() != 3) throw error("sizes: '" + std::string(part) + "' is not random:COUNT:SEED");
  const index_t count = parse_integer(fields[1], "count of random sizes", 1);
  std::mt19937_64 random(
      std::uint64_t(parse_integer(fields[2], "seed of random sizes", 0, std::numeric_limits<index_t>::max())));
  const auto draw = [&] { return index_t(random() % std::uint64_t(largest_random_extent)) + 1; };
  for (index_t i = 0; i < count; ++i) {
    gemm_size size;
    size.m = draw();
    size.n = draw();
    size.k = draw();
    all.push_back(size);
  }
}

gemm_size parse_triple(std::string_view part, const extent_names& names) {
  const auto extent = split(part, 'x');
  if (extent.size() != 3) throw error(std::string(names.option) + ": '" + std::string(part) + "' is not " + names.form);
  return {parse_integer(extent[0], names.m, 1), parse_integer(extent[1], names.n, 1),
          parse_integer(extent[2], names.k, 1)};
}

struct range {
  index_t first, last;
};

range parse_range(std::string_view part, const char* what, index_t least, index_t most = largest_extent) {
  const std::size_t dash = part.find('-');
  if (dash == std::string_view::npos) {
    const index_t only = parse_integer(part, what, least, most);
    return {only, only};
  }
  const range r{parse_integer(part.substr(0, dash), what, least, most),
                parse_integer(part.substr(dash + 1), what, least, most)};
  if (r.last < r.first) throw error(std::string(what) + ": '" + std::string(part) + "' runs backwards");
  return r;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

index_t parse_integer(std::string_view text, const char* what, index_t least, index_t most) {
  if (const auto value = integer_in(text, least, most)) return *value;
  throw error(std::string(what) + ": " + why_no_integer(text, least, most));
}

std::vector<gemm_size> parse_triples(std::string_view text, const extent_names& names) {
  std::vector<gemm_size> all;
  for (const std::string_view part : split(text, ',')) all.push_back(parse_triple(part, names));
  return all;
}

std::vector<gemm_size> parse_sizes(std::string_view text) {
  std::vector<gemm_size> all;
  for (std::string_view part : split(text, ',')) {
    if (part.substr(0, 7) == "random:") {
      append_random(all, part);
    } else if (part.find('x') != std::string_view::npos) {
      all.push_back(parse_triple(part, {"MxNxK", "sizes", "size m", "size n", "size k"}));
    } else {
      const range r = parse_range(part, "size", 1);
      for (index_t n = r.first; n <= r.last; ++n) all.push_back({n, n, n});
    }
  }
  return all;
}

std::vector<int> parse_orders(std::string_view text) {
  std::vector<int> all;
  for (std::string_view part : split(text, ',')) {
    const range r = parse_range(part, "order", 1);
    for (index_t p = r.first; p <= r.last; ++p) all.push_back(int(p));
  }
  return all;
}

std::vector<int> parse_numbers(std::string_view text, const char* option, index_t most) {
  std::vector<int> all;
  for (const std::string_view part : split(text, ',')) {
    try {
      const range r = parse_range(part, option, 1, most);
      for (index_t n = r.first; n <= r.last; ++n) all.push_back(int(n));
    } catch (const error& e) {
      throw error(std::string(e.what()) + "; " + option + " takes numbers from 1 to " + std::to_string(most) +
                  " and ranges of them, such as 2,4 or 2-8");
    }
  }
  return all;
}

index_t points_for(const std::string& rule, int p) {
  if (rule == "p+1") return p + 1;
  if (rule == "p+2") return p + 2;
  return parse_integer(rule, "points (p+1, p+2 or a number)", 1);
}

}  // namespace tessera::bench
