// SPDX-License-Identifier: BSD-3-Clause
// Records written: they come back the same, one a line, and in the form that other tools read.
#include <cmath>
#include <limits>

#include "store/record_json.hpp"
#include "testing/catch.hpp"

#include "sample_records.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;

TEST_CASE("a record file comes back as it was written", "[store]") {
  const scratch_folder folder;
  const record_file f = sample_file();
  write_records(f, folder / "r.json");
  const record_file g = read_records(folder / "r.json");
  CHECK(g.device == f.device);
  CHECK(g.target == f.target);
  CHECK(g.compiler == f.compiler);
  CHECK(g.flags == f.flags);
  CHECK(g.source_hash == f.source_hash);
  CHECK(g.tessera == f.tessera);
  REQUIRE(g.records.size() == f.records.size());
  for (std::size_t i = 0; i < f.records.size(); ++i) {
    const record &a = f.records[i], &b = g.records[i];
    CHECK(a.of == b.of);
    CHECK(a.winner == b.winner);
    CHECK(a.runner_up == b.runner_up);
    CHECK(a.seconds == b.seconds);
    CHECK(a.mad == b.mad);
    CHECK(a.initial_seconds == b.initial_seconds);
    CHECK(a.runner_up_seconds == b.runner_up_seconds);
    CHECK(a.fraction == b.fraction);
    CHECK(a.tie == b.tie);
    CHECK(a.tried == b.tried);
    CHECK(a.candidates == b.candidates);
    CHECK(a.strategy == b.strategy);
    CHECK(a.date == b.date);
  }
  // The folder holds the file alone, and the file a line for each record.
  CHECK(folder.files() == 1);
  const std::string text = text_of_file(folder / "r.json");
  int lines = 0;
  for (std::size_t at = 0; (at = text.find("\n  {\"family\"", at)) != std::string::npos; ++at) ++lines;
  CHECK(lines == int(f.records.size()));
}

TEST_CASE("a GPU record says how its operands lie, and may be of larger sizes then", "[store]") {
  const scratch_folder folder;
  record_file f = sample_file();
  f.target = "cuda";
  f.compute_capability = "9.0";
  f.records.resize(1);
  f.records[0].of = {
      target::cuda, scalar_type::f64, memory_regime::stream, 81, 10, 9, {.right = packed_layout::shared_by_rows}};
  write_records(f, folder / "r.json");
  CHECK(text_of_file(folder / "r.json").find("\"form\":\"packed, B shared by rows\"") != std::string::npos);
  const record_file g = read_records(folder / "r.json");
  REQUIRE(g.records.size() == 1);
  CHECK(g.records[0].of == f.records[0].of);
  CHECK(key_of(g.records[0].of) == "cuda f64 stream 81x10x9, B shared by rows");
}

TEST_CASE("a file without records is one too", "[store]") {
  const scratch_folder folder;
  record_file f = sample_file();
  f.records.clear();
  write_records(f, folder / "r.json");
  CHECK(read_records(folder / "r.json").records.empty());
}

TEST_CASE("the file's name says device and target", "[store]") {
  CHECK(file_name_for({.device = "AMD EPYC 9654", .target = "avx512"}) == "amd_epyc_9654-avx512.json");
  CHECK(file_name_for({.device = "Intel(R) Xeon(R) @ 2.5GHz", .target = "avx2"}) == "intel_r_xeon_r_2_5ghz-avx2.json");
  CHECK(file_name_for({.device = "../..", .target = "cuda"}) == "unknown-cuda.json");
}

TEST_CASE("the export has what its format asks for", "[store]") {
  const scratch_folder folder;
  const record_file f = sample_file();
  write_t4(f, folder / "t4.json");
  const auto j = nlohmann::json::parse(text_of_file(folder / "t4.json"));
  CHECK(j.at("schema_version") == "1.0.0");
  CHECK(j.at("metadata").at("device") == f.device);
  REQUIRE(j.at("results").size() == 3);
  const auto& one = j.at("results").at(0);
  CHECK(one.at("timestamp") == f.records[0].date);
  CHECK(one.at("invalidity") == "correct");
  CHECK(one.at("correctness").is_number());
  CHECK(one.at("times").at("compilation_time").is_number());
  REQUIRE(one.at("times").at("runtimes").is_array());
  CHECK(std::abs(one.at("times").at("runtimes").at(0).get<double>() - 1e3 * f.records[0].seconds) < 1e-12);
  CHECK(one.at("objectives").at(0) == "time");
  CHECK(one.at("configuration").at("m") == 5);
  CHECK(one.at("configuration").at("columns") == 3);
  REQUIRE(one.at("measurements").size() == 4);
  for (const auto& measured : one.at("measurements")) {
    CHECK(measured.at("name").is_string());
    CHECK(measured.at("value").is_number());
    CHECK(measured.at("unit").is_string());
  }
}

TEST_CASE("whatever a record's figures are, what is written can be read", "[store]") {
  const scratch_folder folder;
  record_file f = sample_file();
  for (const double value : {0.0, -1.0, 1e-300, 1e300, std::nan(""), std::numeric_limits<double>::infinity()}) {
    INFO(value);
    for (record& r : f.records)
      r.seconds = r.mad = r.initial_seconds = r.fraction = r.runner_up_seconds = r.clock_mhz = r.watts = value;
    write_records(f, folder / "r.json");
    const record_file read = read_records(folder / "r.json");
    REQUIRE(read.records.size() == f.records.size());
    CHECK(read.records[0].seconds == 0);
    CHECK(read.records[0].winner == f.records[0].winner);
  }
}

TEST_CASE("a record without times stays readable, however often it is merged", "[store]") {
  const scratch_folder folder;
  write_text(folder / "r.json", R"json({"schema": 1, "device": "Example CPU (family 1, model 2)", "target": "avx2",
      "records": [{"type": "f64", "regime": "cache", "m": 3, "n": 3, "k": 3, "tuning": {"columns": 3}}]})json");
  for (int i = 0; i < 3; ++i) add_records(folder / "r.json", sample_file(), [](const std::string&) {});
  CHECK(read_records(folder / "r.json").records.size() == 4);
}
