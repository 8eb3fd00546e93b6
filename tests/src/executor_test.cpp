// SPDX-License-Identifier: BSD-3-Clause
// Executors on exact integers: any list means its items in order; what becomes one launch; what is refused.
#include <tessera/batch.hpp>
#include <tessera/executor.hpp>
#include <tessera/group_view.hpp>

#include <algorithm>
#include <random>

#include "check_list.hpp"
#include "testing/failure.hpp"
#include "testing/listed.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const contraction product("ik,kj->ij"), added_product("ik,kj->ij", add);

}  // namespace

TEST_CASE("a mixed list runs in as many launches as it has shapes", "[executor]") {
  for (target where : cpu_targets()) {
    INFO(name_of(where));
    for (index_t gap : {0, 3}) {
      const executor all = check_list(mixed_list<double>(17, gap), on(where));
      CHECK(all.shapes() == 4);
      CHECK(all.launches() == 4);
      CHECK(all.rounds() == 1);
      check_list(mixed_list<float>(17, gap), on(where, 2));
    }
  }
}

TEST_CASE("problems listed in any order are found to be evenly spaced", "[executor]") {
  const listed<double> in_order = mixed_list<double>(17, 1);
  listed<double> shuffled = mixed_list<double>(0, 0);
  std::vector<executor_item> items = in_order.over(const_cast<double*>(shuffled.memory().data()));
  std::shuffle(items.begin(), items.end(), std::mt19937(7));
  for (const executor_item& item : items) shuffled.add(item.what, item.operands);
  CHECK(check_list(shuffled).launches() == 4);
}

TEST_CASE("an operand that all problems share is stored once and read by one launch", "[executor]") {
  listed<double> list(3000);
  const operand table = list.tensor(2900, {5, 4});
  for (index_t i = 0; i < 30; ++i)
    list.add(contraction("kj,jbc->kbc"),
             {table, list.tensor(i * 24, {4, 3, 2}), list.tensor(1000 + i * 40, {5, 3, 2})});
  const executor all = check_list(list);
  CHECK(all.launches() == 1);
  CHECK(all.describe().find("30 problems, 1 launch (evenly spaced; input 1 shared)") != std::string::npos);
}

TEST_CASE("problems that lie anywhere run as a group", "[executor]") {
  listed<double> list(4000);
  std::mt19937 random(3);
  std::vector<index_t> places;
  for (index_t i = 0; i < 100; ++i) places.push_back(i * 40);
  std::shuffle(places.begin(), places.end(), random);
  for (std::size_t i = 0; i + 3 < places.size(); i += 3)
    list.add(added_product,
             {list.tensor(places[i], {3, 6}), list.tensor(places[i + 1], {6, 4}), list.tensor(places[i + 2], {3, 4})});
  const operand shared = list.tensor(places.back(), {4, 4});
  for (std::size_t i = 0; i + 3 < places.size(); i += 3)
    list.add(product, {shared, list.tensor(places[i], {4, 3}), list.tensor(places[i + 2] + 20, {4, 3})});
  for (target where : cpu_targets()) {
    const executor all = check_list(list, on(where, 2));
    CHECK(all.shapes() == 2);
    CHECK(all.rounds() == 1);
    CHECK(all.launches() == 2);
    CHECK(all.describe().find("33 problems, 1 launch (a group; input 1 shared) on ") != std::string::npos);
  }
}

TEST_CASE("operands of one problem that lie between those of another are a group", "[executor]") {
  listed<double> list(2000);  // A, B and C of a problem side by side: as batches they reach into each other
  for (index_t i = 0; i < 20; ++i)
    list.add(product, {list.tensor(i * 40, {3, 3}), list.tensor(i * 40 + 9, {3, 3}), list.tensor(i * 40 + 18, {3, 3})});
  CHECK(check_list(list).launches() == 1);
}

TEST_CASE("entry-by-entry products in place", "[executor]") {
  listed<double> list(2000);
  const contraction scaled("ab,ab->ab");
  for (index_t i = 0; i < 20; ++i) {
    const operand even = list.tensor(i * 10, {3, 3}), anywhere = list.tensor(400 + i * i, {2, 1});
    list.add(scaled, {list.tensor(1000 + i * 9, {3, 3}), even, even});
    if (i > 1) list.add(scaled, {list.tensor(1300 + i * 2, {2, 1}), anywhere, anywhere});
  }
  const executor all = check_list(list);
  CHECK(all.rounds() == 1);
  CHECK(all.launches() == 2);
}

