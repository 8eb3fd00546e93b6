// SPDX-License-Identifier: BSD-3-Clause
// The report of a run as a folder: a page, its data as JSON, and the table as text.
#pragma once

#include <string>
#include <vector>

#include <tessera/tuning_records.hpp>

#include "general/general_result.hpp"

namespace tessera::tune {

/// A page with the table, and of each contraction a picture of measured over modelled times and the list of its tiles.
std::string general_page(const std::vector<general_result>& results, const tuning_records& facts);

/// Writes index.html, data.json and table.txt. Throws if the folder cannot be made or written.
void write_general_report(const std::vector<general_result>& results, const tuning_records& facts,
                          const std::string& folder);

}  // namespace tessera::tune
