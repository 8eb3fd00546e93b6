// SPDX-License-Identifier: BSD-3-Clause
// Every peer that is on this machine computes the right product, or says that it cannot do the call.
#include <set>
#include <string>

#include <tessera/error.hpp>

#include "bench/case_builder.hpp"
#include "reference.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;
using tessera::scalar_type;

TEST_CASE("peers on the CPU are right in every shape that they take") {
  std::set<std::string> used;
  for (const bench::peer& p : bench::all_peers()) {
    if (!p.found || p.space != tessera::space_kind::cpu) continue;
    for (scalar_type type : {scalar_type::f32, scalar_type::f64, scalar_type::c32, scalar_type::c64}) {
      if (is_complex_type(type) && !p.takes_complex) continue;
      for (double beta : {0.0, 1.0})
        for (int trans = 0; trans < 4; ++trans)
          for (const bench::gemm_size& size : bench::parse_sizes("1-5,8,13,16,32,3x3x2,4x9x3"))
            for (int threads : {1, 2}) {
              auto work = tessera::testing::small_gemm(size, type, beta, trans & 1, trans & 2);
              const bench::pass run = p.prepare(tessera::testing::call_of(work, threads));
              if (!run) continue;
              run();
              INFO(p.name << " " << name_of(type) << " " << size.m << "x" << size.n << "x" << size.k << " trans "
                          << trans << " beta " << beta);
              CHECK(bench::check(work).correct());
              used.insert(p.name);
            }
    }
  }
  CHECK(used.count("plain") == 1);
}

TEST_CASE("the plain peer has every square that is compiled, both types, overwriting and adding") {
  const auto plain = bench::choose_peers("plain");
  REQUIRE(plain.size() == 1);
  for (scalar_type type : {scalar_type::f32, scalar_type::f64})
    for (const bench::gemm_size& size : bench::parse_sizes("1-" + std::to_string(TESSERA_LARGEST_PEER)))
      for (double beta : {0.0, 1.0}) {
        bench::gemm_call call;
        call.type = type;
        call.m = call.n = call.k = call.lda = call.ldb = call.ldc = size.n;
        call.beta = beta;
        CHECK(plain[0].prepare(call) != nullptr);
      }
}

TEST_CASE("peers are chosen by name, and unknown names are said with the known ones") {
  CHECK(bench::choose_peers("none").empty());
  CHECK(bench::choose_peers("all").size() == bench::all_peers().size());
  CHECK(bench::choose_peers("plain,eigen").size() == 2);
  try {
    bench::choose_peers("atlas");
    FAIL("no error");
  } catch (const tessera::error& e) {
    CHECK(std::string(e.what()).find("'atlas'") != std::string::npos);
    CHECK(std::string(e.what()).find("openblas") != std::string::npos);
  }
}
