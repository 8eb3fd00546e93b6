// SPDX-License-Identifier: BSD-3-Clause
// The known name that was probably meant, for messages about unknown names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// The known name that differs from `given` by the fewest letters added, left out, changed or swapped, ignoring case;
/// "" if that is more than a third of the letters. A common prefix of three or more letters is a match, too.
std::string_view nearest_name(std::string_view given, std::span<const std::string_view> known);

/// " (did you mean 'avx512'?)" to append to the unknown name; "" if no known name is similar.
std::string did_you_mean(std::string_view given, std::span<const std::string_view> known);

}  // namespace tessera
