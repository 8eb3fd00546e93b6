// SPDX-License-Identifier: BSD-3-Clause
// Chooses the tuning of an element kernel: a record of its very facts where there is one that fits, else the rules.
#include <tessera/detail/element/element_record.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/embedded_records.hpp>

#include "../records/records_overlay.hpp"
#include "record_source.hpp"
#include "record_tuning.hpp"

namespace tessera {

namespace {

using detail::tuning_of;

bool fits(const element_kernel_facts& f, const element_tuning& t, const gpu_limits& limits) {
  return *why_unfit(f, t, limits) == '\0';
}

}  // namespace

element_choice choose_element_tuning(const element_kernel_facts& f, const gpu_limits& limits, const std::string& device,
                                     int compute_capability) {
  if (const auto over = detail::current_overlay())
    for (const tuned_element& r : over->elements)
      if (is_of(r.of, f) && fits(f, tuning_of(r, f), limits))
        return {tuning_of(r, f), {"record in " + over->path, detail::stale_note(r.stale)}};
  const tuned_element* best = nullptr;
  record_source nearest = record_source::none;
  for (const tuned_element& r : element_records()) {
    if (!is_of(r.of, f) || !fits(f, tuning_of(r, f), limits)) continue;
    const record_source source = detail::source_of(record_origins[std::size_t(r.origin)], device, compute_capability);
    if (best == nullptr || int(source) < int(nearest)) best = &r, nearest = source;
  }
  if (best != nullptr) return {tuning_of(*best, f), detail::words_of(*best, nearest), best};
  return {ruled_element_tuning(f, limits), {"default"}};
}

element_choice choose_element_tuning(const element_kernel_facts& f, const gpu_limits& limits) {
  return choose_element_tuning(f, limits, device_name(target::cuda), compute_capability(target::cuda));
}

element_tuning default_element_tuning(const element_kernel_facts& f, const gpu_limits& limits) {
  return choose_element_tuning(f, limits).tuning;
}

}  // namespace tessera
