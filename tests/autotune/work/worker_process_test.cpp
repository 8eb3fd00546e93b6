// SPDX-License-Identifier: BSD-3-Clause
// Tests the talk with a worker: answers, requests that cannot be served, and the ways in which it may end.
#include "work/worker_process.hpp"

#include <signal.h>

#include "arranged_candidates.hpp"
#include "measure/stopwatch.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "work/compiler_settings.hpp"
#include "work/worker.hpp"

using namespace tessera;
using namespace tessera::tune;

TEST_CASE("a case survives the way to the worker") {
  const tuning_case c{target::avx2, scalar_type::f32, memory_regime::stream, 3, 0, 5};
  CHECK(case_of(json_of(c)) == c);
}

TEST_CASE("a worker answers, and says what it cannot do") {
  worker_process worker(default_worker_program());
  const auto clock = worker.ask({{"do", "clock"}}, 20);
  REQUIRE(clock.how == outcome::ok);
  CHECK(clock.reply.at("mhz") > 10);  // beside other work a fraction of it
  for (const char* what : {"dance", "check", "open"}) {
    const auto refused = worker.ask({{"do", what}, {"object", "/nowhere.so"}, {"index", 0}}, 20);
    REQUIRE(refused.how == outcome::ok);
    CHECK(refused.reply.at("how") == "failed");
    CHECK(!refused.reply.at("reason").get<std::string>().empty());
  }
  CHECK(worker.is_alive());
}

TEST_CASE("the end of a worker is an answer") {
  const tune::testing::temporary_folder folder;
  worker_process killed(tune::testing::fake_compiler(folder, "read line; kill -SEGV $$\n"));
  const auto crash = killed.ask({{"do", "clock"}}, 20);
  CHECK(crash.how == outcome::crashed);
  CHECK(crash.reason.find("SIGSEGV") != std::string::npos);
  CHECK(!killed.is_alive());
  CHECK(killed.ask({{"do", "clock"}}, 20).how == outcome::crashed);

  worker_process left(tune::testing::fake_compiler(folder, "exit 3\n"));
  CHECK(left.ask({{"do", "clock"}}, 20).reason == "exit with status 3");

  worker_process babbling(tune::testing::fake_compiler(folder, "read line; echo hello\n"));
  CHECK(babbling.ask({{"do", "clock"}}, 20).how == outcome::crashed);
}

TEST_CASE("a worker that does not answer is ended in time") {
  const tune::testing::temporary_folder folder;
  worker_process silent(tune::testing::fake_compiler(folder, "exec sleep 60\n"));
  const bench::stopwatch watch;
  const auto late = silent.ask({{"do", "clock"}}, 0.3);
  CHECK(late.how == outcome::timed_out);
  CHECK(watch.seconds() < 20);
  CHECK(!silent.is_alive());
}

TEST_CASE("a program that cannot be started is an error that says what to do") {
  tessera::testing::check_failure(status::invalid_argument, {"no-such-worker", "TESSERA_TUNE_WORKER"},
                                  [] { worker_process("/nowhere/no-such-worker"); });
}
