// SPDX-License-Identifier: BSD-3-Clause
// Killed at any sample and started again, a search ends as if nothing had been.
#include "search/journaled.hpp"

#include <cmath>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include "landscape.hpp"
#include "search/replay.hpp"
#include "testing/catch.hpp"
#include "testing/scratch.hpp"

namespace tune = tessera::tune;
using namespace tessera::testing;

namespace {

const tune::journal_header here{"some CPU", "abc", {}};
const std::string of = "made up";

struct killed {};

// A machine whose sample i of a candidate is always the same, as told by the journal, and that may be killed in the
// middle of one.
class mortal : public tune::evaluator {
 public:
  mortal(const tune::recorded_space& s, const tune::journal& j, long dies_at, void (*death)())
      : space_(s), journal_(j), left_(dies_at), death_(death) {}

  std::vector<int> prepared;

  void prepare(const std::vector<int>& candidates) override {
    prepared.insert(prepared.end(), candidates.begin(), candidates.end());
  }

  std::vector<tune::sample> round(const std::vector<int>& candidates) override {
    REQUIRE(candidates.size() == 1);
    if (--left_ == 0) death_();
    const tune::recorded_candidate& c = space_.candidates[std::size_t(candidates[0])];
    if (candidates[0] % 5 == 4) return {{tune::outcome::wrong, 0, "C(0, 0) is NaN"}};
    return {{tune::outcome::ok, c.seconds[journal_.recorded(of, c.of).size() % c.seconds.size()], {}}};
  }

 private:
  const tune::recorded_space& space_;
  const tune::journal& journal_;
  long left_;
  void (*death_)();
};

std::vector<tune::config> configs_of(const tune::recorded_space& s) {
  std::vector<tune::config> configs;
  for (const tune::recorded_candidate& c : s.candidates) configs.push_back(c.of);
  return configs;
}

struct finished {
  tune::search_result result;
  long measured = 0, replayed = 0;
  std::vector<int> prepared;
};

finished search(
    const tune::recorded_space& s, const std::string& path, std::string_view strategy, long dies_at = -1,
    void (*death)() = [] { throw killed{}; }) {
  tune::journal j(path, here);
  mortal inner(s, j, dies_at, death);
  tune::journaled_evaluator e(inner, j, of, configs_of(s));
  finished f;
  f.result = tune::strategy_named(strategy).run(tune::problem_of(s), e, {});
  f.measured = e.measured();
  f.replayed = e.replayed();
  f.prepared = inner.prepared;
  return f;
}

bool same(const tune::search_result& a, const tune::search_result& b) {
  if (a.winner != b.winner || a.runner_up != b.runner_up || a.tie != b.tie || a.median != b.median ||
      a.all.size() != b.all.size())
    return false;
  for (std::size_t i = 0; i < a.all.size(); ++i)
    if (a.all[i].candidate != b.all[i].candidate || a.all[i].how != b.all[i].how ||
        a.all[i].reason != b.all[i].reason || a.all[i].seconds != b.all[i].seconds)
      return false;
  return true;
}

tune::recorded_space small_space() { return recorded_from(make_landscape(24, 5), {0.02, 0.005, 0.05, 3}, 30); }

}  // namespace

TEST_CASE("killed at every single sample, a search goes on to the same end") {
  const tune::recorded_space s = small_space();
  const scratch_folder folder;
  for (const char* strategy : {"elimination", "model_first"}) {
    const std::string whole_path = folder / (std::string(strategy) + "-whole");
    const finished whole = search(s, whole_path, strategy);
    CHECK(whole.replayed == 0);
    CHECK(whole.result.winner >= 0);
    for (long k = 1; k <= whole.measured; ++k) {
      INFO(strategy << " killed in sample " << k << " of " << whole.measured);
      const std::string path = folder / (std::string(strategy) + std::to_string(k));
      CHECK_THROWS_AS(search(s, path, strategy, k), killed);
      const finished resumed = search(s, path, strategy);
      CHECK(resumed.replayed == k - 1);
      CHECK(resumed.measured == whole.measured - (k - 1));
      CHECK(same(resumed.result, whole.result));
      CHECK(text_of_file(path) == text_of_file(whole_path));
    }
  }
}

