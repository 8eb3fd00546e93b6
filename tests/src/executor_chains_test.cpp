// SPDX-License-Identifier: BSD-3-Clause
// Chains as items of executors, on exact integers: what becomes one run, what does not, order, and what is refused.
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

using updates = listed<double>;

bool describes(const executor& all, const std::string& words) {
  INFO(all.describe());
  CHECK(all.describe().find(words) != std::string::npos);
  return all.describe().find(words) != std::string::npos;
}

// Y = G X M for G of 3 rows at 0 and M of 4 at 9.
std::vector<chain_step> update_by(const updates& list, const scaling& last = assign, index_t M = 9, index_t chi = 4) {
  return {{contraction("pq,qc->pc"), {list.tensor(0, {3, 3})}},
          {contraction("cr,pc->pr", last), {list.tensor(M, {chi, chi})}}};
}

operand state(const updates& list, index_t at, index_t chi = 4) { return list.tensor(at, {3, chi}); }

operand states(const updates& list, index_t at, index_t count, index_t apart, index_t lanes = 1) {
  operand o = list.tensor(at, {3, 4}, {lanes, 3 * lanes});
  o.batched = true;
  o.count = count, o.stride = apart, o.lanes = lanes;
  return o;
}

}  // namespace

TEST_CASE("updates of evenly spaced tensors run as one chain for each shape", "[executor][chain]") {
  updates list(6000);
  std::vector<executor_item> items;
  index_t M = 9, at = 500;
  for (const index_t chi : {4, 5, 7}) {
    for (index_t i = 0; i < 6; ++i)
      list.add(update_by(list, assign, M, chi), state(list, at + i * (3 * chi + 2), chi),
               state(list, at + 700 + i * 3 * chi, chi));
    M += chi * chi;
    at += 1500;
  }
  updates shuffled(6000);
  items = list.over(const_cast<double*>(shuffled.memory().data()));
  std::shuffle(items.begin(), items.end(), std::mt19937(5));
  for (const executor_item& item : items) shuffled.add(item.steps, item.operands[0], item.operands[1]);
  for (const target where : cpu_targets())
    for (const updates* l : {&list, &shuffled}) {
      INFO(name_of(where));
      const executor all = check_list(*l, on(where, 2));
      CHECK(all.shapes() == 3);
      CHECK(all.rounds() == 1);
      CHECK(all.launches() == 3 * 2);  // a plan a step where nothing is fused
      describes(all, "\"pq,qc->pc\", \"cr,pc->pr\" over 3x7 -> 3x7: 6 problems, 2 launches (evenly spaced): staged");
    }
}

TEST_CASE("updates by another M at another address are another chain", "[executor][chain]") {
  updates list(2000);
  for (index_t i = 0; i < 8; ++i)
    list.add(update_by(list, assign, i % 2 == 0 ? 9 : 25), state(list, 100 + i * 12), state(list, 1000 + i * 12));
  const executor all = check_list(list);
  CHECK(all.shapes() == 2);
  CHECK(all.launches() == 4);
  describes(all, "4 problems, 2 launches (evenly spaced)");
}

TEST_CASE("updates that are not evenly spaced are batches and runs of their own", "[executor][chain]") {
  const auto runs_of = [](const std::vector<index_t>& places, index_t wanted) {
    updates list(4000);
    for (const index_t at : places) list.add(update_by(list), state(list, 100 + at), state(list, 2000 + at));
    const executor all = check_list(list);
    CHECK(all.rounds() == 1);
    CHECK(all.launches() == 2 * wanted);
    const std::string problems = std::to_string(places.size()) + " problems, " + std::to_string(2 * wanted);
    describes(all, problems + (wanted == 1 ? " launches (evenly spaced)"
                                           : " launches (not evenly spaced: " + std::to_string(wanted) + " runs)"));
  };
  runs_of({0, 12}, 1);                  // neighbours
  runs_of({0, 40}, 2);                  // a distance by chance
  runs_of({0, 40, 80}, 1);              // no chance
  runs_of({0, 100, 130, 160, 190}, 2);  // one, and four
  runs_of({0, 12, 24, 100, 112, 124, 300}, 3);
  runs_of({0, 13, 31, 64, 111}, 5);
  updates list(4000);  // of X alone
  for (const index_t i : {0, 1, 3, 7}) list.add(update_by(list), state(list, 100 + i * 12), state(list, 900 - i * 12));
  CHECK(check_list(list).launches() == 2 * 4);
}

