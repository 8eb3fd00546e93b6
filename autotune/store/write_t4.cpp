// SPDX-License-Identifier: BSD-3-Clause
// Exports records in the T4 results format, version 1.0.0, which Kernel Tuner and similar tools read.
#include "record.hpp"
#include "store/record_json.hpp"
#include "store/safe_file.hpp"

namespace tessera::tune {

namespace {

ordered_json measurement(const char* name, double value, const char* unit) {
  return {{"name", name}, {"value", value}, {"unit", unit}};
}

// The sizes are part of the configuration: the format has no other place for them. Its times are in milliseconds.
ordered_json result_of(const record& r) {
  ordered_json configuration = {{"target", name_of(r.of.on)}};
  if (r.of.element) {
    configuration.update(element_case_json(r.of));
    configuration.update(tuning_json(r.winner, record_axes(r.of.on, family_of(r.of))));
  } else {
    configuration.update(
        {{"type", name_of(r.of.type)}, {"regime", name_of(r.of.in)}, {"m", r.of.m}, {"n", r.of.n}, {"k", r.of.k}});
    configuration.update(tuning_json(r.winner, record_axes(r.of.on, record_family::gemm)));
  }
  return {{"timestamp", r.date},
          {"configuration", configuration},
          {"times", {{"compilation_time", 0}, {"runtimes", {r.seconds * 1e3}}}},
          {"invalidity", "correct"},
          {"correctness", 1},
          {"measurements",
           {measurement("time", r.seconds * 1e3, "ms"), measurement("mad", r.mad * 1e3, "ms"),
            measurement("initial_time", r.initial_seconds * 1e3, "ms"), measurement("fraction", r.fraction, "")}},
          {"objectives", {"time"}}};
}

}  // namespace

void write_t4(const record_file& f, const std::string& path) {
  ordered_json all = {{"schema_version", "1.0.0"},
                      {"metadata",
                       {{"device", f.device},
                        {"target", f.target},
                        {"driver", f.driver},
                        {"toolkit", f.toolkit},
                        {"compiler", f.compiler},
                        {"flags", f.flags},
                        {"source_hash", f.source_hash},
                        {"tessera", f.tessera}}},
                      {"results", ordered_json::array()}};
  for (const record& r : f.records) all["results"].push_back(result_of(r));
  replace_file(path, all.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace tessera::tune
