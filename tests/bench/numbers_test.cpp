// SPDX-License-Identifier: BSD-3-Clause
// Numbers of command lines, strictly.
#include "measure/numbers.hpp"

#include <limits>

#include "options.hpp"
#include "sizes.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::bench;
using tessera::testing::check_failure;

namespace {

bool taken(std::vector<const char*> words) {
  words.insert(words.begin(), "tessera-bench");
  int exit_code = 0;
  return parse_command_line(int(words.size()), words.data(), exit_code).has_value();
}

}  // namespace

TEST_CASE("a number is decimal, within its bounds, and all of the text", "[options]") {
  CHECK(real_in("0.5", 0, 1) == 0.5);
  CHECK(real_in("1e-3", 0, 1) == 1e-3);
  CHECK(real_in("-2", -3, 0) == -2.0);
  for (const char* bad :
       {"", " ", "nan", "-nan", "inf", "infinity", "1e400", "0x1", "1.1", "-0.1", "0.5x", "0.5 ", " 0.5"})
    CHECK_FALSE(real_in(bad, 0, 1));
  CHECK(integer_in("9223372036854775807", 0, std::numeric_limits<long long>::max()));
  for (const char* bad : {"", "9223372036854775808", "-1", "1.0", "1e1", "0x1", "1 ", " 1", "+1", "one", "nan"})
    CHECK_FALSE(integer_in(bad, 0, 100));
  CHECK(why_no_real("nan", 0.01, 1) == "'nan' is not a number from 0.01 to 1");
  CHECK(why_no_integer(std::string(1000, '9'), 1, 9).size() < 100);
}

TEST_CASE("suites without a choice of the regime measure bounds in memory", "[options]") {
  const auto regime_of = [](std::vector<const char*> words) {
    words.insert(words.begin(), "tessera-bench");
    int exit_code = 0;
    return parse_command_line(int(words.size()), words.data(), exit_code)->in;
  };
  for (const char* suite : {"tccg", "operator", "solve", "hydro", "two-site", "stride"})
    CHECK(regime_of({suite, "--thermal", "sustained"}) == regime::stream);
  CHECK(regime_of({"gemm"}) == regime::cache);
  CHECK(regime_of({"gemm", "--regime", "paper"}) == regime::paper);
}

TEST_CASE("tessera-bench refuses what is no number of its kind, in every option", "[options]") {
  for (const char* bad : {"nan", "inf", "", "-1", "1.5", "99999999999999999999", "1x", "0x1"})
    for (const char* option : {"--threads", "--batch", "--reps", "--offset"}) {
      INFO(option << " '" << bad << "'");
      CHECK_FALSE(taken({"gemm", option, bad}));
      CHECK(taken({"gemm", option, "1"}));
    }
  for (const char* bad : {"nan", "inf", "-inf", "", "1e400", "1e300", "0.5x"})
    for (const char* suite : {"gemm", "contraction", "chain", "element"}) CHECK_FALSE(taken({suite, "--beta", bad}));
  for (const char* bad : {"nan", "", "3.0", "4294967299"}) CHECK_FALSE(taken({"chain", "--dim", bad}));
  for (const char* bad : {"0", "nan", "", "4294967297"}) CHECK_FALSE(taken({"element", "--components", bad}));
  CHECK(taken({"gemm", "--beta", "-0.5", "--batch", "7"}));
}

TEST_CASE("sizes and orders that no memory holds are refused by name", "[options]") {
  for (const char* bad : {"4294967297", "2-4294967297", "1x2x4294967297", "random:4294967297:1", "nan", "5x"})
    check_failure(status::invalid_argument, {"size"}, [&] { parse_sizes(bad); });
  for (const char* bad : {"4294967297", "1-4294967297", "", "1.5"})
    check_failure(status::invalid_argument, {"order"}, [&] { parse_orders(bad); });
  check_failure(status::invalid_argument, {"points", "4294967298"}, [] { points_for("4294967298", 1); });
}
