// SPDX-License-Identifier: BSD-3-Clause
// Overlap by entries: what shares none runs, however it interleaves; what shares one is refused at once, at any size.
#include <tessera/batch.hpp>
#include <tessera/chain.hpp>
#include <tessera/copy.hpp>
#include <tessera/cpu/contract.hpp>
#include <tessera/plan.hpp>

#include "overlap.hpp"
#include "testing/at.hpp"
#include "testing/definition.hpp"
#include "testing/failure.hpp"
#include "testing/scattered.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const contraction matrix_product("ij,jk->ik");

// y = a x for `count` products by a plan and by contract<>, compared with packed memory; x and y are views into one.
struct woven_product {
  std::vector<double> memory = std::vector<double>(4000, -99.0);
  tensor<double, cpu, extents<dynamic, dynamic>> a = make_tensor<double>(of_size(3, 3));

  template <class X, class Y>
  void check(const X& x, const Y& y) {
    auto packed = make_batch<double>(of_size(3, 4), x.count()), wanted = make_batch<double>(of_size(3, 4), x.count());
    fill_integers(a.view(), 1);
    fill_integers(packed.view(), 2);
    std::fill(memory.begin(), memory.end(), -99.0);
    copy(packed, x);
    make_plan(matrix_product, a, packed, wanted).run(a, packed, wanted);
    const std::ptrdiff_t gaps = std::count(memory.begin(), memory.end(), -99.0) - wanted.extents().size() * x.count();
    make_plan(matrix_product, a, x, y).run(a, x, y);
    CHECK(read(y).value == read(wanted.view()).value);
    CHECK(std::count(memory.begin(), memory.end(), -99.0) == gaps);
    make_plan(matrix_product, a, wanted, y).run(a, wanted, y);
    contract<"ij,jk->ik">(a, x, y);
    CHECK(read(y).value == read(wanted.view()).value);
    CHECK(read(x).value == read(packed.view()).value);
  }
};

operand shared_lanes(double* memory, index_t lanes, index_t count) {
  operand o = operand_of(view_batch(memory, of_size(5, 4), count));
  o.lanes = lanes;
  return o;
}

}  // namespace

TEST_CASE("x and y may be components of one array", "[overlap]") {
  woven_product p;
  const auto component = [&](index_t c) {
    return view_batch(p.memory.data() + c, strided(of_size(3, 4), 3, 9), 7, 36);
  };
  p.check(component(0), component(2));
  p.check(component(1), component(0));
  check_failure(status::overlap, {"overlaps input 2"}, [&] {
    const auto x = component(1);
    make_plan(matrix_product, p.a, x, x).run(p.a, x, x);
  });
}

TEST_CASE("x and y may take turns, by tensors or by blocks of interleaved ones", "[overlap]") {
  woven_product p;
  double* const m = p.memory.data();
  p.check(view_batch(m, of_size(3, 4), 9, 24), view_batch(m + 12, of_size(3, 4), 9, 24));
  const auto lanes = interleave<4>(of_size(3, 4));
  p.check(view_batch(m, lanes, 7, 96), view_batch(m + 48, lanes, 7, 96));
  const auto x = view_batch(m, of_size(3, 4), 9, 24), y = view_batch(m + 11, of_size(3, 4), 9, 24);
  check_failure(status::overlap, {"overlaps input 2"}, [&] { make_plan(matrix_product, p.a, x, y).run(p.a, x, y); });
  check_failure(status::overlap, {"overlaps input 2"}, [&] { contract<"ij,jk->ik">(p.a, x, y); });
}

TEST_CASE("unused lanes of the last block belong to nobody", "[overlap]") {
  woven_product p;
  double* const m = p.memory.data();
  const auto lanes = interleave<4>(of_size(3, 4));
  // The last entry of 6 tensors is that of lane 1 in the second block, number 93.
  p.check(view_batch(m, lanes, 6), view_batch(m + 94, lanes, 6));
  p.check(view_batch(m + 94, lanes, 6), view_batch(m, lanes, 6));
  p.check(view_batch(m, lanes, 2), view_batch(m + 2, lanes, 2));
  const operand o = operand_of(view_batch(m, lanes, 6));
  CHECK(o.reach() == 48 + 1 + 45);
}

