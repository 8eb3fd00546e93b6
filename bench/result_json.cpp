// SPDX-License-Identifier: BSD-3-Clause
// Writes a result.
#include "result_json.hpp"

#include <cmath>

#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "models/energy.hpp"
#include "power_meter.hpp"

namespace tessera::bench {

namespace {

using nlohmann::json;

// JSON has no NaN: values that were not measured are null.
json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

}  // namespace

json predicted_json(const case_results& c, const result& r) {
  const std::optional<prediction>& p = r.predicted ? r.predicted : c.predicted;
  return p ? to_json(*p, c.flops, c.bytes, r.time.seconds.median) : json(nullptr);
}

json energy_json(const case_results& c, const result& r) {
  const double joules = r.time.joules, seconds = r.time.seconds.median;
  // A counter that did not advance during the samples says nothing.
  if (!(std::isfinite(joules) && joules > 0 && seconds > 0)) return nullptr;
  const models::energy_figures f =
      models::figures_of({.seconds = seconds, .joules = joules, .flops = c.flops, .bytes = c.bytes});
  const energy_source from = source_of_energy(c.target == "cuda");
  return {{"joules", joules},
          {"watts", f.watts},
          {"flops_per_joule", f.flops_per_joule},
          {"bytes_per_joule", f.bytes_per_joule},
          {"energy_delay", f.energy_delay},
          {"energy_delay_2", f.energy_delay_2},
          {"source", from.name},
          {"sampling_seconds", from.period > 0 ? json(from.period) : json(nullptr)}};
}

std::string regime_of(const case_results& c, const options& o) {
  if (o.suite == "operator" || o.suite == "solve") return "unknowns";
  if (o.suite == "hydro") return "points";
  if (o.suite == "registers") return "registers";
  if (o.suite == "two-site") return name_of(c.facts.at("beyond_cache").get<bool>() ? regime::stream : regime::cache);
  if (o.suite == "stride" || o.suite == "tccg") {
    const double cache = c.target == "cuda" ? double(device::this_device().l2_bytes) : double(this_machine().llc_bytes);
    return name_of(c.bytes > cache ? regime::stream : regime::cache);
  }
  return o.batch ? "batch" : name_of(o.in);
}

json to_json(const case_results& c, const result& r, const options& o) {
  const summary& s = r.time.seconds;
  return {{"suite", o.suite},
          {"case", c.facts},
          {"impl", r.impl},
          {"target", r.impl == "tessera" ? json(c.target) : json(nullptr)},
          {"type", type_name(o.type)},
          {"threads", o.threads},
          {"regime", regime_of(c, o)},
          {"seconds",
           {{"median", s.median},
            {"mad", s.mad},
            {"min", s.min},
            {"reps", s.reps},
            {"sigma", s.sigma},
            {"rrs", s.rrs},
            {"ci95", {s.ci95.low, s.ci95.high}},
            {"passes_per_sample", r.time.passes},
            {"disturbed", r.time.disturbed},
            {"kept_disturbed", r.time.kept_disturbed}}},
          {"bytes", c.bytes},
          {"flops", c.flops},
          {"bandwidth_used", c.bytes / s.median},
          {"clock_mhz", number(r.time.clock_mhz)},
          {"joules", number(r.time.joules)},
          {"energy", energy_json(c, r)},
          {"bound",
           {{"seconds", c.limit.seconds},
            {"by", c.limit.by},
            {"bandwidth", number(c.limit.bandwidth)},
            {"peak", number(c.limit.peak)}}},
          {"fraction", c.limit.seconds / s.median},
          {"predicted", predicted_json(c, r)},
          {"suspect", r.suspect.empty() ? json(nullptr) : json(r.suspect)},
          {"measured", c.measured},
          {"error", number(r.checked.error)},
          {"error_bound", r.checked.bound},
          {"attribution", "non-attributed"},
          {"describe", r.describe}};
}

}  // namespace tessera::bench
