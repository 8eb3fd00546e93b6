// SPDX-License-Identifier: BSD-3-Clause
// Recordings: there and back, from searches, and what is reply about files that are none.
#include "search/recording.hpp"

#include <sys/stat.h>

#include "landscape.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/scratch.hpp"

namespace tune = tessera::tune;
using namespace tessera::testing;

namespace {

tune::recording small_recording() {
  tune::recording r;
  r.device = "some CPU";
  r.facts = {{"compiler", "g++ 12"}};
  r.spaces.push_back(recorded_from(make_landscape(10, 3), {}, 4));
  r.spaces[0].candidates[2].how = tune::outcome::crashed;
  r.spaces[0].candidates[2].reason = "signal 11";
  r.spaces[0].candidates[2].seconds.clear();
  r.spaces[0].present = tune::present_row::runs;
  r.spaces[0].present_seconds = 3e-9;
  r.spaces[0].suspect = true;
  return r;
}

}  // namespace

TEST_CASE("a recording is the same after a file") {
  const scratch_folder folder;
  const tune::recording written = small_recording();
  tune::write_recording(written, folder / "recording.json");
  const tune::recording read = tune::read_recording(folder / "recording.json");
  CHECK(read.device == written.device);
  CHECK(read.facts == written.facts);
  REQUIRE(read.spaces.size() == 1);
  CHECK(read.spaces[0].of == "made up");
  CHECK(read.spaces[0].incumbent == written.spaces[0].incumbent);
  CHECK(read.spaces[0].present == tune::present_row::runs);
  CHECK(read.spaces[0].present_seconds == 3e-9);
  CHECK(read.spaces[0].suspect);
  for (std::size_t c = 0; c < 10; ++c) {
    const tune::recorded_candidate &a = read.spaces[0].candidates[c], &b = written.spaces[0].candidates[c];
    CHECK(a.of == b.of);
    CHECK(a.predicted == b.predicted);
    CHECK(a.how == b.how);
    CHECK(a.reason == b.reason);
    CHECK(a.seconds == b.seconds);
  }
}

TEST_CASE("files that are no recordings are named with what is wrong") {
  const scratch_folder folder;
  const std::string path = folder / "recording.json";
  const auto wants = [&](std::initializer_list<std::string_view> words) {
    check_failure(tessera::status::invalid_argument, words, [&] { tune::read_recording(path); });
  };
  wants({path, "No such file"});
  tune::write_recording(small_recording(), path);
  const std::string whole = text_of_file(path);
  write_text(path, whole.substr(0, whole.size() / 2));
  wants({path, "record again"});
  write_text(path, "{}");
  wants({path, "schema"});
  std::string other = whole;
  other.replace(other.find("\"schema\":1"), 10, "\"schema\":9");
  write_text(path, other);
  wants({path, "schema is 9", "record again"});
  other = whole;
  other.replace(other.find("crashed"), 7, "snoozed");
  write_text(path, other);
  wants({path, "snoozed"});
  other = whole;
  other.replace(other.find("\"runs\""), 6, "\"rests\"");
  write_text(path, other);
  wants({path, "rests"});
  other = whole;
  other.replace(other.find("3e-09", other.find("present_seconds")), 5, "0.000");
  write_text(path, other);
  wants({path, "runs in no time"});
  check_failure(tessera::status::invalid_argument, {"no_such/recording.json", "No such file"},
                [&] { tune::write_recording(small_recording(), folder / "no_such/recording.json"); });
}

TEST_CASE("recordings with what nobody measured are refused, and read to the end by nobody") {
  const scratch_folder folder;
  const std::string path = folder / "recording.json";
  const auto wants = [&](const std::string& config, const std::string& predicted, const std::string& seconds,
                         std::initializer_list<std::string_view> words) {
    write_text(path, R"({"schema": 1, "device": "some CPU", "facts": {}, "spaces": [{"case": "made up", "incumbent": 0,
      "candidates": [{"config": )" +
                         config + ", \"predicted\": " + predicted + ", \"seconds\": " + seconds + "}]}]}");
    check_failure(tessera::status::invalid_argument, words, [&] { tune::read_recording(path); });
    check_failure(tessera::status::invalid_argument, {path, "not usable"}, [&] { tune::read_recording(path); });
  };
  for (const char* time : {"0", "-1e-9", "1e-300", "1e300", "null", "\"1\""})
    wants("[1]", "0", "[" + std::string(time) + "]", {"which no clock gives"});
  wants("[1]", "0", "1e-9", {"\"seconds\" must be a list"});
  wants("[1]", "-1", "[1e-9]", {"predicted"});
  for (const char* number : {"1e300", "-1", "2.5", "99999999999999999999", "\"1\"", "[]"})
    wants("[" + std::string(number) + "]", "0", "[1e-9]", {"config"});
  wants(std::string(1000000, '['), "0", "[1e-9]", {"nested"});
  write_text(path, R"({"schema": 1, "device": "d", "facts": {}, "spaces": [{"case": "c", "incumbent": -7,
      "candidates": []}]})");
  check_failure(tessera::status::invalid_argument, {"incumbent"}, [&] { tune::read_recording(path); });
  std::filesystem::remove(path);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  check_failure(tessera::status::invalid_argument, {path, "it is a FIFO"}, [&] { tune::read_recording(path); });
}

TEST_CASE("recordings from before they had today's row say that it is unknown") {
  const scratch_folder folder;
  const std::string path = folder / "recording.json";
  write_text(path, R"({"schema": 1, "device": "some CPU", "facts": {}, "spaces": [{"case": "made up", "incumbent": 0,
      "candidates": [{"config": [1], "predicted": 0, "seconds": [1e-9]}]}]})");
  CHECK(tune::read_recording(path).spaces[0].present == tune::present_row::unknown);
}

TEST_CASE("a search becomes a recording of what it measured, in rounds that all were in") {
  tune::space s;
  s.of = {tessera::target::avx2, tessera::scalar_type::f64, tessera::memory_regime::cache, 5, 5, 5};
  for (int c = 0; c < 4; ++c) {
    s.candidates.push_back(tune::config{{c + 1}});
    s.predicted.emplace_back();
    s.predicted.back().seconds = c + 1;
  }
  s.initial = 3;
  tune::search_result measured;
  measured.all = {{3, tune::outcome::ok, {}, {4, 4, 4, 4, 4}},
                  {0, tune::outcome::wrong, "C(0, 0)", {}},
                  {1, tune::outcome::ok, {}, {2, 2, 2}}};
  const tune::recorded_space r = tune::recorded(s, measured);
  CHECK(r.of == tune::key_of(s.of));
  REQUIRE(r.candidates.size() == 3);
  CHECK(r.incumbent == 2);
  CHECK(r.candidates[0].how == tune::outcome::wrong);
  CHECK(r.candidates[0].reason == "C(0, 0)");
  CHECK(r.candidates[1].of == s.candidates[1]);
  CHECK(r.candidates[1].seconds == std::vector<double>{2, 2, 2});
  CHECK(r.candidates[2].seconds == std::vector<double>{4, 4, 4});
  CHECK(r.candidates[2].predicted == 4);
}

TEST_CASE("the search's problem is the space's") {
  const tune::recording r = small_recording();
  const tune::search_problem p = tune::problem_of(r.spaces[0]);
  CHECK(p.candidates == 10);
  CHECK(p.incumbent == r.spaces[0].incumbent);
  CHECK(p.predicted[7] == r.spaces[0].candidates[7].predicted);
  CHECK(p.points[7].size() == std::size_t(tune::max_axes));
}
