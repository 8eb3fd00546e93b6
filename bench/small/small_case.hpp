// SPDX-License-Identifier: BSD-3-Clause
// A small product computed in groups of few: inline, by a plan and by peers; the times of every size of group.
#pragma once

#include <string>
#include <vector>

#include "run_case.hpp"
#include "small/inline_rows.hpp"

namespace tessera::bench {

/// Entries so that every size of group divides their number. Throws tessera::error if that is too many.
index_t entries_for(index_t wanted, const std::vector<int>& groups);

/// The cases of a row, one for each size of group. Better peaks that were measured stay in the setting.
std::vector<case_results> small_cases(const inline_row& row, const std::vector<int>& groups, setting& given);

/// A line for each way: nanoseconds an entry for each size of group, and the fixed cost of a call where the first size
/// is 1.
std::vector<std::string> small_table(const std::vector<case_results>& cases, const std::vector<int>& groups);
std::string small_heading(const std::vector<int>& groups);
/// The line below these with the models' nanoseconds an entry, of cases that have predictions.
std::string small_prediction(const std::vector<case_results>& cases);

}  // namespace tessera::bench
