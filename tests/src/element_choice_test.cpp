// SPDX-License-Identifier: BSD-3-Clause
// Tunings of element kernels: a record of the very facts, of this device first, else the rules; and it says which.
#include <tessera/detail/element/element_axes.hpp>
#include <tessera/detail/element/element_record.hpp>
#include <tessera/detail/element/operator_facts.hpp>
#include <tessera/embedded_records.hpp>
#include <tessera/overlay.hpp>

#include <algorithm>
#include <string>

#include "other_facts.hpp"
#include "records/records_overlay.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/given_records.hpp"
#include "testing/says.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Mass of order 2 with five points: the shipped records have none.
std::string file_of(const std::string& change_from = "", const std::string& change_to = "",
                    const std::string& target_name = "cuda") {
  std::string record =
      R"({"family": "element", "dim": 3, "d": 3, "q": 5, "t": 3, "trial": "value", "test": "value", "factors": 1,
          "type": "f64", "stored": "f64", "tuning": {"elements": 2, "threads": 64, "blocks": 7, "last": 2,
          "even_odd": 0, "pitch_line": 5, "pitch_plane": 25, "pitch_element": 125}})";
  if (!change_from.empty()) {
    REQUIRE(record.find(change_from) != std::string::npos);
    record.replace(record.find(change_from), change_from.size(), change_to);
  }
  return R"({"schema": 1, "device": "Example", "target": ")" + target_name + R"(", "records": [)" + record + "]}";
}

element_choice chosen(const element_kernel_facts& f, const gpu_limits& limits = {}) {
  return choose_element_tuning(f, limits, "NVIDIA H200", 90);
}

}  // namespace

TEST_CASE("element records: what the build embeds is what the shipped file says", "[element][records]") {
  const detail::overlay file =
      detail::read_overlay(TESSERA_SOURCE_DIR "/autotune/records/nvidia_h200-cuda-element.json");
  CHECK(file.records.empty());
  CHECK(file.elements.size() >= 8);
  for (const tuned_element& wanted : file.elements) {
    const auto found = std::find_if(element_records().begin(), element_records().end(), [&](const tuned_element& r) {
      return is_of(r.of, wanted.of) && r.tuning == wanted.tuning &&
             std::string(record_origins[std::size_t(r.origin)].device) == file.device;
    });
    INFO("d " << wanted.of.trial << " q " << wanted.of.points << " factors " << wanted.of.factors);
    REQUIRE(found != element_records().end());
    CHECK(found->stale == wanted.stale);
  }
}

TEST_CASE("element records: tunings fit the device that they were measured on", "[element][records]") {
  for (const tuned_element& r : element_records()) {
    INFO("d " << r.of.trial << " q " << r.of.points << " factors " << r.of.factors);
    const int capability = record_origins[std::size_t(r.origin)].compute_capability;
    CHECK(std::string(why_unfit(r.of, r.tuning, gpu_limits_of(capability))).empty());
  }
}

TEST_CASE("element tunings: a record wins over the rules, and the choice says whose it is", "[element][records]") {
  const element_kernel_facts f = facts_of(operator_kind::mass, 3, 5, 6, 8);
  const element_choice here = chosen(f);
  CHECK(here.tuning != ruled_element_tuning(f));
  CHECK(here.tuning == element_tuning{10, 64, 5, 1, 0, true, false, true, false, {6, 36}, 216, 2, 1, 1, true});
  CHECK(says(here.from.text(), "record of this device"));
  const element_choice alike = choose_element_tuning(f, {}, "NVIDIA H100", 90);
  CHECK(alike.tuning == here.tuning);
  CHECK(says(alike.from.text(), "record of NVIDIA H200, same compute capability"));
  const element_choice other = choose_element_tuning(f, {}, "NVIDIA Something", 100);
  CHECK(other.tuning == here.tuning);
  CHECK(says(other.from.text(), "record of NVIDIA H200, another architecture"));
  CHECK(default_element_tuning(f) == here.tuning);
}

TEST_CASE("element tunings: other facts than a record's are left to the rules", "[element][records]") {
  const given_records file(file_of());
  const element_kernel_facts f = facts_of(operator_kind::mass, 3, 3, 5, 8);
  CHECK(chosen(f).tuning != ruled_element_tuning(f));
  for (const element_kernel_facts& other : other_facts(f)) {
    const element_choice c = chosen(other);
    CHECK(c.from.name == "default");
    CHECK(c.tuning == ruled_element_tuning(other));
  }
}

TEST_CASE("element tunings: derivatives of their own are taken directly, or not at all", "[element]") {
  for (const operator_kind kind : {operator_kind::diffusion, operator_kind::helmholtz, operator_kind::convection})
    for (int dim = 1; dim <= 3; ++dim)
      for (int p = 1; p <= 10; ++p) {
        element_kernel_facts f = facts_of(kind, dim, p + 1, p, 8);
        f.own_slopes = true;
        const element_tuning t = ruled_element_tuning(f);
        INFO(name_of(kind) << " " << dim << "-D, d " << f.trial << " q " << f.points);
        CHECK(t.direct);
        CHECK(std::string(why_unfit(f, t)).empty());
        element_tuning collocated = t;
        collocated.direct = false;
        CHECK(says(why_unfit(f, collocated), "directly, or not at all"));
      }
  element_kernel_facts coupled = facts_of(operator_kind::elasticity, 2, 3, 2, 8);
  coupled.own_slopes = true;
  CHECK_FALSE(can_be_direct(coupled));
  CHECK(says(why_unfit(coupled, ruled_element_tuning(coupled)), "directly, or not at all"));
}

