// SPDX-License-Identifier: BSD-3-Clause
// Says which tuning a size gets on this machine, and what was looked at on the way.
#pragma once

#include <string>

#include <tessera/choose.hpp>

namespace tessera {

/// Several lines: the device, each source of records in the order of the look-up with what it has for these sizes, the
/// row that runs, and why. A query with bytes > cache_bytes > 0 asks for operands from memory; the device's name and
/// cache, where they are left out, are those of this machine.
std::string explain(const choice_query& query);

}  // namespace tessera
