// SPDX-License-Identifier: BSD-3-Clause
// The results of a run as a folder: the data as JSON, and the pictures and the page that plot_report.py draws from it.
#pragma once

#include <filesystem>
#include <string>

#include "record.hpp"
#include "search/recording.hpp"

namespace tessera::tune {

/// Beside the record: "amd_epyc_family_25_model_17-avx512-report".
std::filesystem::path report_folder_for(const std::filesystem::path& record);

/// Writes `folder`/data.json and draws the rest from it. One line for the user: the page, or, without Python or
/// matplotlib, the command that draws it later. Throws if the data cannot be written.
std::string write_report(const record_file& f, const recording& timings, const family& tuned,
                         const std::filesystem::path& folder);

}  // namespace tessera::tune
