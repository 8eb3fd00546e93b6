// SPDX-License-Identifier: BSD-3-Clause
// Suite operator: operators between L-vectors, y = G^T B^T D B G x, by order, beside the same ones on E-vectors.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <tessera/error.hpp>

#include "element_options.hpp"
#include "global_case.hpp"
#include "global_facts.hpp"
#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "sizes.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

constexpr const char* dofs_are_numbers = "numbers of an L-vector";
// Of the machine's memory; a peer has D twice more, in its own layout and order.
constexpr double usable_memory = 0.8, copies_with_a_peer = 4;

template <class T>
operator_call call_for(const global_case<T>& c, int threads) {
  const element_sizes& s = c.sizes;
  return {.element = {.kind = s.kind,
                      .type = scalar_of<T>,
                      .dim = s.dim,
                      .components = s.components,
                      .p = s.p,
                      .q = s.q,
                      .nodal = s.nodal,
                      .elements = c.elements(),
                      .x = c.x.data(),
                      .D = c.D.data(),
                      .y = c.y.data(),
                      .threads = threads},
          .size = index_t(c.x.size()),
          .offsets = c.offsets.data(),
          .cells = c.numbers.cells,
          .cell = c.numbers.cell.data()};
}

// A case with its results, while it is made.
template <class T>
struct comparison {
  global_case<T>& c;
  const setting& s;
  report& to;
  std::string label;
  std::vector<contender> all{};
  std::vector<result> ways{};

  // Adds a way whose result, in `y`, is right. A wrong one is an error that the report prints, and is not timed.
  bool add(const std::string& name, const pass& run, const verdict& v, const std::string& describe) {
    if (!v.correct()) {
      to.refuse(label, name, v);
      return false;
    }
    ways.push_back({.impl = name, .time = timing{}, .checked = v, .describe = describe});
    all.push_back({name, run});
    return true;
  }

  bool add_ours() {
    c.fill_y();
    run_for_profiler(s, "tessera", [this] { c.run(); });
    c.fetch_y();
    return add(
        "tessera", [this] { c.run(); }, c.check(), c.A->describe());
  }

  // Compared with ours, whose result stays.
  void add_peers() {
    if (c.sizes.geometry > 0 || s.on == target::cuda) return;  // they take stored D
    const std::vector<T> ours(c.y.begin(), c.y.end());
    for (const peer& p : s.peers) {
      if (!p.found || !p.prepare_operator) continue;
      if (copies_with_a_peer * double(c.D.size_bytes()) > usable_memory * double(this_machine().memory_bytes)) {
        to.note(label + ": no peers, since their copies of D do not fit this machine's memory");
        return;
      }
      try {
        const operator_pass made = p.prepare_operator(call_for(c, s.with.threads));
        if (!made.run) continue;
        c.fill_y();
        made.run();
        made.fetch();
        const std::vector<T> theirs(c.y.begin(), c.y.end());
        std::copy(ours.begin(), ours.end(), c.y.begin());
        add(p.name, made.run, c.compared(theirs), p.version);
      } catch (const error& e) {
        std::copy(ours.begin(), ours.end(), c.y.begin());
        to.note(label + ": " + p.name + " left out: " + e.what());
      }
    }
  }

  // The same operator on E-vectors: no peer, so that it does not count in the table's ratio.
  bool add_elements() {
    c.run_elements();
    c.fetch_yE();
    const verdict v = c.compared(c.summed_elements());
    if (!v.correct()) {
      to.refuse(label, "the operator on E-vectors", v);
      return false;
    }
    all.push_back({"elements", [this] { c.run_elements(); }});
    return true;
  }

  // Plain movement of the bytes of the case from and to arrays of their sizes.
  void add_movement(double bytes, bool with_list) {
    if (s.on == target::cuda) {
      // The speed of copying does not depend on the clock: the measurement at the start also holds under sustained
      // load.
      if (s.with.heat == thermal::cool) all.push_back({"movement", device::copy_pass(std::size_t(bytes))});
      return;
    }
    arrays moved;
    moved.a = reinterpret_cast<const double*>(c.D.data());  // and the list behind it
    moved.na = (c.D.size_bytes() + (with_list ? c.offsets.size_bytes() : 0)) / sizeof(double);
    moved.b = reinterpret_cast<const double*>(c.x.data());
    moved.nb = c.x.size_bytes() / sizeof(double);
    moved.c = reinterpret_cast<double*>(c.y.data());
    moved.nc = c.y.size_bytes() / sizeof(double);
    const int threads = s.with.threads;
    all.push_back({"movement", [=] { move_once(moved, false, false, threads); }});
    if (bytes > double(this_machine().llc_bytes))
      all.push_back({"movement, streaming stores", [=] { move_once(moved, false, true, threads); }});
  }
};

