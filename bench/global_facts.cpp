// SPDX-License-Identifier: BSD-3-Clause
// Facts and bounds of cases of operators between L-vectors.
#include "global_facts.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "element_case.hpp"

namespace tessera::bench {

namespace {

std::string text_of(const std::vector<int>& cells) {
  std::string text;
  for (const int n : cells) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

}  // namespace

std::string rounded(double count) {
  char text[24];
  const bool millions = count >= 999'500;
  std::snprintf(text, sizeof text, "%.3g%s", count * (millions ? 1e-6 : 1e-3), millions ? "M" : "k");
  return text;
}

timing divided(timing t, double count) {
  for (double* const value : {&t.seconds.median, &t.seconds.mad, &t.seconds.min, &t.seconds.max, &t.seconds.sigma,
                              &t.seconds.ci95.low, &t.seconds.ci95.high, &t.joules})
    *value /= count;
  return t;
}

template <class T>
nlohmann::json facts_of(const global_case<T>& c, numbering how, bool with_list) {
  const element_sizes& s = c.sizes;
  return {{"operator", name_of(s.kind)},
          {"dim", s.dim},
          {"components", s.components},
          {"p", s.p},
          {"points", s.q},
          {"rule", s.nodal ? "gauss_lobatto" : "gauss"},
          {"form", s.geometry > 0 ? "matrix_free" : "partial_assembly"},
          {"geometry_nodes", s.geometry},
          {"numbering", name_of(how)},
          {"unknowns", c.x.size()},
          {"cells", text_of(c.numbers.cells)},
          {"elements", c.elements()},
          {"list_bytes", with_list ? c.offsets.size_bytes() : 0}};
}

bound limit_of(const std::vector<timing>& times, std::size_t first_movement, double bytes, double footprint,
               double flops, const setting& s) {
  double move_seconds =
      times.size() == first_movement ? bytes / s.device_bandwidth : std::numeric_limits<double>::infinity();
  for (std::size_t i = first_movement; i < times.size(); ++i)
    move_seconds = std::min(move_seconds, times[i].seconds.median);
  const bool by_flops = flops / s.peak > move_seconds;
  return {.seconds = std::max(move_seconds, flops / s.peak),
          .by = by_flops ? "flops" : "bandwidth",
          .bandwidth = bytes / move_seconds,
          .peak = s.peak,
          .honest = by_flops ? honest_with_symmetry : honest_movement(space_of(s), footprint)};
}

template nlohmann::json facts_of(const global_case<float>&, numbering, bool);
template nlohmann::json facts_of(const global_case<double>&, numbering, bool);

}  // namespace tessera::bench
