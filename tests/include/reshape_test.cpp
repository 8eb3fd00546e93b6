// SPDX-License-Identifier: BSD-3-Clause
// Reshape of views: the pointer stays, sizes agglomerate, split and gain ones, and mismatches throw.
#include <tessera/reshape.hpp>
#include <tessera/tensor.hpp>

#include <numeric>
#include <vector>

#include "testing/definition.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using tessera::testing::check_failure;

namespace {

template <class V>
using extents_type = extents_of<typename V::layout_kind>;

// Static sizes stay static through every form.
using v234 = decltype(view(static_cast<double*>(nullptr), of_size<2, 3, 4>()));
static_assert(same_type<extents_type<decltype(agglomerate<1, 2>(std::declval<v234>()))>, extents<2, 12>>);
static_assert(same_type<extents_type<decltype(agglomerate<0, 2>(std::declval<v234>()))>, extents<24>>);
static_assert(same_type<extents_type<decltype(insert_one<0>(std::declval<v234>()))>, extents<1, 2, 3, 4>>);
static_assert(same_type<extents_type<decltype(insert_one<3>(std::declval<v234>()))>, extents<2, 3, 4, 1>>);
using mixed = decltype(view(static_cast<double*>(nullptr), of_size(2_c, 3, 4_c)));
static_assert(same_type<extents_type<decltype(agglomerate<1, 2>(std::declval<mixed>()))>, extents<2, dynamic>>);
static_assert(same_type<extents_type<decltype(insert_one<1>(std::declval<mixed>()))>, extents<2, 1, dynamic, 4>>);

// Packed column-major stays strided, which is what the kernels' fast paths ask for.
static_assert(affine_layout<decltype(agglomerate<1, 2>(std::declval<mixed>()))::layout_kind>);

}  // namespace

TEST_CASE("reshape moves nothing", "[reshape]") {
  auto t = make_tensor<double>(of_size(2, 3, 4));
  std::iota(t.begin(), t.end(), 0.0);
  const auto matrix = agglomerate<1, 2>(t.view());
  CHECK(matrix.data() == t.data());
  CHECK(matrix.extents() == of_size(2, 12));
  CHECK(&matrix(1, 2 + 3 * 3) == &t(1, 2, 3));
  const auto split = reshape(matrix, of_size(2, 3, 2, 2));
  CHECK(&split(1, 2, 1, 1) == &t(1, 2, 3));
  const auto with_one = insert_one<1>(split);
  CHECK(&with_one(1, 0, 2, 1, 1) == &t(1, 2, 3));
  const auto back = reshape(with_one, of_size(2, 3, 4));
  for (index_t i = 0; i < 24; ++i) CHECK(&back(i % 2, i / 2 % 3, i / 6) == &t(i % 2, i / 2 % 3, i / 6));
}

TEST_CASE("reshape of a batch keeps stride and count", "[reshape]") {
  std::vector<float> memory(200);
  std::iota(memory.begin(), memory.end(), 0.0f);
  const auto b = view_batch(memory.data(), of_size(2, 3, 4), 5, 30);
  const auto m = agglomerate<0, 1>(b);
  CHECK(m.count() == 5);
  CHECK(m.stride() == 30);
  CHECK(&m(4)(5, 3) == &b(4)(1, 2, 3));
  const auto lanes = view_batch(memory.data(), interleave<4>(of_size(2, 3, 4)), 7);
  const auto flat = reshape(lanes, of_size(24));
  for (index_t e = 0; e < 7; ++e) CHECK(&flat(e)(23) == &lanes(e)(1, 2, 3));
}

TEST_CASE("random shapes and back, over layouts with gaps", "[reshape]") {
  std::vector<int> memory(1000);
  std::iota(memory.begin(), memory.end(), 0);
  const index_t divisors[] = {1, 2, 3, 4, 6, 8, 12, 24};
  unsigned state = 3;
  const auto walk = [&](const auto& start) {
    const auto before = testing::read(start);
    for (int step = 0; step < 40; ++step) {
      state = state * 1664525u + 1013904223u;
      const index_t first = divisors[(state >> 16) % 8];
      const auto once = reshape(start, of_size(first, 24 / first));
      const auto twice = reshape(once, of_size(24 / first, 1, first));
      CHECK(once.data() == start.data());
      CHECK(testing::read(once).value == before.value);
      CHECK(testing::read(twice).value == before.value);
      CHECK(testing::read(reshape(twice, start.extents())).value == before.value);
    }
  };
  walk(view(memory.data(), of_size(4, 6)));
  walk(view(memory.data(), column_major(of_size(4, 6), 10)));
  walk(view(memory.data(), row_major(of_size(4, 6))));
  walk(view(memory.data(), tile_by<3, 4>(of_size(4, 6))));
  walk(view_batch(memory.data(), pad_to<8>(of_size(4, 6)), 5));
  walk(view_batch(memory.data(), interleave<4>(of_size(4, 6)), 6));
}

TEST_CASE("another number of entries is an error", "[reshape]") {
  std::vector<double> memory(30);
  check_failure(status::shape_mismatch, {"reshape", "5x6", "30", "4x7", "28"},
                [&] { reshape(view(memory.data(), of_size(5, 6)), of_size<4, 7>()); });
  check_failure(status::shape_mismatch, {"reshape", "5x6", "31"},
                [&] { reshape(view(memory.data(), of_size<5, 6>()), of_size(31)); });
  check_failure(status::overflow, {"reshape", "-5x-6"},
                [&] { reshape(view(memory.data(), of_size<5, 6>()), of_size(-5, -6)); });
  check_failure(status::overflow, {"reshape"},
                [&] { reshape(view(memory.data(), of_size(0)), of_size(index_t{1} << 40, index_t{1} << 40, 0)); });
}

TEST_CASE("split is agglomerate undone", "[reshape]") {
  std::vector<double> memory(5 * 120);
  const auto batch = view_batch(memory.data(), of_size<4, 6, 5>(), 5);
  const auto parts = split<1>(batch, of_size<2, 3>());
  static_assert(std::is_same_v<decltype(parts)::layout_kind, column_major<extents<4, 2, 3, 5>>>);
  CHECK(parts.data() == batch.data());
  CHECK(&parts(3)(2, 1, 2, 4) == &batch(3)(2, 1 + 2 * 2, 4));
  const auto back = agglomerate<1, 2>(parts);
  static_assert(std::is_same_v<decltype(back)::layout_kind, column_major<extents<4, 6, 5>>>);
  CHECK(&back(4)(1, 5, 3) == &batch(4)(1, 5, 3));

  const auto mixed = split<2>(view(memory.data(), of_size(4, 6, 10)), of_size(5_c, 2));
  CHECK(text_of(mixed.extents()) == "4x6x5x2");
  CHECK(decltype(mixed)::layout_kind::extents_type::static_extent(2) == 5);
  check_failure(status::shape_mismatch, {"split", "10", "3x3"},
                [&] { split<2>(view(memory.data(), of_size(4, 6, 10)), of_size(3, 3)); });
}
