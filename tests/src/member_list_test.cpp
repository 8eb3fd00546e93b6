// SPDX-License-Identifier: BSD-3-Clause
// What the host finds out about the members of a group: order, shared entries, other arguments among them.
#include <tessera/group_view.hpp>

#include "testing/failure.hpp"

using namespace tessera;
using tessera::testing::check_failure;

namespace {

const char memory[2048] = {};  // which nobody reads

// Members of 4-byte entries, this many bytes into the memory.
template <class Shape>
member_list list_of(const Shape& shape, const std::vector<int>& bytes) {
  const auto layout = detail::layout_from(shape);
  std::vector<const void*> starts;
  for (const int b : bytes) starts.push_back(memory + b);
  return {"test", operand_of(tensor_view<float, cpu, std::remove_const_t<decltype(layout)>>(nullptr, layout)),
          std::move(starts)};
}

byte_range bytes(int first, int last) { return {memory + first, memory + last}; }

bool is(const std::optional<member_list::pair>& found, index_t first, index_t second) {
  return found && found->first == first && found->second == second;
}

}  // namespace

TEST_CASE("members: their hull, and who lies behind an address, in any order", "[group]") {
  const member_list list = list_of(of_size<5>(), {1000, 400, 700});  // 20 bytes each
  CHECK(list.hull().first == bytes(400, 1020).first);
  CHECK(list.hull().last == bytes(400, 1020).last);
  CHECK(list.by_address(0) == 1);
  CHECK(list.by_address(1) == 2);
  CHECK(list.by_address(2) == 0);
  CHECK(list.first_behind(memory) == 0);
  CHECK(list.first_behind(memory + 419) == 0);
  CHECK(list.first_behind(memory + 420) == 1);
  CHECK(list.first_behind(memory + 719) == 1);
  CHECK(list.first_behind(memory + 1020) == 3);
}

TEST_CASE("members: two lists meet where members do, not where hulls do", "[group]") {
  const member_list list = list_of(of_size<5>(), {1000, 400, 700});
  const member_list between = list_of(of_size<10>(), {420, 660, 1020});  // 40 bytes each
  CHECK(!list.meeting(between));
  CHECK(!list.meeting(between));
  CHECK(!between.meeting(list));
  CHECK(is(list.meeting(list_of(of_size<10>(), {420, 661})), 2, 1));
  CHECK(is(list.meeting(list_of(of_size<1>(), {420, 1016, 1020})), 0, 1));
  CHECK(!list.meeting(list_of(of_size<1>(), {})));
}

TEST_CASE("members: two lists whose members interleave meet where entries do", "[group]") {
  const auto every_other = strided(of_size<5>(), 2);  // entries of 4 bytes, 8 bytes apart
  const member_list even = list_of(every_other, {400, 800}), odd = list_of(every_other, {804, 404});
  CHECK(!even.meeting(odd));
  CHECK(!odd.meeting(even));
  CHECK(is(even.meeting(list_of(every_other, {804, 408})), 0, 1));
  CHECK(is(even.meeting(list_of(of_size<1>(), {404, 820, 824})), 1, 2));
  CHECK(is(even.meeting(list_of(of_size<2>(), {404, 820})), 0, 0));
  // Tiles of a matrix of 6 rows.
  const auto tile = column_major(of_size<3, 3>(), 6);
  CHECK(!list_of(tile, {400, 472}).meeting(list_of(tile, {412, 484})));
  CHECK(is(list_of(tile, {400, 472}).meeting(list_of(tile, {480})), 1, 0));
}

TEST_CASE("members that share entries are found, those in each other's gaps are not", "[group]") {
  CHECK(!list_of(of_size<5>(), {1000, 400, 420}).clash());
  CHECK(is(list_of(of_size<5>(), {1000, 400, 1000}).clash(), 0, 2));
  CHECK(is(list_of(of_size<5>(), {1000, 400, 416}).clash(), 1, 2));
  CHECK(!list_of(strided(of_size<5>(), 2), {400, 404}).clash());
  CHECK(is(list_of(strided(of_size<5>(), 2), {400, 408}).clash(), 0, 1));
  const auto tile = column_major(of_size<3, 3>(), 6);
  CHECK(!list_of(tile, {400, 412, 472, 484}).clash());
  CHECK(is(list_of(tile, {400, 412, 472, 480}).clash(), 2, 3));
  // A layout that is not affine: two by two tiles, in each other's gaps.
  const auto tiled = interleave<2>(tile_by<2, 2>(of_size<3, 3>()));
  CHECK(!list_of(tiled, {400, 404}).clash());
  CHECK(is(list_of(tiled, {400, 408}).clash(), 0, 1));
  CHECK(!list_of(of_size<0>(), {400, 400}).clash());
  CHECK(!list_of(of_size<3>(), {}).clash());
}

TEST_CASE("a null member is an error with its number", "[group]") {
  const auto with_null = [](const auto& shape) {
    const column_major layout(shape);
    const auto member = operand_of(tensor_view<float, cpu, column_major<extents<dynamic, dynamic>>>(nullptr, layout));
    return member_list("test", member, {memory, memory + 900, nullptr});
  };
  check_failure(status::null_pointer, {"test", "member 2", "5x3"}, [&] { with_null(of_size(5, 3)); });
  CHECK(with_null(of_size(5, 0)).count() == 3);
}
