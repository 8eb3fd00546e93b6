// SPDX-License-Identifier: BSD-3-Clause
// The small languages of tessera-tune's command line.
#include "command/options.hpp"

#include <algorithm>

#include "strategy.hpp"

#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::tune;
using tessera::testing::check_failure;

namespace {

std::optional<options> parsed(std::vector<const char*> words, int& exit_code) {
  words.insert(words.begin(), "tessera-tune");
  return parse_command_line(int(words.size()), words.data(), exit_code);
}

}  // namespace

TEST_CASE("sizes are squares, ranges and products", "[tune]") {
  const auto sizes = sizes_from("2-4,7,3x5x32");
  REQUIRE(sizes.size() == 5);
  CHECK(sizes[0].m == 2);
  CHECK(sizes[2].k == 4);
  CHECK(sizes[3].n == 7);
  CHECK((sizes[4].m == 3 && sizes[4].n == 5 && sizes[4].k == 32));
  const auto axes = sizes_from("3,axes,3x4x3");
  REQUIRE(axes.size() == 16);
  CHECK(std::count(axes.begin(), axes.end(), size3{3, 4, 3}) == 1);
  for (const char* bad : {"", "0", "33", "5-2", "a", "3x4", "2-3-4", "5,,6", "1x2x99", "7 ", " 7", "+7", "0x7",
                          "99999999999999999999", "5-99999999999999999999", "nan", "1e1"})
    check_failure(status::invalid_argument, {"--sizes", bad}, [&] { sizes_from(bad); });
}

TEST_CASE("without --family, options of one family name it", "[tune]") {
  int code = -1;
  const auto family = [&](std::vector<const char*> words) { return parsed(std::move(words), code)->family; };
  CHECK(family({}) == "all");
  CHECK(family({"tune", "--budget", "1m"}) == "all");
  CHECK(family({"--sizes", "5"}) == "gemm");
  CHECK(family({"--p", "3"}) == "element");
  CHECK(family({"--family", "element", "--sizes", "5"}) == "element");
  CHECK(family({"space"}) == "gemm");
  for (const char* what : {"tune", "space", "explain"}) {
    CHECK(family({what, "--einsum", "ik,kj->ij", "--extents", "i=2,j=3,k=4"}) == "general");
    CHECK(family({what, "--row", "1"}) == "general");
  }
  CHECK(family({"explain", "5"}) == "gemm");
  for (const std::vector<const char*>& wrong : {std::vector<const char*>{"explain"},
                                                {"explain", "--family", "gemm", "--row", "1"},
                                                {"explain", "5", "--row", "1"}})
    CHECK((!parsed(wrong, code) && code == 2));
}

TEST_CASE("budgets have units", "[tune]") {
  CHECK(seconds_from("90s") == 90);
  CHECK(seconds_from("10m") == 600);
  CHECK(seconds_from("1.5h") == 5400);
  for (const char* bad : {"", "10", "m", "-1m", "0s", "10d", "nan s", "nans", "infs", "inf m", "1e400s", "0x10s", " 5s",
                          "+5s", "5s ", "5 s", "1e300h", "99999h", "5sm"})
    check_failure(status::invalid_argument, {"--budget", "10m"}, [&] { seconds_from(bad); });
}

TEST_CASE("types, regimes and targets by name", "[tune]") {
  CHECK(types_from("all").size() == 2);
  CHECK(types_from("f32").front() == scalar_type::f32);
  CHECK(regimes_from("stream").front() == memory_regime::stream);
  CHECK(targets_from("all").back() == default_cpu_target());
  check_failure(status::invalid_argument, {"--type", "f16", "f64"}, [] { types_from("f16"); });
  check_failure(status::invalid_argument, {"--regime", "hot"}, [] { regimes_from("hot"); });
  check_failure(status::invalid_argument, {"--target", "reference"}, [] { targets_from("reference"); });
  check_failure(status::no_target, {"vax"}, [] { targets_from("vax"); });
  for (const target t : all_targets)
    if (!is_available(t)) check_failure(status::no_target, {"--target", name_of(t)}, [&] { targets_from(name_of(t)); });
}

TEST_CASE("element cases are operators, orders and points", "[tune][element]") {
  options o;
  o.family = "element";
  o.operators = "mass,diffusion,mass";
  o.orders = "1-2,8,2";
  o.points = "p+1,p+2,10";
  const std::vector<element_case> cases = element_cases_from(o);
  REQUIRE(cases.size() == 16);
  CHECK(cases[0] == element_case{operator_kind::mass, 3, 1, 2});
  CHECK(cases[1] == element_case{operator_kind::mass, 3, 1, 3});
  CHECK(cases.back() == element_case{operator_kind::diffusion, 3, 8, 10});
  const auto refuses = [&](std::string options::*member, const char* bad, const char* option) {
    options wrong = o;
    wrong.*member = bad;
    check_failure(status::invalid_argument, {option, bad}, [&] { element_cases_from(wrong); });
  };
  for (const char* bad : {"", "weight", "mass,", "mass;diffusion"}) refuses(&options::operators, bad, "--operator");
  for (const char* bad : {"", "0", "17", "3-1", "a", "1-2-3", "p+1"}) refuses(&options::orders, bad, "--p");
  for (const char* bad : {"", "p", "33", "p+3", "2", "gl"}) refuses(&options::points, bad, "--q");
  for (const char* bad : {"", "0", "4", "3-2", "2;3"}) refuses(&options::dims, bad, "--dim");
  o.dims = "2-3";
  o.points = "p+1,gll";
  const std::vector<element_case> more = element_cases_from(o);
  REQUIRE(more.size() == 24);
  CHECK(more[1] == element_case{operator_kind::mass, 2, 1, 2, true});
  CHECK(more.back() == element_case{operator_kind::diffusion, 3, 8, 9, true});
  CHECK((share_of(o, target::cuda) == 0.5 && candidates_of(o, target::cuda) == 256));
  CHECK((share_of(o, target::avx2) == 1 && candidates_of(o, target::avx2) == 96));
  CHECK((share_of({}, target::cuda) == 0.15 && candidates_of({}, target::avx2) == 64));
}

