// SPDX-License-Identifier: BSD-3-Clause
// The part of a record that is about a general contraction.
#pragma once

#include <tessera/tuning_records.hpp>

#include "json_reader.hpp"

namespace tessera::detail {

/// Kind, form and tile. Throws tessera::error naming the member that is wrong.
void read_general(const json_value& j, target on, tuning_record& r);

}  // namespace tessera::detail
