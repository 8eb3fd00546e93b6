// SPDX-License-Identifier: BSD-3-Clause
// Records given to a running program: plans take them, describe() says so, and faulty files are named.
#include <tessera/batch.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/overlay.hpp>
#include <tessera/plan.hpp>
#include <tessera/records.hpp>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

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
                    ", \"matrices\": " + std::to_string(t.matrices) + ", \"stream\": " + std::to_string(t.stream)),
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
  refuses(file_of(target::avx2, record_of("\"columns\": 1e9"), "x"), {"\"columns\" is 1e9"});
  refuses(file_of(target::avx2, record_of("\"columns\": true"), "x"), {"\"columns\" must be a number"});
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
