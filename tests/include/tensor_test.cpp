// SPDX-License-Identifier: BSD-3-Clause
// Tensors that own their memory: static and run-time sizes, iterators, element access, errors.
#include <tessera/tensor.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <ranges>

#include "testing/failure.hpp"

using namespace tessera;
using tessera::testing::check_failure;

namespace {

// Static sizes are carried by the type; the two static spellings are one type.
using by_template = decltype(make_tensor<float>(of_size<5, 3>()));
static_assert(std::is_same_v<by_template, tensor<float, cpu, extents<5, 3>>>);
static_assert(std::is_same_v<by_template, decltype(make_tensor<float>(cpu, of_size(5_c, 3_c)))>);
static_assert(
    std::is_same_v<decltype(make_tensor<double>(gpu, of_size(5, 3_c))), tensor<double, gpu, extents<dynamic, 3>>>);
static_assert(std::is_same_v<tensor<float>, tensor<float, cpu, shape>>);
static_assert(std::random_access_iterator<by_template::iterator> && std::contiguous_iterator<by_template::iterator>);
static_assert(std::ranges::contiguous_range<by_template>);
static_assert(std::is_same_v<decltype(std::declval<const by_template&>()(0, 0)), const float&>);
static_assert(std::is_move_constructible_v<by_template> && !std::is_copy_constructible_v<by_template>);

bool starts_aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % host_alignment == 0; }

}  // namespace

TEST_CASE("a tensor is zeroed, aligned and read by index", "[tensor]") {
  auto t = make_tensor<double>(of_size(5, 3));
  CHECK(starts_aligned(t.data()));
  CHECK(t.storage() == 15);
  CHECK(std::all_of(t.begin(), t.end(), [](double x) { return x == 0; }));
  t(2, 1) = 7;
  CHECK(t.data()[2 + 5 * 1] == 7);
  const auto& constant_view = t;
  CHECK(constant_view(2, 1) == 7);
  CHECK(&constant_view(2, 1) == &t.view()(2, 1));
}

TEST_CASE("standard algorithms and ranges run over a tensor", "[tensor]") {
  auto t = make_tensor<float>(of_size<5, 3>());
  std::fill(t.begin(), t.end(), 9.0f);
  CHECK(std::accumulate(t.begin(), t.end(), 0.0f) == 135.0f);
  std::iota(t.begin(), t.end(), 0.0f);
  CHECK(t(4, 2) == 14.0f);
  CHECK(std::ranges::max(t) == 14.0f);
  std::ranges::reverse(t);
  CHECK(t(0, 0) == 14.0f);
  float sum = 0;
  for (float x : t) sum += x;
  CHECK(sum == 105.0f);
}

TEST_CASE("a tensor over a layout holds what the layout spans", "[tensor]") {
  auto t = make_tensor<double>(pad_to<8>(of_size(5, 3)));
  CHECK(t.storage() == 8 * 2 + 5);
  CHECK(&t(0, 1) == t.data() + 8);
  auto r = make_tensor<int>(row_major(of_size<5, 3>()));
  CHECK(&r(1, 0) == r.data() + 3);
}

TEST_CASE("a tensor of run-time rank checks its use", "[tensor]") {
  const index_t read_from_a_file[] = {4, 2, 3};
  tensor<double> t(shape(read_from_a_file, 3));
  CHECK(t.storage() == 24);
  t(1, 1, 2) = 5;
  CHECK(t.as(of_size<4, 2, 3>())(1, 1, 2) == 5);
  CHECK(t.as(of_size(4, 2_c, 3)).data() == t.data());
  const tensor<double>& constant_tensor = t;
  CHECK(constant_tensor(1, 1, 2) == 5);
  CHECK(constant_tensor.as(of_size(4, 2, 3))(1, 1, 2) == 5);
  check_failure(status::shape_mismatch, {"tensor::as", "4x2x3", "4x3x2"}, [&] { t.as(of_size<4, 3, 2>()); });
  check_failure(status::shape_mismatch, {"index", "2 indices", "4x2x3"}, [&] { t(1, 1) = 0; });
  // The papers' spelling: sizes given to the constructor stay at run time.
  const tensor<float> listing(of_size<5, 3>());
  CHECK(listing.extents() == shape(of_size<5, 3>()));
}

TEST_CASE("rank 0 and empty tensors exist", "[tensor]") {
  auto number = make_tensor<double>(extents<>{});
  number() = 3;
  CHECK(number.storage() == 1);
  CHECK(number() == 3);
  const auto none = make_tensor<double>(of_size(0, 3));
  CHECK(none.begin() == none.end());
  CHECK(none.data() == nullptr);
}

TEST_CASE("sizes that cannot be are errors", "[tensor]") {
  check_failure(status::overflow, {"tensor", "5x-3"}, [] { make_tensor<double>(of_size(5, -3)); });
  check_failure(status::overflow, {"tensor", "4294967296x4294967296"},
                [] { make_tensor<double>(of_size(index_t{1} << 32, index_t{1} << 32)); });
  // The entries fit 63 bits, their bytes do not.
  check_failure(status::overflow, {"tensor", "2305843009213693952"},
                [] { make_tensor<double>(of_size(index_t{1} << 61)); });
  check_failure(status::overflow, {"5x-3"}, [] { tensor<double>(shape(of_size(5, -3))); });
  check_failure(status::out_of_memory, {"tensor", "144115188075855872", "1152921504606846976 bytes"},
                [] { make_tensor<double>(of_size(index_t{1} << 57)); });
}

TEST_CASE("padding and leading dimensions that leave 63 bits are errors", "[tensor]") {
  const index_t huge = index_t{1} << 62;
  check_failure(status::overflow, {"tensor", "2x3x4"},
                [&] { make_tensor<double>(column_major(of_size(2, 3, 4), huge)); });
  check_failure(status::overflow, {"tensor", "5x3"}, [&] { make_tensor<double>(strided(of_size(5, 3), huge, 1)); });
  check_failure(status::overflow, {"tensor", "5x3"}, [&] { make_tensor<double>(row_major(of_size(5, 3), huge)); });
}
