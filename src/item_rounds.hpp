// SPDX-License-Identifier: BSD-3-Clause
// Which items of a list may run together, and which have to wait for earlier ones.
#pragma once

#include <vector>

#include <tessera/executor.hpp>

namespace tessera::detail {

/// The round of every item, from 0: later than that of each earlier item that writes an entry which this one reads or
/// writes, or reads an entry which this one writes. Running the rounds in order, with the items of each in any order,
/// has the result of the list in order. Entries are compared, not ranges: blocks of one matrix do not wait for each
/// other.
std::vector<int> rounds_of(const std::vector<executor_item>& items);

}  // namespace tessera::detail
