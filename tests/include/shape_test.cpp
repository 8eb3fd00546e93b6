// SPDX-License-Identifier: BSD-3-Clause
// Run-time shapes: rank, sizes and index arithmetic, and the checks of run-time numbers.
#include <tessera/shape.hpp>

#include "testing/failure.hpp"

using namespace tessera;
using tessera::testing::check_failure;
using tessera::testing::failure_of;

TEST_CASE("a shape is what extents say, at run time", "[shape]") {
  const shape s = of_size(5_c, 3, 6);
  CHECK(s.rank() == 3);
  CHECK(s(0) == 5);
  CHECK(s(2) == 6);
  CHECK(s.size() == 90);
  CHECK(s.offset(2, 1, 4) == 2 + 5 * (1 + 3 * 4));
  CHECK(s == shape(of_size<5, 3, 6>()));
  CHECK_FALSE(s == shape(of_size<5, 3>()));
  CHECK(text_of(s) == "5x3x6");
  CHECK(text_of(shape{}) == "scalar");
  CHECK(text_of(of_size<7, 0>()) == "7x0");
}

TEST_CASE("a shape refuses other ranks", "[shape]") {
  const index_t extent[13] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  check_failure(status::invalid_argument, {"shape", "rank 13", "0..12"}, [&] { shape(extent, 13); });
  check_failure(status::invalid_argument, {"shape", "rank -1"}, [&] { shape(extent, -1); });
  CHECK(failure_of([&] { shape(extent, 12); }).code == status::ok);
  check_failure(status::shape_mismatch, {"index", "3 indices", "5x3"}, [] { shape(of_size<5, 3>()).offset(1, 1, 1); });
}

TEST_CASE("negative and overflowing numbers are found", "[shape]") {
  const index_t negative[] = {5, -3}, large[] = {index_t{1} << 40, index_t{1} << 18},
                fits[] = {index_t{1} << 40, 1 << 17};  // 16 bytes an entry, twice
  check_failure(status::overflow, {"make", "5x-3"}, [&] { check_extents("make", negative, 2); });
  check_failure(status::overflow, {"make", "1099511627776x262144"}, [&] { check_extents("make", large, 2); });
  CHECK(failure_of([&] { check_extents("make", fits, 2); }).code == status::ok);
  check_failure(status::overflow, {"make", "batch of -1", "5x3"}, [] { check_batch("make", -1, 15, "5x3"); });
  check_failure(status::overflow, {"make", "stride -15", "5x3"}, [] { check_batch("make", 2, -15, "5x3"); });
  check_failure(status::overflow, {"make", "5x3"}, [] { check_batch("make", index_t{1} << 60, 15, "5x3"); });
}

TEST_CASE("an empty shape does not hide an overflow of its other sizes", "[shape]") {
  const index_t extent[] = {index_t{1} << 40, index_t{1} << 40, 0};
  check_failure(status::overflow, {"make"}, [&] { check_extents("make", extent, 3); });
}

TEST_CASE("shapes that differ are both named", "[shape]") {
  check_failure(status::shape_mismatch, {"compare", "5x3", "3x5"},
                [] { check_same("compare", of_size<5, 3>(), of_size<3, 5>()); });
}
