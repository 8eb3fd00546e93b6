// SPDX-License-Identifier: BSD-3-Clause
// Candidates of element kernels: they fit, all differ, every way is among them, and what was good before is there.
#include "space/element_space.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <tessera/detail/element/element_record.hpp>

#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

tuning_case case_of(operator_kind kind, int p, int q, int dim = 3, scalar_type type = scalar_type::f64) {
  return {.on = target::cuda, .type = type, .in = memory_regime::stream, .element = element_case{kind, dim, p, q}};
}

space space_of(const tuning_case& c, int most) {
  return element_space(c, default_element_tuning(jit_element_of(c, {}).facts()), {}, most);
}

}  // namespace

TEST_CASE("element candidates fit and differ, the rules' tuning in front", "[space][element]") {
  for (const operator_kind kind : all_operator_kinds)
    for (const int dim : {1, 2, 3})
      for (const int p : {1, 4, 8}) {
        const tuning_case c = case_of(kind, p, p + 2, dim);
        const space s = space_of(c, 48);
        const element_kernel_facts f = jit_element_of(c, {}).facts();
        INFO(key_of(c));
        REQUIRE_FALSE(s.candidates.empty());
        CHECK(s.initial == 0);
        CHECK(as_element_tuning(s.candidates[0]) == ruled_element_tuning(f));
        CHECK(s.candidates.size() <= 48);
        CHECK(s.candidates.size() >= 8);
        CHECK(s.predicted.size() == s.candidates.size());
        std::set<std::string> seen;
        for (const config& one : s.candidates) {
          CHECK(std::string(why_unfit(f, as_element_tuning(one))).empty());
          CHECK(seen.insert(text_of(element_family(), one)).second);
        }
      }
}

TEST_CASE("element candidates take every way through an element", "[space][element]") {
  const space s = space_of(case_of(operator_kind::diffusion, 3, 5), 200);
  CHECK(s.candidates.size() == 200);
  std::set<int> lasts, ways, evens, elements, warps, pieces, batches, planes;
  for (const config& c : s.candidates) {
    const element_tuning t = as_element_tuning(c);
    if (t.by_warp) {
      warps.insert(t.threads);
      continue;
    }
    lasts.insert(t.last);
    ways.insert(2 * t.direct + t.staged);
    evens.insert(t.even_odd);
    elements.insert(t.elements);
    pieces.insert(t.packed);
    batches.insert(t.batches);
    planes.insert(t.by_plane);
  }
  CHECK(warps.size() >= 2);
  CHECK(lasts.size() == 3);
  CHECK(ways.size() == 4);
  CHECK(evens.size() == 2);
  CHECK(elements.size() >= 5);
  CHECK(pieces.size() == 3);
  CHECK(batches.size() == 4);
  CHECK(planes.size() == 2);
}

TEST_CASE("element candidates of several components take them at the same time, or one by one", "[space][element]") {
  tuning_case c = case_of(operator_kind::mass, 2, 4);
  c.element->repeats = 3;
  CHECK(key_of(c) == "cuda f64 mass 3-D p2 q4 x3");
  CHECK(numbers_of(*c.element).entries == 81);
  CHECK(numbers_of(*c.element).of_D == 64);
  const element_kernel_facts f = jit_element_of(c, {}).facts();
  CHECK((f.several && f.repeats == 3));
  std::set<int> together;
  for (const config& one : space_of(c, 100).candidates) {
    const element_tuning t = as_element_tuning(one);
    CHECK(std::string(why_unfit(f, t)).empty());
    together.insert(t.together);
    if (t.packed > 0) CHECK(t.together == 3);
  }
  CHECK(together == std::set<int>{1, 3});
}

TEST_CASE("the winners of the shipped records are points that can be drawn", "[space][element]") {
  for (const tuned_element& r : element_records()) {
    if (r.of.dim != 3 || r.of.entry_bytes != 8 || r.of.trial != r.of.test) continue;
    const operator_kind kind = r.of.slopes() ? operator_kind::diffusion : operator_kind::mass;
    const tuning_case c = case_of(kind, r.of.trial - 1, r.of.points);
    if (!is_of(r.of, jit_element_of(c, {}).facts())) continue;
    INFO(key_of(c));
    CHECK(can_be_drawn(c, r.tuning, {}));
    element_tuning none = r.tuning;
    none.threads += 1;
    CHECK_FALSE(can_be_drawn(c, none, {}));
  }
}

TEST_CASE("the same draw again, the present tuning among the candidates", "[space][element]") {
  const tuning_case c = case_of(operator_kind::mass, 2, 4);
  element_tuning present = ruled_element_tuning(jit_element_of(c, {}).facts());
  present.pitch_element += 5;  // no point of the space
  const space s = element_space(c, present, {}, 20), again = element_space(c, present, {}, 20);
  CHECK(s.candidates == again.candidates);
  REQUIRE(s.candidates.size() == 20);
  CHECK(as_element_tuning(s.candidates[1]) == present);
  CHECK(element_space(c, present, {}, 20, 2).candidates != s.candidates);
  long refused = 0;
  for (const auto& [reason, count] : s.refused) refused += count;
  CHECK(s.points == 18 + refused);
}

TEST_CASE("a config holds a whole element tuning", "[space][element]") {
  const element_tuning t{3, 96, 5, 1, 2, false, true, true, false, {7, 55}, 401, 2, 3, 4, true};
  CHECK(as_element_tuning(as_config(t)) == t);
  const jit_element e = jit_element_of(case_of(operator_kind::convection, 2, 4, 2, scalar_type::f32), as_config(t));
  CHECK((e.type == scalar_type::f32 && e.kind == operator_kind::convection && e.dim == 2 && e.d == 3 && e.q == 4));
  CHECK(e.tuning == t);
  CHECK(key_of(case_of(operator_kind::convection, 2, 4, 2)) == "cuda f64 convection 2-D p2 q4");
}
