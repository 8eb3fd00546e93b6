// SPDX-License-Identifier: BSD-3-Clause
// Records given to a running program: plans take them, describe() says so, and faulty files are named.
#include <tessera/batch.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/overlay.hpp>
#include <tessera/plan.hpp>
#include <tessera/records.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "records/records_overlay.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// A record file that goes away, and with it the overlay.
struct record_text {
  std::string path =
      (std::filesystem::temp_directory_path() / ("tessera_overlay_" + std::to_string(getpid()) + ".json")).string();

  explicit record_text(const std::string& text) { std::ofstream(path) << text; }
  record_text(const record_text&) = delete;
  ~record_text() {
    overlay_records("");
    std::remove(path.c_str());
  }
};

std::string file_of(target on, const std::string& records, const std::string& hash) {
  return std::string("{\"schema\": 1, \"device\": \"Example\", \"target\": \"") + name_of(on) +
         "\", \"source_hash\": \"" + hash + "\", \"records\": [" + records + "]}";
}

// n x 4 times 4 x 4.
std::string record_of(const std::string& tuning, int n = 4) {
  return R"({"type": "f64", "regime": "cache", "m": )" + std::to_string(n) + R"(, "n": 4, "k": 4, "tuning": {)" +
         tuning + "}}";
}

std::string described(target where, index_t n = 4) {
  auto a = make_tensor<double>(of_size(n, 4));
  auto x = make_batch<double>(of_size(4, 4), 3), y = make_batch<double>(of_size(n, 4), 3);
  return make_plan(contraction("ij,jk->ik"), a, x, y, on(where)).describe();
}

bool says(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

void refuses(const std::string& text, std::initializer_list<std::string_view> words) {
  const record_text file(text);
  INFO(text);
  check_failure(status::invalid_argument, words, [&] { overlay_records(file.path); });
  check_failure(status::invalid_argument, {file.path}, [&] { overlay_records(file.path); });
}

}  // namespace

TEST_CASE("a plan looks into the file first and says what its tuning is", "[overlay]") {
  for (const target where : cpu_targets()) {
    if (where == target::reference) continue;
    const std::string before = described(where);
    const std::string hash(kernel_source_hash(where));
    {
      // A tuning that no row has: the nearest row serves.
      const record_text file(file_of(where, record_of("\"columns\": 11, \"row_vectors\": 4"), hash));
      overlay_records(file.path);
      const std::string text = described(where);
      INFO(text);
      CHECK(says(text, file.path));
      CHECK(says(text, "no kernel of its tuning (tile of 4 vectors x 11 columns"));
      CHECK(says(text, "this is the nearest one"));
      CHECK(says(text, "gemm f64 4x"));
      CHECK_FALSE(says(text, "earlier version of the kernels"));
      // Other sizes are as they were.
      CHECK_FALSE(says(described(where, 3), file.path));
    }
    CHECK(described(where) == before);
    {
      // The tuning of the row itself, measured with other kernels.
      const cpu_gemm_tuning t = cpu_tuning_for(where, scalar_type::f64, 4, 4, 4);
      const record_text file(file_of(
          where,
          record_of("\"columns\": " + std::to_string(t.columns) + ", \"row_vectors\": " +
                    std::to_string(t.row_vectors) + ", \"unroll_k\": " + std::to_string(t.unroll_k) +
                    ", \"plain\": " + std::to_string(t.plain) + ", \"keep_left\": " + std::to_string(t.keep_left) +
                    ", \"matrices\": " + std::to_string(t.matrices) + ", \"nontemporal\": " + std::to_string(t.stream)),
          "another"));
      overlay_records(file.path);
      const std::string text = described(where);
      INFO(text);
      CHECK(says(text, file.path));
      CHECK_FALSE(says(text, "the nearest one"));
      CHECK(says(text, "earlier version of the kernels"));
    }
  }
}

TEST_CASE("a record of another regime serves where there is none of this one", "[overlay]") {
  const target best = default_cpu_target();
  if (best == target::reference) return;
  // A product in cache, by a record for memory; and by its own, wherever that stands.
  const std::string in_cache = record_of("\"columns\": 3");
  std::string in_memory = record_of("\"columns\": 2");
  in_memory.replace(in_memory.find("cache"), 5, "stream");
  {
    const record_text file(file_of(best, in_memory, "x"));
    overlay_records(file.path);
    CHECK(says(described(best), file.path));
    CHECK(says(described(best), "x 2 columns"));
  }
  for (const std::string& both : {in_memory + ", " + in_cache, in_cache + ", " + in_memory}) {
    const record_text file(file_of(best, both, "x"));
    overlay_records(file.path);
    CHECK(says(described(best), "x 3 columns"));
  }
}

TEST_CASE("a record without a compiled row waits for a build with it", "[overlay]") {
  const target best = default_cpu_target();
  if (best == target::reference) return;
  const record_text file(file_of(best, record_of("\"columns\": 3", 31), "x"));
  CHECK(says(described(best, 31), "no record"));
  overlay_records(file.path);
  CHECK(says(described(best, 31), "generic"));
  CHECK(says(described(best, 31), "a build with the record in " + file.path));
}

