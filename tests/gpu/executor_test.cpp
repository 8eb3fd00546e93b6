// SPDX-License-Identifier: BSD-3-Clause
// Executors over device memory: exact on integers, launches as counted, and what is refused.
#include <algorithm>
#include <random>

#include <tessera/executor.hpp>

#include "gpu/products.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"
#include "testing/jit.hpp"
#include "testing/listed.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const contraction plain_product("ik,kj->ij"), added_product("ik,kj->ij", add);

template <class T>
executor check_on_gpu(const listed<T>& list) {
  device_entries<T> memory(list.memory());
  const executor all(list.over(memory.data(), space_kind::gpu));
  stream queue;
  for (int again = 0; again < 2; ++again) {
    memory.write(list.memory());
    all.run(queue);
    queue.synchronize();
    CHECK(memory.read() == list.after());
  }
  return all;
}

}  // namespace

TEST_CASE("gpu executor: a mixed list runs in as many launches as it has shapes", "[gpu][executor][sanitize]") {
  if (no_gpu()) return;
  for (index_t gap : {0, 3}) {
    const executor all = check_on_gpu(mixed_list<double>(101, gap));
    CHECK(all.shapes() == 4);
    CHECK(all.launches() == 4);
    CHECK(check_on_gpu(mixed_list<float>(101, gap)).launches() == 4);
  }
}

TEST_CASE("gpu executor: problems that lie anywhere, and a shared operand", "[gpu][executor]") {
  if (no_gpu()) return;
  listed<double> list(8000);
  std::mt19937 random(3);
  std::vector<index_t> places;
  for (index_t i = 0; i < 150; ++i) places.push_back(i * 40);
  std::shuffle(places.begin(), places.end(), random);
  for (std::size_t i = 0; i + 2 < places.size(); i += 3)
    list.add(added_product,
             {list.tensor(places[i], {3, 6}), list.tensor(places[i + 1], {6, 4}), list.tensor(places[i + 2], {3, 4})});
  for (index_t i = 0; i < 30; ++i)
    list.add(contraction("kj,jbc->kbc"),
             {list.tensor(7900, {5, 4}), list.tensor(6000 + i * 24, {4, 3, 2}), list.tensor(6800 + i * 30, {5, 3, 2})});
  const executor all = check_on_gpu(list);
  CHECK(all.rounds() == 1);
  CHECK(all.launches() == 2);
  CHECK(all.describe().find("50 problems, 1 launch (a group) on cuda") != std::string::npos);
  CHECK(all.describe().find("30 problems, 1 launch (evenly spaced; input 1 shared) on cuda") != std::string::npos);
}

TEST_CASE("gpu executor: a sum over operators, and items that read earlier results", "[gpu][executor]") {
  if (no_gpu()) return;
  listed<double> list(5000);
  for (index_t e = 0; e < 10; ++e)
    for (index_t term = 0; term < 3; ++term)
      list.add(term == 0 ? plain_product : added_product,
               {list.tensor(term * 20, {4, 5}), list.tensor(1000 + (e * 3 + term) * 10, {5, 2}),
                list.tensor(2000 + e * 8, {4, 2})});
  for (index_t e = 0; e < 10; ++e)
    list.add(plain_product,
             {list.tensor(100, {3, 4}), list.tensor(2000 + e * 8, {4, 2}), list.tensor(3000 + e * 6, {3, 2})});
  const executor all = check_on_gpu(list);
  CHECK(all.rounds() == 4);
  CHECK(all.launches() == 4);
}

TEST_CASE("gpu executor: entry-by-entry products in place, and blocks of one matrix", "[gpu][executor]") {
  if (no_gpu()) return;
  listed<float> list(4000);
  for (index_t i = 2; i < 20; ++i) {
    const operand anywhere = list.tensor(400 + i * i, {2, 1});
    list.add(contraction("ab,ab->ab"), {list.tensor(1300 + i * 2, {2, 1}), anywhere, anywhere});
  }
  for (index_t i = 0; i < 6; ++i)
    for (index_t j = 0; j < 10; ++j)
      list.add(plain_product, {list.tensor(1500 + i * 20, {5, 4}), list.tensor(2000 + j * 12, {4, 3}),
                               list.tensor(3000 + i * 5 + j * 3 * 30, {5, 3}, {1, 30})});
  const executor all = check_on_gpu(list);
  CHECK(all.rounds() == 1);
  CHECK(all.launches() == 2);
}

