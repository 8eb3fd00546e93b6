// SPDX-License-Identifier: BSD-3-Clause
// Shortlists: bounded, ranked, with the initial config and something of every axis value.
#include <algorithm>
#include <set>

#include "space.hpp"
#include "testing/catch.hpp"

namespace tessera::tune {
namespace {

bool has(const std::vector<int>& list, int candidate) {
  return std::find(list.begin(), list.end(), candidate) != list.end();
}

TEST_CASE("A shortlist is ranked, bounded, and has the initial config", "[tune]") {
  for (const target on : {target::avx2, target::avx512, target::cuda})
    for (const index_t n : {1, 4, 7, 16}) {
      const tuning_case c{on, scalar_type::f64, memory_regime::stream, n, n, n};
      const space s = make_space(gemm_family(on), c, {});
      for (const int most : {1, 8, 64}) {
        const std::vector<int> list = shortlist(s, most);
        INFO(key_of(c) << ", " << most << " of " << s.candidates.size());
        CHECK(list.size() == std::min(std::size_t(most), s.candidates.size()));
        CHECK(std::set<int>(list.begin(), list.end()).size() == list.size());
        CHECK(has(list, s.initial));
        CHECK(std::is_sorted(list.begin(), list.end(), [&](int a, int b) {
          return s.predicted[std::size_t(a)].seconds < s.predicted[std::size_t(b)].seconds;
        }));
        if (most > 1) CHECK(has(list, ranked(s).front()));
      }
    }
}

TEST_CASE("A shortlist of 64 shows every axis value that fits", "[tune]") {
  const tuning_case c{target::cuda, scalar_type::f32, memory_regime::stream, 8, 8, 8};
  const space s = make_space(gemm_family(c.on), c, {});
  const std::vector<int> list = shortlist(s, 64);
  for (int axis = 0; axis < 6; ++axis) {
    std::set<int> all, listed;
    for (const config& each : s.candidates) all.insert(each.value[axis]);
    for (const int i : list) listed.insert(s.candidates[std::size_t(i)].value[axis]);
    INFO("axis " << axis);
    CHECK(all == listed);
  }
}

TEST_CASE("A small space is its own shortlist", "[tune]") {
  const tuning_case c{target::sse2, scalar_type::f64, memory_regime::cache, 1, 1, 1};
  const space s = make_space(gemm_family(c.on), c, {});
  CHECK(shortlist(s, 1000) == ranked(s));
}

}  // namespace
}  // namespace tessera::tune