TEST_CASE("a faulty file is named with its fault, and what was in force stays", "[overlay]") {
  const std::string good = file_of(target::avx2, record_of("\"columns\": 3"), "x");
  refuses("", {"not valid JSON", "line 1"});
  refuses(good.substr(0, good.size() / 2), {"not valid JSON"});
  refuses(good + "x", {"more text"});
  refuses("{\n\n  \"schema\" 1}", {"line 3", "':'"});
  refuses("{\"schema\": 01}", {"start with 0"});
  refuses("{\"schema\": \"\\x\"}", {"escape"});
  refuses("{\"a\": " + std::string(1000, '['), {"nested"});
  refuses("[]", {"object"});
  refuses("{\"schema\": 2}", {"schema 1"});
  refuses("{\"schema\": 1}", {"\"device\" is missing"});
  refuses(file_of(target::reference, "", "x"), {"reference"});
  refuses(file_of(target::avx2, "7", "x"), {"record 0", "object"});
  refuses(file_of(target::avx2, record_of("\"colums\": 3"), "x"), {"record 0", "unknown axis 'colums'", "row_vectors"});
  refuses(file_of(target::avx2, record_of("\"columns\": -3"), "x"), {"\"columns\" is -3"});
  refuses(file_of(target::avx2, record_of("\"columns\": 1e9"), "x"), {"\"columns\" must be an integer, not 1e9"});
  refuses(file_of(target::avx2, record_of("\"columns\": true"), "x"), {"\"columns\" must be an integer"});
  refuses(file_of(target::avx2, record_of("", 33), "x"), {"\"m\" is 33", "1..32"});
  refuses(file_of(target::avx2, record_of("\"columns\": 0"), "x"), {"record 0", "cannot have", "out of its range"});
  check_failure(status::invalid_argument, {"absent.json", "cannot be read"}, [] { overlay_records("absent.json"); });

  const target best = default_cpu_target();
  if (best == target::reference) return;
  const record_text file(file_of(best, record_of("\"columns\": 11"), "x"));
  overlay_records(file.path);
  check_failure(status::invalid_argument, {"absent.json"}, [] { overlay_records("absent.json"); });
  CHECK(says(described(best), file.path));
}

TEST_CASE("a record file is a regular file: others are named, and nobody waits for a FIFO's writer", "[overlay]") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tessera_overlay_folder_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string fifo = (folder / "fifo").string();
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  check_failure(status::invalid_argument, {folder.c_str(), "a folder, not a regular file"},
                [&] { overlay_records(folder.string()); });
  check_failure(status::invalid_argument, {fifo.c_str(), "a FIFO"}, [&] { overlay_records(fifo); });
  check_failure(status::invalid_argument, {"/dev/zero", "a device"}, [] { overlay_records("/dev/zero"); });
  std::filesystem::remove_all(folder);
}

// tests/capi/records_test.c runs with such a variable.
TEST_CASE("an error about the file of TESSERA_RECORDS names the variable", "[overlay]") {
  const std::string folder = std::filesystem::temp_directory_path().string();
  const auto wants = [](const std::string& name, const char* word) {
    check_failure(status::invalid_argument, {"TESSERA_RECORDS: tuning records ", name, word},
                  [&] { detail::read_overlay(name, "TESSERA_RECORDS"); });
  };
  wants(folder, "a folder");
  wants("absent.json", "No such file");
  const record_text faulty("{");
  wants(faulty.path, "not valid JSON");
}

TEST_CASE("a record with figures that no clock gives is refused", "[overlay]") {
  const auto with = [](const std::string& figure) {
    std::string record = record_of("\"columns\": 3");
    return file_of(target::avx2, record.insert(1, figure + ", "), "x");
  };
  for (const char* figure : {"\"seconds\": 1e-300", "\"seconds\": 0", "\"seconds\": -1e-9", "\"seconds\": 1e300",
                             "\"seconds\": 1e-400", "\"seconds\": 1e999", "\"runner_up_seconds\": 1e-20", "\"mad\": -1",
                             "\"fraction\": 1e300", "\"clock_mhz\": 1e9", "\"watts\": -5"}) {
    const std::string name = std::string(figure).substr(0, std::string(figure).find(':'));
    refuses(with(figure), {"record 0", name});
  }
  refuses(with("\"seconds\": \"fast\""), {"record 0", "\"seconds\" must be a number"});
  const record_text good(with("\"seconds\": 1.5e-9, \"initial_seconds\": 0, \"mad\": 0"));
  overlay_records(good.path);
}

TEST_CASE("JSON that readers understand differently is refused", "[overlay]") {
  refuses(R"({"schema": 1, "schema": 2})", {"\"schema\" is there twice"});
  refuses("{\"schema\": 1, \"device\": \"\xff\"}", {"UTF-8"});
  refuses("{\"schema\": 1, \"device\": \"\xc0\x80\"}", {"UTF-8"});
  refuses("{\"schema\": 1, \"device\": \"\xed\xa0\x80\"}", {"UTF-8"});
  refuses("{\"schema\": 1, \"device\": \"a\xe2\x82\"}", {"UTF-8"});
  refuses(R"({"schema": 1, "device": "\u0000"})", {"\\u0000"});
  refuses(R"({"schema": 1, "device": "\ud83d"})", {"surrogates"});
  refuses(R"({"schema": 1, "device": "\udc00"})", {"surrogates"});
  refuses(R"({"schema": 1, "device": "\ud83dx"})", {"surrogates"});
  refuses(std::string("{\"schema\": 1,\0 2}", 17), {"not valid JSON"});
  refuses("[" + std::string(std::size_t(9) << 20, '1') + "]", {"object"});
  std::string many = "[";
  for (int i = 0; i < (1 << 22) + 1; ++i) many += "0,";
  refuses(many + "0]", {"more than 4194304 values"});
  refuses("{\"schema\": " + std::string(100000, '9') + "}", {"999...", "not an integer"});
  const record_text good(R"({"schema": 1, "device": "\u00e4 \u20ac \ud83d\ude00", "target": "avx2", "records": []})");
  CHECK(detail::read_overlay(good.path).device == "\u00e4 \u20ac \U0001f600");
}
