// SPDX-License-Identifier: BSD-3-Clause
// Batches: one allocation, addresses by formula, views, iterators, errors.
#include <tessera/batch.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <ranges>

#include "testing/failure.hpp"

using namespace tessera;
using tessera::testing::check_failure;

namespace {

using listing3 = decltype(make_batch<float>(of_size(5_c, 3_c, 6_c), 15));
static_assert(std::is_same_v<listing3, batch<float, cpu, extents<5, 3, 6>>>);
static_assert(
    std::is_same_v<decltype(make_batch<float>(gpu, of_size<5, 3, 6>(), 15)), batch<float, gpu, extents<5, 3, 6>>>);
static_assert(std::ranges::contiguous_range<listing3>);

}  // namespace

TEST_CASE("a batch is one allocation, its tensors found by formula", "[batch]") {
  const std::size_t before = allocation_count();
  auto b = make_batch<double>(of_size(5_c, 3_c, 6_c), 15);
  CHECK(allocation_count() == before + 1);
  CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % host_alignment == 0);
  CHECK(b.stride() == 90);
  CHECK(b.storage() == 15 * 90);
  for (index_t i = 0; i < b.count(); ++i) CHECK(&b(i)(0, 0, 0) == b.data() + i * b.stride());
  CHECK(allocation_count() == before + 1);
}

TEST_CASE("writing through a tensor's view writes the batch", "[batch]") {
  auto b = make_batch<int>(of_size(2, 3), 4);
  auto view_b = b(3);
  view_b(1, 2) = 8;
  CHECK(b.data()[3 * 6 + 1 + 2 * 2] == 8);
  const auto& constant_batch = b;
  CHECK(constant_batch(3)(1, 2) == 8);
  static_assert(std::is_same_v<decltype(constant_batch(3)(1, 2)), const int&>);
}

TEST_CASE("standard algorithms and ranges run over a batch", "[batch]") {
  auto b = make_batch<double>(of_size<4, 2>(), 7);
  std::fill(b.begin(), b.end(), 2.0);
  CHECK(std::accumulate(b.begin(), b.end(), 0.0) == 2.0 * 4 * 2 * 7);
  std::iota(b.begin(), b.end(), 0.0);
  CHECK(b(6)(3, 1) == 55.0);
  CHECK(std::ranges::count_if(b, [](double x) { return x >= 48; }) == 8);
}

TEST_CASE("an interleaved batch stores whole blocks", "[batch]") {
  auto b = make_batch<double>(interleave<4>(of_size(5, 3)), 10);
  CHECK(b.stride() == 60);
  CHECK(b.storage() == 3 * 60);
  for (index_t i = 0; i < 10; ++i)
    for (index_t c = 0; c < 3; ++c)
      for (index_t r = 0; r < 5; ++r) CHECK(&b(i)(r, c) == b.data() + i / 4 * 60 + i % 4 + 4 * (r + 5 * c));
}

TEST_CASE("a batch over a padded layout keeps each tensor's span apart", "[batch]") {
  auto b = make_batch<float>(pad_to<8>(of_size(5, 3)), 3);
  CHECK(b.stride() >= 8 * 2 + 5);
  CHECK(&b(1)(0, 0) == b.data() + b.stride());
}

TEST_CASE("empty batches hold nothing", "[batch]") {
  const auto none = make_batch<double>(of_size(5, 3), 0);
  CHECK(none.count() == 0);
  CHECK(none.begin() == none.end());
}

TEST_CASE("batches that cannot be are errors", "[batch]") {
  check_failure(status::overflow, {"batch of -1", "5x3"}, [] { make_batch<double>(of_size(5, 3), -1); });
  check_failure(status::overflow, {"batch", "-5x3"}, [] { make_batch<double>(of_size(-5, 3), 2); });
  check_failure(status::overflow, {"batch", "5x3"}, [] { make_batch<double>(of_size(5, 3), index_t{1} << 61); });
  check_failure(status::overflow, {"batch", "8x1"}, [] { make_batch<double>(of_size(8, 1), index_t{1} << 59); });
  check_failure(status::out_of_memory, {"batch", "allocate", "bytes", " of them"},
                [] { make_batch<double>(of_size(8, 1), index_t{1} << 54); });
  // The last block of an interleaved batch is rounded up.
  check_failure(status::overflow, {"batch", "1x1"},
                [] { make_batch<float>(interleave<8>(of_size(1, 1)), 0x7fffffffffffffffLL - 2); });
}
