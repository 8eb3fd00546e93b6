// SPDX-License-Identifier: BSD-3-Clause
// Chooses the way and the block of element matrices on a GPU: the record of the nearest number of points, else rules.
#include <tessera/detail/element/matrix_choice.hpp>

#include <cstdlib>
#include <tuple>

#include <tessera/device_facts.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/embedded_records.hpp>

#include "../records/records_overlay.hpp"
#include "record_source.hpp"

namespace tessera {

namespace {

// Operators whose matrices one kernel makes in much the same time: symmetric ones of derivatives and one component.
bool are_alike(operator_kind a, operator_kind b, int dim) {
  const auto is_of_slopes = [&](operator_kind kind) {
    return with_function(
        kind, dim, []<class F>(const F&) { return F::symmetric && F::trial.gradient && F::trial.components == 1; });
  };
  return a == b || (is_of_slopes(a) && is_of_slopes(b));
}

bool serves(const tuned_matrix& r, const matrix_facts& f) {
  const points_served points = points_served_by(r.tuning.way);
  return !f.own_test && f.components == coupled_components(f.kind, f.dim) && are_alike(r.of.kind, f.kind, f.dim) &&
         r.of.dim == f.dim && r.of.trial == f.trial && r.of.entry_bytes == f.entry_bytes &&
         (r.either || r.of.packed == f.packed) && r.of.points - f.points <= points.more &&
         f.points - r.of.points <= points.fewer;
}

}  // namespace

std::optional<matrix_choice> recorded_matrix_tuning(const matrix_facts& f, const gpu_limits& limits,
                                                    const std::string& device, int compute_capability,
                                                    ways_allowed allowed) {
  // What is nearer, in this order: points, the source of the record, the operator, the storage.
  using distance = std::tuple<int, int, bool, bool>;
  std::optional<matrix_choice> best;
  distance least;
  const auto look_at = [&](const tuned_matrix& r, int source, const auto& words) {
    if (!serves(r, f) || (allowed != nullptr && !allowed(r.tuning.way))) return;
    const distance now{std::abs(r.of.points - f.points), source, r.of.kind != f.kind, r.either};
    if ((best && now >= least) || *why_unfit(f, r.tuning, limits) != '\0') return;
    best = {r.tuning, words()};
    least = now;
  };
  if (const auto over = detail::current_overlay())
    for (const tuned_matrix& r : over->matrices)
      look_at(r, -1, [&] { return tuning_source{"record in " + over->path, detail::stale_note(r.stale)}; });
  for (const tuned_matrix& r : matrix_records()) {
    const record_source source = detail::source_of(record_origins[std::size_t(r.origin)], device, compute_capability);
    look_at(r, int(source), [&] { return detail::words_of(r, source); });
  }
  return best;
}

matrix_choice choose_matrix_tuning(const matrix_facts& f, const gpu_limits& limits, const std::string& device,
                                   int compute_capability) {
  if (auto recorded = recorded_matrix_tuning(f, limits, device, compute_capability)) return *recorded;
  return {ruled_matrix_tuning(f, limits), {"default"}};
}

matrix_choice choose_matrix_tuning(const matrix_facts& f, const gpu_limits& limits) {
  return choose_matrix_tuning(f, limits, device_name(target::cuda), compute_capability(target::cuda));
}

}  // namespace tessera
