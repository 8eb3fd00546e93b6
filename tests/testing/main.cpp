// SPDX-License-Identifier: BSD-3-Clause
// main() of every test executable: runs Catch2 and turns "all test cases skipped" into an exit code that ctest counts.
#define CATCH_CONFIG_RUNNER
#include "testing/catch.hpp"
#include "testing/skip.hpp"

#include <cstdio>

namespace {

#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
using listener_base = Catch::EventListenerBase;
#else
using listener_base = Catch::TestEventListenerBase;
#endif

int cases = 0;
int skipped_cases = 0;
bool current_is_skipped = false;

class skip_counter : public listener_base {
 public:
  using listener_base::listener_base;

  void testCaseStarting(const Catch::TestCaseInfo&) override { current_is_skipped = false; }
  void testCaseEnded(const Catch::TestCaseStats&) override {
    ++cases;
    skipped_cases += current_is_skipped;
  }
};

}  // namespace

CATCH_REGISTER_LISTENER(skip_counter)

namespace tessera::testing {

void skip(std::string_view reason) {
  current_is_skipped = true;
  std::printf("skipped: %.*s\n", static_cast<int>(reason.size()), reason.data());
}

}  // namespace tessera::testing

int main(int argc, char** argv) {
  const int result = Catch::Session().run(argc, argv);
  if (skipped_cases > 0) std::printf("%d of %d test cases skipped\n", skipped_cases, cases);
  // Catch2 gives the number of failures, which could be the code that says "skipped".
  if (result != 0) return 1;
  return cases > 0 && skipped_cases == cases ? tessera::testing::skipped_exit_code : 0;
}
