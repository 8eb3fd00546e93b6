// SPDX-License-Identifier: BSD-3-Clause
// All points that fit, with the rule's and the present one first.
#include "space/element_run_space.hpp"

#include <algorithm>

#include <tessera/detail/element/operator_facts.hpp>

#include "space/as_config.hpp"

namespace tessera::tune {

namespace {

family make_family() {
  family f;
  f.name = "element";
  for (const axis<element_run>& a : axes_of<element_run>())
    f.axes.push_back({a.name, {a.values.begin(), a.values.end()}});
  f.initial = as_config(element_run{});
  f.why_not = [](const config& c, const tuning_case& of) -> const char* {
    const element_run r = as_tuning<element_run>(c);
    if (const char* why = why_unfit(r, of.in); *why != '\0') return why;
    return r.prefetch_level == 2 && !run_facts_of(of).slopes() ? "D is not read in order: as prefetch_level 0"
                                                               : nullptr;
  };
  f.predict = [](const config&, const tuning_case&, const machine_limits&) { return prediction{}; };
  return f;
}

}  // namespace

const family& element_run_family() {
  static const family one = make_family();
  return one;
}

element_kernel_facts run_facts_of(const tuning_case& c) {
  const element_case& e = c.element.value();
  element_kernel_facts f = facts_of(e.kind, e.dim, e.p + 1, e.q, int(size_of(c.type)));
  f.nodal = e.nodal;
  return f;
}

space element_run_space(const tuning_case& c, const element_run& present, int most) {
  family f = element_run_family();
  f.initial = as_config(ruled_element_run(run_facts_of(c), c.on, c.in));
  space s = make_space(f, c, {});
  const config now = as_config(present);
  if (!(now == f.initial)) {
    std::erase(s.candidates, now);
    s.candidates.insert(s.candidates.begin() + 1, now);
  }
  const std::size_t kept = std::min(s.candidates.size(), std::size_t(std::max(most, 2)));
  if (kept < s.candidates.size()) s.refused["not drawn"] = long(s.candidates.size() - kept);
  s.candidates.resize(kept);
  s.predicted.assign(kept, {});
  return s;
}

}  // namespace tessera::tune
