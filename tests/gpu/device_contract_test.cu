// SPDX-License-Identifier: BSD-3-Clause
// Contractions inside a kernel: every kind of group, those of core/table1_rows.hpp for several orders, in global and
// shared memory.
#include "testing/gpu.hpp"

#include "gpu/device_elements.cuh"
#include "gpu/table1_cases.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

/// Row R by all kinds of groups.
template <int R, int P, class T>
void by_all_groups() {
  using row = table1_case<R, P>;
  check_elements<row, T, device::this_thread, place::global>(1);
  check_elements<row, T, device::lanes<8>, place::global>(8);
  check_elements<row, T, device::lanes<16>, place::shared>(16);
  check_elements<row, T, device::warp, place::shared>(32);
  check_elements<row, T, device::block<threads_of_test>, place::shared>(threads_of_test);
  check_elements<row, T, device::block<>, place::global>(threads_of_test);
}
template <int P, class T, int... R>
void all_by_all_groups(sequence<R...>) {
  (by_all_groups<R, P, T>(), ...);
}

template <int P, class T, class Group, place Where, int First, int... R>
void rows_by(int group_size, sequence<R...>) {
  (check_elements<table1_case<First + R, P>, T, Group, Where>(group_size), ...);
}

constexpr auto products = iota<table1_products>{};
constexpr auto pairs = iota<table1_count - table1_products>{};

}  // namespace

TEST_CASE("gpu device: Table 1 by every kind of group, no two axes alike", "[gpu]") {
  if (no_gpu()) return;
  all_by_all_groups<0, double>(products);
}

TEST_CASE("gpu device: Table 1 in single precision", "[gpu]") {
  if (no_gpu()) return;
  rows_by<0, float, device::lanes<4>, place::shared, 0>(4, products);
  rows_by<3, float, device::warp, place::shared, 0>(32, products);
}

TEST_CASE("gpu device: Table 1, orders 1 to 4", "[gpu]") {
  if (no_gpu()) return;
  rows_by<1, double, device::lanes<16>, place::shared, 0>(16, products);
  rows_by<2, double, device::warp, place::shared, 0>(32, products);
  rows_by<3, double, device::block<threads_of_test>, place::shared, 0>(threads_of_test, products);
  rows_by<4, double, device::block<threads_of_test>, place::global, 0>(threads_of_test, products);
}

TEST_CASE("gpu device: kernel (9), two factors on one side", "[gpu]") {
  if (no_gpu()) return;
  rows_by<0, double, device::warp, place::global, table1_products>(32, pairs);
  rows_by<1, double, device::lanes<8>, place::global, table1_products>(8, pairs);
  rows_by<2, float, device::block<threads_of_test>, place::shared, table1_products>(threads_of_test, pairs);
}

TEST_CASE("gpu device: a few rows for the sanitizers", "[gpu][sanitize]") {
  if (no_gpu()) return;
  check_elements<table1_case<6, 0>, double, device::lanes<8>, place::shared>(8);
  check_elements<table1_case<7, 0>, double, device::warp, place::shared>(32);
  check_elements<table1_case<5, 0>, double, device::block<threads_of_test>, place::shared>(threads_of_test);
  check_elements<table1_case<13, 0>, double, device::block<>, place::global>(threads_of_test);
}
