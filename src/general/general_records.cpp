// SPDX-License-Identifier: BSD-3-Clause
// Which record a general contraction takes.
#include <tessera/detail/general_records.hpp>

#include <limits>

#include <tessera/detail/general_candidates.hpp>

#include "../records/records_overlay.hpp"
#include "embedded_generals.hpp"
#include "kernel_hashes.hpp"

namespace tessera::detail {

namespace {

constexpr double of_other_device = 0.25, of_plain_kind = 1e-3;  // added to the distance

bool is_far(double distance) { return distance == std::numeric_limits<double>::infinity(); }

std::string source_text(const general_choice& choice, const general_form& form, const std::string& file) {
  const tuned_general& from = *choice.from;
  const std::string is = text_of(from.form);
  std::string text =
      is == text_of(form) ? "record of this contraction" : "record of the nearest contraction (" + is + ")";
  text += " on " + std::string(from.device);
  if (!file.empty()) text += ", in " + file;
  return from.stale ? text + ", measured with an earlier version of the kernels" : text;
}

}  // namespace

std::span<const tuned_general> general_records() { return embedded_generals; }

std::string_view general_source_hash() { return general_kernel_hash; }

std::optional<general_choice> choose_general(std::span<const tuned_general> records, const general_form& form,
                                             const general_kind& kind, std::string_view device, const gpu_rates& gpu,
                                             double modelled) {
  const std::string own = text_of(kind);
  general_kind without = kind;
  without.functions_name.clear();
  const std::string plain = text_of(without), wanted = text_of(form);
  const tuned_general* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const tuned_general& r : records) {
    if (r.kind != own && r.kind != plain) continue;
    if (r.tile.splits > (r.tile.has_parts() ? gpu.most_parts : gpu.most_splits)) continue;
    double distance = distance_between(r.form, form);
    if (distance == 0 && text_of(r.form) != wanted) distance = of_plain_kind;  // the same extents, padded otherwise
    if (is_far(distance)) continue;
    distance += (r.device == device ? 0 : of_other_device) + (r.kind == own ? 0 : of_plain_kind);
    if (distance >= least) continue;
    best = &r;
    least = distance;
  }
  if (best == nullptr) return std::nullopt;
  const general_choice choice{clipped(best->tile, form), best, least};
  if (least == 0) return choice;
  const double seconds = cost_of(choice.tile, form, gpu, kind).seconds;
  if (modelled <= 0) {
    const general_candidates all = candidates_of(form, gpu, kind);
    modelled = all.found.empty() ? seconds : all.found.front().costs.seconds;
  }
  return seconds <= most_of_modelled * modelled ? std::optional(choice) : std::nullopt;
}

std::optional<recorded_general> recorded_choice(const general_form& form, const general_kind& kind,
                                                std::string_view device, const gpu_rates& gpu, double modelled) {
  if (const std::shared_ptr<const overlay> file = current_overlay())
    if (const auto found = choose_general(file->generals, form, kind, device, gpu, modelled))
      return recorded_general{found->tile, source_text(*found, form, file->path)};
  const auto found = choose_general(general_records(), form, kind, device, gpu, modelled);
  if (!found) return std::nullopt;
  return recorded_general{found->tile, source_text(*found, form, "")};
}

std::optional<general_tile> recorded_tile(const general_form& form, const general_kind& kind, std::string_view device,
                                          const gpu_rates& gpu, double modelled) {
  const auto found = recorded_choice(form, kind, device, gpu, modelled);
  return found ? std::optional(found->tile) : std::nullopt;
}

}  // namespace tessera::detail