TEST_CASE("batches of updates and single ones are one batch where they lie so", "[executor][chain]") {
  updates list(4000);
  list.add(update_by(list), states(list, 112, 3, 12), states(list, 1014, 3, 14));
  list.add(update_by(list), state(list, 100), state(list, 1000));
  list.add(update_by(list), states(list, 148, 5, 12), states(list, 1056, 5, 14));
  list.add(update_by(list), states(list, 300, 5, 12), states(list, 1300, 5, 14));
  const executor all = check_list(list);
  CHECK(all.launches() == 2 * 2);
  describes(all, "14 problems, 4 launches (not evenly spaced: 2 runs)");
}

TEST_CASE("updates of interleaved batches and of groups run on their own", "[executor][chain]") {
  updates list(4000);
  list.add(update_by(list), states(list, 100, 6, 48, 4), states(list, 1000, 6, 48, 4));
  list.add(update_by(list), states(list, 300, 6, 48, 4), states(list, 1300, 6, 48, 4));
  const executor all = check_list(list);
  CHECK(all.shapes() == 1);
  CHECK(all.launches() == 2 * 2);

  updates of_groups(1000);
  for (const index_t at : {200, 160, 290})
    of_groups.add(update_by(of_groups), state(of_groups, at), state(of_groups, at + 400));
  std::vector<double> memory = of_groups.memory();
  double *const X[] = {&memory[200], &memory[160], &memory[290]}, *const Y[] = {&memory[600], &memory[560],
                                                                                &memory[690]};
  std::vector<chain_step> steps = of_groups.over(memory.data()).front().steps;
  const executor one({make_item(steps, view_group(X, of_size(3, 4), 3), view_group(Y, of_size(3, 4), 3))});
  one.run();
  CHECK(memory == of_groups.after());
  CHECK(one.launches() == 2);
}

TEST_CASE("steps with batches of their own are not put together", "[executor][chain]") {
  updates list(4000);
  operand D = states(list, 2000, 4, 12);
  const auto steps = [&](index_t at) {
    D = states(list, at, 4, 12);
    std::vector<chain_step> all = update_by(list);
    all.push_back({contraction("pr,pr->pr"), {D}});
    return all;
  };
  list.add(steps(2000), states(list, 100, 4, 12), states(list, 1000, 4, 12));
  list.add(steps(2000), states(list, 148, 4, 12), states(list, 1048, 4, 12));
  list.add(steps(2048), states(list, 196, 4, 12), states(list, 1096, 4, 12));
  const executor all = check_list(list);
  CHECK(all.shapes() == 2);
  CHECK(all.launches() == 3 * 3);
  describes(all, "8 problems, 6 launches (steps have batches of their own: 2 runs)");
}

TEST_CASE("updates in place, added, and between each other", "[executor][chain]") {
  updates list(4000);
  for (index_t i = 0; i < 5; ++i) {
    list.add(update_by(list, assign), state(list, 100 + i * 12), state(list, 100 + i * 12));
    list.add(update_by(list, add), state(list, 400 + i * 24), state(list, 412 + i * 24));
    list.add(update_by(list).front().what,
             {list.tensor(0, {3, 3}), state(list, 800 + i * 12), state(list, 900 + i * 12)});
    list.add({update_by(list).front()}, state(list, 1000 + i * 12), state(list, 1100 + i * 12));
  }
  const executor all = check_list(list);
  CHECK(all.shapes() == 4);
  CHECK(all.rounds() == 1);
  CHECK(all.launches() == 2 + 2 + 1 + 1);
}

TEST_CASE("chains wait for what they read and for what reads it", "[executor][chain]") {
  updates list(4000);
  const operand M = list.tensor(9, {4, 4}), from = list.tensor(50, {4, 4});
  for (index_t i = 0; i < 4; ++i) list.add(update_by(list), state(list, 100 + i * 12), state(list, 300 + i * 12));
  for (index_t i = 0; i < 4; ++i) list.add(update_by(list), state(list, 300 + i * 12), state(list, 500 + i * 12));
  list.add(contraction("ab,bc->ac"), {from, from, M});  // M of a chain is written after it was read, in round 3
  for (index_t i = 0; i < 4; ++i) list.add(update_by(list), state(list, 500 + i * 12), state(list, 700 + i * 12));
  list.add(contraction("pc,c->p"), {state(list, 700), list.tensor(1010, {4}), list.tensor(1000, {3})});
  const executor all = check_list(list);
  CHECK(all.rounds() == 5);
  CHECK(all.launches() == 2 + 2 + 1 + 2 + 1);
  describes(all, "round 4: \"pq,qc->pc\", \"cr,pc->pr\" over 3x4 -> 3x4: 4 problems, 2 launches (evenly spaced)");
}

