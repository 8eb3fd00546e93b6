// SPDX-License-Identifier: BSD-3-Clause
// Where a record of an element operator was measured, relative to a device: on this one, a similar one, or another.
#pragma once

#include <string>

#include <tessera/detail/choose.hpp>
#include <tessera/detail/tuning_source.hpp>
#include <tessera/embedded_records.hpp>

#include "../choice_words.hpp"

namespace tessera::detail {

/// `compute_capability` is 0 for a CPU; all records compared with it are then of its instruction set.
inline record_source source_of(const record_origin& origin, const std::string& device, int compute_capability) {
  if (device == origin.device) return record_source::this_device;
  return compute_capability == origin.compute_capability ? record_source::this_architecture
                                                         : record_source::other_device;
}

/// "record of this device", "record of NVIDIA H200, same compute capability"
template <class Record>
tuning_source words_of(const Record& r, record_source source) {
  std::string text = source == record_source::this_device ? text_of(source) : "record of" + device_text(r.origin);
  const bool gpu = record_origins[std::size_t(r.origin)].on == target::cuda;
  if (source == record_source::this_architecture) text += gpu ? ", same compute capability" : ", same instruction set";
  if (source == record_source::other_device) text += ", another architecture";
  return {text, stale_note(r.stale)};
}

}  // namespace tessera::detail
