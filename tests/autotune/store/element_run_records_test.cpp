// SPDX-License-Identifier: BSD-3-Clause
// Records of element operators on a CPU: written and read, joined, named; and what is no such record is refused.
#include "space/as_config.hpp"
#include "store/record_json.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

#include "sample_records.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;

namespace {

record run_record(const element_case& e, memory_regime in, scalar_type type = scalar_type::f64) {
  record r = sample_record(3);
  r.of = {.on = target::avx2, .type = type, .in = in, .element = e};
  r.winner = as_config(element_run{16, in == memory_regime::stream ? 1 : 0});
  r.runner_up = as_config(element_run{4, 0});
  return r;
}

record_file run_file() {
  record_file f = sample_file();
  f.family = "element";
  f.records = {run_record({operator_kind::mass, 3, 2, 3}, memory_regime::cache),
               run_record({operator_kind::mass, 3, 2, 3}, memory_regime::stream),
               run_record({operator_kind::mass, 3, 2, 3, true}, memory_regime::stream),
               run_record({operator_kind::elasticity, 2, 4, 6}, memory_regime::stream, scalar_type::f32)};
  return f;
}

}  // namespace

TEST_CASE("records of element operators on a CPU come back as they were written", "[store][element]") {
  const scratch_folder folder;
  const record_file f = run_file();
  CHECK(file_name_for(f) == "example_cpu_family_1_model_2-avx2-element.json");
  check_comes_back(f);
  write_t4(f, folder / "t4.json");
  CHECK(text_of_file(folder / "t4.json").find("\"prefetch_kib\"") != std::string::npos);
}

TEST_CASE("records of element operators on a CPU are replaced case by case", "[store][element]") {
  const record_file older = run_file();
  record_file newer = older;
  newer.records = {run_record({operator_kind::mass, 3, 2, 3, true}, memory_regime::stream),
                   run_record({operator_kind::mass, 3, 1, 3, false}, memory_regime::cache)};
  newer.records[0].seconds = 1;
  newer.source_hash = "another";
  const record_file all = merged(older, newer);
  REQUIRE(all.records.size() == 5);
  int replaced = 0;
  for (const record& r : all.records) {
    const bool is_new = r.of == newer.records[0].of || r.of == newer.records[1].of;
    CHECK(r.source_hash.empty() == is_new);
    replaced += r.seconds == 1;
  }
  CHECK(replaced == 1);
}

TEST_CASE("a record of an element operator on a CPU says its regime, and has the axes of a CPU", "[store][element]") {
  const auto refuses = [](const std::string& from, const std::string& to,
                          std::initializer_list<std::string_view> words) {
    check_refused(run_file(), from, to, words);
  };
  refuses("\"regime\":\"cache\",", "", {"record 0", "\"regime\" is missing"});
  refuses("\"regime\":\"cache\"", "\"regime\":\"stream\"",
          {"record 1", "a second one", "avx2 f64 stream 3-D element operator, d 3, q 3, t 3"});
  refuses("\"nodal\":true", "\"nodal\":\"yes\"", {"record 2", "\"nodal\" must be true or false"});
  refuses("\"nodal\":true,", "", {"record 2", "a second one"});
  refuses("\"prefetch_kib\"", "\"threads\"",
          {"unknown axis 'threads'", "known: prefetch_kib, nontemporal, prefetch_level, prefetch_repeats"});
  refuses("\"operator\":\"mass\"", "\"operator\":\"diffusion\"", {"\"trial\" must be", "gradient"});
}
