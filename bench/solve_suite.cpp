// SPDX-License-Identifier: BSD-3-Clause
// Suite solve: an iteration of conjugate gradients with Jacobi on operators between L-vectors, by order.
#include <omp.h>

#include <optional>

#include <tessera/element/operators.hpp>
#include <tessera/error.hpp>

#include "element_options.hpp"
#include "global_facts.hpp"
#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "sizes.hpp"
#include "solve_case.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

template <class T>
void run_one(const element_sizes& sizes, index_t unknowns, setting& s, report& to) {
  const numbering how = numbering_from(s.with.numbering);
  global_case<T> made(sizes, unknowns, how, s.on);
  const double dofs = double(made.x.size());
  const std::string label = label_of(sizes, false) + " " + rounded(dofs);
  made.fill_y();
  made.run();
  made.fetch_y();
  if (const verdict v = made.check(); !v.correct()) return to.refuse(label, "the operator", v);
  solve_case<T> c(made, s.with.iterations);
  run_for_profiler(s, "tessera", [&] { c.run(); });
  const verdict checked = c.check();
  if (!checked.correct()) return to.refuse(label, "tessera", checked);
  const int iterations = c.iterations();
  if (iterations < s.with.iterations)
    return to.note(label + ": left out, since it is solved in iteration " + std::to_string(iterations));

  // A list that stays in cache costs no movement.
  const bool with_list = honest_movement(space_of(s), c.footprint(true)) == 1;
  const double bytes = c.bytes(with_list), footprint = c.footprint(with_list);
  const double flops = sizes.flops() * double(made.elements());
  std::vector<contender> all{{"tessera", [&] { c.run(); }}};
  std::optional<iteration_movement> movement;
  if (s.on != target::cuda) {
    const auto data = std::as_bytes(std::span<const T>(made.D));
    const std::size_t list = with_list ? made.offsets.size_bytes() : 0;  // directly behind D
    movement.emplace(std::span(data.data(), data.size() + list), made.x.size_bytes());
    const int threads = s.with.threads;
    all.push_back({"movement", [&, threads] { movement->run(false, threads); }});
    if (footprint > double(this_machine().llc_bytes))
      all.push_back({"movement, streaming stores", [&, threads] { movement->run(true, threads); }});
  } else if (s.with.heat == thermal::cool) {
    all.push_back({"movement", device::copy_pass(std::size_t(bytes))});
  }
  const measurement m =
      measure_until_trusted(all, 1, protocol_for(s), [&](const std::vector<timing>& times, bool again) {
        if (again) measure_again(s);
        bound of_pass = limit_of(times, 1, bytes, footprint, flops, s);
        of_pass.seconds *= iterations;
        return of_pass;
      });
  bound limit = m.limit;
  limit.seconds /= iterations;
  const timing ours = divided(m.times.front(), iterations);
  nlohmann::json facts = facts_of(made, how, with_list);
  facts.update({{"iterations", iterations},
                {"preconditioner", "jacobi"},
                {"dofs_are", "numbers of an L-vector times iterations"},
                {"joules_per_1e9_dofs", joules_per_billion(ours, dofs)},
                {"dofs_per_second", dofs / ours.seconds.median}});
  to.add(case_results{.label = label,
                      .facts = facts,
                      .target = name_of(s.on),
                      .row = made.A->describe(detail_level::brief) + words_of_dofs(ours, dofs, s.with),
                      .flops = flops,
                      .bytes = bytes,
                      .limit = limit,
                      .all = {{"tessera", ours, checked, made.A->describe(), m.suspect.front()}},
                      .measured = m.measured});
}

}  // namespace

int run_solve(const options& o) {
  const std::vector<operator_kind> kinds = kinds_of(o.operators);
  const std::vector<int> orders = parse_orders(o.orders);
  const std::vector<index_t> unknowns = parse_unknowns(o.unknowns);
  numbering_from(o.numbering);
  if (!o.type.is_real()) throw error(std::string("solve: type ") + name_of(o.type) + ", not f32 or f64");
  if (o.dim != 2 && o.dim != 3) throw error("--dim: " + std::to_string(o.dim) + " is neither 2 nor 3");
  omp_set_num_threads(o.threads);
  report to(o, {});
  setting s = make_setting(o, {}, to);
  to.note("times, flops and bytes are those of an iteration, of " + std::to_string(o.iterations) +
          " in a solve; flops are the operator's, without symmetry");
  to.note("dofs are numbers of an L-vector times iterations");
  for (const operator_kind kind : kinds) {
    if (!is_symmetric(kind)) {
      to.note(std::string(name_of(kind)) + ": left out, since it is not symmetric");
      continue;
    }
    for (const index_t count : unknowns)
      for (const int p : orders) {
        const element_sizes sizes = sizes_with_form(kind, p, o);
        if (o.type.in == scalar_type::f32)
          run_one<float>(sizes, count, s, to);
        else
          run_one<double>(sizes, count, s, to);
      }
  }
  return to.finish();
}

}  // namespace tessera::bench