TEST_CASE("element tunings: a record that a device has no room for is left to the rules", "[element][records]") {
  const element_kernel_facts f = facts_of(operator_kind::diffusion, 3, 9, 10, 8);
  CHECK(chosen(f).tuning.staged);
  const gpu_limits small = gpu_limits_of(75);
  CHECK_FALSE(std::string(why_unfit(f, chosen(f).tuning, small)).empty());
  const element_choice c = choose_element_tuning(f, small, "NVIDIA T4", 75);
  CHECK(c.from.name == "default");
  CHECK(c.tuning == ruled_element_tuning(f, small));
}

TEST_CASE("element tunings: a file given at run time comes first", "[element][records][overlay]") {
  const element_kernel_facts f = facts_of(operator_kind::mass, 3, 3, 5, 8);
  CHECK(chosen(f).from.name == "default");
  {
    const given_records file(file_of());
    const element_choice c = chosen(f);
    CHECK(c.tuning == element_tuning{2, 64, 7, 2, 0, false, false, false, false, {5, 25}, 125});
    CHECK(says(c.from.text(), "record in " + file.path));
    CHECK(says(c.from.text(), "earlier version of the kernels"));
  }
  CHECK(chosen(f).from.name == "default");
  {
    // It does not fit: lines overlap.
    const given_records file(file_of("\"pitch_line\": 5", "\"pitch_line\": 4"));
    CHECK(chosen(f).from.name == "default");
  }
  const auto refuses = [](const std::string& text, std::initializer_list<std::string_view> words) {
    const record_text file(text);
    check_failure(status::invalid_argument, words, [&] { overlay_records(file.path); });
  };
  refuses(file_of("\"elements\"", "\"element\""), {"record 0", "unknown axis 'element'", "elements, threads"});
  refuses(file_of("\"trial\": \"value\"", "\"trial\": \"slope\""), {"\"trial\" is 'slope'", "value gradient"});
  refuses(file_of("\"dim\": 3", "\"dim\": 4"), {"\"dim\" is 4", "1..3"});
  refuses(file_of("\"stored\": \"f64\",", ""), {"\"stored\" is missing"});
  // One of a CPU has a regime.
  refuses(file_of("", "", "avx2"), {"\"regime\" is missing"});
}

TEST_CASE("element axes: names, initial values and every field", "[element][records]") {
  element_tuning t;
  int value = 2;
  for (const element_axis& a : element_axes) {
    CHECK(a.get(element_tuning{}) == a.initial);
    const bool flag = std::string(a.name) == "even_odd" || std::string(a.name) == "direct" ||
                      std::string(a.name) == "staged" || std::string(a.name) == "by_warp" ||
                      std::string(a.name) == "by_plane";
    a.set(t, flag ? 1 - a.initial : value);
    CHECK(a.get(t) == (flag ? 1 - a.initial : value));
    ++value;
  }
  CHECK(t == element_tuning{2, 3, 4, 5, 6, false, true, true, true, {11, 12}, 13, 14, 15, 16, true});
}

TEST_CASE("element tunings: a record whose elements come in pieces serves others one by one", "[element][records]") {
  const std::string pieces = "\"pitch_element\": 125, \"packed\": 2, \"staged\": 1, \"batches\": 2";
  const given_records file(file_of("\"pitch_element\": 125", pieces.c_str()));
  element_kernel_facts f = facts_of(operator_kind::mass, 3, 3, 5, 8);
  const element_tuning whole = chosen(f).tuning;
  CHECK((whole.packed == 2 && whole.staged && whole.batches == 2 && whole.together == 1));
  CHECK(std::string(why_unfit(f, whole)).empty());
  f.adjacent = false;
  const element_choice listed = chosen(f);
  CHECK(says(listed.from.text(), "record in " + file.path));
  // D of 125 numbers comes in whole pieces of 16 bytes in a row of elements alone.
  CHECK((listed.tuning.packed == 0 && !listed.tuning.staged && listed.tuning.batches == 1));
  CHECK(listed.tuning.pitch_element == whole.pitch_element);
  CHECK(std::string(why_unfit(f, listed.tuning)).empty());
}

TEST_CASE("element tunings: records of several components are for so many", "[element][records]") {
  const given_records file(file_of("\"factors\": 1", "\"factors\": 1, \"repeats\": 3"));
  element_kernel_facts f = facts_of(operator_kind::mass, 3, 3, 5, 8);
  CHECK(chosen(f).from.name == "default");
  f.several = true;
  CHECK(chosen(f).from.name == "default");  // right hand sides
  f.repeats = 3;
  CHECK(says(chosen(f).from.text(), "record in "));
  f.repeats = 2;
  CHECK(chosen(f).from.name == "default");
}

TEST_CASE("element records: parts of a field as text", "[element][records]") {
  for (const int components : {1, 2, 3})
    for (const bool value : {false, true})
      for (const bool gradient : {false, true}) {
        if (!value && !gradient) continue;
        const std::string text = point_shape_text({components, value, gradient});
        const std::optional<point_shape> back = point_shape_from(text);
        INFO(text);
        REQUIRE(back);
        CHECK((back->components == components && back->value == value && back->gradient == gradient));
      }
  CHECK(point_shape_text({3, true, true}) == "3 value gradient");
  for (const char* bad : {"", "3", "1 value", "value value", "gradient value", "3value", "0 value", " value"}) {
    INFO(bad);
    CHECK_FALSE(point_shape_from(bad));
  }
}
