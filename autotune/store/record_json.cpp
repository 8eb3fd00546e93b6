// SPDX-License-Identifier: BSD-3-Clause
// Records as JSON; <tessera/tuning_records.hpp> reads them.
#include "store/record_json.hpp"

#include <algorithm>
#include <cmath>

#include <tessera/detail/axes.hpp>
#include <tessera/detail/element/element_axes.hpp>
#include <tessera/detail/packed_layouts_text.hpp>
#include <tessera/detail/record_figures.hpp>
#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

// Values that the reader would reject are omitted: an absent time, or a fraction of a bound that is NaN.
void put_figure(ordered_json& object, const char* name, double value) {
  const auto* const f = std::find_if(std::begin(record_figures), std::end(record_figures),
                                     [&](const record_figure& one) { return one.name == name; });
  if (why_no_figure(*f, value).empty()) object[name] = value;
}

ordered_json product_json(const tuning_case& c) {
  return {{"family", "gemm"},
          {"form", form_text(c.layouts)},
          {"type", name_of(c.type)},
          {"regime", name_of(c.in)},
          {"m", c.m},
          {"n", c.n},
          {"k", c.k}};
}

}  // namespace

record_family family_of(const tuning_case& c) {
  return !c.element ? record_family::gemm : c.is_of_matrices() ? record_family::matrix : record_family::element;
}

ordered_json tuning_json(const config& c, std::span<const record_axis> axes) {
  ordered_json tuning = ordered_json::object();
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].words.empty())
      tuning[axes[i].name] = c.value[i];
    else
      tuning[axes[i].name] = axes[i].words[std::size_t(c.value[i])];
  return tuning;
}

ordered_json json_of(const record& r) {
  const std::span<const record_axis> axes = record_axes(r.of.on, family_of(r.of));
  ordered_json j = r.of.element ? element_case_json(r.of) : product_json(r.of);
  j["tuning"] = tuning_json(r.winner, axes);
  put_figure(j, "seconds", r.seconds);
  put_figure(j, "mad", r.mad);
  put_figure(j, "initial_seconds", r.initial_seconds);
  put_figure(j, "fraction", r.fraction);
  j["runner_up"] = tuning_json(r.runner_up, axes);
  put_figure(j, "runner_up_seconds", r.runner_up_seconds);
  j.update(
      {{"tie", r.tie}, {"tried", r.tried}, {"candidates", r.candidates}, {"strategy", r.strategy}, {"date", r.date}});
  if (r.clock_mhz > 0) put_figure(j, "clock_mhz", std::round(r.clock_mhz));
  if (r.watts > 0) put_figure(j, "watts", std::round(r.watts));
  if (!r.source_hash.empty()) j["source_hash"] = r.source_hash;
  return j;
}

}  // namespace tessera::tune