TEST_CASE("chains of no entries and of empty batches are no runs", "[executor][chain]") {
  updates list(1000);
  list.add(update_by(list), states(list, 100, 0, 12), states(list, 200, 0, 12));
  list.add(update_by(list, assign, 9, 0), state(list, 100, 0), state(list, 200, 0));
  const executor all = check_list(list);
  CHECK(all.shapes() == 2);
  CHECK(all.launches() == 0);
}

TEST_CASE("make_item of a chain takes what a chain takes", "[executor][chain]") {
  auto G = make_tensor<double>(of_size(2, 2)), M = make_tensor<double>(of_size(3, 3));
  auto X = make_batch<double>(of_size(2, 3), 4), Y = make_batch<double>(of_size(2, 3), 4);
  std::fill(G.begin(), G.end(), 1.0);
  std::fill(M.begin(), M.end(), 2.0);
  std::fill(X.begin(), X.end(), 3.0);
  const executor all(
      {make_item({{contraction("pq,qc->pc"), {operand_of(G)}}, {contraction("cr,pc->pr"), {operand_of(M)}}}, X, Y)});
  all.run();
  CHECK(std::all_of(Y.begin(), Y.end(), [](double y) { return y == 36; }));
  check_failure(status::invalid_argument, {"make_item", "0 steps", "2x3"},
                [&] { make_item(std::vector<chain_step>{}, X, Y); });
}

TEST_CASE("what an executor refuses of a chain names the item", "[executor][chain][errors]") {
  updates list(2000);
  const executor_item good{contraction("cr,pc->pr"), {state(list, 100), state(list, 200)}, update_by(list)};
  const auto with = [&](auto change) {
    executor_item bad = good;
    change(bad);
    executor({good, good, bad});
  };
  using item = executor_item;
  check_failure(status::shape_mismatch, {"executor: item 2", "\"cr,pc->pr\"", "3x5", "'c'"},
                [&] { with([&](item& i) { i.operands[0] = state(list, 300, 5); }); });
  check_failure(status::invalid_argument, {"executor: item 2", "3 operands given"},
                [&] { with([&](item& i) { i.operands.push_back(i.operands[0]); }); });
  check_failure(status::invalid_argument, {"executor: item 2", "0 inputs besides the chained one, it needs 1"},
                [&] { with([&](item& i) { i.steps[1].inputs.clear(); }); });
  check_failure(status::null_pointer, {"executor: item 2", "the input", "3x4"},
                [&] { with([&](item& i) { i.operands[0].data = nullptr; }); });
  check_failure(status::null_pointer, {"executor: item 2", "step \"cr,pc->pr\""},
                [&] { with([&](item& i) { i.steps[1].inputs[0].data = nullptr; }); });
  check_failure(status::overlap, {"executor: item 2", "overlaps the input"},
                [&] { with([&](item& i) { i.operands[1] = state(list, 103); }); });
  check_failure(status::overlap, {"executor: item 2", "overlaps an input of step \"pq,qc->pc\""},
                [&] { with([&](item& i) { i.operands[1] = state(list, 0); }); });
  check_failure(status::invalid_argument, {"executor: item 2", "const"},
                [&] { with([&](item& i) { i.operands[1].writable = false; }); });
  check_failure(status::shape_mismatch, {"executor: item 2", "different counts"}, [&] {
    with([&](item& i) { i.operands = {states(list, 100, 4, 12), states(list, 300, 5, 12)}; });
  });
  check_failure(status::wrong_type, {"executor: item 2", "f32"},
                [&] { with([&](item& i) { i.operands[0].type = scalar_type::f32, i.operands[0].entry_bytes = 4; }); });
  check_failure(status::overlap, {"executor: item 2", "overlap"}, [&] {
    with([&](item& i) {
      i.steps.pop_back();  // a single step
      i.operands[1] = state(list, 103);
    });
  });
}
