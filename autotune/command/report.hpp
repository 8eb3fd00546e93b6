// SPDX-License-Identifier: BSD-3-Clause
// A run as one HTML page with pictures: before and after, landscape, distribution, model against measurement.
#pragma once

#include <string>

#include "record.hpp"
#include "search/recording.hpp"

namespace tessera::tune {

/// Self-contained: no scripts, nothing to load. Throws where the file cannot be written.
void write_report(const record_file& f, const recording& timings, const family& gemm, const std::string& path);

}  // namespace tessera::tune
