// SPDX-License-Identifier: BSD-3-Clause
// Chooses how a CPU goes over elements: a record of the very facts where there is one, else the rule.
#include <tessera/detail/element/element_record.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/embedded_records.hpp>

#include "../records/records_overlay.hpp"
#include "record_source.hpp"

namespace tessera {

element_run ruled_element_run(const element_kernel_facts& f, target on, memory_regime in) {
  constexpr index_t large = 48 << 10;
  if (in == memory_regime::cache)
    return {.prefetch_kib = 0, .nontemporal = 0, .prefetch_level = 0, .prefetch_repeats = 1};
  if (first_cache_bytes() >= large)
    return {.prefetch_kib = 8, .nontemporal = 1, .prefetch_level = 1, .prefetch_repeats = 1};
  const bool fused = !f.own_slopes && !f.several;
  if (fused && f.slopes() && on == target::avx512)
    return {
        .prefetch_kib = 64, .nontemporal = 1, .prefetch_level = 2, .prefetch_repeats = f.nodal && f.points > 2 ? 3 : 2};
  return {.prefetch_kib = 8,
          .nontemporal = 1,
          .prefetch_level = 0,
          .prefetch_repeats = fused && !f.slopes() && f.nodal && f.points > 3 ? 3 : 1};
}

element_run_choice choose_element_run(const element_kernel_facts& f, target on, memory_regime in,
                                      const std::string& device) {
  const auto serves = [&](const tuned_element_run& r) {
    return r.on == on && r.in == in && is_of(r.of, f) && *why_unfit(r.run, in) == '\0';
  };
  if (const auto over = detail::current_overlay())
    for (const tuned_element_run& r : over->runs)
      if (serves(r)) return {r.run, {"record in " + over->path, detail::stale_note(r.stale)}};
  for (const tuned_element_run& r : element_run_records())
    if (serves(r) && device == record_origins[std::size_t(r.origin)].device)
      return {r.run, detail::words_of(r, record_source::this_device), &r};
  return {ruled_element_run(f, on, in), {"default"}};
}

element_run_choice choose_element_run(const element_kernel_facts& f, target on, memory_regime in) {
  return choose_element_run(f, on, in, device_name(on));
}

}  // namespace tessera