TEST_CASE("blocks of a matrix that are written in the gaps of blocks that are read", "[executor]") {
  listed<double> list(2000);  // 20 x 20, whose ranges overlap, but not their entries
  const auto block = [&](index_t i, index_t j) { return list.tensor(i * 5 + j * 5 * 20, {5, 5}, {1, 20}); };
  list.add(added_product, {block(0, 0), block(2, 3), block(1, 1)});
  list.add(added_product, {block(2, 1), block(0, 3), block(3, 2)});
  list.add(added_product, {block(0, 2), block(1, 0), block(3, 3)});
  const executor all = check_list(list);
  CHECK(all.rounds() == 1);
  CHECK(all.launches() == 1);
  CHECK(all.describe().find("one by one") == std::string::npos);
}

TEST_CASE("a sum over operators adds its terms in order, a round each", "[executor]") {
  listed<double> list(5000);
  for (index_t e = 0; e < 10; ++e)
    for (index_t term = 0; term < 3; ++term)
      list.add(term == 0 ? product : added_product,
               {list.tensor(term * 20, {4, 5}), list.tensor(1000 + (e * 3 + term) * 10, {5, 2}),
                list.tensor(2000 + e * 8, {4, 2})});
  const executor all = check_list(list);
  CHECK(all.shapes() == 2);  // with and without the old values
  CHECK(all.rounds() == 3);
  CHECK(all.launches() == 3);
  CHECK(all.describe().find("round 3: \"ik,kj->ij\" over 4x5, 5x2 -> 4x2: 10 problems, 1 launch") != std::string::npos);
}

TEST_CASE("a sum has the same bits in every run and on any number of threads", "[executor]") {
  auto a = make_batch<double>(of_size(24, 24), 40), b = make_batch<double>(of_size(24, 24), 40);
  auto c = make_batch<double>(of_size(24, 24), 4), first = make_batch<double>(of_size(24, 24), 4);
  fill_fractions(a.view(), 1);
  fill_fractions(b.view(), 2);
  std::vector<executor_item> items;
  for (index_t i = 0; i < 40; ++i) items.push_back(make_item(added_product, a(i), b(i), c(i * 7 % 4)));
  for (int threads : {1, 2, 3, 4}) {
    std::fill(c.begin(), c.end(), 0.0);
    executor(items, plan_options{.threads = threads}).run();
    if (threads == 1) std::copy(c.begin(), c.end(), first.begin());
    CHECK(std::equal(c.begin(), c.end(), first.begin()));
  }
}

TEST_CASE("items that read what earlier ones wrote, or write what they read, wait for them", "[executor]") {
  listed<double> list(1000);
  const operand a = list.tensor(0, {3, 3}), b = list.tensor(10, {3, 3}), c = list.tensor(20, {3, 3}),
                d = list.tensor(30, {3, 3});
  list.add(product, {a, b, c});
  list.add(product, {c, b, d});                   // reads c
  list.add(product, {b, b, a});                   // overwrites a, which the first has read
  list.add(product, {d, d, c});                   // reads d, overwrites c
  list.add(contraction("ij,ij->ij"), {d, a, a});  // entry by entry, in place
  CHECK(check_list(list).rounds() == 3);
}

TEST_CASE("blocks of one large matrix do not wait for each other", "[executor]") {
  listed<double> list(6000);  // C is 30 x 30, its blocks 5 x 3
  for (index_t i = 0; i < 6; ++i)
    for (index_t j = 0; j < 10; ++j)
      list.add(product, {list.tensor(1000 + i * 20, {5, 4}), list.tensor(2000 + j * 12, {4, 3}),
                         list.tensor(i * 5 + j * 3 * 30, {5, 3}, {1, 30})});
  CHECK(check_list(list).rounds() == 1);
}

TEST_CASE("batches in a list stand for their tensors, interleaved ones too", "[executor]") {
  listed<double> list(2000);
  const auto batch_of = [&](index_t offset, std::vector<index_t> extents, std::vector<index_t> strides, index_t stride,
                            index_t lanes) {
    operand o = list.tensor(offset, extents, strides);
    o.batched = true;
    o.count = 7;
    o.stride = stride;
    o.lanes = lanes;
    return o;
  };
  list.add(product,
           {list.tensor(1900, {3, 4}), batch_of(0, {4, 2}, {1, 4}, 8, 1), batch_of(100, {3, 2}, {1, 3}, 6, 1)});
  list.add(product, {list.tensor(1900, {3, 4}), list.tensor(56, {4, 2}), list.tensor(142, {3, 2})});
  list.add(product,
           {list.tensor(1920, {3, 4}), batch_of(400, {4, 2}, {4, 16}, 32, 4), batch_of(600, {3, 2}, {4, 12}, 24, 4)});
  const executor all = check_list(list);
  CHECK(all.shapes() == 2);
  CHECK(all.describe().find("8 problems, 1 launch (evenly spaced; input 1 shared)") != std::string::npos);
}