namespace {

// Y = G X M of some sites for each bond, G at 0 and M behind it; a site is at each of the
// places, counted in sites.
template <class T>
listed<T> bonds_of_sites(index_t dp, const std::vector<index_t>& bonds, const std::vector<index_t>& places) {
  listed<T> list(40000);
  index_t at = dp * dp;
  for (const index_t chi : bonds) {
    const std::vector<chain_step> update{{contraction("pq,qc->pc"), {list.tensor(0, {dp, dp})}},
                                         {contraction("cr,pc->pr"), {list.tensor(at, {chi, chi})}}};
    at += chi * chi;
    const index_t behind = (places.back() + 1) * dp * chi;
    for (const index_t place : places)
      list.add(update, list.tensor(at + place * dp * chi, {dp, chi}),
               list.tensor(at + behind + place * dp * chi, {dp, chi}));
    at += 2 * behind;
  }
  return list;
}

}  // namespace

TEMPLATE_TEST_CASE("gpu executor: two-site updates of mixed shapes are a launch each",
                   "[gpu][executor][two_site][sanitize]", double, float) {
  if (absent()) return;
  const std::vector<index_t> in_a_row{0, 1, 2, 3, 4};
  for (const auto& list : {bonds_of_sites<TestType>(4, {7, 8, 12}, in_a_row),
                           bonds_of_sites<TestType>(16, {24, 40, 64}, in_a_row)}) {  // in blocks, by tiles
    const executor all = check_on_gpu(list);
    INFO(all.describe());
    CHECK(all.shapes() == 3);
    CHECK(all.launches() == 3);
    CHECK(all.describe().find("5 problems, 1 launch (evenly spaced): fused, one launch") != std::string::npos);
  }
}

TEST_CASE("gpu executor: two-site updates anywhere, one after the other, and staged", "[gpu][executor][two_site]") {
  if (absent()) return;
  const listed<double> anywhere = bonds_of_sites<double>(4, {7, 12}, {0, 3, 4, 5, 9});
  const executor apart = check_on_gpu(anywhere);
  INFO(apart.describe());
  CHECK(apart.launches() == 2 * 3);
  CHECK(apart.describe().find("5 problems, 3 launches (not evenly spaced: 3 runs): fused") != std::string::npos);

  listed<double> turns = bonds_of_sites<double>(4, {8}, {0, 1, 2});
  const std::vector<executor_item> items = turns.items();
  for (const executor_item& there : items)  // and back, in place after that
    turns.add(there.steps, there.operands[1], there.operands[0]);
  for (const executor_item& there : items) turns.add(there.steps, there.operands[0], there.operands[0]);
  const executor all = check_on_gpu(turns);
  CHECK(all.rounds() == 3);
  CHECK(all.launches() == 3);

  device_entries<double> memory(turns.memory());
  const executor staged(turns.over(memory.data(), space_kind::gpu), {.fuse = false});
  CHECK(staged.launches() == 3 * 2);
  stream queue;
  staged.run(queue);
  queue.synchronize();
  CHECK(memory.read() == turns.after());
}

TEST_CASE("gpu executor: functions of the user's own", "[gpu][executor][fused]") {
  if (no_gpu() || !why_no_jit().empty()) return;
  listed<double> list(60);
  const contraction what =
      plain_product.with({.result = entry_function::own<double>("plus", "x + 1", [](double x) { return x + 1; })});
  for (index_t i = 0; i < 3; ++i)
    list.add(what, {list.tensor(20 * i, {2, 3}), list.tensor(20 * i + 6, {3, 2}), list.tensor(20 * i + 12, {2, 2})});
  std::vector<double> expected = list.memory();
  executor(list.over(expected.data())).run();
  device_entries<double> there(list.memory());
  const executor all(list.over(there.data(), space_kind::gpu));
  all.run();
  CHECK(there.read() == expected);
  CHECK(expected[12] == list.after()[12] + 1);
}

TEST_CASE("gpu executor: what it refuses", "[gpu][executor][errors]") {
  if (no_gpu()) return;
  listed<double> list(100);
  list.add(plain_product, {list.tensor(0, {2, 2}), list.tensor(10, {2, 2}), list.tensor(20, {2, 2})});
  list.add(plain_product, {list.tensor(0, {2, 2}), list.tensor(10, {2, 2}), list.tensor(30, {2, 2})});
  device_entries<double> memory(list.memory());
  std::vector<executor_item> items = list.over(memory.data(), space_kind::gpu);
  items[1].operands[1].data = list.memory().data();
  check_failure(status::wrong_space, {"executor: item 1", "2x2", "not in device memory"}, [&] { executor{items}; });
  items[1] = list.items()[1];
  check_failure(status::wrong_space, {"executor: item 1", "cpu memory", "gpu memory"}, [&] { executor{items}; });
  // A table of a chain.
  operand X = items[0].operands[0], Y = items[0].operands[2], G = items[0].operands[1];
  G.data = list.memory().data();
  items[1] = {plain_product, {X, Y}, {{plain_product, {G}}, {plain_product, {G}}}};
  check_failure(status::wrong_space, {"executor: item 1", "2x2", "not in device memory"}, [&] { executor{items}; });
}