// The ratio of times of the case if it was measured.
template <class T>
double run_one(const element_sizes& sizes, index_t unknowns, setting& s, report& to) {
  const numbering how = numbering_from(s.with.numbering);
  global_case<T> c(sizes, unknowns, how, s.on);
  const double dofs = double(c.x.size());
  // A list that stays in cache costs no movement.
  const bool with_list = honest_movement(space_of(s), c.bytes(true)) == 1;
  const double bytes = c.bytes(with_list), flops = sizes.flops() * double(c.elements());
  comparison<T> of{c, s, to, label_of(sizes, false) + " " + rounded(dofs)};
  if (!of.add_ours() || !of.add_elements()) return 0;
  std::swap(of.all[0], of.all[1]);  // behind the ways
  const contender on_elements = of.all.front();
  of.all.erase(of.all.begin());
  of.add_peers();
  const std::size_t ways = of.ways.size();
  of.all.push_back(on_elements);
  of.add_movement(bytes, with_list);
  const measurement m =
      measure_until_trusted(of.all, ways, protocol_for(s), [&](const std::vector<timing>& times, bool again) {
        if (again) measure_again(s);
        return limit_of(times, ways + 1, bytes, bytes, flops, s);
      });
  for (std::size_t i = 0; i < ways; ++i) {
    of.ways[i].time = m.times[i];
    of.ways[i].suspect = m.suspect[i];
  }
  const timing &ours = m.times.front(), &elements = m.times[ways];
  const double ratio = elements.seconds.median / ours.seconds.median;
  const std::string fault = disturbance(elements);
  char words[48];
  std::snprintf(words, sizeof words, "; E/L %.2f", ratio);
  const std::string row = c.A->describe(detail_level::brief) + words_of_dofs(ours, dofs, s.with) + words +
                          (fault.empty() ? "" : " SUSPECT");
  nlohmann::json facts = facts_of(c, how, with_list);
  facts.update({{"elements_seconds", elements.seconds.median},
                {"elements_suspect", fault.empty() ? nlohmann::json(nullptr) : nlohmann::json(fault)},
                {"elements_over_ours", ratio},
                {"dofs_are", dofs_are_numbers},
                {"joules_per_1e9_dofs", joules_per_billion(ours, dofs)},
                {"dofs_per_second", dofs / ours.seconds.median}});
  to.add(case_results{.label = of.label,
                      .facts = facts,
                      .target = name_of(s.on),
                      .row = row,
                      .flops = flops,
                      .bytes = bytes,
                      .limit = m.limit,
                      .all = std::move(of.ways),
                      .measured = m.measured});
  return m.suspect.front().empty() && fault.empty() ? ratio : 0;
}

}  // namespace

int run_operator(const options& o) {
  const std::vector<operator_kind> kinds = kinds_of(o.operators);
  const std::vector<int> orders = parse_orders(o.orders);
  const std::vector<index_t> unknowns = parse_unknowns(o.unknowns);
  numbering_from(o.numbering);
  if (!o.type.is_real()) throw error(std::string("operator: type ") + name_of(o.type) + ", not f32 or f64");
  if (o.dim != 2 && o.dim != 3) throw error("--dim: " + std::to_string(o.dim) + " is neither 2 nor 3");
  omp_set_num_threads(o.threads);
  const std::vector<peer> peers = choose_peers(o.peers, operator_peers);
  report to(o, peers);
  setting s = make_setting(o, peers, to);
  to.note(
      "flops are those of sum factorisation without symmetry: a kernel that uses it may pass a bound of flops; E/L is "
      "the time on E-vectors over that on L-vectors");
  to.note(std::string("dofs are ") + dofs_are_numbers + " x: each unknown once");
  std::vector<double> ratios;
  for (const operator_kind kind : kinds)
    for (const index_t count : unknowns)
      for (const int p : orders) {
        const element_sizes sizes = sizes_with_form(kind, p, o);
        const double ratio =
            o.type.in == scalar_type::f32 ? run_one<float>(sizes, count, s, to) : run_one<double>(sizes, count, s, to);
        if (ratio > 0) ratios.push_back(ratio);
      }
  if (!ratios.empty()) {
    char words[96];
    std::snprintf(words, sizeof words, "time on E-vectors / time on L-vectors: geometric mean %.3f, worst %.3f",
                  geometric_mean(ratios), *std::min_element(ratios.begin(), ratios.end()));
    to.note(words);
  }
  return to.finish();
}

}  // namespace tessera::bench
