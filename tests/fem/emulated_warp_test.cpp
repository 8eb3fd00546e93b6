// SPDX-License-Identifier: BSD-3-Clause
// The emulated warp: lanes meet, and a run that fails ends with an exception, not with the process.
#include "emulated_warp.hpp"

#include "testing/catch.hpp"

#include <string>

using namespace tessera::testing;

TEST_CASE("an emulated warp: lanes meet, and those that end while others wait are refused", "[fem][element]") {
  for (int round = 0; round < 2; ++round) {
    int before = 0, behind = 0;
    run_warp([&](int lane) {
      CHECK(before++ == lane);
      emulated_warp::of_caller().meet();
      CHECK(before == warp_size);
      ++behind;
    });
    CHECK(behind == warp_size);
    CHECK_THROWS_AS(run_warp([](int lane) {
                      if (lane != 3) emulated_warp::of_caller().meet();
                    }),
                    std::logic_error);
  }
}

TEST_CASE("an emulated warp: what a lane throws reaches the caller, and the warp works again", "[fem][element]") {
  for (const bool after_meeting : {false, true}) {
    int behind = 0;
    const auto fails_in_lane_5 = [&](int lane) {
      if (after_meeting) emulated_warp::of_caller().meet();
      if (lane == 5) throw std::runtime_error("lane 5");
      emulated_warp::of_caller().meet();
      ++behind;
    };
    CHECK_THROWS_WITH(run_warp(fails_in_lane_5), std::string("lane 5"));
    CHECK(behind == 0);
    run_warp([&](int) {
      emulated_warp::of_caller().meet();
      ++behind;
    });
    CHECK(behind == warp_size);
  }
}
