// SPDX-License-Identifier: BSD-3-Clause
// The forms of packed products in words, as record files and descriptions have them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tessera/core/packed_layout.hpp>

namespace tessera {

/// "packed", "packed, A shared", "packed, A by rows, B shared by rows": what is said is what differs from columns, one
/// matrix behind the other.
std::string form_text(const packed_layouts& layouts);

/// Nothing for other texts.
std::optional<packed_layouts> layouts_from(std::string_view form);

/// The largest extent that a record of this form may have; cmake/record_files.cmake has the same numbers. Rows are
/// compiled into a build for the usual form only, others by plans.
constexpr int largest_extent(const packed_layouts& layouts) { return layouts == packed_layouts{} ? 32 : 1024; }

}  // namespace tessera
