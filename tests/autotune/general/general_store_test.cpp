// SPDX-License-Identifier: BSD-3-Clause
// Records of general contractions: written, read by the library, merged, used.
#include "general/general_store.hpp"

#include <tessera/detail/general_tuning.hpp>
#include <tessera/overlay.hpp>

#include "made_up_worker.hpp"
#include "record.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/scratch.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;
using tessera::testing::scratch_folder;

namespace {

void silent(const std::string&) {}

tuning_records head(const std::string& hash) {
  tuning_records f;
  f.device = "Example GPU 100";
  f.on = target::cuda;
  f.compute_capability = "9.0";
  f.compiler = "NVRTC 13.0";
  f.source_hash = hash;
  return f;
}

general_result result_of_row(const char* row, const char* type = "f64") {
  options o;
  o.rows = row;
  o.types = type;
  general_result r;
  r.of = general_cases_from(o).at(0);
  r.bound = 1e-3;
  r.tiles.push_back({present_general_tile(r.of.form, r.of.kind, "NVIDIA H200").tile, 1e-3, outcome::ok, "", 3e-3, 0.5});
  r.tiles.push_back(r.tiles.front());
  r.tiles[1].tile.stages = 2;
  r.tiles[1].seconds = 2e-3;
  r.found.winner = 1;
  r.found.runner_up = 0;
  r.found.median = 2e-3;
  r.found.mad = 1e-5;
  r.found.runner_up_median = 3e-3;
  r.found.all.resize(2);
  r.seen = {1980.4, 612.3};
  return r;
}

tuning_records file_with(const std::string& hash, std::initializer_list<general_result> results) {
  tuning_records f = head(hash);
  for (const general_result& r : results) f.records.push_back(general_record_of(r));
  return f;
}

}  // namespace

TEST_CASE("general records: written, and read by the library", "[tune]") {
  const scratch_folder folder;
  const std::string path = (folder / general_file_name("Example GPU 100")).string();
  CHECK(path.ends_with("example_gpu_100-cuda-general.json"));
  const general_result r = result_of_row("31");
  CHECK(add_general_records(path, file_with("now", {r}), silent) == 1);
  const tuning_records read = read_general_records(path, "Example GPU 100");
  REQUIRE(read.records.size() == 1);
  const tuning_record& one = read.records.front();
  CHECK(one.kind == "f64 by tensor cores");
  CHECK(one.contraction == contraction_text(r.of));
  CHECK(general_form_text(one.form) == general_form_text(r.of.form));
  CHECK(general_tile_text(one.tile, one.form) == general_tile_text(r.tiles[1].tile, r.of.form));
  CHECK((one.measured.seconds == 2e-3 && one.measured.initial_seconds == 3e-3 && one.measured.fraction == 0.5));
  CHECK((one.measured.clock_mhz == 1980 && one.measured.watts == 612 && one.measured.tried == 2));
  CHECK(one.measured.strategy == "model");
  CHECK(read.source_hash == "now");
  CHECK(read.compute_capability == "9.0");
  // A record a line.
  const std::string text = tessera::testing::text_of_file(path);
  CHECK(text.find("\n  {\"family\":\"general\",\"kind\":\"f64 by tensor cores\",\"contraction\":\"dega,gfbc->abcdef") !=
        std::string::npos);
  CHECK(general_records_text(read) == text);
}

TEST_CASE("general records: newer ones replace those of the same contraction", "[tune]") {
  const scratch_folder folder;
  const std::string path = (folder / "records.json").string();
  add_general_records(path, file_with("before", {result_of_row("1"), result_of_row("2")}), silent);
  general_result again = result_of_row("2");
  again.found.median = 1.5e-3;
  CHECK(add_general_records(path, file_with("now", {again, result_of_row("2", "tf32")}), silent) == 3);
  const tuning_records read = read_general_records(path, "Example GPU 100");
  REQUIRE(read.records.size() == 3);
  int old = 0, fresh = 0;
  for (const tuning_record& r : read.records) {
    if (r.contraction.starts_with("bda")) old += int(read.hash_of(r) == "before");
    if (r.contraction.starts_with("dca")) fresh += int(read.hash_of(r) == "now");
    if (r.contraction.starts_with("dca") && r.kind == "f64 by tensor cores") CHECK(r.measured.seconds == 1.5e-3);
  }
  CHECK((old == 1 && fresh == 2));
  // Measured with the kernels of before: the hash goes.
  add_general_records(path, file_with("before", {result_of_row("3")}), silent);
  CHECK(tessera::testing::text_of_file(path).find("\"source_hash\":\"before\"") == std::string::npos);
}

TEST_CASE("general records: files of other devices or families are refused", "[tune]") {
  const scratch_folder folder;
  const std::string path = (folder / "records.json").string();
  add_general_records(path, file_with("now", {result_of_row("1")}), silent);
  check_failure(status::invalid_argument, {path, "Example GPU 100", "Other GPU"},
                [&] { read_general_records(path, "Other GPU"); });
  tuning_records other = file_with("now", {result_of_row("2")});
  other.device = "Other GPU";
  check_failure(status::invalid_argument, {path}, [&] { add_general_records(path, other, silent); });
  CHECK(read_general_records(path, "Example GPU 100").records.size() == 1);
  // The commands of other families name what to do.
  check_failure(status::invalid_argument, {path, "general"}, [&] { read_records(path); });
  tessera::testing::write_text(path, R"({"schema": 1, "device": "Example GPU 100", "target": "cuda", "records": [)"
                                     R"({"type": "f64", "regime": "cache", "m": 2, "n": 2, "k": 2, "tuning": {}}]})");
  check_failure(status::invalid_argument, {path, "family gemm"},
                [&] { read_general_records(path, "Example GPU 100"); });
}

TEST_CASE("general records: a record that was written is what a plan takes", "[tune]") {
  const scratch_folder folder;
  const std::string path = (folder / "records.json").string();
  const general_result r = result_of_row("12");
  add_general_records(path, file_with(std::string(general_kernel_hash()), {r}), silent);
  overlay_records(path);
  const general_present now = present_general_tile(r.of.form, r.of.kind, "Example GPU 100");
  overlay_records("");
  CHECK(now.source == "record of this contraction on Example GPU 100, in " + path);
  CHECK(general_tile_text(now.tile, r.of.form) == general_tile_text(r.tiles[1].tile, r.of.form));
  CHECK(now.seconds > 0);
}
