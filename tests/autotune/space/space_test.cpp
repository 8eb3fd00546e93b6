// SPDX-License-Identifier: BSD-3-Clause
// Spaces: every point counted once, reasons, the initial config, and speed.
#include "space.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

namespace tessera::tune {
namespace {

const tuning_case some{target::avx512, scalar_type::f64, memory_regime::cache, 5, 5, 5};

// Two axes; points whose values differ by more than one do not fit, nor do those with a 3 in front.
family tiny() {
  family f;
  f.name = "tiny";
  f.axes = {{"a", {1, 2, 3}}, {"b", {1, 2, 3, 4}}};
  f.initial.value[0] = 1;
  f.initial.value[1] = 1;
  f.why_not = [](const config& c, const tuning_case&) -> const char* {
    if (c.value[0] == 3) return "a is three";
    if (std::abs(c.value[0] - c.value[1]) > 1) return "a and b far apart";
    return nullptr;
  };
  f.predict = [](const config& c, const tuning_case&, const machine_limits&) {
    prediction p;
    p.seconds = 10 - c.value[0] - c.value[1];
    p.limited_by = "nothing";
    return p;
  };
  return f;
}

long sum_of(const std::map<std::string, long>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0L, [](long s, const auto& each) { return s + each.second; });
}

std::set<std::vector<int>> as_set(const std::vector<config>& configs) {
  std::set<std::vector<int>> set;
  for (const config& c : configs) set.insert(std::vector<int>(c.value, c.value + max_axes));
  return set;
}

TEST_CASE("A tiny space agrees with counting by hand", "[tune]") {
  const space s = make_space(tiny(), some, {});
  CHECK(s.points == 12);
  CHECK(s.refused == std::map<std::string, long>{{"a is three", 4}, {"a and b far apart", 3}});
  // (1,1) (1,2) (2,1) (2,2) (2,3)
  REQUIRE(s.candidates.size() == 5);
  CHECK(as_set(s.candidates).size() == 5);
  CHECK(s.predicted.size() == 5);
  REQUIRE(s.initial == 0);
  CHECK(s.candidates[0] == tiny().initial);
  const std::vector<int> order = ranked(s);
  CHECK(s.candidates[std::size_t(order.front())].value[1] == 3);
  // (1,2) and (2,1) tie: the lower number first.
  CHECK(order[2] < order[3]);
}

TEST_CASE("The initial config is a candidate even where it does not fit or is no point of the axes", "[tune]") {
  family f = tiny();
  f.initial.value[0] = 3;
  const space unfit = make_space(f, some, {});
  CHECK(unfit.candidates[std::size_t(unfit.initial)] == f.initial);
  CHECK(unfit.refused.at("a is three") == 3);
  CHECK(sum_of(unfit.refused) + long(unfit.candidates.size()) == unfit.points);
  f.initial.value[0] = 7;
  const space outside = make_space(f, some, {});
  CHECK(outside.candidates[std::size_t(outside.initial)] == f.initial);
  CHECK(sum_of(outside.refused) + long(outside.candidates.size()) == outside.points + 1);
}

TEST_CASE("What makes the same kernel as the initial config appears once", "[tune]") {
  family f = tiny();
  f.initial.value[1] = 4;  // (1,4): does not fit, and stands for (1,2)
  f.canonical = [](config c, const tuning_case&) {
    if (c.value[0] == 1) c.value[1] = 2;
    return c;
  };
  const space s = make_space(f, some, {});
  CHECK(s.refused.at("same kernel as another") == 1);
  config twin;
  twin.value[0] = 1;
  twin.value[1] = 2;
  CHECK(std::find(s.candidates.begin(), s.candidates.end(), twin) == s.candidates.end());
}

TEST_CASE("Gemm spaces: every point is counted once, no candidate twice", "[tune]") {
  for (const target on : all_targets)
    for (const scalar_type type : {scalar_type::f32, scalar_type::f64})
      for (const index_t n : {1, 2, 3, 5, 8, 16, 32}) {
        if (on == target::reference) continue;
        const tuning_case c{on, type, memory_regime::stream, n, n, n};
        INFO(key_of(c));
        const family& f = gemm_family(on);
        const space s = make_space(f, c, {});
        CHECK(sum_of(s.refused) + long(s.candidates.size()) == s.points);
        CHECK(as_set(s.candidates).size() == s.candidates.size());
        CHECK(s.candidates[std::size_t(s.initial)] == f.initial);
        CHECK(s.candidates.size() >= 2);
        const bool usable = std::all_of(s.candidates.begin(), s.candidates.end(), [&](const config& each) {
          return each == f.initial || f.why_not(each, c) == nullptr;
        });
        CHECK(usable);
        const bool positive = std::all_of(s.predicted.begin(), s.predicted.end(),
                                          [](const prediction& p) { return p.seconds > 0 && p.limited_by[0] != 0; });
        CHECK(positive);
      }
}

TEST_CASE("A space's text has counts, axes and reasons", "[tune]") {
  const tuning_case c{target::avx2, scalar_type::f64, memory_regime::cache, 3, 3, 3};
  const family& f = gemm_family(c.on);
  const space s = make_space(f, c, {});
  const std::string text = space_text(s, f);
  INFO(text);
  for (const char* part : {"gemm, avx2 f64 cache 3x3x3", "  points\n", "  candidates\n", "tile wider than C",
                           "row_vectors", "initial: ", "model's best: ", "kept as the baseline of the others"})
    CHECK(text.find(part) != std::string::npos);
  CHECK(text.find(std::to_string(s.points) + "  points") != std::string::npos);
}

TEST_CASE("Impossible axes are errors that name them", "[tune]") {
  family empty = tiny();
  empty.axes[1].values.clear();
  testing::check_failure(status::invalid_argument, {"axis b", "no values"}, [&] { make_space(empty, some, {}); });
  family many = tiny();
  many.axes.assign(max_axes + 1, {"x", {1}});
  testing::check_failure(status::invalid_argument, {"tiny", std::to_string(max_axes + 1) + " axes"},
                         [&] { make_space(many, some, {}); });
}

TEST_CASE("Millions of points take less than seconds", "[tune]") {
  family f = gemm_family(target::cuda);
  // Unknown axes behind the known ones: 258,048 x 20 points.
  const std::size_t known = f.axes.size();
  f.axes.push_back({"extra", {1, 2, 3, 4, 5}});
  f.axes.push_back({"extra", {1, 2, 3, 4}});
  f.why_not = [rule = f.why_not, known](const config& c, const tuning_case& of) {
    return c.value[known] + c.value[known + 1] > 2 ? "extra" : rule(c, of);
  };
  const auto start = std::chrono::steady_clock::now();
  const space s = make_space(f, {target::cuda, scalar_type::f64, memory_regime::stream, 16, 16, 16}, {});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CHECK(s.points >= 2'000'000);
  CHECK(seconds < 10);  // a tenth of a second in a release build; sanitizers and busy machines are slow
}

}  // namespace
}  // namespace tessera::tune