TEST_CASE("a command line becomes options", "[tune]") {
  int exit_code = 0;
  CHECK(parsed({}, exit_code)->what == action::tune);
  const auto tuned = parsed({"--sizes", "5", "--budget", "30s", "--share", "0.3"}, exit_code);
  REQUIRE(tuned);
  CHECK((tuned->sizes == "5" && tuned->budget == "30s" && tuned->share == 0.3 && !tuned->candidates));
  const auto elements =
      parsed({"--family", "element", "--operator", "mass", "--p", "2", "--q", "p+2", "--dim", "2", "--candidates", "9"},
             exit_code);
  REQUIRE(elements);
  CHECK(element_cases_from(*elements) == std::vector<element_case>{{operator_kind::mass, 2, 2, 4}});
  CHECK(candidates_of(*elements, target::cuda) == 9);
  CHECK(parsed({"tune", "--quiet"}, exit_code)->quiet);
  CHECK(parsed({"space", "--type", "f32"}, exit_code)->what == action::space);
  CHECK(parsed({"explain", "5x5x5"}, exit_code)->size == "5x5x5");
  const auto explained = parsed({"explain", "--family", "element", "--operator", "diffusion", "--p", "4"}, exit_code);
  REQUIRE(explained);
  CHECK((explained->what == action::explain && explained->operators == "diffusion" && explained->orders == "4"));
  CHECK(parsed({"simulate", "a.json", "b.json"}, exit_code)->files.size() == 2);
  CHECK(parsed({"t4", "a.json", "b.json"}, exit_code)->what == action::t4);
  const auto restamped = parsed({"restamp", "--former", "before", "--records", "a", "b", "--dry-run"}, exit_code);
  REQUIRE(restamped);
  CHECK((restamped->what == action::restamp && restamped->restamp.former == "before" && restamped->restamp.dry_run));
  CHECK((restamped->restamp.latter.empty() && restamped->restamp.files == std::vector<std::string>{"a", "b"}));
  CHECK_FALSE(parsed({"restamp", "--records", "a"}, exit_code));  // what was before is not named
}

TEST_CASE("wrong command lines exit with 2, help with 0", "[tune]") {
  int exit_code = 0;
  CHECK_FALSE(parsed({"--share", "2"}, exit_code));
  CHECK(exit_code == 2);
  CHECK_FALSE(parsed({"frobnicate"}, exit_code));
  CHECK(exit_code == 2);
  CHECK_FALSE(parsed({"explain"}, exit_code));
  CHECK(exit_code == 2);
  exit_code = 7;
  CHECK_FALSE(parsed({"--help"}, exit_code));
  CHECK(exit_code == 0);
}

TEST_CASE("element operators on a target: types and regimes, and what there are no records of", "[tune]") {
  options o;
  o.family = "element", o.operators = "mass", o.orders = "2", o.points = "p+1";
  CHECK(element_cases_on(target::avx2, o).size() == 4);
  CHECK(element_cases_on(target::cuda, o).size() == 2);
  for (const tuning_case& c : element_cases_on(target::cuda, o)) CHECK(c.in == memory_regime::stream);
  o.components = "3";
  testing::check_failure(status::invalid_argument, {"--components 3"}, [&] { element_cases_on(target::avx2, o); });
  o.components = "1", o.points = "gll";
  testing::check_failure(status::invalid_argument, {"--q gll"}, [&] { element_cases_on(target::cuda, o); });
}

TEST_CASE("numbers are numbers and within their bounds, in every option", "[tune]") {
  int exit_code = 0;
  const auto refused = [&](std::vector<const char*> words) {
    INFO(words.back());
    exit_code = 0;
    CHECK_FALSE(parsed(words, exit_code));
    CHECK(exit_code == 2);
  };
  for (const char* bad : {"nan", "-nan", "inf", "-inf", "", " ", "0", "1.1", "-0.5", "1e400", "1e-400", "0.5x", "0.5 ",
                          "0x1p-1", "half"}) {
    refused({"--share", bad});
    refused({"simulate", "a.json", "--share", bad});
  }
  for (const char* bad :
       {"nan", "inf", "", "1", "-5", "2.5", "1e3", "100001", "99999999999999999999", "0x10", "5 or so"})
    refused({"--candidates", bad});
  for (const char* bad : {"nan", "inf", "-inf", "-1", "", "1e400", "0.9x", "2e6"})
    refused({"compare", "a.json", "--least", bad});
  CHECK(parsed({"--share", "0.25"}, exit_code)->share == 0.25);
  CHECK(parsed({"--candidates", "100000"}, exit_code)->candidates == 100000);
  CHECK(parsed({"compare", "a.json", "--least", "0.9"}, exit_code)->least == 0.9);
}

TEST_CASE("unknown names are answered with the nearest known one", "[tune]") {
  options o;
  o.family = "element", o.operators = "mass,difusion";
  check_failure(status::invalid_argument, {"'difusion' (did you mean 'diffusion'?)"}, [&] { element_cases_from(o); });
  check_failure(status::invalid_argument, {"'eliminate' (did you mean 'elimination'?)"},
                [] { strategy_named("eliminate"); });
  check_failure(status::no_target, {"'avx51' (did you mean 'avx512'?)"}, [] { targets_from("avx51"); });
}
