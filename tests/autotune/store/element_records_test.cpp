// SPDX-License-Identifier: BSD-3-Clause
// Records of element operators: written and read, joined, named; and the shipped file as the tuner reads it.
#include <tessera/detail/element/element_record.hpp>

#include "space/element_space.hpp"
#include "store/record_json.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

#include "sample_records.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;

namespace {

record element_record(operator_kind kind, int p, int q, scalar_type type = scalar_type::f64) {
  record r = sample_record(3);
  r.of = {.on = target::cuda, .type = type, .in = memory_regime::stream, .element = element_case{kind, 3, p, q}};
  r.winner = as_config(element_tuning{3, 96, 5, 1, 2, false, true, true, false, {7, 55}, 40000});
  r.runner_up = as_config(element_tuning{4, 128, 5, 1, 2, true, false, false, false, {7, 49}, 343});
  return r;
}

record_file element_file() {
  record_file f = sample_file();
  f.family = "element";
  f.device = "NVIDIA H200";
  f.target = "cuda";
  f.compute_capability = "9.0";
  f.records = {element_record(operator_kind::mass, 2, 4), element_record(operator_kind::diffusion, 5, 6),
               element_record(operator_kind::elasticity, 2, 3, scalar_type::f32)};
  record several = element_record(operator_kind::mass, 2, 4);
  several.of.element->repeats = 3;
  f.records.push_back(several);
  return f;
}

}  // namespace

TEST_CASE("records of element operators come back as they were written", "[store][element]") {
  const scratch_folder folder;
  const record_file f = element_file();
  CHECK(file_name_for(f) == "nvidia_h200-cuda-element.json");
  check_comes_back(f);
  const std::string text = read_back(f).second;
  CHECK(text.find("\"trial\":\"3 gradient\"") != std::string::npos);
  CHECK(text.find("\"repeats\":3") != std::string::npos);
  CHECK(text.find("\"pitch_element\":40000") != std::string::npos);
  write_t4(f, folder / "t4.json");
  CHECK(text_of_file(folder / "t4.json").find("\"pitch_plane\"") != std::string::npos);
}

TEST_CASE("records of element operators are replaced case by case, in order of their cases", "[store][element]") {
  const record_file older = element_file();
  record_file newer = older;
  newer.records = {element_record(operator_kind::mass, 1, 2), element_record(operator_kind::mass, 2, 4)};
  newer.records[1].seconds = 1;
  newer.source_hash = "another";
  const record_file all = merged(older, newer);
  CHECK(all.family == "element");
  REQUIRE(all.records.size() == 5);
  CHECK((all.records[0].of.element->p == 1 && all.records[1].seconds == 1));
  CHECK(all.records[0].source_hash.empty());
  CHECK_FALSE(all.records[2].source_hash.empty());
}

TEST_CASE("a record whose facts are not its operator's is refused", "[store][element]") {
  const auto refuses = [](const std::string& from, const std::string& to,
                          std::initializer_list<std::string_view> words) {
    check_refused(element_file(), from, to, words);
  };
  refuses("\"operator\":\"mass\"", "\"operator\":\"weight\"", {"record 0", "'weight'", "mass, diffusion"});
  refuses("\"operator\":\"mass\"", "\"operator\":\"diffusion\"", {"\"trial\" must be", "gradient"});
  refuses("\"t\":3", "\"t\":2", {"\"t\" must be 3"});
  refuses("\"stored\":\"f64\"", "\"stored\":\"f32\"", {"\"stored\" must be"});
  refuses("\"pitch_plane\"", "\"pitch_plain\"", {"unknown axis 'pitch_plain'"});
  refuses("\"q\":4", "\"q\":41", {"\"q\" is 41"});
  refuses("\"repeats\":3", "\"repeats\":1", {"\"repeats\" is 1"});
}

TEST_CASE("the tuner reads the shipped element records as the build does", "[store][element]") {
  const record_file f = read_records(TESSERA_RECORDS_FOLDER "/nvidia_h200-cuda-element.json");
  CHECK(f.family == "element");
  CHECK(f.records.size() >= 8);
  for (const record& r : f.records) {
    INFO(key_of(r.of));
    const element_kernel_facts facts = jit_element_of(r.of, r.winner).facts();
    bool found = false;
    for (const tuned_element& e : element_records())
      found = found || (is_of(e.of, facts) && e.tuning == as_element_tuning(r.winner));
    CHECK(found);
    CHECK(r.fraction > (facts.repeats > 1 ? 0.4 : 0.5));
    CHECK(r.initial_seconds >= r.seconds);  // equal where the rule's own choice won
  }
}
