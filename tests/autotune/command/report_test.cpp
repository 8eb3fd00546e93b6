// SPDX-License-Identifier: BSD-3-Clause
// Tables, pictures and the page: what they must contain, and that foreign text cannot break them.
#include "command/report.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "command/progress.hpp"
#include "command/svg.hpp"
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
  r.spaces.push_back(s);
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
  const std::string table = table_of(sample_records(), gemm_family(target::avx2));
  CHECK(table.find("avx2 f64 cache 3x3x3") != std::string::npos);
  CHECK(table.find("2.00x") != std::string::npos);
  CHECK(table.find("columns 3") != std::string::npos);
  CHECK(table.find("geometric mean: 2.00 times the default's speed, 50% of the bound") != std::string::npos);
}

TEST_CASE("a default that fails has no gain", "[tune]") {
  record_file f = sample_records();
  f.records.resize(1);
  f.records[0].initial_seconds = 0;
  CHECK(table_of(f, gemm_family(target::avx2)).find("fails") != std::string::npos);
}

TEST_CASE("pictures stay inside their frame and escape text", "[tune]") {
  picture p("a <b>", {.label = "x & y", .low = 1, .high = 100, .logarithmic = true},
            {.label = "z", .low = 0, .high = 1});
  p.line({{1, 0}, {1000, 5}}, 0, "out of range");
  p.dots({{10, 0.5}}, 1);
  const std::string svg = p.svg();
  CHECK(svg.find("a &lt;b&gt;") != std::string::npos);
  CHECK(svg.find("x &amp; y") != std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("points='60.0,294.0 504.0,34.0 '") != std::string::npos);
}

TEST_CASE("the page has every picture, and nothing of a device's name is markup", "[tune]") {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "tessera_report_test.html";
  write_report(sample_records(), sample_timings(), gemm_family(target::avx2), path.string());
  const std::string page = content_of(path);
  std::filesystem::remove(path);
  for (const char* part : {"Before and after: f64 cache", "Landscape of avx2 f64 cache 4x4x4", "How rare good",
                           "Model against measurement", "rank correlation", "A &lt;CPU&gt; &amp; more"})
    CHECK(page.find(part) != std::string::npos);
  CHECK(page.find("<CPU>") == std::string::npos);
  testing::check_failure(status::invalid_argument, {"/dev/null/page.html"}, [] {
    write_report(sample_records(), sample_timings(), gemm_family(target::avx2), "/dev/null/page.html");
  });
}
