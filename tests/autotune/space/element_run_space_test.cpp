// SPDX-License-Identifier: BSD-3-Clause
// Ways over the elements on a CPU: all that fit the regime, each once, the rule's in front.
#include "space/element_run_space.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "space/as_config.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

tuning_case case_in(memory_regime in) {
  return {.on = target::avx2, .in = in, .element = element_case{operator_kind::diffusion, 3, 2, 3, true}};
}

}  // namespace

TEST_CASE("all ways over the elements that fit are candidates, the rule's in front", "[space][element]") {
  for (const memory_regime in : {memory_regime::cache, memory_regime::stream}) {
    const tuning_case c = case_in(in);
    const element_run by_rule = ruled_element_run(run_facts_of(c), c.on, in);
    const space s = element_run_space(c, by_rule, 108);
    CHECK(s.points == 108);
    CHECK(s.candidates.size() == (in == memory_regime::cache ? 6 : 92));
    CHECK(s.predicted.size() == s.candidates.size());
    CHECK((s.initial == 0 && as_tuning<element_run>(s.candidates[0]) == by_rule));
    std::set<std::string> seen;
    for (const config& one : s.candidates) {
      CHECK(*why_unfit(as_tuning<element_run>(one), in) == '\0');
      CHECK(seen.insert(text_of(element_run_family(), one)).second);
    }
    long refused = 0;
    for (const auto& [reason, count] : s.refused) refused += count;
    CHECK(s.points == long(s.candidates.size()) + refused);
  }
}

TEST_CASE("the present way over the elements is among few candidates, too", "[space][element]") {
  const tuning_case c = case_in(memory_regime::stream);
  for (const element_run present : {element_run{32, 0}, element_run{48, 1}}) {  // a point, and none
    const space s = element_run_space(c, present, 3);
    REQUIRE(s.candidates.size() == 3);
    CHECK(as_tuning<element_run>(s.candidates[0]) == ruled_element_run(run_facts_of(c), c.on, c.in));
    CHECK(as_tuning<element_run>(s.candidates[1]) == present);
    CHECK(std::count(s.candidates.begin(), s.candidates.end(), as_config(present)) == 1);
    CHECK(s.refused.contains("not drawn"));
  }
}

TEST_CASE("a case of an element operator on a CPU has the facts that the library looks for", "[space][element]") {
  const element_kernel_facts f = run_facts_of(case_in(memory_regime::cache));
  CHECK((f.dim == 3 && f.trial == 3 && f.points == 3 && f.test == 3 && f.factors == 6));
  CHECK((f.nodal && f.mirrors && !f.several && f.unit && f.entry_bytes == 8 && f.stored_bytes == 8));
  CHECK((f.of_trial.gradient && !f.of_trial.value));
  CHECK(key_of(case_in(memory_regime::cache)) == "avx2 f64 cache diffusion 3-D p2 q3 gll");
}
