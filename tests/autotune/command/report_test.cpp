// SPDX-License-Identifier: BSD-3-Clause
// Tables and the report's data: what they must contain.
#include "command/report.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "command/progress.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

record_file sample_records() {
  record_file f;
  f.device = "A <CPU> & more";
  f.target = "avx2";
  for (const index_t n : {2, 3, 4}) {
    record r;
    r.of = {target::avx2, scalar_type::f64, memory_regime::cache, n, n, n};
    r.winner = gemm_family(target::avx2).initial;
    r.winner.value[1] = int(n);
    r.seconds = 1e-9 * double(n);
    r.initial_seconds = 2e-9 * double(n);
    r.fraction = 0.5;
    f.records.push_back(r);
  }
  return f;
}

recording sample_timings() {
  recording r;
  recorded_space s;
  s.of = "avx2 f64 cache 4x4x4";
  for (int vectors = 1; vectors <= 3; ++vectors)
    for (int columns = 1; columns <= 4; ++columns) {
      recorded_candidate c;
      c.of.value[0] = vectors;
      c.of.value[1] = columns;
      c.predicted = 1e-9 * (vectors + columns);
      c.seconds = {1.1e-9 * (vectors + columns)};
      s.candidates.push_back(c);
    }
  s.candidates.back().how = outcome::crashed;
  s.present = present_row::runs;
  s.present_seconds = 6e-9;
  r.spaces.push_back(s);
  recorded_space without;
  without.of = "avx2 f64 cache 3x3x3";
  without.present = present_row::none;
  r.spaces.push_back(without);
  return r;
}

std::string content_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("times are written in the unit that fits", "[tune]") {
  CHECK(time_text(2.81e-8) == "28.1 ns");
  CHECK(time_text(1.35e-6) == "1.35 us");
  CHECK(time_text(0.0123) == "12.3 ms");
}

TEST_CASE("the table has a line a record and the geometric means", "[tune]") {
  const std::string table = table_of(sample_records(), sample_timings(), gemm_family(target::avx2));
  CHECK(table.find("avx2 f64 cache 4x4x4           6 ns       4 ns   1.50x") != std::string::npos);
  CHECK(table.find("avx2 f64 cache 3x3x3         no row       3 ns       -") != std::string::npos);
  CHECK(table.find("avx2 f64 cache 2x2x2              ?       2 ns       -") != std::string::npos);
  CHECK(table.find("columns 3") != std::string::npos);
  CHECK(table.find("no row: the library has no kernel of these sizes today") != std::string::npos);
  CHECK(table.find("geometric mean: 1.50 times today's speed (1 of 3 cases), 50% of the bound") != std::string::npos);
}

TEST_CASE("a case that is suspect is marked in table and data, and not counted in the mean of the fractions",
          "[tune]") {
  record_file f = sample_records();
  f.records.back().fraction = 9;
  recording timings = sample_timings();
  timings.spaces[0].suspect = true;
  std::string table = table_of(f, timings, gemm_family(target::avx2));
  const std::size_t line = table.find("avx2 f64 cache 4x4x4");
  CHECK(table.substr(line, table.find('\n', line) - line).ends_with("  SUSPECT"));
  CHECK(table.find("SUSPECT: too far above the bound") != std::string::npos);
  CHECK(table.find(", 50% of the bound (1 SUSPECT, left out)") != std::string::npos);
  f.records.erase(f.records.begin(), f.records.end() - 1);
  table = table_of(f, timings, gemm_family(target::avx2));
  CHECK(table.find(", bounds unknown (1 SUSPECT, left out)") != std::string::npos);
}

TEST_CASE("what fails today has no gain", "[tune]") {
  record_file f = sample_records();
  f.records.erase(f.records.begin(), f.records.end() - 1);
  recording timings = sample_timings();
  timings.spaces[0].present = present_row::fails;
  const std::string table = table_of(f, timings, gemm_family(target::avx2));
  CHECK(table.find("fails       4 ns       -") != std::string::npos);
  CHECK(table.find("no row") == std::string::npos);
  CHECK(table.find("geometric mean: 50% of the bound") != std::string::npos);
}

TEST_CASE("the report's data has every case with its candidates, and a line says what to open or to type", "[tune]") {
  const std::filesystem::path folder =
      report_folder_for(std::filesystem::temp_directory_path() / ("tessera_" + std::to_string(getpid()) + ".json"));
  CHECK(folder.filename().string().ends_with("-report"));
  recording timings = sample_timings();
  timings.spaces[0].suspect = true;
  const std::string line = write_report(sample_records(), timings, gemm_family(target::avx2), folder);
  const auto data = nlohmann::json::parse(content_of(folder / "data.json"));
  const bool drawn = std::filesystem::exists(folder / "summary.png");
  std::filesystem::remove_all(folder);
  INFO(line);
  if (drawn)
    CHECK(line == "report: " + (folder / "index.html").string());
  else
    CHECK((line.find("no pictures (") != std::string::npos && line.find("plot_report.py") != std::string::npos));
  CHECK(data.at("device") == "A <CPU> & more");
  REQUIRE(data.at("cases").size() == 3);
  const auto& last = data.at("cases")[2];
  CHECK((last.at("name") == "avx2 f64 cache 4x4x4" && last.at("type") == "f64" && last.at("regime") == "cache"));
  CHECK((last.at("present") == "runs" && last.at("present_seconds") == 6e-9 && last.at("seconds") == 4e-9));
  CHECK(last.at("candidates").size() == 12);
  CHECK((last.at("candidates")[0].at("seconds") == 2.2e-9 && last.at("candidates")[11].at("seconds").is_null()));
  CHECK(last.at("winner").size() == data.at("axes").size());
  CHECK((last.at("suspect") == true && data.at("cases")[1].at("suspect") == false));
  CHECK(data.at("cases")[1].at("present") == "none");
  CHECK(data.at("cases")[0].at("present") == "unknown");
  CHECK(data.at("notes").get<std::string>().find("rank correlation") != std::string::npos);
  testing::check_failure(status::invalid_argument, {"/dev/null/report"}, [] {
    write_report(sample_records(), sample_timings(), gemm_family(target::avx2), "/dev/null/report");
  });
}
