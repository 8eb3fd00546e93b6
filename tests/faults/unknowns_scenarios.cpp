// SPDX-License-Identifier: BSD-3-Clause
// Operators on unknowns: made, and applied, at first and with x.y after a plain application.
#include <tessera/fem/global_operator.hpp>

#include "element_meshes.hpp"

namespace tessera::faults {

namespace {

using fem::global_operator;

constexpr index_t unknowns = 101;

struct unknowns_memory {
  unknowns_memory() {
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = std::int32_t(i * 7 % std::size_t(unknowns));
    for (std::size_t e = 0; e < part.size(); ++e) part[e] = int(e % 2);
  }
  global_operator<double> made() const {
    const restriction r({.elements = elements,
                         .entries = entries,
                         .size = unknowns,
                         .offsets = offsets.data(),
                         .constrained = constrained});
    return {{.dim = 2, .order = 1, .elements = elements, .coordinates = corners.data(), .coefficients = {}},
            r,
            {.trial = {.order = 2}},
            {.patch_elements = 8, .part = part}};
  }
  static constexpr index_t entries = 9;
  index_t elements = elements_in(2);
  std::vector<double> corners = box_corners<double>(2, elements);
  std::vector<std::int32_t> offsets = std::vector<std::int32_t>(std::size_t(elements * entries));
  std::vector<int> part = std::vector<int>(std::size_t(elements));
  std::vector<index_t> constrained{2, 77};
  std::vector<double> x = numbers<double>(unknowns, 3), y = std::vector<double>(std::size_t(unknowns));
  std::vector<double> dot = std::vector<double>(1);
};

struct use_of_unknowns {
  const char* name;
  void (*does)(const global_operator<double>& A, unknowns_memory& m);
};

constexpr use_of_unknowns uses_of_unknowns[] = {
    {"apply", [](const global_operator<double>& A, unknowns_memory& m) { A.apply(m.x.data(), m.y.data()); }},
    {"add", [](const global_operator<double>& A, unknowns_memory& m) { A.add(m.x.data(), m.y.data()); }},
    {"apply with x.y", [](const global_operator<double>& A,
                          unknowns_memory& m) { A.apply_with_dot(m.x.data(), m.y.data(), m.dot.data()); }},
    {"diagonal", [](const global_operator<double>& A, unknowns_memory& m) { A.diagonal(m.y.data()); }},
    {"eliminate", [](const global_operator<double>& A, unknowns_memory& m) { A.eliminate(m.y.data()); }},
};

}  // namespace

scenarios unknowns_scenarios() {
  scenarios all;
  all.push_back({"operator on unknowns", [](int) {
                   const auto m = std::make_shared<unknowns_memory>();
                   return scenario{[=](said& words) { words.add(std::to_string(m->made().size())); }};
                 }});
  for (const bool applied : {false, true})
    for (const use_of_unknowns& one : uses_of_unknowns)
      all.push_back({std::string("operator on unknowns, ") + one.name + (applied ? ", not at first" : ""), [=](int) {
                       const auto m = std::make_shared<unknowns_memory>();
                       const auto A = std::make_shared<const global_operator<double>>(m->made());
                       if (applied) A->apply(m->x.data(), m->y.data());
                       return scenario{[=](said& words) {
                                         words.add(std::string(100, '.'));
                                         one.does(*A, *m);
                                       },
                                       {bytes_of(m->y), bytes_of(m->dot)}};
                     }});
  return all;
}

}  // namespace tessera::faults
