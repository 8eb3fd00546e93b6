// SPDX-License-Identifier: BSD-3-Clause
// A result as the object of the file that has it.
#pragma once

#include "report.hpp"

namespace tessera::bench {

/// Without best peer and ratio, which the report adds.
nlohmann::json to_json(const case_results& c, const result& r, const options& o);

/// Where the data of a pass is, or what says how much of it there is: cache, stream or paper as --regime has it; for
/// suites without that option cache or stream by the bytes of the case; batch, unknowns, points or registers.
std::string regime_of(const case_results& c, const options& o);

/// The prediction for a result: its own, or that of its case; null where there is none.
nlohmann::json predicted_json(const case_results& c, const result& r);

/// Figures of the energy of a pass; null where it was not measured.
nlohmann::json energy_json(const case_results& c, const result& r);

}  // namespace tessera::bench
