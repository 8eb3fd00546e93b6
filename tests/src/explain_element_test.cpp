// SPDX-License-Identifier: BSD-3-Clause
// explain() of element operators: the records that there are, the one that is taken, the default, and why.
#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/element/operator_facts.hpp>
#include <tessera/detail/tuning_text.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/element/explain_element.hpp>
#include <tessera/embedded_records.hpp>

#include <string>

#include "testing/catch.hpp"
#include "testing/says.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a CPU's record of an element operator is marked and taken on its own device only", "[explain][element]") {
  REQUIRE_FALSE(element_run_records().empty());
  const tuned_element_run& r = element_run_records().front();
  const std::string device = record_origins[std::size_t(r.origin)].device, tuning = detail::text_of(r.run);
  const std::string here = explain(r.of, r.on, r.in, device, 0);
  INFO(here);
  CHECK(says(here, "element operator 3-D, d = " + std::to_string(r.of.trial) + ", q = "));
  CHECK(says(here, std::string(" on ") + name_of(r.on)));
  CHECK(says(here, "  device: " + device));
  CHECK(says(here, "  given at run time: no file"));
  CHECK(says(here, "  * " + tuning + ": record of this device"));
  CHECK(says(here, "  default: " + detail::text_of(ruled_element_run(r.of, r.on, r.in))));
  CHECK(says(here, "  takes: " + tuning + "\n  because: record of this device" +
                       (r.stale ? "; measured with an earlier version of the kernels\n" : "\n")));

  const std::string there = explain(r.of, r.on, r.in, "Another CPU", 0);
  INFO(there);
  CHECK(says(there, "    " + tuning + ": record of " + device + ", same instruction set"));
  CHECK(says(there, "not taken: a CPU takes records of its own model only"));
  CHECK_FALSE(says(there, "  * "));
  CHECK(says(there, "because: default"));
}

TEST_CASE("without a record of the sizes the nearest one is named", "[explain][element]") {
  REQUIRE_FALSE(element_run_records().empty());
  const tuned_element_run& r = element_run_records().front();
  element_kernel_facts f = r.of;
  f.points = 37;
  const std::string text = explain(f, r.on, r.in, record_origins[std::size_t(r.origin)].device, 0);
  INFO(text);
  CHECK(says(text, "no record of this operator and these sizes"));
  CHECK(count(text, "    nearest, d = ") == 1);
  CHECK(says(text, "because: default"));
  f.factors = 1000;
  CHECK_FALSE(says(explain(f, r.on, r.in, "Another CPU", 0), "nearest"));
}

TEST_CASE("a GPU's record serves other GPUs, and what does not fit is named", "[explain][element]") {
  const element_kernel_facts f = facts_of(operator_kind::mass, 3, 5, 6, 8);
  const std::string here = explain(f, target::cuda, memory_regime::stream, "NVIDIA H200", 90);
  INFO(here);
  CHECK(says(here, "value -> value, f64 on cuda, operands from memory"));
  CHECK(says(here, "  * 10 elements per block of 64 threads, blocks 5, last 1, "));
  CHECK(says(here, "because: record of this device"));
  const std::string alike = explain(f, target::cuda, memory_regime::cache, "NVIDIA H100", 90);
  CHECK(says(alike, "operands from memory"));
  CHECK(says(alike, "because: record of NVIDIA H200, same compute capability"));

  // On a smaller GPU.
  const std::string large =
      explain(facts_of(operator_kind::diffusion, 3, 9, 10, 8), target::cuda, memory_regime::stream, "NVIDIA T4", 75);
  INFO(large);
  CHECK(says(large, "record of NVIDIA H200, another architecture"));
  CHECK(says(large, "; not taken: "));
  CHECK(says(large, "because: default"));
}

TEST_CASE("the record that is taken is never said not to be, where elements do not lie together either",
          "[explain][element]") {
  int in_pieces = 0;
  for (const tuned_element& r : element_records()) {
    element_kernel_facts f = r.of;
    f.adjacent = false;
    if (*why_unfit(f, r.tuning) == '\0') continue;
    ++in_pieces;
    const std::string text = explain(f, target::cuda, memory_regime::stream, "NVIDIA H200", 90);
    INFO(text);
    const std::size_t taken = text.find("\n  * ");
    REQUIRE(taken != std::string::npos);
    const std::string line = text.substr(taken + 5, text.find('\n', taken + 1) - taken - 5);
    CHECK_FALSE(says(line, "not taken"));
    CHECK(says(text, "\n  takes: " + line.substr(0, line.find(": record of")) + "\n"));
  }
  CHECK(in_pieces > 0);
}

TEST_CASE("an explanation for this machine names its device", "[explain][element]") {
  for (const target on : cpu_targets())
    for (const memory_regime in : {memory_regime::cache, memory_regime::stream}) {
      const std::string text = explain(facts_of(operator_kind::diffusion, 2, 3, 4, 4), on, in);
      INFO(text);
      CHECK(says(text, "gradient -> gradient, f32"));
      CHECK(says(text, "  device: " + device_name(on)));
      CHECK(says(text, in == memory_regime::cache ? "operands in cache" : "operands from memory"));
      CHECK(count(text, "  takes: ") == 1);
    }
}
