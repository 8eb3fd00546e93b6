// SPDX-License-Identifier: BSD-3-Clause
// A contraction of Table 1 over a batch of elements as a case of the suites contraction and small.
#pragma once

#include "run_case.hpp"
#include "table1.hpp"

namespace tessera::bench {

/// The row for order p, with the points, beta and batch of the options; tables are shared by all elements.
workload contraction_case(const table_row& row, int p, const setting& s);

}  // namespace tessera::bench
