// SPDX-License-Identifier: BSD-3-Clause
// Known answers and error texts of the benchmark's size specifications.
#include "sizes.hpp"

#include <string>

#include <tessera/error.hpp>

#include "testing/failure.hpp"

namespace bench = tessera::bench;
using bench::gemm_size;
using tessera::testing::check_failure;

namespace {

std::string text_thrown(const char* sizes) {
  try {
    bench::parse_sizes(sizes);
  } catch (const tessera::error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sizes: ranges, single squares and rectangles mix") {
  const auto sizes = bench::parse_sizes("2-4,3x5x4,32");
  REQUIRE(sizes.size() == 5);
  CHECK(sizes[0] == gemm_size{2, 2, 2});
  CHECK(sizes[2] == gemm_size{4, 4, 4});
  CHECK(sizes[3] == gemm_size{3, 5, 4});
  CHECK_FALSE(sizes[3].is_square());
  CHECK(sizes[4] == gemm_size{32, 32, 32});
}

TEST_CASE("sizes: random draws depend on the seed alone and stay in 1..32") {
  const auto sizes = bench::parse_sizes("random:64:7");
  REQUIRE(sizes.size() == 64);
  CHECK(sizes == bench::parse_sizes("random:64:7"));
  CHECK(sizes != bench::parse_sizes("random:64:8"));
  for (const gemm_size& s : sizes) {
    CHECK((s.m >= 1 && s.m <= 32));
    CHECK((s.n >= 1 && s.n <= 32));
    CHECK((s.k >= 1 && s.k <= 32));
  }
}

TEST_CASE("sizes: mistakes are quoted") {
  CHECK(text_thrown("2-y").find("'y'") != std::string::npos);
  CHECK(text_thrown("3x4").find("'3x4'") != std::string::npos);
  CHECK(text_thrown("5-2").find("'5-2'") != std::string::npos);
  CHECK(text_thrown("0").find("'0'") != std::string::npos);
  CHECK(text_thrown("").find("''") != std::string::npos);
  CHECK(text_thrown("random:9").find("'random:9'") != std::string::npos);
}

TEST_CASE("orders") {
  CHECK(bench::parse_orders("1-3,8") == std::vector<int>{1, 2, 3, 8});
  CHECK_THROWS_AS(bench::parse_orders("p"), tessera::error);
}

TEST_CASE("numbers of an option: what is wrong, and what it takes") {
  CHECK(bench::parse_numbers("16,2-4", "--dp", 16) == std::vector<int>{16, 2, 3, 4});
  for (const char* wrong : {"0", "17", "2-17", "x", "", "4,,5", "1.5"}) {
    INFO(wrong);
    check_failure(tessera::status::invalid_argument,
                  {"--dp: '", "an integer from 1 to 16", "numbers from 1 to 16", "2-8"},
                  [&] { bench::parse_numbers(wrong, "--dp", 16); });
  }
  check_failure(tessera::status::invalid_argument, {"--chi: '5-2' runs backwards", "numbers from 1 to 99"},
                [] { bench::parse_numbers("5-2", "--chi", 99); });
}
