// SPDX-License-Identifier: BSD-3-Clause
// The forms of packed products in words, as record files and descriptions have them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tessera/core/lie.hpp>

namespace tessera {

/// "packed", "packed, A shared", "packed, A by rows, B shared by rows": what is said is what differs from columns, one
/// matrix behind the other.
std::string form_text(const packed_lies& lies);

/// Nothing for other texts.
std::optional<packed_lies> lies_from(std::string_view form);

}  // namespace tessera
