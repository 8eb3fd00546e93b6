// SPDX-License-Identifier: BSD-3-Clause
// Views of memory that somebody else owns: any layout, any batch stride, and what is checked when they are made.
#include <tessera/view.hpp>

#include <numeric>
#include <type_traits>
#include <vector>

#include "testing/failure.hpp"

using namespace tessera;
using tessera::testing::check_failure;

namespace {

// A view of static sizes is one pointer; it is trivially copyable, as kernels need it to be.
using static_view = decltype(view(static_cast<double*>(nullptr), of_size<5, 3>()));
static_assert(sizeof(static_view) == sizeof(void*) && std::is_trivially_copyable_v<static_view>);
static_assert(std::is_convertible_v<static_view, tensor_view<const double, cpu, column_major<extents<5, 3>>>>);
static_assert(!std::is_convertible_v<tensor_view<const double, cpu, column_major<extents<5, 3>>>, static_view>);
static_assert(any_view<static_view> && !any_view<double>);

}  // namespace

TEST_CASE("a view indexes the caller's memory by its layout", "[view]") {
  std::vector<double> memory(64);
  std::iota(memory.begin(), memory.end(), 0.0);
  CHECK(view(memory.data(), of_size(5, 3))(2, 1) == 7);
  CHECK(view(memory.data(), of_size<5, 3>())(2, 1) == 7);
  CHECK(view(cpu, memory.data(), row_major(of_size(5, 3)))(2, 1) == 7);
  CHECK(view(memory.data(), column_major(of_size(5, 3), 8))(2, 1) == 10);
  CHECK(view(memory.data(), strided(of_size(3, 3), 20, 2))(2, 1) == 42);
  CHECK(view(memory.data() + 1, of_size(5, 3))(0, 0) == 1);
  const double* read_only = memory.data();
  static_assert(std::is_same_v<decltype(view(read_only, of_size(5, 3))(0, 0)), const double&>);
}

TEST_CASE("a view is constexpr where its memory is", "[view]") {
  static constexpr int memory[6] = {1, 2, 3, 4, 5, 6};
  constexpr tensor_view<const int, cpu, column_major<extents<2, 3>>> v(memory, column_major(of_size<2, 3>()));
  static_assert(v(1, 2) == 6 && v.extents()(1) == 3);
  CHECK(v(0, 1) == 3);
}

TEST_CASE("a batch of views takes any stride", "[view]") {
  std::vector<int> memory(100);
  std::iota(memory.begin(), memory.end(), 0);
  const auto behind = view_batch(memory.data(), of_size(5, 3), 6);
  const auto apart = view_batch(memory.data(), of_size(5, 3), 4, 20);
  const auto shared = view_batch(memory.data(), of_size(5, 3), 1000, 0);
  const auto within = view_batch(memory.data(), strided(of_size(5, 3), 4, 20), 4, 1);
  CHECK(behind.stride() == 15);
  for (index_t b = 0; b < 4; ++b) {
    CHECK(behind(b)(2, 1) == 15 * b + 7);
    CHECK(apart(b)(2, 1) == 20 * b + 7);
    CHECK(shared(250 * b)(2, 1) == 7);
    CHECK(within(b)(2, 1) == b + 28);
  }
  const auto lanes = view_batch(memory.data(), interleave<4>(of_size(3, 2)), 7);
  CHECK(lanes.stride() == 24);
  CHECK(lanes(6)(2, 1) == 24 + 2 + 4 * 5);
}

TEST_CASE("positions of a batch are 64-bit numbers", "[view]") {
  // Never read: only the address is formed, from a base that leaves room.
  const auto wide = view_batch(reinterpret_cast<const char*>(1), of_size(1), index_t{1} << 20, index_t{1} << 20);
  CHECK(reinterpret_cast<std::uintptr_t>(wide((index_t{1} << 20) - 1).data()) ==
        std::uintptr_t(((index_t{1} << 20) - 1) * (index_t{1} << 20) + 1));
}

TEST_CASE("views of nothing are errors, views of no entries are not", "[view]") {
  double* const nowhere = nullptr;
  check_failure(status::null_pointer, {"view", "5x3"}, [&] { view(nowhere, of_size(5, 3)); });
  check_failure(status::null_pointer, {"view", "5x3"}, [&] { view(gpu, nowhere, of_size(5, 3)); });
  check_failure(status::null_pointer, {"view_batch", "7 tensors", "5x3"},
                [&] { view_batch(nowhere, of_size(5, 3), 7); });
  CHECK(view(nowhere, of_size(0, 3)).data() == nullptr);
  CHECK(view_batch(nowhere, of_size(5, 3), 0).count() == 0);
  CHECK(view_batch(nowhere, of_size(5, 0), 7).count() == 7);
}

TEST_CASE("views of impossible sizes are errors", "[view]") {
  double memory[1] = {};
  check_failure(status::overflow, {"view", "-5x3"}, [&] { view(memory, of_size(-5, 3)); });
  check_failure(status::overflow, {"view", "4611686018427387904x3"},
                [&] { view(memory, of_size(index_t{1} << 62, 3)); });
  check_failure(status::overflow, {"view_batch", "5x-3"}, [&] { view_batch(memory, of_size(5, -3), 2); });
  check_failure(status::overflow, {"view_batch", "batch of -2", "5x3"}, [&] { view_batch(memory, of_size(5, 3), -2); });
  check_failure(status::overflow, {"view_batch", "stride -15"}, [&] { view_batch(memory, of_size(5, 3), 2, -15); });
  check_failure(status::overflow, {"view_batch", "5x3"}, [&] { view_batch(memory, of_size(5, 3), index_t{1} << 62); });
  // The entries fit 63 bits, their bytes do not.
  check_failure(status::overflow, {"view_batch", "batch of 4", "stride 1152921504606846976", "63 bits of bytes"},
                [&] { view_batch(memory, of_size(5, 3), 4, index_t{1} << 60); });
  check_failure(status::overflow, {"view", "1152921504606846976x4", "63 bits of bytes"},
                [&] { view(memory, of_size(index_t{1} << 60, 4)); });
  check_failure(status::overflow, {"view", "5x3", "63 bits of bytes"},
                [&] { view(memory, strided(of_size(5, 3), 1, index_t{1} << 60)); });
  check_failure(status::overflow, {"view", "2x3x4"},
                [&] { view(memory, column_major(of_size(2, 3, 4), index_t{1} << 62)); });
}
