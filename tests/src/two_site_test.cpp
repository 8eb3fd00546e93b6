// SPDX-License-Identifier: BSD-3-Clause
// Two-site updates of tensor networks and sums of operators: at once, in stages, as networks, chains and lists, against
// plain loops on integers.
#include <tessera/batch.hpp>
#include <tessera/chain.hpp>
#include <tessera/executor.hpp>
#include <tessera/network.hpp>

#include <algorithm>
#include <vector>

#include "testing/catch.hpp"
#include "testing/targets.hpp"
#include "testing/two_site_case.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Operands over a case's arrays, and a result that was something else before.
template <class T>
struct two_site_update {
  two_site_arrays<T> data;
  two_site_texts text;
  std::vector<T> Y, between;

  two_site_update(const two_site_sizes& sizes, const two_site_texts& texts)
      : data(sizes, texts.last_is_nearest), text(texts), Y(data.X.size(), T(77)), between(data.X.size(), T(-77)) {}

  operand G() { return operand_of(view(data.G.data(), of_size(data.sizes.dp, data.sizes.dp))); }
  operand M() { return operand_of(view(data.M.data(), of_size(data.sizes.chi, data.sizes.chi))); }
  operand over(std::vector<T>& memory) {
    const std::vector<index_t> e = data.extents();
    return operand_of(view_batch(memory.data(), of_size(e[0], e[1]), data.sizes.count));
  }
  operand in() { return over(data.X); }
  operand out() { return over(Y); }
  operand stage() { return over(between); }

  void check(const std::vector<T>& wanted) {
    CHECK(Y == wanted);
    std::fill(Y.begin(), Y.end(), T(77));
  }
};

void run_plan(const char* text, const std::vector<operand>& operands, target where) {
  make_plan_of(contraction(text), operands.data(), int(operands.size()), on(where))
      .run_operands(operands.data(), int(operands.size()), stream_view{});
}

std::vector<chain_step> steps_of(const two_site_texts& text, const operand& G, const operand& M,
                                 const scaling& last = assign) {
  return {{contraction(text.first), {G}}, {contraction(text.second, last), {M}}};
}

