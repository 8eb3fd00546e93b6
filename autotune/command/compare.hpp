// SPDX-License-Identifier: BSD-3-Clause
// Measures the winners of a record again, interleaved with something else: the default, another record, or what their
// sizes would get if they had no record.
#pragma once

#include "command/options.hpp"

namespace tessera::tune {

/// Prints a line a case and the summary. The exit status is 1 where a case is slower than `o.least` says.
int run_compare(const options& o);

}  // namespace tessera::tune
