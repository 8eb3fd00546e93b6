// SPDX-License-Identifier: BSD-3-Clause
// Records given to a running program: plans take them, describe() says so, and faulty files are named.
#include <tessera/batch.hpp>
#include <tessera/detail/records.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/overlay.hpp>
#include <tessera/plan.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "records/records_overlay.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/given_records.hpp"
#include "testing/says.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

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
      const given_records file(file_of(where, record_of("\"columns\": 11, \"row_vectors\": 4"), hash));
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
      const given_records file(file_of(
          where,
          record_of(
              "\"columns\": " + std::to_string(t.columns) + ", \"row_vectors\": " + std::to_string(t.row_vectors) +
              ", \"unroll_k\": " + std::to_string(t.unroll_k) + ", \"plain\": " + std::to_string(t.plain) +
              ", \"keep_left\": " + std::to_string(t.keep_left) + ", \"matrices\": " + std::to_string(t.matrices) +
              ", \"nontemporal\": " + std::to_string(t.stream) + ", \"half_tail\": " + std::to_string(t.half_tail)),
          "another"));
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
    const given_records file(file_of(best, in_memory, "x"));
    CHECK(says(described(best), file.path));
    CHECK(says(described(best), "x 2 columns"));
  }
  for (const std::string& both : {in_memory + ", " + in_cache, in_cache + ", " + in_memory}) {
    const given_records file(file_of(best, both, "x"));
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
  refuses(good.substr(0, good.size() / 2), {"not valid JSON"});
  refuses(file_of(target::avx2, record_of("\"colums\": 3"), "x"), {"record 0", "unknown axis 'colums'", "row_vectors"});
  refuses(file_of(target::avx2, record_of("\"columns\": 0"), "x"), {"record 0", "cannot have", "out of its range"});
  check_failure(status::invalid_argument, {"absent.json", "cannot be read"}, [] { overlay_records("absent.json"); });

  const target best = default_cpu_target();
  if (best == target::reference) return;
  const given_records file(file_of(best, record_of("\"columns\": 11"), "x"));
  check_failure(status::invalid_argument, {"absent.json"}, [] { overlay_records("absent.json"); });
  CHECK(says(described(best), file.path));
}

TEST_CASE("a record file is a regular file: others are named, and nobody waits for a FIFO's writer", "[overlay]") {
  const scratch_folder folder;
  const std::string fifo = (folder / "fifo").string();
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  check_failure(status::invalid_argument, {folder.path().c_str(), "a folder, not a regular file"},
                [&] { overlay_records(folder.path()); });
  check_failure(status::invalid_argument, {fifo.c_str(), "a FIFO"}, [&] { overlay_records(fifo); });
  check_failure(status::invalid_argument, {"/dev/zero", "a device"}, [] { overlay_records("/dev/zero"); });
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
