// SPDX-License-Identifier: BSD-3-Clause
// Targets: names, what this machine has, and TESSERA_TARGET, which forces one.
#include <tessera/compiled_targets.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/plan.hpp>
#include <tessera/target.hpp>

#include <algorithm>
#include <string>

#include "testing/failure.hpp"
#include "testing/forced.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

target planned() {
  double memory[3] = {1, 1, 1};
  const auto a = view(memory, of_size(1, 1)), b = view(memory + 1, of_size(1, 1)), c = view(memory + 2, of_size(1, 1));
  return make_plan(contraction("ij,jk->ik"), a, b, c).where();
}

}  // namespace

TEST_CASE("targets have names", "[target]") {
  for (target t : all_targets) CHECK(target_from_name(name_of(t)) == t);
  check_failure(status::no_target, {"'sse9'", "known", "reference", "best"}, [] { target_from_name("sse9"); });
  check_failure(status::no_target, {"'sse9' (did you mean 'sse2'?)"}, [] { target_from_name("sse9"); });
  check_failure(status::no_target, {"'AVX-512' (did you mean 'avx512'?)"}, [] { target_from_name("AVX-512"); });
  CHECK_FALSE(failure_of([] { target_from_name("pentium"); }).names("did you mean"));
  check_failure(status::no_target, {"''"}, [] { target_from_name(""); });
}

TEST_CASE("the reference is always there, and the best target is available", "[target]") {
  const std::vector<target> found = available_targets();
  CHECK(found.front() == target::reference);
  CHECK(std::is_sorted(found.begin(), found.end()));
  for (target t : all_targets) CHECK(is_available(t) == (std::count(found.begin(), found.end(), t) == 1));
  CHECK(is_available(target_from_name("best")));
  CHECK(target_from_name("best") == cpu_targets().back());
}

TEST_CASE("usable CPU targets are compiled ones and the reference", "[target]") {
  const std::vector<target> compiled = compiled_cpu_targets();
  CHECK(std::is_sorted(compiled.begin(), compiled.end()));
  for (const target t : compiled) CHECK((t != target::reference && t != target::cuda));
  for (const target t : available_targets())
    if (t != target::reference && t != target::cuda)
      CHECK(std::find(compiled.begin(), compiled.end(), t) != compiled.end());
}

TEST_CASE("TESSERA_TARGET forces the target of CPU plans", "[target]") {
  for (target t : cpu_targets()) {
    const forced environment(name_of(t));
    CHECK(default_cpu_target() == t);
    CHECK(planned() == t);
  }
  const forced nothing(nullptr);
  CHECK(default_cpu_target() == cpu_targets().back());
  CHECK(planned() == cpu_targets().back());
}

TEST_CASE("an empty TESSERA_TARGET forces nothing, best and names in options do what they say", "[target]") {
  const forced empty("");
  CHECK(default_cpu_target() == cpu_targets().back());
  const forced best("best");
  CHECK(default_cpu_target() == cpu_targets().back());
}

TEST_CASE("a target that is not here, or not at all, is an error that lists the others", "[target]") {
  {
    const forced unknown("pentium");
    check_failure(status::no_target, {"TESSERA_TARGET=pentium", "'pentium'", "reference"},
                  [] { default_cpu_target(); });
    check_failure(status::no_target, {"'pentium'", "reference"}, [] { planned(); });
  }
  for (target t : all_targets) {
    if (is_available(t)) continue;
    const forced absent(name_of(t));
    check_failure(status::no_target, {name_of(t), "not available", "reference"}, [] { default_cpu_target(); });
  }
}

TEST_CASE("an explicit target outranks the environment", "[target]") {
  const forced environment("reference");
  double memory[3] = {1, 1, 1};
  const auto a = view(memory, of_size(1, 1)), b = view(memory + 1, of_size(1, 1)), c = view(memory + 2, of_size(1, 1));
  const target best = cpu_targets().back();
  CHECK(make_plan(contraction("ij,jk->ik"), a, b, c, on(best)).where() == best);
}

TEST_CASE("without a usable GPU there is a reason, and what to do instead", "[target]") {
  const std::string why = why_no_gpu();
  INFO(why);
  CHECK(why.empty() == is_available(target::cuda));
  CHECK((why.empty() || why.find("tessera::cpu") != std::string::npos));
}
