// SPDX-License-Identifier: BSD-3-Clause
// deal.II's evaluation of element operators, loaded from modules built for it.
#include <memory>
#include <string>

#include <tessera/memory.hpp>

#include "measure/shared_library.hpp"
#include "peers/dealii/cell_loop.hpp"
#include "peers/peer.hpp"

namespace tessera::bench {

namespace {

using dealii_peer::cell_loop;

// D as deal.II's users store it: the lanes of a group of elements adjacent, with the same alignment and pages as ours.
buffer side_by_side(const element_call& call, index_t lanes) {
  const index_t numbers = index_t(call.q) * call.q * call.q * factors_of(call.kind, call.dim);
  const index_t groups = (call.elements + lanes - 1) / lanes;
  buffer packed(space_kind::cpu, std::size_t(groups * lanes * numbers) * sizeof(double));
  const double* const from = static_cast<const double*>(call.D);
  double* const to = static_cast<double*>(packed.data());
#pragma omp parallel for num_threads(call.threads)
  for (index_t g = 0; g < groups; ++g)
    for (index_t i = 0; i < numbers; ++i)
      for (index_t e = g * lanes; e < (g + 1) * lanes; ++e)
        to[e % lanes + lanes * (i + numbers * g)] = e < call.elements ? from[i + numbers * e] : 0;
  return packed;
}

pass prepare_with(dealii_peer::prepare_function* prepare, index_t lanes, const element_call& call) {
  const bool known = call.kind == operator_kind::mass || call.kind == operator_kind::diffusion;
  if (!known || call.type != scalar_type::f64 || call.dim != 3 || call.components != 1) return {};
  const auto D = std::make_shared<buffer>(side_by_side(call, lanes));
  pass run;
  prepare({.p = call.p,
           .q = call.q,
           .nodal = call.nodal,
           .gradients = call.kind == operator_kind::diffusion,
           .add = call.add,
           .elements = call.elements,
           .x = static_cast<const double*>(call.x),
           .D = static_cast<const double*>(D->data()),
           .y = static_cast<double*>(call.y),
           .threads = call.threads},
          run);
  if (!run) return {};
  return [D, run] { run(); };
}

operator_pass prepare_box_with(dealii_peer::prepare_box_function* prepare, const operator_call& call) {
  const element_call& e = call.element;
  const bool known = e.kind == operator_kind::mass || e.kind == operator_kind::diffusion;
  if (!known || e.type != scalar_type::f64 || e.dim != 3 || e.components != 1) return {};
  operator_pass made;
  prepare({.p = e.p,
           .q = e.q,
           .nodal = e.nodal,
           .gradients = e.kind == operator_kind::diffusion,
           .cells = {call.cells[0], call.cells[1], call.cells[2]},
           .cell = call.cell,
           .offsets = call.offsets,
           .x = static_cast<const double*>(e.x),
           .D = static_cast<const double*>(e.D),
           .y = static_cast<double*>(e.y),
           .threads = e.threads},
          made.run, made.fetch);
  return made;
}

// The module's file; empty if it was not built.
peer through(const char* name, index_t lanes, const char* module) {
  peer p{.name = name, .version = "not found when tessera-bench was built", .space = space_kind::cpu};
  if (*module == '\0') return p;
  const shared_library library{module};
  auto* const prepare = library.find<dealii_peer::prepare_function>(dealii_peer::prepare_name);
  auto* const prepare_box = library.find<dealii_peer::prepare_box_function>(dealii_peer::prepare_box_name);
  auto* const version = library.find<const char*()>(dealii_peer::version_name);
  p.found = prepare != nullptr && prepare_box != nullptr && version != nullptr;
  p.version = p.found ? version() + std::string(", ") + std::to_string(lanes) + " cells per vector"
                      : "its module could not be loaded";
  if (p.found) p.prepare_element = [=](const element_call& call) { return prepare_with(prepare, lanes, call); };
  if (p.found) p.prepare_operator = [=](const operator_call& call) { return prepare_box_with(prepare_box, call); };
  return p;
}

}  // namespace

std::vector<peer> dealii_peers() {
  return {through("dealii-4", 4, TESSERA_BENCH_DEALII_4), through("dealii-8", 8, TESSERA_BENCH_DEALII_8)};
}

}  // namespace tessera::bench
