// SPDX-License-Identifier: BSD-3-Clause
// Where Intel MKL is searched, what is said if it is not there, and what is disclosed if it is.
#include "peers/mkl_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "peers/peer.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

// The variable with another value for as long as a test needs it.
class folder_in_environment {
 public:
  explicit folder_in_environment(const char* folder) {
    if (const char* old = std::getenv(bench::mkl_variable)) before_ = old;
    setenv(bench::mkl_variable, folder, 1);
  }
  ~folder_in_environment() {
    if (before_)
      setenv(bench::mkl_variable, before_->c_str(), 1);
    else
      unsetenv(bench::mkl_variable);
  }
  folder_in_environment(const folder_in_environment&) = delete;

 private:
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("the folder of the environment is the only one that is searched") {
  const folder_in_environment given("somewhere/lib");
  const std::vector<std::string> all = bench::mkl_candidates();
  REQUIRE_FALSE(all.empty());
  CHECK(all.front() == "somewhere/lib/libmkl_rt.so.2");
  for (const std::string& one : all) CHECK(one.rfind("somewhere/lib/", 0) == 0);
  CHECK(bench::why_no_mkl() == "TESSERA_BENCH_MKL=somewhere/lib has no libmkl_rt.so.2 that can be loaded");
}

TEST_CASE("without it the loader's folders come first") {
  const folder_in_environment none("");
  const std::vector<std::string> all = bench::mkl_candidates();
  REQUIRE_FALSE(all.empty());
  CHECK(all.front() == "libmkl_rt.so.2");
  CHECK(bench::why_no_mkl().find("TESSERA_BENCH_MKL may name its folder") != std::string::npos);
}

TEST_CASE("its peers are listed with a version, or with the reason why they are absent") {
  const std::vector<bench::peer> peers = bench::mkl_peers();
  std::vector<std::string> names;
  for (const bench::peer& p : peers) {
    names.push_back(p.name);
    INFO(p.name << ": " << p.version);
    CHECK_FALSE(p.version.empty());
    if (!bench::mkl_library().is_open()) CHECK_FALSE(p.found);
    if (p.found) CHECK(p.version.find("kernels of libmkl_") != std::string::npos);
  }
  CHECK(names == std::vector<std::string>{"mkl", "mkl-batch", "mkl-jit"});
}
