// SPDX-License-Identifier: BSD-3-Clause
// Groups: separately allocated tensors of one size, and what may not join them.
#include <tessera/group.hpp>
#include <tessera/reshape.hpp>

#include <algorithm>
#include <vector>

#include "testing/failure.hpp"

using namespace tessera;
using tessera::testing::check_failure;

static_assert(std::is_same_v<decltype(make_group<float>(gpu, of_size(5_c, 3_c))), group<float, gpu, extents<5, 3>>>);

TEST_CASE("a group refers to its tensors' own memory", "[group]") {
  auto g = make_group<float>(of_size(5_c, 3_c));
  auto a = make_tensor<float>(of_size<5, 3>());
  auto b = make_tensor<float>(of_size(5, 3));
  auto c = make_tensor<float>(of_size(5_c, 3));
  tensor<float> d(of_size(5, 3));
  g.push_back(a);
  g.push_back(b);
  g.push_back(c);
  g.push_back(d);
  g.push_back(a.view());
  REQUIRE(g.count() == 5);
  CHECK(&g(0)(0, 0) == a.data());
  CHECK(&g(1)(0, 0) == b.data());
  CHECK(&g(2)(0, 0) == c.data());
  CHECK(&g(3)(0, 0) == d.data());
  g(1)(4, 2) = 6;
  CHECK(b(4, 2) == 6);
  CHECK(std::count_if(g.begin(), g.end(), [](const auto& member) { return member(4, 2) == 6; }) == 1);
}

TEST_CASE("a view of a group names its members, a copy of it refers to the same", "[group]") {
  auto g = make_group<double>(of_size(2, 3));
  auto a = make_tensor<double>(of_size(2, 3)), b = make_tensor<double>(of_size(2, 3));
  CHECK(g.view().count() == 0);
  g.push_back(b);
  g.push_back(a);
  const group_view<const double, cpu, column_major<extents<dynamic, dynamic>>> seen = g.view();
  REQUIRE(seen.count() == 2);
  CHECK(seen.members()[0] == b.data());
  CHECK(seen(1).data() == a.data());
  CHECK(seen.list()->start(1) == a.data());
  CHECK(g.view().list() == seen.list());  // looked at once
  auto copied = g;
  copied.push_back(b);
  CHECK(copied.view().count() == 3);
  CHECK(g.view().list() == seen.list());
  CHECK(!g.view().list()->clash());
  CHECK(copied.view().list()->clash());
  g = copied;
  CHECK(g.view().list()->count() == 3);
  const auto& itself = g;
  g = itself;
  CHECK(g.view().members()[2] == b.data());
  const auto flat = agglomerate<0, 1>(g.view());
  CHECK(flat.extents()(0) == 6);
  CHECK(flat(2).data() == b.data());
}

TEST_CASE("a view of a user's own pointers", "[group]") {
  std::vector<float> memory(12);
  float* pointers[] = {memory.data() + 6, memory.data()};
  const auto g = view_group(pointers, of_size<2, 3>(), 2);
  static_assert(std::is_same_v<decltype(g), const group_view<float, cpu, column_major<extents<2, 3>>>>);
  g(1)(1, 2) = 4;
  CHECK(memory[5] == 4);
  const float* const constant[] = {memory.data()};
  static_assert(std::is_same_v<decltype(view_group(constant, of_size(6), 1))::element_type, const float>);
  // Device memory: what the array holds is not looked at.
  CHECK(view_group(gpu, pointers, of_size<2, 3>(), 2).list() == nullptr);
}

TEST_CASE("a tensor of nothing cannot join a group", "[group]") {
  auto g = make_group<float>(of_size(5_c, 3_c));
  auto t = make_tensor<float>(of_size(5_c, 3_c));
  g.push_back(t);
  check_failure(status::null_pointer, {"group::push_back", "member 1", "5x3"}, [&] {
    g.push_back(tensor_view<float, cpu, column_major<extents<5, 3>>>(nullptr, column_major(of_size<5, 3>())));
  });
  CHECK(g.count() == 1);
}

TEST_CASE("another run-time size cannot join", "[group]") {
  auto g = make_group<double>(of_size(5, 3));
  auto same = make_tensor<double>(of_size(5, 3));
  auto longer = make_tensor<double>(of_size(6, 3));
  auto turned = make_tensor<double>(of_size(3, 5));
  auto ranked = tensor<double>(of_size(15));
  auto gapped = make_tensor<double>(column_major(of_size(5, 3), 8));
  g.push_back(same);
  check_failure(status::shape_mismatch, {"group::push_back", "5x3", "6x3"}, [&] { g.push_back(longer); });
  check_failure(status::shape_mismatch, {"group::push_back", "5x3", "3x5"}, [&] { g.push_back(turned); });
  check_failure(status::shape_mismatch, {"group::push_back", "5x3", "15"}, [&] { g.push_back(ranked); });
  check_failure(status::shape_mismatch, {"group::push_back", "5x3", "strides"}, [&] { g.push_back(gapped); });
  CHECK(g.count() == 1);
}

TEST_CASE("a tensor of run-time rank joins only a packed group", "[group]") {
  auto g = make_group<double>(column_major(of_size(5, 3), 8));
  tensor<double> packed_tensor(of_size(5, 3));
  check_failure(status::shape_mismatch, {"group::push_back", "5x3", "strides"}, [&] { g.push_back(packed_tensor); });
}

TEST_CASE("a group of impossible size is an error", "[group]") {
  check_failure(status::overflow, {"group", "-5x3"}, [] { make_group<double>(of_size(-5, 3)); });
}
