// SPDX-License-Identifier: BSD-3-Clause
// Plans over Table 1: every row, type and target, in many arrangements of memory, exactly in integers.
#include "testing/catch.hpp"
#include "testing/table1_plan.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;
using table1::row;
using variant = row_variant;

namespace {

template <class T>
void check_everywhere(const variant& v, index_t count, scaling scale) {
  for (const row& r : table1::rows)
    for (target where : cpu_targets()) {
      INFO(r.name << " " << r.text << " on " << name_of(where) << ", " << sizeof(T) << " bytes, batch of " << count);
      CHECK(count_wrong<T>(r, where, v, count, scale) == 0);
    }
}

void check_both(const variant& v, index_t count, scaling scale = assign) {
  check_everywhere<double>(v, count, scale);
  check_everywhere<float>(v, count, scale);
}

}  // namespace

TEST_CASE("Table 1 over packed batches", "[plan]") {
  for (index_t count : {1, 2, 7, 33}) check_both({}, count);
}

TEST_CASE("Table 1 with the tables shared by the batch", "[plan]") {
  variant v;
  v.shared[0] = true;
  check_both(v, 9);
  v.shared[1] = true;
  check_both(v, 5);
  v.shared[2] = true;
  check_both(v, 3);
}

TEST_CASE("Table 1 with alpha and beta", "[plan]") {
  variant v;
  v.shared[0] = true;
  for (scaling scale : {scaling{2, 0}, scaling{1, 1}, scaling{-3, 2}, scaling{0, -1}, scaling{0, 0}})
    check_both(v, 5, scale);
}

TEST_CASE("Table 1 over views misaligned by one entry, with gaps", "[plan]") {
  variant v;
  for (arrangement& a : v.how) a.start = 1;
  check_both(v, 7);
  for (arrangement& a : v.how) a.gap = 3;
  check_both(v, 7, {1, 1});
}

TEST_CASE("Table 1 over interleaved batches of ragged count", "[plan]") {
  variant v;
  for (arrangement& a : v.how) a.lanes = 4;
  for (index_t count : {1, 4, 7}) check_both(v, count);
  v.how[output].lanes = 1;
  check_both(v, 6);
  v.how[0].lanes = 8;
  check_both(v, 11);
}

TEST_CASE("Table 1 with offsets by table", "[plan]") {
  for (int o = 0; o <= max_inputs; ++o) {
    variant v;
    v.how[o].table = true;
    v.how[o].gap = 2;
    check_both(v, 3);
  }
  variant all;
  for (arrangement& a : all.how) a.table = true;
  check_both(all, 3, {2, 1});
}

TEST_CASE("Table 1 over dimensions in random order", "[plan]") {
  unsigned state = 11;
  const auto next = [&](unsigned below) {
    state = state * 1664525u + 1013904223u;
    return int((state >> 16) % below);
  };
  for (int draw = 0; draw < 40; ++draw) {
    variant v;
    for (arrangement& a : v.how)
      a = {.order = next(24), .gap = next(3), .start = next(4), .lanes = index_t{1} << next(3), .table = next(5) == 0};
    for (bool& shared : v.shared) shared = next(3) == 0;
    check_both(v, 1 + next(9), {double(next(5) - 2), double(next(3))});
  }
}
