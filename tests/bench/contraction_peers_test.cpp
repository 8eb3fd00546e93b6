// SPDX-License-Identifier: BSD-3-Clause
// Every peer for contractions that is on this machine is right in all rows of TCCG, with and without a function.
#include <set>
#include <string>

#include "peers/permute.hpp"
#include "peers/separate_passes.hpp"
#include "tccg_case.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;
using tessera::index_t;
using tessera::scalar_type;

namespace {

void start(bench::workload& work) {
  if (work.accumulates())
    work.out().fill();
  else
    work.out().fill_nan();
}

bench::setting setting_of(scalar_type type, double beta, int threads) {
  bench::setting s;
  s.with.type = type;
  s.with.beta = beta;
  s.with.threads = threads;
  s.on = tessera::default_cpu_target();
  return s;
}

}  // namespace

TEST_CASE("peers for contractions are right in every row that they take") {
  std::set<std::string> used;
  for (const bench::peer& p : bench::contraction_peers()) {
    if (!p.found || p.space != tessera::space_kind::cpu) continue;
    for (scalar_type type : {scalar_type::f64, scalar_type::f32, scalar_type::c32, scalar_type::c64})
      for (double beta : {0.0, 1.0})
        for (const bench::tccg_row& row : bench::tccg_rows) {
          bench::setting s = setting_of(type, beta, row.id % 2 + 1);
          bench::workload work = bench::tccg_case(row, row.id == 12 ? 0.007 : 0.08, s.with);
          bench::place(work, s);
          const bench::contraction_call call = bench::contraction_call_for(work, s);
          const bench::contraction_pass made = p.prepare_contraction(call);
          REQUIRE(made.run);
          INFO(p.name << " " << name_of(type) << " " << work.label << " " << made.describe);
          start(work);
          made.run();
          CHECK(bench::check(p.only_multiplies ? bench::product_of_same_sizes(work, call) : work).correct());
          // A product of the same sizes is no contraction, but where both are matrices in this order.
          if (p.only_multiplies && row.id != 12) CHECK_FALSE(bench::check(work).correct());
          used.insert(p.name);
        }
  }
  CHECK(used.count("loops") == 1);
}

TEST_CASE("what contractions are as products of matrices") {
  const bench::setting s = setting_of(scalar_type::f64, 0, 1);
  const auto shape = [&](int row) {
    const bench::workload work = bench::tccg_case(bench::tccg_rows[row - 1], 1, s.with);
    return bench::matrix_shape_of(bench::contraction_call_for(work, s));
  };
  const bench::matrix_shape thirteen = shape(13);
  CHECK(thirteen.m == 312);
  CHECK(thirteen.n == 296);
  CHECK(thirteen.k == 296 * 312);
}

TEST_CASE("functions of entries by passes of their own") {
  for (const char* name : {"loops", "ttgt-openblas"})
    for (scalar_type type : {scalar_type::f64, scalar_type::f32})
      for (double beta : {0.0, 1.0}) {
        const auto peers = bench::choose_peers(name, bench::contraction_peers);
        if (!peers[0].found) continue;
        bench::setting s = setting_of(type, beta, 2);
        bench::workload work = bench::tccg_case(bench::tccg_rows[0], 0.1, s.with);
        bench::place(work, s);
        const bench::contraction_call call = bench::contraction_call_for(work, s);
        const auto made = bench::by_separate_passes(peers[0], call, bench::leaky_slope);
        REQUIRE(made.run);
        CHECK(made.describe.ends_with("leaky_relu in passes of their own over A, B and C"));
        start(work);
        made.run();
        CHECK_FALSE(bench::check(work).correct());
        work.leaky_slope = bench::leaky_slope;
        INFO(name << " " << name_of(type) << " beta " << beta);
        CHECK(bench::check(work).correct());
        work.leaky_slope = 0.02;
        CHECK_FALSE(bench::check(work).correct());
      }
  bench::setting s = setting_of(scalar_type::c64, 0, 1);
  const bench::workload work = bench::tccg_case(bench::tccg_rows[0], 0.05, s.with);
  CHECK_FALSE(bench::by_separate_passes(bench::choose_peers("loops", bench::contraction_peers)[0],
                                        bench::contraction_call_for(work, s), 0.01)
                  .run);
}

TEST_CASE("a permuted tensor has each entry where its letters say, in tiles and at their edges") {
  const bench::lettered from{"abc", {35, 3, 41}};
  std::vector<int> x(std::size_t(from.entries()));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = int(i);
  for (const std::string order : {"abc", "acb", "bac", "bca", "cab", "cba"}) {
    std::vector<int> y(x.size(), -1);
    bench::permute(y.data(), order, x.data(), from, 2, [](int& to, int value) { to = value; });
    const bench::lettered to = from.in_order(order);
    int wrong = 0;
    for (index_t a = 0; a < 35; ++a)
      for (index_t b = 0; b < 3; ++b)
        for (index_t c = 0; c < 41; ++c)
          wrong += y[std::size_t(a * to.stride('a') + b * to.stride('b') + c * to.stride('c'))] != a + 35 * (b + 3 * c);
    INFO(order);
    CHECK(wrong == 0);
  }
}
