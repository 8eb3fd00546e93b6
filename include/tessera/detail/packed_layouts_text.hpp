// SPDX-License-Identifier: BSD-3-Clause
// The forms of packed products as text, as in record files and descriptions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tessera/core/packed_layout.hpp>

namespace tessera {

/// "packed", "packed, A shared", "packed, A by rows, B shared by rows": the text names what differs from consecutive
/// column-major matrices.
std::string form_text(const packed_layouts& layouts);

/// Empty for other texts.
std::optional<packed_layouts> layouts_from(std::string_view form);

/// The largest extent that a record of this form may have; cmake/record_files.cmake has the same numbers. Rows are
/// compiled into a build for the default form only, others by plans.
constexpr int largest_extent(const packed_layouts& layouts) { return layouts == packed_layouts{} ? 32 : 1024; }

}  // namespace tessera
