// SPDX-License-Identifier: BSD-3-Clause
// Suite models: the tables of the models for the machine at hand, or for one by its data sheet.
#include <tessera/error.hpp>

#include "measure/gpu/device.hpp"
#include "model_tables.hpp"
#include "report.hpp"
#include "suites.hpp"

namespace tessera::bench {

int run_models(const options& o) {
  if (!o.type.is_real()) throw error(std::string("models: type ") + name_of(o.type) + ", not f32 or f64");
  const bool measured = o.models.machine == "measured";
  const bool has_gpu = device::this_device().present;
  if (measured && o.target_name == "cuda" && !has_gpu)
    throw error("models: no GPU on this machine or in this build", status::no_device);
  report to(o, {});
  machine_figures figures = measured
                                ? measured_machine(o, has_gpu && (o.target_name == "cuda" || o.target_name == "best"))
                                : given_machine(o.models.machine);
  apply_given_rates(figures, o.models);
  to.note(figures.name);
  nlohmann::json file{{"machine", figures.name}, {"measured", measured}};
  for (const model_table& table : model_tables(figures, o.models, name_of(o.type))) {
    to.note("");
    for (const std::string& line : table.lines) to.note(line);
    file[table.name] = table.rows;
  }
  if (!figures.energy)
    to.note("\nenergy: " + figures.why_no_energy + "; give --base-watts, --pj-per-flop and --pj-per-byte");
  else
    file["energy_model"] = {{"base_watts", figures.energy->base_watts},
                            {"joules_per_flop", figures.energy->joules_per_flop},
                            {"joules_per_byte", figures.energy->joules_per_byte},
                            {"worst_fit", figures.energy->worst_fit}};
  to.attach("models", file);
  return to.finish();
}

}  // namespace tessera::bench
