// SPDX-License-Identifier: BSD-3-Clause
// A result as the object of the file that has it.
#pragma once

#include "report.hpp"

namespace tessera::bench {

/// Without best peer and ratio, which the report adds.
nlohmann::json to_json(const case_results& c, const result& r, const options& o);

/// The prediction for a result: its own, or that of its case; null where there is none.
nlohmann::json predicted_json(const case_results& c, const result& r);

/// Figures of the energy of a pass; null where it was not measured.
nlohmann::json energy_json(const case_results& c, const result& r);

}  // namespace tessera::bench
