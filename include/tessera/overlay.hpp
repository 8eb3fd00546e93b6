// SPDX-License-Identifier: BSD-3-Clause
// Tuning records given to a running program, in front of those that were built in.
#pragma once

#include <string>

namespace tessera {

/// Plans made from now on look into this record file first (its format: docs/reference/records.md); "" goes back to
/// the built-in records alone. Until this is called, the file that the environment variable TESSERA_RECORDS names is
/// it. A CPU takes the nearest compiled row of the size: describe() says so, and a build with -DTESSERA_RECORDS=FILE
/// has the very tuning. Throws tessera::error naming the file and what is wrong with it; what was in force stays.
void overlay_records(const std::string& path);

}  // namespace tessera
