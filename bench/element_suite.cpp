// SPDX-License-Identifier: BSD-3-Clause
// Suite element: element operators y = B^T D(B x) on E-vectors, by order.
#include <omp.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <tessera/error.hpp>

#include "element_case.hpp"
#include "element_options.hpp"
#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "run_case.hpp"
#include "sizes.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

// One run of the peer from the initial y, checked like ours.
template <class T>
verdict try_once(element_case<T>& c, const pass& run) {
  c.fill_y();
  run();
  return c.check();
}

// The call for peers.
template <class T>
element_call call_for(const element_case<T>& c, int threads) {
  const element_sizes& s = c.sizes;
  return {.kind = s.kind,
          .type = scalar_of<T>,
          .dim = s.dim,
          .components = s.components,
          .p = s.p,
          .q = s.q,
          .nodal = s.nodal,
          .add = c.add,
          .elements = c.elements,
          .x = c.x.data(),
          .D = c.D.data(),
          .y = c.y.data(),
          .threads = threads};
}

// The peers that can do the case, checked.
template <class T>
void add_peers(element_case<T>& c, const setting& s, std::vector<contender>& all, std::vector<result>& ways) {
  for (const peer& p : s.peers) {
    if (c.sizes.geometry > 0 || c.sizes.simplex) continue;  // they need stored D and tensor-product elements
    if (!p.found || p.space != space_kind::cpu || s.on == target::cuda) continue;
    const pass run = p.prepare_element(call_for(c, s.with.threads));
    if (!run) continue;
    const verdict checked = try_once(c, run);
    ways.push_back({.impl = p.name, .time = timing{}, .checked = checked, .describe = p.version});
    all.push_back({p.name, run});
  }
}

// Plain movement of the bytes of a case from and to arrays of their sizes.
template <class T>
void add_movement(const element_case<T>& c, const setting& s, double total, std::vector<contender>& all) {
  if (s.on == target::cuda) {
    // The speed of copying does not depend on the clock: the measurement at the start also holds under sustained load.
    if (s.with.heat == thermal::cool) all.push_back({"movement", device::copy_pass(std::size_t(total))});
    return;
  }
  arrays moved;
  const auto doubles = [](std::span<const T> from) { return from.size() * sizeof(T) / sizeof(double); };
  moved.a = reinterpret_cast<const double*>(c.D.data());
  moved.na = doubles(c.D);
  moved.b = reinterpret_cast<const double*>(c.x.data());
  moved.nb = doubles(c.x);
  moved.c = reinterpret_cast<double*>(c.y.data());
  moved.nc = doubles(c.y);
  const bool add = c.add;
  const int threads = s.with.threads;
  all.push_back({"movement", [=] { move_once(moved, add, false, threads); }});
  if (!add && total > double(this_machine().llc_bytes))
    all.push_back({"movement, streaming stores", [=] { move_once(moved, false, true, threads); }});
}

// Without timed movements of this case, the bandwidth is that of the copy at the start.
bound bound_of(const std::vector<timing>& movements, double bytes, double flops, const setting& s) {
  double move_seconds = movements.empty() ? bytes / s.device_bandwidth : std::numeric_limits<double>::infinity();
  for (const timing& t : movements) move_seconds = std::min(move_seconds, t.seconds.median);
  const bool by_flops = flops / s.peak > move_seconds;
  return {.seconds = std::max(move_seconds, flops / s.peak),
          .by = by_flops ? "flops" : "bandwidth",
          .bandwidth = bytes / move_seconds,
          .peak = s.peak,
          .honest = by_flops ? honest_with_symmetry : honest_movement(space_of(s), bytes)};
}

template <class T>
void run_one(const element_sizes& sizes, setting& s, report& to) {
  const bool add = s.with.beta != 0;
  const double bytes = sizes.bytes(add, sizeof(T));
  element_case<T> c(sizes, add, batch_for(s, bytes), s.on);
  c.fill_y();
  run_for_profiler(s, "tessera", [&] { c.run(); });
  c.fetch_y();
  const double total = bytes * double(c.elements);
  std::vector<contender> all{{"tessera", [&] { c.run(); }}};
  std::vector<result> ways;
  result& own = ways.emplace_back();
  own.impl = "tessera";
  own.checked = c.check();
  own.describe = c.A->describe();
  add_peers(c, s, all, ways);
  add_movement(c, s, total, all);
  const double flops = sizes.flops() * double(c.elements);
  const measurement m =
      measure_until_trusted(all, ways.size(), protocol_for(s), [&](const std::vector<timing>& times, bool again) {
        const std::vector<timing> movements(times.begin() + std::ptrdiff_t(ways.size()), times.end());
        if (again) measure_again(s);
        return bound_of(movements, total, flops, s);
      });
  for (std::size_t i = 0; i < ways.size(); ++i) {
    ways[i].time = m.times[i];
    ways[i].suspect = m.suspect[i];
  }
  const timing& ours_timed = m.times.front();
  const double ours = ours_timed.seconds.median;
  const std::string row = c.A->describe(detail_level::brief) + words_of_dofs(ours_timed, double(c.x.size()), s.with);
  case_results results{.label = label_of(sizes, add),
                       .facts = {{"operator", name_of(sizes.kind)},
                                 {"dim", sizes.dim},
                                 {"components", sizes.components},
                                 {"p", sizes.p},
                                 {"points", sizes.q},
                                 {"shape", sizes.simplex ? "simplex" : "cube"},
                                 {"function", sizes.own ? "own" : "built-in"},
                                 {"rule", sizes.nodal ? "gauss_lobatto" : "gauss"},
                                 {"form", sizes.geometry > 0 ? "matrix_free" : "partial_assembly"},
                                 {"geometry_nodes", sizes.geometry},
                                 {"elements", c.elements},
                                 {"dofs_are", dofs_are},
                                 {"joules_per_1e9_dofs", joules_per_billion(ours_timed, double(c.x.size()))},
                                 {"dofs_per_second", double(c.x.size()) / ours},
                                 {"points_per_second", double(sizes.points()) * double(c.elements) / ours}},
                       .target = name_of(s.on),
                       .row = row,
                       .flops = flops,
                       .bytes = total,
                       .limit = m.limit,
                       .all = std::move(ways),
                       .measured = m.measured};
  to.add(results);
}

}  // namespace

int run_element(const options& o) {
  const std::vector<operator_kind> kinds = kinds_of(o.operators);
  const std::vector<int> orders = parse_orders(o.orders);
  if (!o.type.is_real()) throw error(std::string("element: type ") + name_of(o.type) + ", not f32 or f64");
  if (o.dim != 2 && o.dim != 3) throw error("--dim: " + std::to_string(o.dim) + " is neither 2 nor 3");
  omp_set_num_threads(o.threads);
  const std::vector<peer> peers = choose_peers(o.peers, element_peers);
  report to(o, peers);
  setting s = make_setting(o, peers, to);
  to.note(
      "flops are those of sum factorisation without symmetry, of simplices those of dense tables: a kernel that uses "
      "it may pass a bound of flops");
  to.note(std::string("dofs are ") + dofs_are + " x: a node of several elements counts in each of them");
  for (const operator_kind kind : kinds)
    for (const int p : orders) {
      const element_sizes sizes = sizes_with_form(kind, p, o);
      if (o.type.in == scalar_type::f32)
        run_one<float>(sizes, s, to);
      else
        run_one<double>(sizes, s, to);
    }
  return to.finish();
}

}  // namespace tessera::bench
