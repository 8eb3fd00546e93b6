// SPDX-License-Identifier: BSD-3-Clause
// Which of the known names was meant: for messages about unknown ones.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// The known name that differs from `given` by the fewest letters added, left out, changed or swapped, whatever their
/// case; "" where that is more than a third of the letters. A beginning of three letters or more is near, too.
std::string_view nearest_name(std::string_view given, std::span<const std::string_view> known);

/// " (did you mean 'avx512'?)" to go behind the unknown name; "" where no known one is near.
std::string did_you_mean(std::string_view given, std::span<const std::string_view> known);

}  // namespace tessera