TEST_CASE("killed again and again, it gets there") {
  const tune::recorded_space s = small_space();
  const scratch_folder folder;
  const finished whole = search(s, folder / "whole", "exhaustive");
  for (;;) {
    try {
      const finished last = search(s, folder / "journal", "exhaustive", 7);
      CHECK(same(last.result, whole.result));
      break;
    } catch (const killed&) {
    }
  }
  CHECK(text_of_file(folder / "journal") == text_of_file(folder / "whole"));
}

TEST_CASE("kill -9 loses the sample in flight and nothing else") {
  const tune::recorded_space s = small_space();
  const scratch_folder folder;
  const finished whole = search(s, folder / "whole", "elimination");
  for (const long k : {1L, 5L, 20L}) {
    const std::string path = folder / ("killed-" + std::to_string(k));
    const pid_t child = ::fork();
    if (child == 0) {
      search(s, path, "elimination", k, [] { ::raise(SIGKILL); });
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    const finished resumed = search(s, path, "elimination");
    CHECK(resumed.replayed == k - 1);
    CHECK(same(resumed.result, whole.result));
  }
}

TEST_CASE("a finished search is replayed without the machine; what failed is not prepared again") {
  const tune::recorded_space s = small_space();
  const scratch_folder folder;
  const std::string path = folder / "journal";
  const finished first = search(s, path, "exhaustive");
  CHECK(first.prepared.size() == 24);
  const finished again = search(s, path, "exhaustive");
  CHECK(again.measured == 0);
  CHECK(again.prepared.empty());
  CHECK(same(again.result, first.result));

  // Without its last line one sample is missing, so that the healthy ones are needed once more.
  const std::string text = text_of_file(path);
  write_text(path, text.substr(0, text.size() - 5));
  const finished mended = search(s, path, "exhaustive");
  CHECK(mended.measured == 1);
  CHECK(same(mended.result, first.result));
  CHECK(mended.prepared.size() == 24 - 4);
  for (const int c : mended.prepared) CHECK(c % 5 != 4);
}

TEST_CASE("a line lost in the middle costs one sample") {
  const tune::recorded_space s = small_space();
  const scratch_folder folder;
  const std::string path = folder / "journal";
  const finished first = search(s, path, "model_first");
  std::string text = text_of_file(path);
  const std::size_t begin = text.find('\n') + 1;
  text[begin] = '#';
  write_text(path, text);
  const finished again = search(s, path, "model_first");
  CHECK(again.measured >= 1);
  CHECK(again.measured <= 2);
  CHECK(again.result.winner == first.result.winner);
}

TEST_CASE("a time that no clock gives makes its candidate fail, and is no sample") {
  struct broken_clock : tune::evaluator {
    double seconds = 0;
    std::vector<tune::sample> round(const std::vector<int>& candidates) override {
      return std::vector<tune::sample>(candidates.size(), {tune::outcome::ok, seconds, {}});
    }
  };
  const scratch_folder folder;
  tune::journal memory(folder / "journal", here);
  broken_clock clock;
  const double times[] = {0, -1, 1e-300, 1e300, std::nan(""), 1e-9};
  std::vector<tune::config> configs;
  for (int i = 0; i < 6; ++i) configs.push_back(tune::config{{i + 1}});
  tune::journaled_evaluator e(clock, memory, of, configs);
  for (int i = 0; i < 6; ++i) {
    clock.seconds = times[i];
    const tune::sample s = e.round({i}).at(0);
    INFO(times[i]);
    CHECK((s.how == tune::outcome::ok) == (i == 5));
    if (i < 5) CHECK(s.reason.find("no clock") != std::string::npos);
  }
}
