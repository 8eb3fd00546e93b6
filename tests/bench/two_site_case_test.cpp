// SPDX-License-Identifier: BSD-3-Clause
// Cases of two-site updates: their counts, and the calls of peers: right results pass the check, others do not.
#include <algorithm>
#include <string>
#include <vector>

#include "testing/catch.hpp"
#include "two_site_case.hpp"

namespace bench = tessera::bench;
using bench::two_site_sizes;
using tessera::operand;

namespace {

bench::setting on_a_cpu(tessera::scalar_type type) {
  bench::setting s;
  s.with.type = type;
  s.on = tessera::default_cpu_target();
  return s;
}

bench::peer peer_named(const std::string& name, const std::vector<bench::peer>& from) {
  for (const bench::peer& p : from)
    if (p.name == name) return p;
  FAIL("no peer is called " << name);
  return {};
}

// Both stages of all updates by the peer; then one entry of one update is changed.
void check_peer(const bench::peer& p, tessera::scalar_type type, const std::vector<two_site_sizes>& all) {
  INFO(p.name << " in " << tessera::name_of(type));
  REQUIRE(p.found);
  for (const two_site_sizes& sizes : all) {
    bench::setting s = on_a_cpu(type);
    bench::workload work = bench::two_site_workload(sizes, s);
    const std::vector<operand> operands = bench::place(work, s);
    work.out().fill_nan();
    CHECK_FALSE(bench::check_two_site(sizes, work).correct());
    std::vector<double> memory(std::size_t(sizes.dp * sizes.chi * sizes.count));
    for (const auto first : {bench::first_factor::G, bench::first_factor::M}) {
      work.out().fill_nan();
      for (const bench::one_update& update : bench::updates_of(sizes, operands)) {
        operand T = update.Y;
        T.data = memory.data();
        const bench::pass run = bench::two_stages_by(p, update, T, s, first);
        REQUIRE(run);
        run();
      }
      CHECK(bench::check_two_site(sizes, work).correct());
    }
    void* const last = const_cast<void*>(operands[3].data);
    const auto entries = operands[3].entries() * operands[3].count;
    if (type == tessera::scalar_type::f64)
      static_cast<double*>(last)[entries - 1] += 0.01;
    else
      static_cast<float*>(last)[entries - 1] += 0.01f;
    CHECK_FALSE(bench::check_two_site(sizes, work).correct());
  }
}

}  // namespace

TEST_CASE("two-site updates: the terms of the thesis, and each operand once") {
  // Its table: B = 1, dp = 16, chi = 256, and B = 4, dp = 32, chi = 64.
  CHECK(two_site_sizes{16, 256, 1}.flops() == 2 * 1114112.);
  CHECK(two_site_sizes{32, 64, 4}.flops() == 2 * 786432.);
  CHECK(two_site_sizes{16, 64, 3}.bytes(8) == 8. * (16 * 16 + 64 * 64 + 2 * 3 * 16 * 64));
  const bench::workload work = bench::two_site_workload({16, 64, 3, 5}, on_a_cpu(tessera::scalar_type::f32));
  CHECK(work.flops == 5 * two_site_sizes{16, 64, 3}.flops());
  CHECK(work.bytes == 5 * two_site_sizes{16, 64, 3}.bytes(4));
}

TEST_CASE("two-site updates: as one loop nest where that has few terms, the reference shapes among them") {
  CHECK(bench::is_done_directly({16, 256, 1}));
  CHECK(bench::is_done_directly({32, 64, 4}));
  CHECK(bench::is_done_directly({16, 64, 16}));
  CHECK_FALSE(bench::is_done_directly({16, 256, 2}));
  CHECK_FALSE(bench::is_done_directly({32, 256, 1}));
  CHECK_FALSE(bench::is_done_directly({2, 2, 64}));
}

TEST_CASE("two-site updates: copies are together twice as large as a cache") {
  const double cache = 50e6;
  for (const two_site_sizes& sizes : {two_site_sizes{16, 256, 1}, two_site_sizes{32, 256, 256}}) {
    const double copies = double(bench::copies_for(sizes, 8, cache));
    CHECK(copies * sizes.bytes(8) >= 2 * cache);
    CHECK((copies - 1) * sizes.bytes(8) < 2 * cache);
  }
  CHECK(bench::copies_for({2, 2, 1}, 8, cache) == 4096);
  CHECK(bench::is_beyond_cache({16, 256, 1, bench::copies_for({16, 256, 1}, 8, cache)}, 8, cache));
  CHECK_FALSE(bench::is_beyond_cache({16, 256, 1, bench::copies_for({16, 256, 1}, 8, cache) - 1}, 8, cache));
  CHECK_FALSE(bench::is_beyond_cache({2, 2, 1, 4096}, 8, cache));
  CHECK(bench::copies_for({2, 2, 1}, 8, 1) == 1);
}

TEST_CASE("two-site updates: both stages by peers are right") {
  for (const auto type : {tessera::scalar_type::f64, tessera::scalar_type::f32}) {
    // Plain loops are compiled for square products.
    check_peer(peer_named("plain", bench::plain_peers()), type, {{3, 3, 1, 3}, {4, 4, 1, 2}});
    check_peer(peer_named("loops", bench::loop_peers()), type, {{3, 5, 4, 3}, {4, 7, 1, 2}});
  }
}