TEST_CASE("chains over interleaved batches whose last block is partly filled", "[overlap][chain]") {
  woven_product p;
  double* const m = p.memory.data();
  const index_t count = 6;
  const auto lanes = interleave<4>(of_size(3, 4));
  const auto in = view_batch(m, lanes, count);
  auto packed = make_batch<double>(of_size(3, 4), count), wanted = make_batch<double>(of_size(3, 4), count);
  fill_integers(p.a.view(), 1);
  fill_integers(packed.view(), 2);
  copy(packed, in);
  const auto run = [&](const auto& from, const auto& to) {
    const chain twice({{matrix_product, {operand_of(p.a)}}, {matrix_product, {operand_of(p.a)}}}, operand_of(from),
                      operand_of(to));
    buffer workspace(space_kind::cpu, twice.workspace_bytes(count));
    twice.run(from, to, workspace);
  };
  run(packed.view(), wanted.view());
  const auto out = view_batch(m + 94, of_size(3, 4), count);  // from the first entry on that the input lacks
  run(in, out);
  CHECK(read(out).value == read(wanted.view()).value);
}

TEST_CASE("chains look at the whole output, not at a block of it", "[overlap][chain]") {
  // Tensors that are longer than a block of them: entry 1 of one is entry 0 of a later one.
  const index_t count = 200'000, apart = 100'000;
  std::vector<double> memory(at(count + apart), -99.0), from(at(2 * count), 1.0);
  const auto a = make_tensor<double>(of_size(2, 2));
  const auto in = view_batch(from.data(), of_size(2), count);
  const auto out = view_batch(memory.data(), strided(of_size(2), apart), count, 1);
  const contraction step("ij,j->i");
  const chain twice({{step, {operand_of(a)}}, {step, {operand_of(a)}}}, operand_of(in), operand_of(out));
  buffer workspace(space_kind::cpu, twice.workspace_bytes(count));
  check_failure(status::overlap, {"chain", "output"}, [&] { twice.run(in, out, workspace); });
  CHECK(std::count(memory.begin(), memory.end(), -99.0) == count + apart);
}

TEST_CASE("entries of two sizes share bytes where their bytes do", "[overlap]") {
  // Records of 8 bytes: a half at 0 and a float at 4, or at 2, which spans half of the next half.
  alignas(8) unsigned char bytes[8 * 64] = {};
  auto* const halves = reinterpret_cast<half*>(bytes);
  const auto a = make_tensor<half>(of_size(4, 4));
  const auto x = view_batch(halves, strided(of_size(4, 2), 4, 16), 3, 32);
  const auto y = view_batch(reinterpret_cast<float*>(bytes + 4), strided(of_size(4, 2), 2, 8), 3, 16);
  const plan p = make_plan(matrix_product, a, x, y);
  CHECK(failure_of([&] { p.run(a, x, y); }).code == status::ok);
  const auto beside = view_batch(halves + 1, strided(of_size(4, 2), 4, 16), 3, 32);
  CHECK(failure_of([&] { p.run(a, beside, y); }).code == status::ok);
  const auto inside = view_batch(halves + 3, strided(of_size(4, 2), 4, 16), 3, 32);
  check_failure(status::overlap, {"overlaps input 2"}, [&] { p.run(a, inside, y); });
}

TEST_CASE("members of two groups may interleave", "[overlap][group]") {
  woven_product p;
  const auto layout = strided(of_size(3, 4), 2, 6);
  std::vector<double*> of_x, of_y;
  for (const int at : {600, 0, 200, 350}) of_x.push_back(p.memory.data() + at);
  for (const int at : {1, 601, 351, 201}) of_y.push_back(p.memory.data() + at);
  const auto x = view_group(of_x.data(), layout, 4), y = view_group(of_y.data(), layout, 4);
  auto packed = make_batch<double>(of_size(3, 4), 4), wanted = make_batch<double>(of_size(3, 4), 4);
  fill_integers(p.a.view(), 1);
  fill_integers(packed.view(), 2);
  copy(packed, x);
  make_plan(matrix_product, p.a, packed, wanted).run(p.a, packed, wanted);
  make_plan(matrix_product, p.a, x, y).run(p.a, x, y);
  auto result = make_batch<double>(of_size(3, 4), 4);
  copy(y, result);
  CHECK(std::equal(wanted.begin(), wanted.end(), result.begin()));
  // And a group with a batch in its gaps; of which one entry is the group's.
  const auto gaps = view_batch(p.memory.data() + 1, layout, 4, 200);
  make_plan(matrix_product, p.a, x, gaps).run(p.a, x, gaps);
  const auto shared = view_batch(p.memory.data() + 2, layout, 4, 199);
  check_failure(status::overlap, {"overlaps input 2", "member 1 of the input's"},
                [&] { make_plan(matrix_product, p.a, x, shared).run(p.a, x, shared); });
}

