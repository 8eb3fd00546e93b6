// SPDX-License-Identifier: BSD-3-Clause
// The demo's results as JSON, which plot_demo.py draws.
#include <fstream>
#include <nlohmann/json.hpp>

#include "table.hpp"

namespace tessera::demo {

namespace {

using nlohmann::json;

json seconds_of(const bench::timing& t) {
  return {{"median", t.seconds.median}, {"spread", t.seconds.rrs}, {"disturbed", !bench::disturbance(t).empty()}};
}

json result_of(const outcome& r) {
  json j{{"operator", name_of(r.sizes.kind)},
         {"what", name_of(r.what)},
         {"space", r.space == space_kind::cpu ? "cpu" : "gpu"},
         {"p", r.sizes.p},
         {"elements", r.elements},
         {"entries", r.entries(r.elements)},
         {"bytes", r.bytes()},
         {"flops", r.flops()},
         {"bandwidth", r.bandwidth()},
         {"bound", {{"seconds", r.limit().seconds}, {"by", r.bound_by_bytes() ? "memory" : "flops"}}},
         {"fraction", r.fraction()},
         {"believed", r.is_believed()},
         {"disturbed", r.disturbed()},
         {"attempts", r.attempts},
         {"error", r.error},
         {"kernel", r.description}};
  j["seconds"]["tessera"] = seconds_of(r.tessera);
  if (r.with_gather.seconds.median > 0) j["seconds"]["tessera with gather and scatter"] = seconds_of(r.with_gather);
  if (r.plain.seconds.median > 0) j["seconds"]["plain loop"] = seconds_of(r.plain);
  if (r.csr.seconds.median > 0) {
    j["seconds"]["csr"] = seconds_of(r.csr);
    j["csr entries"] = r.entries(r.csr_elements);  // of the E-vector of its mesh
  }
  return j;
}

}  // namespace

void write_json(const std::string& file, const facts& about, const std::vector<outcome>& results) {
  json all{{"schema", 2},
           {"cpu", about.cpu},
           {"target", about.target},
           {"threads", about.threads},
           {"gpu", about.has_gpu ? json(about.gpu) : json()},
           {"peaks", {{"cpu", about.cpu_flops}, {"gpu", about.gpu_flops}}},
           {"tolerance", tolerance}};
  for (const outcome& r : results) all["results"].push_back(result_of(r));
  std::ofstream out(file);
  out << all.dump(1) << '\n';
  if (!out) throw std::runtime_error("cannot write " + file);
}

}  // namespace tessera::demo