template <class T>
void check_ways(const two_site_sizes& sizes, const two_site_texts& text) {
  two_site_update<T> u(sizes, text);
  const std::vector<T> wanted = u.data.by_loops();
  for (const target where : cpu_targets()) {
    INFO(name_of(where) << ", dp " << sizes.dp << ", chi " << sizes.chi << ", " << sizes.count << " of them, "
                        << text.direct);
    run_plan(text.direct, {u.G(), u.in(), u.M(), u.out()}, where);
    u.check(wanted);
    run_plan(text.first, {u.G(), u.in(), u.stage()}, where);
    run_plan(text.second, {u.M(), u.stage(), u.out()}, where);
    u.check(wanted);
    const std::vector<operand> all{u.G(), u.in(), u.M(), u.out()};
    make_network_of(text.direct, all.data(), 4, {.plans = on(where)}).run_operands(all.data(), 4, stream_view{});
    u.check(wanted);
    const chain both(steps_of(text, u.G(), u.M()), u.in(), u.out(), on(where));
    buffer workspace(space_kind::cpu, both.workspace_bytes(sizes.count));
    both.run(u.in(), u.out(), workspace);
    u.check(wanted);
    // Added to what is there: 77.
    const chain adds(steps_of(text, u.G(), u.M(), add), u.in(), u.out(), on(where));
    adds.run(u.in(), u.out(), workspace);
    for (T& y : u.Y) y -= T(77);
    u.check(wanted);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("two-site updates are their sum, however they are computed", "[two_site]", double, float) {
  for (const two_site_texts& text : two_site_orders) {
    for (const index_t dp : {2, 3, 4, 8, 16}) check_ways<TestType>({dp, 7, 5}, text);
    check_ways<TestType>({32, 16, 3}, text);
    check_ways<TestType>({4, 24, 1}, text);
    check_ways<TestType>({4, 1, 9}, text);
    check_ways<TestType>({4, 8, 201}, text);
  }
}

TEST_CASE("a G and an M for each entry of the batch", "[two_site]") {
  const index_t dp = 4, chi = 6, count = 7;
  auto G = make_batch<double>(of_size(dp, dp), count), M = make_batch<double>(of_size(chi, chi), count);
  auto X = make_batch<double>(of_size(dp, chi), count), Y = make_batch<double>(of_size(dp, chi), count);
  fill_integers(G.view(), 1);
  fill_integers(M.view(), 2);
  fill_integers(X.view(), 3);
  const chain both(steps_of(two_site_orders[0], operand_of(G), operand_of(M)), operand_of(X), operand_of(Y));
  buffer workspace(space_kind::cpu, both.workspace_bytes(count));
  both.run(X, Y, workspace);
  for (index_t b = 0; b < count; ++b)
    for (index_t p = 0; p < dp; ++p)
      for (index_t r = 0; r < chi; ++r) {
        double sum = 0;
        for (index_t q = 0; q < dp; ++q)
          for (index_t c = 0; c < chi; ++c) sum += G(b)(p, q) * X(b)(q, c) * M(b)(c, r);
        REQUIRE(Y(b)(p, r) == sum);
      }
}

TEST_CASE("the terms of a two-site update are those of the paper", "[two_site]") {
  // A multiplication and an addition a term in stages, two multiplications and an addition in one loop nest.
  struct counted {
    two_site_sizes sizes;
    double direct, ordered;
  };
  for (const counted& of : {counted{{16, 256, 1}, 16777216, 1114112}, counted{{32, 64, 4}, 16777216, 786432}}) {
    two_site_update<double> u(of.sizes, two_site_orders[1]);
    const std::vector<operand> all{u.G(), u.in(), u.M(), u.out()};
    const network made = make_network_of(u.text.direct, all.data(), 4);
    CHECK(made.flops() == 2 * of.ordered);
    CHECK(made.flops_of_one_loop() == 3 * of.direct);
  }
  index_t terms = 0;
  const two_site_arrays<double> small({4, 9, 3}, true);
  small.by_loops(&terms);
  CHECK(terms == 3 * 4 * 4 * 9 * 9);
}

TEST_CASE("lists of two-site updates run once for each shape and stage", "[two_site]") {
  // Bonds and states of a site differ; G and M are stored once for each.
  std::vector<two_site_update<double>> updates;
  for (const index_t dp : {4, 9})
    for (const index_t chi : {5, 8, 12}) updates.emplace_back(two_site_sizes{dp, chi, 4}, two_site_orders[1]);
  std::vector<executor_item> stages, direct;
  for (two_site_update<double>& u : updates)
    for (index_t b = 0; b < u.data.sizes.count; ++b) {
      const operand X = slice(u.in(), b, 1), T = slice(u.stage(), b, 1), Y = slice(u.out(), b, 1);
      stages.push_back({contraction(u.text.first), {u.G(), X, T}});
      stages.push_back({contraction(u.text.second), {u.M(), T, Y}});
      direct.push_back({contraction(u.text.direct), {u.G(), X, u.M(), Y}});
    }
  const executor in_stages(stages), at_once(direct);
  CHECK(in_stages.shapes() == 12);
  CHECK(in_stages.rounds() == 2);
  CHECK(in_stages.launches() == 12);
  CHECK(at_once.shapes() == 6);
  CHECK(at_once.rounds() == 1);
  CHECK(at_once.launches() == 6);
  for (const executor* list : {&in_stages, &at_once}) {
    list->run();
    for (two_site_update<double>& u : updates) u.check(u.data.by_loops());
  }
}

namespace {

// Operands over a sum's arrays, and a result that was something else before.
struct summed_update : summed_update_arrays {
  std::vector<double> Y = std::vector<double>(X.size(), 77.0);

  operand stacked_G() { return operand_of(view(G.data(), of_size(dp, dp, terms))); }
  operand stacked_M() { return operand_of(view(M.data(), of_size(chi, chi, terms))); }
  operand G_of(index_t k) { return operand_of(view(G.data() + k * dp * dp, of_size(dp, dp))); }
  operand M_of(index_t k) { return operand_of(view(M.data() + k * chi * chi, of_size(chi, chi))); }
  operand in() { return operand_of(view_batch(X.data(), of_size(dp, chi), count)); }
  operand out() { return operand_of(view_batch(Y.data(), of_size(dp, chi), count)); }

  void check(double before = 0) {
    for (double& y : Y) y -= before;
    CHECK(Y == by_loops());
    std::fill(Y.begin(), Y.end(), 77.0);
  }
};

}  // namespace

TEST_CASE("sums of operators need no operator of all terms", "[two_site]") {
  summed_update u;
  const std::vector<operand> all{u.stacked_G(), u.in(), u.stacked_M(), u.out()};
  const network by_pairs = make_network_of("pqk,qc,crk->pr", all.data(), 4);
  by_pairs.run_operands(all.data(), 4, stream_view{});
  u.check();
  // The whole operator has (dp chi)^2 entries. What is made instead: a result for each term and entry of the batch.
  CHECK(by_pairs.workspace_bytes() <= std::size_t(u.dp * u.chi * u.terms * u.count) * sizeof(double));
  const network in_one_sum = make_network_of("pqk,qc,crk->pr", all.data(), 4, {.scale = add});
  in_one_sum.run_operands(all.data(), 4, stream_view{});
  u.check(77);

  const chain stacked({{contraction("pqk,qc->pck"), {u.stacked_G()}}, {contraction("crk,pck->pr"), {u.stacked_M()}}},
                      u.in(), u.out());
  buffer workspace(space_kind::cpu, stacked.workspace_bytes(u.count));
  stacked.run(u.in(), u.out(), workspace);
  u.check();

  for (index_t k = 0; k < u.terms; ++k) {
    const chain term(steps_of(two_site_orders[0], u.G_of(k), u.M_of(k), add), u.in(), u.out());
    term.run(u.in(), u.out(), workspace);
  }
  u.check(77);
}

TEST_CASE("a list of terms adds to one result in order", "[two_site]") {
  summed_update u;
  std::vector<double> T(u.X.size() * std::size_t(u.terms));
  std::vector<executor_item> items;
  for (index_t k = 0; k < u.terms; ++k) {
    const operand stage = operand_of(view_batch(T.data() + k * index_t(u.X.size()), of_size(u.dp, u.chi), u.count));
    items.push_back({contraction("pq,qc->pc"), {u.G_of(k), u.in(), stage}});
    items.push_back({contraction("pc,cr->pr", add), {stage, u.M_of(k), u.out()}});
  }
  const executor all(items);
  // All first stages at once, then one term after the other.
  CHECK(all.shapes() == 2);
  CHECK(all.rounds() == 1 + u.terms);
  CHECK(all.launches() == 1 + u.terms);
  all.run();
  u.check(77);
}

TEST_CASE("a sum of operators of neighbours on a vector of all spins", "[two_site]") {
  const int sites = 9;
  const index_t size = index_t{1} << sites;
  std::vector<double> x = small_integers<double>(size, 7), y(x.size(), 0.0), wanted(x.size(), 0.0);
  auto h = make_tensor<double>(of_size(4, 4));
  h(0, 0) = h(3, 3) = 0.25;
  h(1, 1) = h(2, 2) = -0.25;
  h(1, 2) = h(2, 1) = 0.5;
  for (int i = 0; i + 1 < sites; ++i) {
    const auto seen = of_size(index_t{1} << i, 4, index_t{1} << (sites - 2 - i));
    const auto in = view(x.data(), seen), out = view(y.data(), seen);
    make_plan(contraction("pq,lqr->lpr", add), h, in, out).run(h, in, out);
    // S.S exchanges two spins, times 1/2, minus 1/4.
    for (index_t state = 0; state < size; ++state) {
      const index_t pair = index_t{3} << i, spins = state & pair;
      const index_t exchanged = spins == 0 || spins == pair ? state : state ^ pair;
      wanted[std::size_t(exchanged)] += 0.5 * x[std::size_t(state)];
      wanted[std::size_t(state)] -= 0.25 * x[std::size_t(state)];
    }
  }
  CHECK(y == wanted);
}
