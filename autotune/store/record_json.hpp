// SPDX-License-Identifier: BSD-3-Clause
// Records as JSON; docs/reference/records.md has the schema, <tessera/tuning_records.hpp> reads it.
#pragma once

#include <span>

#include <nlohmann/json.hpp>
#include <tessera/tuning_records.hpp>

#include "record.hpp"

namespace tessera::tune {

using ordered_json = nlohmann::ordered_json;

/// Of which family the records of such a case are.
record_family family_of(const tuning_case& c);

/// {"row_vectors": 2, ...}: every axis.
ordered_json tuning_json(const config& c, std::span<const record_axis> axes);

ordered_json json_of(const record& r);

/// The members for the case of a record of an element operator, or of its matrices.
ordered_json element_case_json(const tuning_case& c);

/// Throws if they are inconsistent: facts that are not those of the operator.
tuning_case element_case_of(const tuning_record& r, target on);
tuning_case matrix_case_of(const tuning_record& r);

}  // namespace tessera::tune
