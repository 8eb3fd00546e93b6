// SPDX-License-Identifier: BSD-3-Clause
// The steps of the GPU kernel that computes each distinct number of a mass matrix once, run on the host.
#include "pair_share_case.hpp"
#include "testing/catch.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class T, class Stored, int dim, pair_case_sizes s>
void check() {
  INFO(dim << "-D p " << s.p << " q " << s.q << ", " << s.elements << " elements" << (s.sliced ? ", sliced" : "")
           << (s.packed ? ", packed" : ""));
  CHECK(worst_of_pairs<T, Stored, dim, s>(5, 0, 5, 0) <= 1);
  CHECK(worst_of_pairs<T, Stored, dim, s>(5, 1, 3, 5) <= 1);
}

template <class T, bool packed>
void check_dimensions() {
  check<T, T, 1, pair_case_sizes{.p = 3, .q = 5, .packed = packed, .elements = 3}>();
  check<T, T, 1, pair_case_sizes{.p = 4, .q = 5, .packed = packed, .sliced = true}>();
  check<T, T, 2, pair_case_sizes{.p = 1, .q = 2, .packed = packed, .elements = 2}>();
  check<T, T, 2, pair_case_sizes{.p = 2, .q = 4, .packed = packed, .elements = 3, .threads = 64}>();
  check<T, T, 2, pair_case_sizes{.p = 4, .q = 6, .packed = packed, .sliced = true, .threads = 64}>();
  check<T, T, 3, pair_case_sizes{.p = 1, .q = 3, .packed = packed, .elements = 2}>();
  check<T, T, 3, pair_case_sizes{.p = 2, .q = 4, .packed = packed, .elements = 1, .threads = 96}>();
  check<T, T, 3, pair_case_sizes{.p = 2, .q = 3, .packed = packed, .sliced = true, .threads = 96}>();
}

}  // namespace

TEMPLATE_TEST_CASE("gpu pair share: full matrices and lower triangles", "[fem][element]", float, double) {
  check_dimensions<TestType, false>();
  check_dimensions<TestType, true>();
}

TEST_CASE("gpu pair share: high orders, fewer points than functions, D in float", "[fem][element]") {
  check<double, double, 3, pair_case_sizes{.p = 3, .q = 5, .packed = true, .threads = 128}>();
  check<double, double, 3, pair_case_sizes{.p = 4, .q = 5, .packed = true, .sliced = true, .threads = 128}>();
  check<double, double, 2, pair_case_sizes{.p = 8, .q = 9, .packed = true, .threads = 64}>();
  check<double, float, 3, pair_case_sizes{.p = 2, .q = 2, .elements = 2, .threads = 64}>();
  check<float, float, 2, pair_case_sizes{.p = 3, .q = 3, .packed = true, .elements = 5}>();
}

TEST_CASE("gpu pair share: functions that do not mirror each other", "[fem][element]") {
  check<double, double, 3, pair_case_sizes{.p = 2, .q = 4, .threads = 64, .mirrored = false}>();
  check<double, double, 2, pair_case_sizes{.p = 3, .q = 5, .packed = true, .sliced = true, .mirrored = false}>();
}
