// SPDX-License-Identifier: BSD-3-Clause
// Old and new records joined: the new ones win, and the old ones say with which kernels they were measured.
#include "testing/catch.hpp"
#include "testing/failure.hpp"

#include "sample_records.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;

TEST_CASE("newer records replace those of the same case, in one order", "[store]") {
  record_file newer = sample_file();
  newer.records = {sample_record(8), sample_record(3)};
  newer.records[0].seconds = 1;
  newer.tessera = "0.2.0";
  const record_file all = merged(sample_file(), newer);
  CHECK(all.tessera == "0.2.0");
  REQUIRE(all.records.size() == 4);
  CHECK(all.records[0].of.n == 3);
  CHECK(all.records[1].of.n == 5);
  CHECK(all.records[2].of.n == 8);
  CHECK(all.records[2].seconds == 1);
  CHECK(all.records[3].of.in == memory_regime::stream);
  for (const record& r : all.records) CHECK(r.source_hash.empty());
}

TEST_CASE("records of other kernels stay known as such", "[store]") {
  record_file newer = sample_file();
  newer.records = {sample_record(3)};
  newer.source_hash = "fedcba9876543210";
  const record_file all = merged(sample_file(), newer);
  REQUIRE(all.records.size() == 4);
  CHECK(all.source_hash == newer.source_hash);
  CHECK(all.records[0].source_hash.empty());
  CHECK(all.records[1].source_hash == sample_file().source_hash);

  const scratch_folder folder;
  write_records(all, folder / "r.json");
  CHECK(read_records(folder / "r.json").records[1].source_hash == sample_file().source_hash);
  // Back to the kernels of before: what was measured with them is fresh again.
  record_file back = sample_file();
  back.records.clear();
  const record_file again = merged(all, back);
  CHECK(again.records[1].source_hash.empty());
  CHECK(again.records[0].source_hash == "fedcba9876543210");
}

TEST_CASE("records of two devices or targets do not mix", "[store]") {
  record_file other = sample_file();
  other.device = "Another CPU";
  check_failure(status::invalid_argument, {"Another CPU", "Example CPU"}, [&] { merged(sample_file(), other); });
  other = sample_file();
  other.target = "avx512";
  check_failure(status::invalid_argument, {"avx512", "avx2"}, [&] { merged(sample_file(), other); });
}
