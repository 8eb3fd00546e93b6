// SPDX-License-Identifier: BSD-3-Clause
// Operands: what is kept of a view when its types are taken off.
#include <tessera/batch.hpp>
#include <tessera/operand.hpp>

#include <algorithm>
#include <vector>

#include "testing/failure.hpp"

using namespace tessera;
using tessera::testing::check_failure;

namespace {

// Every entry's offset agrees with the view's own address.
template <any_view View>
void check_offsets(const View& v) {
  const operand o = operand_of(v);
  index_t index[max_rank]{}, count = 1;
  if constexpr (View::is_batch) count = v.count();
  const auto* base = static_cast<const typename View::value_type*>(o.data);
  index_t first = 0, last = -1;
  for (index_t b = 0; b < count; ++b)
    for (index_t i = 0; i < v.extents().size(); ++i) {
      unravel(i, v.extents(), index);
      const auto* wanted = [&] {
        if constexpr (View::is_batch)
          return v(b).data() + offset_at(v.layout(), index);
        else
          return v.data() + offset_at(v.layout(), index);
      }();
      CHECK(base + o.offset(i, b) == wanted);
      first = std::min<index_t>(first, wanted - base);
      last = std::max<index_t>(last, wanted - base);
    }
  CHECK(o.entries() == v.extents().size());
  // No entry lies past the reach, and no memory past the last entry's block counts.
  CHECK(o.lowest() == base + first);
  CHECK(o.reach() >= last - first + 1);
  CHECK(o.reach() <= last - first + o.lanes);
}

}  // namespace

TEST_CASE("an operand gives every entry's offset", "[operand]") {
  std::vector<double> memory(500);
  double* const p = memory.data();
  check_offsets(view(p, of_size(5, 3)));
  check_offsets(view(p, row_major(of_size<5, 3, 2>(), 4)));
  check_offsets(view(p, tile_by<2, 2>(of_size(5, 3))));
  check_offsets(view_batch(p, of_size(5, 3), 7));
  check_offsets(view_batch(p, of_size(5, 3), 7, 0));
  check_offsets(view_batch(p, pad_to<8>(of_size(5, 3)), 4, 30));
  check_offsets(view_batch(p, tile_by<2, 2>(of_size(5, 3)), 4));
  check_offsets(view_batch(p, interleave<4>(of_size(5, 3)), 7));
  check_offsets(view_batch(p, interleave<4>(of_size(5, 3)), 3));
  check_offsets(view_batch(p, interleave<4>(tile_by<2, 2>(of_size(5, 3))), 6));
}

TEST_CASE("an operand says what it is", "[operand]") {
  auto b = make_batch<float>(of_size(5_c, 3), 15);
  const operand o = operand_of(b);
  CHECK(o.type == scalar_type::f32);
  CHECK(o.entry_bytes == 4);
  CHECK(o.space == space_kind::cpu);
  CHECK(o.batched);
  CHECK(o.count == 15);
  CHECK(o.writable);
  CHECK(text_of(o) == "f32 5x3 (batch of 15, cpu)");
  const auto& constant_batch = b;
  CHECK_FALSE(operand_of(constant_batch).writable);

  tensor<double> ranked(of_size(4, 2));
  const operand t = operand_of(ranked);
  CHECK_FALSE(t.batched);
  CHECK(t.facts.stride[1] == 4);
  CHECK(text_of(t) == "f64 4x2 (cpu)");
  const auto& constant_tensor = ranked;
  CHECK_FALSE(operand_of(constant_tensor).writable);

  unsigned counts[6] = {};
  CHECK_FALSE(operand_of(view(counts, of_size(2, 3))).type.has_value());
  CHECK(text_of(operand_of(view(counts, of_size(2, 3)))) == "4-byte 2x3 (cpu)");
  long whole[6] = {};
  CHECK(text_of(operand_of(view(whole, of_size(2, 3)))) == "i64 2x3 (cpu)");
}

TEST_CASE("a layout that points before its data is an error", "[operand]") {
  struct reversed {
    auto extents() const { return of_size(5); }
    index_t offset(index_t i) const { return -i; }
  };
  double memory[5] = {};
  check_failure(status::invalid_argument, {"operand", "5", "-1"}, [&] { operand_of(view(memory + 4, reversed{})); });
}

TEST_CASE("an operand that is reversed begins before its data", "[operand]") {
  std::vector<double> memory(200);
  check_offsets(view(memory.data() + 4, strided(of_size(5), -1)));
  check_offsets(view(memory.data() + 34, strided(of_size(5, 7), -1, -5)));
  check_offsets(view(memory.data() + 60, strided(of_size(5, 7, 1), 3, -10, -1000)));
  check_offsets(view_batch(memory.data() + 14, strided(of_size(5, 3), -1, -5), 6));
  check_offsets(view_batch(memory.data() + 8, interleave<4>(strided(of_size(3, 4), -1, 3)), 6));
  check_offsets(view(memory.data(), strided(of_size(5, 3), 0, 4)));
}