TEST_CASE("an output of any size that overlaps itself is refused at once", "[overlap][errors]") {
  double memory[2] = {};  // the inputs lie in front of the output
  const auto refused = [&](index_t rows, index_t cols, index_t by_row, index_t by_col) {
    const auto a = view(memory, strided(of_size(rows, 1), 0, 0)), b = view(memory, strided(of_size(1, cols), 0, 0));
    const auto c = view(memory + 1, strided(of_size(rows, cols), by_row, by_col));
    check_failure(status::overlap, {"share one address"}, [&] { make_plan(contraction("ij,jk->ik"), a, b, c); });
    check_failure(status::overlap, {"contract", "share one address"}, [&] { contract<"ij,jk->ik">(a, b, c); });
    check_failure(status::overlap, {"copy", "share addresses"}, [&] { copy(c, c); });
  };
  refused(16384, 16384, 1, 2);
  refused(index_t{1} << 20, index_t{1} << 20, 1, 1);
  refused(index_t{1} << 20, index_t{1} << 20, 1, 1024);
  refused(index_t{1} << 20, index_t{1} << 20, 3, 7);
  refused(index_t{1} << 20, index_t{1} << 20, 0, 1);
  const auto a = view(memory, of_size(5, 5));
  const operand wide = shared_lanes(memory, index_t{1} << 33, 6);
  check_failure(status::overlap, {"share one address"},
                [&] { make_plan(matrix_product, a, operand_of(view(memory, of_size(5, 4))), wide); });
}

TEST_CASE("copies into addresses that are shared, by any number of lanes", "[overlap][copy][errors]") {
  std::vector<double> memory(200, 1), target(200, -99);
  const auto from = operand_of(view_batch(memory.data(), of_size(5, 4), 6));
  check_failure(status::overlap, {"copy", "share addresses"},
                [&] { copy_operand(from, shared_lanes(target.data(), index_t{1} << 33, 6), std::nullopt); });
  for (const index_t lanes : {index_t{1} << 60, index_t{1} << 62, std::numeric_limits<index_t>::max()}) {
    check_failure(status::overflow, {"copy", "5x4", "lanes " + std::to_string(lanes)},
                  [&] { copy_operand(from, shared_lanes(target.data(), lanes, 6), std::nullopt); });
    check_failure(status::overflow, {"copy", "5x4", "lanes " + std::to_string(lanes)},
                  [&] { copy_operand(shared_lanes(memory.data(), lanes, 6), from, std::nullopt); });
    check_failure(status::overflow, {"plan", "5x4", "lanes " + std::to_string(lanes)}, [&] {
      make_plan(matrix_product, view(memory.data(), of_size(5, 5)), from, shared_lanes(target.data(), lanes, 6));
    });
  }
  CHECK(std::count(target.begin(), target.end(), -99.0) == 200);
}

TEST_CASE("batches of more entries than 63 bits number are refused before anything is read", "[overlap][errors]") {
  double memory[1] = {};
  const auto sized = [&](index_t count, index_t stride, index_t lanes) {
    operand o = operand_of(view_batch(memory, of_size(5, 4), 1));
    o.count = count, o.stride = stride, o.lanes = lanes;
    return o;
  };
  const auto a = view(memory, of_size(5, 5));
  const operand good = sized(1, 20, 1);
  const plan p = make_plan(matrix_product, a, good, good);
  for (const operand& bad : {sized(index_t{1} << 62, 0, 1), sized(index_t{1} << 58, 20, 1), sized(-1, 20, 1),
                             sized(4, -1, 1), sized(4, index_t{1} << 60, 1), sized(4, index_t{1} << 61, 4)}) {
    INFO(bad.count << " by " << bad.stride << ", lanes " << bad.lanes);
    check_failure(status::overflow, {"plan", "5x4"}, [&] { make_plan(matrix_product, a, bad, bad); });
    check_failure(status::overflow, {"copy", "5x4"}, [&] { copy_operand(bad, bad, std::nullopt); });
    if (bad.lanes == 1) check_failure(status::overflow, {"run", "5x4"}, [&] { p.run(a, bad, bad); });
  }
  check_failure(status::overflow, {"plan", "lanes 0"}, [&] { make_plan(matrix_product, a, sized(4, 20, 0), good); });
  check_failure(status::overflow, {"copy", "lanes -3"}, [&] { copy_operand(sized(4, 20, -3), good, std::nullopt); });
}

TEST_CASE("an output may not be where a group's addresses are", "[overlap]") {
  std::vector<double> memory(64);
  std::vector<const double*> members(8);
  operand group = operand_of(view_batch(memory.data(), of_size(3, 4), 8));
  group.grouped = true;  // in memory that the host does not look at: there is no list
  group.members = members.data();
  void* const addresses = members.data();
  const auto over = operand_of(view_batch(static_cast<double*>(addresses), of_size(2, 2), 1));
  CHECK(detail::entries_meet(group, over));
  CHECK(!detail::entries_meet(group, operand_of(view_batch(memory.data(), of_size(2, 2), 1))));
  group.span = 0;  // members without entries: their addresses are not read
  CHECK(!detail::entries_meet(group, over));
}
