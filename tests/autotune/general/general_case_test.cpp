// SPDX-License-Identifier: BSD-3-Clause
// Contractions of the command line, and its mistakes.
#include "general/general_case.hpp"

#include <tessera/detail/general_tuning.hpp>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::tune;
using tessera::testing::check_failure;

namespace {

std::vector<general_case> cases(const char* rows, const char* einsum = "", const char* extents = "",
                                const char* types = "all", double scale = 1) {
  options o;
  o.rows = rows;
  o.einsum = einsum;
  o.extents = extents;
  o.types = types;
  o.scale = scale;
  return general_cases_from(o);
}

std::optional<options> parsed(std::vector<const char*> words, int& exit_code) {
  words.insert(words.begin(), "tessera-tune");
  return parse_command_line(int(words.size()), words.data(), exit_code);
}

}  // namespace

TEST_CASE("general cases: rows of TCCG", "[tune]") {
  CHECK(cases("").size() == 48);
  CHECK(cases("1-48").size() == 48);
  const auto two = cases("1,12");
  REQUIRE(two.size() == 2);
  CHECK(name_of(two[0]) == "row 1 bda,dc->abc f64");
  CHECK(contraction_text(two[0]) == "bda,dc->abc, a 312, b 312, c 24, d 312");
  CHECK(two[0].flops == 2.0 * 312 * 312 * 24 * 312);
  CHECK(two[0].bytes() == 8.0 * (312.0 * 312 * 312 + 312 * 24 + 312.0 * 312 * 24));
  CHECK(two[0].form.rows.count == 2);
  CHECK(two[1].form.inner.at[0].extent == 5136);
  CHECK(two[1].entries[2] == index_t(5136) * 5120);
  const auto scaled = cases("12", "", "", "f64", 0.25);
  CHECK(scaled[0].form.inner.at[0].extent == 1284);
  CHECK(key_of(scaled[0]) != key_of(two[1]));
  CHECK(key_of(two[1]) == "general f64 by tensor cores " + general_form_text(two[1].form));
}

TEST_CASE("general cases: a contraction of one's own, in several types", "[tune]") {
  const auto all = cases("", "ik,kj->ij", "k=30,i=20,j=10", "f64,f32,tf32,3xtf32,f16,bf16,c32,c64");
  REQUIRE(all.size() == 8);
  CHECK(name_of(all[0]) == "ik,kj->ij f64");
  CHECK(contraction_text(all[0]) == "ik,kj->ij, i 20, j 10, k 30");
  CHECK(all[0].flops == 2.0 * 6000);
  CHECK(all[7].flops == 8.0 * 6000);
  CHECK((all[0].entries[0] == 600 && all[0].entries[1] == 300 && all[0].entries[2] == 200));
  using detail::general_by;
  const general_by by[] = {general_by::mma_f64,    general_by::fma,    general_by::mma_tf32,
                           general_by::mma_3xtf32, general_by::mma_16, general_by::mma_16};
  for (std::size_t i = 0; i < 6; ++i) CHECK(all[i].kind.by == by[i]);
  CHECK((all[4].kind.left == scalar_type::f16 && all[4].kind.sum == scalar_type::f32));
  CHECK(all[4].bytes() == 2.0 * 1100);
}

TEST_CASE("general cases: mistakes are named", "[tune]") {
  const auto refuses = [](std::initializer_list<std::string_view> words, auto... arguments) {
    check_failure(status::invalid_argument, words, [&] { cases(arguments...); });
  };
  refuses({"--row", "'49'"}, "49");
  refuses({"--row", "'a'"}, "1,a");
  refuses({"--einsum", "--row"}, "1", "ik,kj->ij", "i=1");
  refuses({"--extents", "--einsum"}, "", "", "i=1");
  refuses({"'k'", "no extent", "k=72"}, "", "ik,kj->ij", "i=2,j=3");
  refuses({"has no 'z'"}, "", "ik,kj->ij", "i=2,j=3,k=4,z=5");
  refuses({"'i'", "twice"}, "", "ik,kj->ij", "i=2,i=3,j=3,k=4");
  for (const char* bad : {"i", "i=", "i=0", "i=-1", "i=2x", "=2", "ij=2", "i:2", ",", "i=2,,j=3", "1=2"})
    refuses({"--extents", "write a=72,b=16"}, "", "ik,kj->ij", bad);
  refuses({"memory"}, "", "ik,kj->ij", "i=1000000000,j=2,k=1000000000");
  refuses({"--type", "f65", "3xtf32"}, "1", "", "", "f65");
  refuses({"--type"}, "1", "", "", "f64,");
  refuses({"--scale"}, "", "ik,kj->ij", "i=2,j=3,k=4", "f64", 0.5);
  refuses({"two inputs"}, "", "is,js,ksl->kilj", "i=2,j=2,k=2,l=2,s=2");
  check_failure(status::bad_einsum, {"z"}, [] { cases("", "ik,kj->iz", "i=2,j=3,k=4"); });
}

TEST_CASE("general options name their family", "[tune]") {
  int code = -1;
  const auto of = [&](std::vector<const char*> words) { return parsed(std::move(words), code).value(); };
  CHECK(of({"--row", "3"}).family == "general");
  CHECK(of({"space", "--einsum", "ik,kj->ij", "--extents", "i=1,j=1,k=1"}).family == "general");
  CHECK(of({"explain", "--family", "general", "--row", "3"}).family == "general");
  const options all = of({"--family", "general", "--row", "1-3", "--search", "random", "--candidates", "20",
                          "--model-only", "--scale", "0.5"});
  CHECK((all.search == "random" && all.model_only && all.rows == "1-3" && all.scale == 0.5 && all.candidates == 20));
  CHECK(of({"--family", "general"}).search == "model");
  CHECK_FALSE(parsed({"--family", "general", "--search", "luck"}, code));
  CHECK(code == 2);
  CHECK_FALSE(parsed({"--row", "1", "--scale", "2"}, code));
}

TEST_CASE("tiles as values of a journal", "[tune]") {
  const general_case c = cases("31").front();
  detail::general_tile tile;
  for (int i = 0; i < c.form.rows.count; ++i) tile.rows[i] = 2 + i;
  for (int i = 0; i < c.form.cols.count; ++i) tile.cols[i] = 10 + i;
  for (int i = 0; i < c.form.inner.count; ++i) tile.inner[i] = 20 + i;
  tile.stages = 4;
  const config first = config_of(tile, c.form);
  CHECK((first.value[0] == 0 && first.value[1] == 2 && first.value[3] == 4 && first.value[6] == 2));
  detail::general_tile other = tile;
  other.inner[c.form.inner.count - 1] += 1;
  CHECK(config_of(other, c.form) != first);
}
