// SPDX-License-Identifier: BSD-3-Clause
// The loop of blast's runs: what is left where a step fails, and how much of a run is done.
#include "run_loop.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

#include "progress.hpp"
#include "temporary_file.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::blast;

namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("blast: a step that fails for want of memory leaves checkpoint, frame and JSON", "[blast]") {
  const settings given{.problem_number = 2, .dim = 1, .final_time = 0.2};
  const temporary_file kept, crashed(kept.name() + ".crashed", ""), json, vtk, collection(vtk.name() + ".pvd", ""),
      first(vtk.name() + "_000000.vtu", ""), last(vtk.name() + "_000003.vtu", "");
  simulation of(given);
  const int status =
      run_to_end(of, {.checkpoint_every = 2, .checkpoint = kept.name(), .vtk = vtk.name(), .json = json.name()}, [&] {
        if (of.steps() == 3) throw std::bad_alloc();
        of.step();
      });
  CHECK(status == 1);
  CHECK(of.steps() == 3);
  CHECK(text_of(collection.name()).find("_000003.vtu") != std::string::npos);
  CHECK(text_of(last.name()).find("density") != std::string::npos);
  CHECK(text_of(json.name()).find("\"steps\":3") != std::string::npos);
  simulation second(given);
  second.load(crashed.name());
  CHECK(second.steps() == 3);
  CHECK(second.state() == of.state());
  simulation earlier(given);
  earlier.load(kept.name());  // which the failure leaves as it was
  CHECK(earlier.steps() == 2);
}

TEST_CASE("blast: frames at times, each after the first step at or past it", "[blast]") {
  const temporary_file vtk, collection(vtk.name() + ".pvd", "");
  std::vector<std::string> files{vtk.name() + "_000000.vtu"};
  simulation of({.problem_number = 2, .dim = 1, .final_time = 0.2}), plain(of.given());
  while (!plain.finished()) {
    plain.step();
    const double before = plain.time() - plain.run().last_dt(), now = plain.time();
    for (const double time : {0.05, 0.1001, 0.2})
      if (before < time && time <= now)
        files.push_back(vtk.name() + "_" + [&] {
          const std::string number = std::to_string(plain.steps());
          return std::string(6 - number.size(), '0') + number;
        }() + ".vtu");
  }
  CHECK(run_to_end(of, {.every = 1000, .vtk_times = {0.1001, 0.05, 0.05}, .vtk = vtk.name()}, [&] { of.step(); }) == 0);
  CHECK(of.steps() == plain.steps());
  CHECK(of.energy_norm() == plain.energy_norm());
  REQUIRE(files.size() == 4);
  for (const std::string& file : files) CHECK(std::filesystem::remove(file));
  const std::string text = text_of(collection.name());
  std::size_t frames = 0;
  for (std::size_t at = text.find("<DataSet"); at != std::string::npos; at = text.find("<DataSet", at + 1)) ++frames;
  CHECK(frames == 4);
}

TEST_CASE("blast: how much of a run is done, by time or by steps", "[blast]") {
  const run_extent by_time{.from_time = 1, .final_time = 3, .first_step = 10};
  CHECK(by_time.done(1.5, 1000) == 0.25);
  CHECK(by_time.left(10, 1.5, 1000) == 30);
  const run_extent both{.from_time = 1, .final_time = 3, .first_step = 10, .most_steps = 100};
  CHECK(both.done(1.5, 20) == 0.25);
  CHECK(both.done(1.5, 60) == 0.5);
  CHECK(both.left(10, 1.5, 60) == 10);
  CHECK(both.done(3, 30) == 1);
  CHECK(both.left(10, 3, 30) == 0);
  CHECK(std::isfinite(both.left(10, 1, 10)));
}
