// SPDX-License-Identifier: BSD-3-Clause
// Element operators on the GPU by tunings that a test gives: elements in pieces, threads with planes.
#include "element_both_sides.hpp"
#include "testing/given_records.hpp"

#include <string>
#include <utility>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_operator_options;

// A record for the time of a test: the tuning that operators made meanwhile get.
given_records tuned_by(const std::string& sizes, const std::string& tuning) {
  return given_records(R"({"schema": 1, "device": "Example", "target": "cuda", "records": [{"family": "element", )"
                       R"("trial": "value", "test": "value", "factors": 1, )" +
                       sizes + R"(, "tuning": {)" + tuning + "}}]}");
}

}  // namespace

TEST_CASE("gpu element operators: elements in pieces from anywhere, others one by one",
          "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  const std::string block = R"("elements": 3, "threads": 32, "last": 1, "pitch_line": 4, "pitch_plane": 16,
                               "pitch_element": 16, "together": 2)";
  for (const char* way : {R"(, "packed": 1)", R"(, "packed": 2, "staged": 1)",
                          R"(, "packed": 2, "staged": 1, "batches": 2)", R"(, "packed": 0)"}) {
    const given_records record =
        tuned_by(R"("dim": 2, "d": 3, "q": 4, "t": 3, "type": "f64", "stored": "f64", "repeats": 2)", block + way);
    INFO(way);
    const both_sides s;
    const index_t room = s.n * 2 * 32 + 64;
    const application<double> plain{.x_layout = s.gpu.x_layout(), .y_layout = s.gpu.y_layout()};
    application<double> more = plain, apart = plain;
    more.add = true;
    apart.y_layout = element_layout::by_component(s.n, s.elements);
    for (const index_t behind : {0, 1})
      for (const auto& [first, last] : {std::pair<index_t, index_t>{0, s.elements}, {1, 8}, {4, 5}, {10, 11}}) {
        CHECK(agree(s, element_set::range(first, last), plain, room, behind));
        CHECK(agree(s, element_set::range(first, last), more, room, behind));
      }
    const std::vector<index_t> some{10, 3, 4, 0, 9};
    CHECK(agree(s, element_set::of(some), more, room, 1));
    CHECK(agree(s, element_set::range(1, 10), apart, room, 1));
    more.sides = 3;
    CHECK(agree(s, element_set::range(1, 10), more, room, 1));
  }
}

TEST_CASE("gpu element operators: threads with planes, D of odd size in one piece", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  const std::string block = R"("elements": 5, "threads": 32, "pitch_line": 3, "pitch_plane": 9, "pitch_element": 29)";
  for (const char* way :
       {R"(, "by_plane": 1, "prefetch": 3)", R"(, "by_plane": 1, "packed": 1, "staged": 1, "last": 2)",
        R"(, "by_plane": 1, "packed": 2, "staged": 1, "batches": 3, "last": 1)"})
    for (const char* type : {"f32", "f64"}) {
      const given_records record = tuned_by(
          std::string(R"("dim": 3, "d": 3, "q": 3, "t": 3, "type": ")") + type + R"(", "stored": ")" + type + '"',
          block + way);
      INFO(way << " " << type);
      const element_operator_options o{.trial = {.order = 2}, .points = 3, .on = target::cuda};
      for (const index_t elements : {1, 7, 38})
        if (std::string(type) == "f32")
          check_definition<float, pointwise::mass<3>>(o, elements);
        else
          check_definition<double, pointwise::mass<3>>(o, elements);
    }
}
