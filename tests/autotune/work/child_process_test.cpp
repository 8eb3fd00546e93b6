// SPDX-License-Identifier: BSD-3-Clause
// Tests running other programs: what they print, how they end, how long they may take.
#include "work/child_process.hpp"

#include "measure/stopwatch.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::tune;

TEST_CASE("a program's output and status come back") {
  const finished good = run({{"sh", "-c", "echo out; echo err >&2"}, 20});
  CHECK(good.ok());
  CHECK(good.output == "out\nerr\n");
  const finished bad = run({{"sh", "-c", "exit 7"}, 20});
  CHECK(!bad.ok());
  CHECK(bad.status == 7);
}

TEST_CASE("a program that is not there, or that a signal ends, says so") {
  const finished absent = run({{"no-such-program-anywhere"}, 20});
  CHECK(!absent.started);
  CHECK(absent.output.find("No such file") != std::string::npos);
  const finished killed = run({{"sh", "-c", "kill -9 $$"}, 20});
  CHECK(killed.status == -1);
  CHECK(!killed.timed_out);
  CHECK(killed.output.find("signal") != std::string::npos);
}

TEST_CASE("a program that takes too long is ended with its children; others are not") {
  const bench::stopwatch watch;
  const std::vector<finished> all =
      run_all({{{"sh", "-c", "sleep 60 & sleep 60"}, 0.3}, {{"sh", "-c", "sleep 0.6; echo done"}, 30}}, 2);
  CHECK(watch.seconds() < 20);
  CHECK(all[0].timed_out);
  CHECK(all[1].output == "done\n");
}

TEST_CASE("several programs run at once, and answers keep their order") {
  std::vector<command> commands;
  for (int i = 0; i < 6; ++i) commands.push_back({{"sh", "-c", "sleep 0.2; echo " + std::to_string(i)}, 30});
  const bench::stopwatch watch;
  const std::vector<finished> all = run_all(commands, 6);
  CHECK(watch.seconds() < 1.1);
  for (int i = 0; i < 6; ++i) CHECK(all[std::size_t(i)].output == std::to_string(i) + "\n");
}

TEST_CASE("more output than asked for is read and dropped") {
  const finished long_one = run({{"sh", "-c", "yes | head -c 300000"}, 30, 1000});
  CHECK(long_one.ok());
  CHECK(long_one.output.size() == 1000);
}
