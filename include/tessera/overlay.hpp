// SPDX-License-Identifier: BSD-3-Clause
// Tuning records given to a running program, in front of those that were built in.
#pragma once

#include <string>

namespace tessera {

/// Plans made from now on search this record file first (its format: docs/reference/records.md); "" restores the
/// built-in records alone. Before the first call it is the file that the environment variable TESSERA_RECORDS names. A
/// CPU uses the nearest compiled row of the size, and describe() reports that; a build with -DTESSERA_RECORDS=FILE has
/// exactly the recorded tuning. Throws tessera::error naming the file and its fault, and changes nothing then.
void overlay_records(const std::string& path);

}  // namespace tessera
