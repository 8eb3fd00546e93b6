// SPDX-License-Identifier: BSD-3-Clause
// Winners of general contractions as a record file.
#pragma once

#include <functional>
#include <string>

#include <tessera/tuning_records.hpp>

#include "general/general_result.hpp"

namespace tessera::tune {

/// "nvidia_h200-cuda-general.json"
std::string general_file_name(const std::string& device);

/// The winner with its evidence.
tuning_record general_record_of(const general_result& r);

/// The text of a file, a record a line.
std::string general_records_text(const tuning_records& f);

/// Adds to the file, or writes a new one: newer records replace those of the same kind and form, others stay, with the
/// hash of the kernels that they were measured with. Under a lock, as add_records. Throws if the file is of another
/// device or family. Returns how many records it has then.
std::size_t add_general_records(const std::string& path, const tuning_records& newer,
                                const std::function<void(const std::string&)>& say);

/// Throws tessera::error naming the file and its fault, one that has records of other families or devices included.
tuning_records read_general_records(const std::string& path, const std::string& device);

}  // namespace tessera::tune
