// SPDX-License-Identifier: BSD-3-Clause
// The size specifications of the command line: "2-32", "3x5x4,8", "random:64:SEED"; and lists of orders "1-8".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tessera/core/types.hpp>

namespace tessera::bench {

struct gemm_size {
  index_t m = 1, n = 1, k = 1;
  bool is_square() const { return m == n && n == k; }
  friend bool operator==(const gemm_size&, const gemm_size&) = default;
};

/// What messages call the three extents of a size, and the option.
struct extent_names {
  const char* form;  // MxNxK
  const char *option, *m, *n, *k;
};

/// A comma-separated list of three extents each. Throws tessera::error naming the option and the invalid extent.
std::vector<gemm_size> parse_triples(std::string_view text, const extent_names& names);

/// A comma-separated list of: N (square), FIRST-LAST (squares), MxNxK, random:COUNT:SEED (extents in 1..32). Throws
/// tessera::error quoting the invalid part.
std::vector<gemm_size> parse_sizes(std::string_view text);

/// A comma-separated list of N and FIRST-LAST. Throws tessera::error quoting the invalid part.
std::vector<int> parse_orders(std::string_view text);

/// Such a list of numbers from 1 to `most` of an option; the error names it, and says what it takes.
std::vector<int> parse_numbers(std::string_view text, const char* option, index_t most);

/// The parts of a comma-separated list.
std::vector<std::string_view> split(std::string_view text, char separator);

/// All of `text` as an integer from `least` to `most`. Throws tessera::error naming `what`.
index_t parse_integer(std::string_view text, const char* what, index_t least, index_t most = 100000);

/// Points a direction for order p: "p+1", "p+2" or a number.
index_t points_for(const std::string& rule, int p);

}  // namespace tessera::bench
