// SPDX-License-Identifier: BSD-3-Clause
// Numbers of command lines: decimal, within bounds, without trailing text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera::bench {

/// Empty if the text is empty, not a number, nan, inf, outside least..most, or has trailing text.
std::optional<double> real_in(std::string_view text, double least, double most);
std::optional<long long> integer_in(std::string_view text, long long least, long long most);

/// "'nan' is not a number from 0.01 to 1", "'2.5' is not an integer from 1 to 9".
std::string why_no_real(std::string_view text, double least, double most);
std::string why_no_integer(std::string_view text, long long least, long long most);

}  // namespace tessera::bench
