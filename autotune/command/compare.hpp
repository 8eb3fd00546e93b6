// SPDX-License-Identifier: BSD-3-Clause
// Measures the winners of a record again, interleaved with others: the default, another record, or the tunings that
// their sizes would get without a record.
#pragma once

#include "command/options.hpp"

namespace tessera::tune {

/// Prints a line per case and the summary. The exit status is 1 if a case is slower than `o.least`.
int run_compare(const options& o);

}  // namespace tessera::tune