TEST_CASE("groups in a list stand for their members", "[executor]") {
  std::vector<double> memory(500, 1.0);
  double* const left[] = {&memory[40], &memory[0], &memory[90]};
  double* const sums[] = {&memory[200], &memory[300], &memory[250]};
  const auto a = view_group(left, of_size(2, 3), 3);
  const auto b = view(&memory[400], of_size(3, 2));
  const auto c = view_group(sums, of_size(2, 2), 3);
  const executor all(
      {make_item(product, a, b, c), make_item(added_product, a, b, c), make_item(added_product, a(1), b, c(2))});
  all.run();
  CHECK(all.launches() == 3);
  CHECK(all.rounds() == 3);
  CHECK(memory[201] == 6);
  CHECK(memory[302] == 6);
  CHECK(memory[253] == 9);
}

TEST_CASE("layouts without strides, extents of zero and sums over nothing", "[executor]") {
  listed<double> list(1000);
  operand by_table = list.tensor(0, {2, 2});
  by_table.facts.affine = false;
  by_table.offsets = std::make_shared<const std::vector<index_t>>(std::vector<index_t>{5, 0, 9, 2});
  by_table.span = 10;
  list.add(product, {list.tensor(100, {3, 2}), by_table, list.tensor(200, {3, 2})});
  list.add(product, {list.tensor(110, {3, 2}), list.tensor(120, {2, 2}), list.tensor(210, {3, 2})});
  list.add(product, {list.tensor(0, {3, 0}), list.tensor(0, {0, 2}), list.tensor(220, {3, 2})});
  list.add(product, {list.tensor(100, {0, 2}), list.tensor(120, {2, 2}), list.tensor(300, {0, 2})});
  const executor all = check_list(list);
  CHECK(all.shapes() == 4);
  CHECK(all.launches() == 3);  // there is nothing to do for the last one
}

TEST_CASE("single and double precision in one list", "[executor]") {
  const float a[] = {2, 3}, b[] = {5, 7};
  const double x[] = {2, 3}, y[] = {5, 7};
  float c = 0;
  double z = 0;

  const executor all(
      {make_item(contraction("ik,kj->ij"), view(a, of_size(1, 2)), view(b, of_size(2, 1)), view(&c, of_size(1, 1))),
       make_item(contraction("ik,kj->ij"), view(x, of_size(1, 2)), view(y, of_size(2, 1)), view(&z, of_size(1, 1)))});
  all.run();
  CHECK(all.shapes() == 2);
  CHECK(c == 31);
  CHECK(z == 31);
}

TEST_CASE("an empty list is a no-op", "[executor]") {
  const executor none({});
  none.run();
  CHECK(none.launches() == 0);
  CHECK(none.shapes() == 0);
}

TEST_CASE("what an executor refuses names the item and its extents", "[executor][errors]") {
  listed<double> list(1000);
  const executor_item good{product, {list.tensor(0, {3, 2}), list.tensor(10, {2, 4}), list.tensor(20, {3, 4})}};
  const auto with = [&](auto change) {
    executor_item bad = good;
    change(bad.operands);
    return std::vector<executor_item>{good, good, bad};
  };
  using all = std::vector<operand>;
  check_failure(status::shape_mismatch, {"executor: item 2", "3x2, 3x4 -> 3x4", "'k'"}, [&] {
    executor(with([&](all& o) { o[1] = list.tensor(10, {3, 4}); }));
  });
  check_failure(status::invalid_argument, {"executor: item 2", "2 operands given, 3 needed"},
                [&] { executor(with([&](all& o) { o.pop_back(); })); });
  check_failure(status::invalid_argument, {"executor: item 2", "0 operands given"},
                [&] { executor(with([&](all& o) { o.clear(); })); });
  check_failure(status::null_pointer, {"executor: item 2", "input 2", "3x2, 2x4 -> 3x4"},
                [&] { executor(with([&](all& o) { o[1].data = nullptr; })); });
  check_failure(status::overlap, {"executor: item 2", "overlaps input 1", "3x2, 2x4 -> 3x4"},
                [&] { executor(with([&](all& o) { o[2].data = o[0].data; })); });
  check_failure(status::invalid_argument, {"executor: item 2", "const"},
                [&] { executor(with([&](all& o) { o[2].writable = false; })); });
  check_failure(status::shape_mismatch, {"executor: item 2", "batch of 5"}, [&] {
    executor(with([&](all& o) {
      o[1].batched = true;
      o[1].count = 5;
    }));
  });
  check_failure(status::wrong_type, {"executor: item 2", "f32"},
                [&] { executor(with([&](all& o) { o[0].type = scalar_type::f32; })); });
}
