// SPDX-License-Identifier: BSD-3-Clause
// The loop of blast's runs: what is left where a step fails, and how much of a run is done.
#include "run_loop.hpp"

#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

#include "ending_signals.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "temporary_file.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::blast;

namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What is written to stderr meanwhile.
template <class F>
std::string errors_of(const F& run) {
  const temporary_file to("");
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO);
  REQUIRE(std::freopen(to.name().c_str(), "w", stderr) != nullptr);
  run();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  return text_of(to.name());
}

std::size_t count_of(const std::string& word, const std::string& text) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
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
  CHECK(count_of("<DataSet", text_of(collection.name())) == 4);
}

TEST_CASE("blast: a signal whose checkpoint cannot be written names the one that there is", "[blast]") {
  const settings given{.problem_number = 2, .dim = 1, .final_time = 0.2};
  for (const bool has_earlier : {true, false}) {
    const temporary_file kept;
    const std::string obstacle = kept.name() + ".part";
    simulation of(given);
    if (has_earlier) of.save(kept.name());
    std::filesystem::create_directory(obstacle);
    int status = 0;
    const std::string errors = errors_of([&] {
      status = run_to_end(of, {.every = 1000, .checkpoint = kept.name()}, [&] {
        of.step();
        if (of.steps() == 2) raise(SIGTERM);
      });
    });
    CHECK(std::filesystem::remove(obstacle));
    INFO(errors);
    CHECK(status == 128 + SIGTERM);
    CHECK(errors.find("cannot write") != std::string::npos);
    CHECK(errors.find("goes on from there") == std::string::npos);
    CHECK((errors.find("--restart " + kept.name() + " goes on from step 0") != std::string::npos) == has_earlier);
    CHECK((errors.find("nothing was kept") != std::string::npos) == !has_earlier);
  }
}

TEST_CASE("blast: a step that fails after its end is named by its own number", "[blast]") {
  const temporary_file kept, crashed(kept.name() + ".crashed", "");
  simulation of({.problem_number = 2, .dim = 1, .final_time = 0.2});
  const std::string errors = errors_of([&] {
    run_to_end(of, {.every = 1000, .checkpoint = kept.name()}, [&] {
      of.step();
      if (of.steps() == 3) throw std::bad_alloc();
    });
  });
  INFO(errors);
  CHECK(errors.find("blast: step 3 failed: ") == 0);
}

TEST_CASE("blast: a signal that is ignored stays so after another one", "[blast]") {
  struct sigaction before = {}, now = {};
  sigaction(SIGINT, nullptr, &before);
  signal(SIGINT, SIG_IGN);
  {
    const ending_signals signals;
    raise(SIGTERM);
    CHECK(signals.caught() == SIGTERM);
    sigaction(SIGINT, nullptr, &now);
    CHECK(now.sa_handler == SIG_IGN);
    sigaction(SIGTERM, nullptr, &now);
    CHECK(now.sa_handler == SIG_DFL);
  }
  sigaction(SIGINT, &before, nullptr);
}

TEST_CASE("blast: a frame whose collection could not be written is in it once", "[blast]") {
  const temporary_file vtk, collection(vtk.name() + ".pvd", ""), frame(vtk.name() + "_000000.vtu", "");
  const simulation of({.problem_number = 2, .dim = 1, .final_time = 0.2});
  fields now(of);
  frames series(vtk.name(), 0);
  const std::string obstacle = collection.name() + ".part";
  std::filesystem::create_directory(obstacle);
  CHECK_THROWS_WITH(series.write(now), Catch::Contains("cannot write"));
  std::filesystem::remove(obstacle);
  series.write(now);
  CHECK(count_of("<DataSet", text_of(collection.name())) == 1);
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
