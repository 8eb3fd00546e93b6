// SPDX-License-Identifier: BSD-3-Clause
// Chains on exact integers: strategies of Table 1 agree entry for entry; blocks, workspaces, and what is refused.
#include <tessera/batch.hpp>
#include <tessera/chain.hpp>
#include <tessera/copy.hpp>

#include <algorithm>

#include "core/table1_rows.hpp"

#include "testing/definition.hpp"
#include "testing/failure.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;
using table1::d1, table1::d2, table1::d3, table1::q1, table1::q2, table1::q3;

namespace {

// Unequal along every axis. Small integers, so that double is exact.
struct element_data {
  explicit element_data(index_t count)
      : D(make_batch<double>(of_size(q1, q2, q3), count)), V(make_batch<double>(of_size(d1, d2, d3), count)) {
    fill_integers(B1.view(), 1);
    fill_integers(B2.view(), 2);
    fill_integers(B3.view(), 3);
    fill_integers(D.view(), 4);
    fill_integers(V.view(), 5);
  }
  tensor<double, cpu, extents<dynamic, dynamic>> B1 = make_tensor<double>(of_size(q1, d1));
  tensor<double, cpu, extents<dynamic, dynamic>> B2 = make_tensor<double>(of_size(q2, d2));
  tensor<double, cpu, extents<dynamic, dynamic>> B3 = make_tensor<double>(of_size(q3, d3));
  batch<double, cpu, extents<dynamic, dynamic, dynamic>> D, V;

  // (4a)-(4f) with D in the middle.
  std::vector<chain_step> evaluation() {
    const operand b1 = operand_of(B1), b2 = operand_of(B2), b3 = operand_of(B3), d = operand_of(D);
    return {{contraction("kj,abj->abk"), {b3}}, {contraction("kj,ajc->akc"), {b2}}, {contraction("kj,jbc->kbc"), {b1}},
            {contraction("abc,abc->abc"), {d}}, {contraction("ki,abk->abi"), {b3}}, {contraction("ki,akc->aic"), {b2}},
            {contraction("ki,kbc->ibc"), {b1}}};
  }
  // (2a)-(2c)
  std::vector<chain_step> assembly() {
    const operand b1 = operand_of(B1), b2 = operand_of(B2), b3 = operand_of(B3);
    return {{contraction("ki,kj,klm->ilmj"), {b1, b1}},
            {contraction("ki,kj,akmb->aimbj"), {b2, b2}},
            {contraction("ki,kj,abkcd->abicdj"), {b3, b3}}};
  }
  // The matrix of all basis functions in all points, (q1 q2 q3) x (d1 d2 d3).
  tensor<double, cpu, extents<dynamic, dynamic>> dense() {
    auto B = make_tensor<double>(of_size(q1 * q2 * q3, d1 * d2 * d3));
    for (index_t q = 0; q < q1 * q2 * q3; ++q)
      for (index_t d = 0; d < d1 * d2 * d3; ++d)
        B(q, d) = B1(q % q1, d % d1) * B2(q / q1 % q2, d / d1 % d2) * B3(q / (q1 * q2), d / (d1 * d2));
    return B;
  }
};

template <class In, class Out>
void run_chain(std::vector<chain_step> steps, In& in, Out& out, target where) {
  const chain c(std::move(steps), operand_of(in), operand_of(out), on(where));
  buffer workspace(space_kind::cpu, c.workspace_bytes(out.count()));
  c.run(in, out, workspace);
}

}  // namespace

TEST_CASE("full, decomposed, near-optimal assembly and evaluation give the same U", "[chain]") {
  const index_t count = 5, nd = d1 * d2 * d3, nq = q1 * q2 * q3;
  element_data e(count);
  auto U = make_batch<double>(of_size(d1, d2, d3), count), other = make_batch<double>(of_size(d1, d2, d3), count);
  auto M = make_batch<double>(of_size(d1, d2, d3, d1, d2, d3), count);
  const auto B = e.dense();
  for (target where : cpu_targets()) {
    INFO(name_of(where));
    run_chain(e.evaluation(), e.V, U, where);
    CHECK(std::any_of(U.begin(), U.end(), [](double u) { return u != 0; }));

    // Near-optimal assembly, then M V, all three letters summed at once.
    run_chain(e.assembly(), e.D, M, where);
    make_plan(contraction("abcdef,def->abc"), M, e.V, other, on(where)).run(M, e.V, other);
    CHECK(read(other.view()).value == read(U.view()).value);

    // Full assembly with the dense matrix: M = B^T D B.
    const auto full = make_batch<double>(of_size(nd, 1, nd), count);
    const auto d = view_batch(e.D.data(), of_size(nq, 1), count);
    const auto m = view_batch(const_cast<double*>(full.data()), of_size(nd, 1, nd), count);
    make_plan(contraction("ki,kj,kl->ilj"), B, B, d, m, on(where)).run(B, B, d, m);
    CHECK(std::equal(full.begin(), full.end(), M.begin()));

    // Decomposed evaluation: B, D, B^T one after the other.
    auto at_points = make_batch<double>(of_size(nq), count);
    const auto v = view_batch(e.V.data(), of_size(nd), count), u = view_batch(other.data(), of_size(nd), count);
    const auto weights = view_batch(e.D.data(), of_size(nq), count);
    make_plan(contraction("kj,j->k"), B, v, at_points, on(where)).run(B, v, at_points);
    make_plan(contraction("k,k->k"), weights, at_points, at_points, on(where)).run(weights, at_points, at_points);
    make_plan(contraction("ki,k->i"), B, at_points, u, on(where)).run(B, at_points, u);
    CHECK(read(other.view()).value == read(U.view()).value);
  }
}

TEST_CASE("a chain over many blocks is a chain over one", "[chain]") {
  // Intermediates of 30 entries: a block is 128 KiB / 480 bytes, 273 entries.
  const index_t count = 20011;
  element_data e(count);
  auto U = make_batch<double>(of_size(d1, d2, d3), count);
  const chain c(e.evaluation(), operand_of(e.V), operand_of(U), plan_options{.threads = 1});
  CHECK(c.workspace_bytes(count) == c.workspace_bytes(100 * count));
  CHECK(c.workspace_bytes(10) < c.workspace_bytes(count));
  buffer workspace(space_kind::cpu, c.workspace_bytes(count));
  c.run(e.V, U, workspace);
  for (index_t b : {index_t{0}, index_t{272}, index_t{273}, index_t{12345}, count - 1}) {
    auto one = make_batch<double>(of_size(d1, d2, d3), 1);
    std::vector<chain_step> steps = e.evaluation();
    steps[3].inputs[0] = slice(operand_of(e.D), b, 1);
    const operand v = slice(operand_of(e.V), b, 1);
    const chain alone(steps, v, operand_of(one));
    alone.run(v, one, workspace);
    CHECK(std::equal(one.begin(), one.end(), U(b).data()));
  }
}

TEST_CASE("a chain's blocks are the same on any number of threads", "[chain]") {
  const index_t count = 2011;
  element_data e(count);
  auto one = make_batch<double>(of_size(d1, d2, d3), count), several = make_batch<double>(of_size(d1, d2, d3), count);
  const chain serial(e.evaluation(), operand_of(e.V), operand_of(one), plan_options{.threads = 1});
  buffer workspace(space_kind::cpu, serial.workspace_bytes(count));
  serial.run(e.V, one, workspace);
  for (const int threads : {2, 3, 7, 100}) {
    const chain c(e.evaluation(), operand_of(e.V), operand_of(several), plan_options{.threads = threads});
    CHECK(c.workspace_bytes(count) > serial.workspace_bytes(count));
    CHECK(c.workspace_bytes(3) == serial.workspace_bytes(3));
    buffer for_all(space_kind::cpu, c.workspace_bytes(count));
    c.run(e.V, several, for_all);
    CHECK(std::equal(one.begin(), one.end(), several.begin()));
  }
}

TEST_CASE("a chain over interleaved batches of any width", "[chain]") {
  const index_t count = 20011;
  element_data e(count);
  auto U = make_batch<double>(of_size(d1, d2, d3), count);
  auto V3 = make_batch<double>(interleave<3>(of_size(d1, d2, d3)), count);
  auto U6 = make_batch<double>(interleave<6>(of_size(d1, d2, d3)), count);
  copy(e.V, V3);
  run_chain(e.evaluation(), e.V, U, default_cpu_target());
  run_chain(e.evaluation(), V3, U6, default_cpu_target());
  CHECK(read(U6.view()).value == read(U.view()).value);
}

TEST_CASE("a chain may end where it began", "[chain]") {
  element_data e(7);
  auto U = make_batch<double>(of_size(d1, d2, d3), 7);
  run_chain(e.evaluation(), e.V, U, default_cpu_target());
  run_chain(e.evaluation(), e.V, e.V, default_cpu_target());
  CHECK(read(e.V.view()).value == read(U.view()).value);
}

TEST_CASE("a chain over an empty batch needs nothing", "[chain]") {
  element_data e(0);
  auto U = make_batch<double>(of_size(d1, d2, d3), 0);
  const chain c(e.evaluation(), operand_of(e.V), operand_of(U));
  CHECK(c.workspace_bytes(0) == 0);
  buffer none;
  c.run(e.V, U, none);
}

TEST_CASE("a chain describes every step", "[chain]") {
  element_data e(2);
  auto U = make_batch<double>(of_size(d1, d2, d3), 2);
  const std::string text = chain(e.evaluation(), operand_of(e.V), operand_of(U)).describe();
  for (const chain_step& step : e.evaluation()) CHECK(text.find(step.what.text()) != std::string::npos);
  CHECK(text.find("(8b)") != std::string::npos);
  CHECK(text.find("(pointwise)") != std::string::npos);
}

TEST_CASE("a brief description of a chain names each kernel once", "[chain]") {
  element_data e(2);
  auto U = make_batch<double>(of_size(d1, d2, d3), 2);
  const chain c(e.evaluation(), operand_of(e.V), operand_of(U));
  const std::string brief = c.describe(detail_level::brief), full = c.describe();
  INFO(brief);
  CHECK(brief.find('\n') == std::string::npos);
  CHECK(brief.starts_with("staged, " + std::to_string(e.evaluation().size()) + " steps; "));
  const std::size_t at = brief.find("pointwise f64");
  REQUIRE(at != std::string::npos);
  CHECK(brief.find("pointwise f64", at + 1) == std::string::npos);
}

TEST_CASE("sizes of a whole batch are looked at before the first block of a chain runs", "[chain][errors]") {
  const index_t count = 6;
  element_data e(count);
  auto U = make_batch<double>(of_size(d1, d2, d3), count);
  std::fill(U.begin(), U.end(), -99.0);
  const chain c(e.evaluation(), operand_of(e.V), operand_of(U));
  buffer workspace(space_kind::cpu, c.workspace_bytes(count));
  operand far_apart = operand_of(e.V), far_results = operand_of(U);
  far_apart.stride = far_results.stride = index_t{1} << 59;
  check_failure(status::overflow, {"chain", "2x3x4", "stride 576460752303423488"},
                [&] { c.run(far_apart, U, workspace); });
  check_failure(status::overflow, {"chain", "2x3x4", "63 bits"}, [&] { c.run(e.V, far_results, workspace); });
  CHECK(std::all_of(U.begin(), U.end(), [](double x) { return x == -99; }));
  // Widths of interleaving without a common multiple that could be counted.
  operand wide = operand_of(e.V), wider = operand_of(U);
  wide.lanes = (index_t{1} << 40) + 1, wider.lanes = index_t{1} << 40;
  for (int d = 0; d < 3; ++d) wide.facts.stride[d] *= wide.lanes, wider.facts.stride[d] *= wider.lanes;
  check_failure(status::overflow, {"chain", "2x3x4", "no common multiple"},
                [&] { chain(e.evaluation(), wide, wider); });
}

TEST_CASE("what a chain refuses", "[chain][errors]") {
  const index_t count = 6;
  element_data e(count);
  auto U = make_batch<double>(of_size(d1, d2, d3), count);
  std::fill(U.begin(), U.end(), -99.0);
  const operand v = operand_of(e.V), u = operand_of(U);
  check_failure(status::invalid_argument, {"chain", "0 steps"}, [&] { chain({}, v, u); });
  check_failure(status::invalid_argument, {"chain", "kj,abj->abk", "0 inputs"}, [&] {
    chain({{contraction("kj,abj->abk"), {}}}, v, u);
  });
  // The second table given to the third step: named with the extents that the chain has reached by then.
  check_failure(status::shape_mismatch, {"\"kj,jbc->kbc\"", "2x3, 2x2x5", "'j'"}, [&] {
    std::vector<chain_step> steps = e.evaluation();
    steps[2].inputs[0] = operand_of(e.B2);
    chain(steps, v, u);
  });
  // What an intermediate held before belongs to another block.
  check_failure(status::invalid_argument, {"chain", "kj,ajc->akc", "last step"}, [&] {
    std::vector<chain_step> steps = e.evaluation();
    steps[1].what = contraction("kj,ajc->akc", add);
    chain(steps, v, u);
  });

  const chain c(e.evaluation(), v, u);
  buffer workspace(space_kind::cpu, c.workspace_bytes(count)), small(space_kind::cpu, c.workspace_bytes(count) - 1);
  check_failure(status::invalid_argument, {"chain", "workspace", "needed for 6", "2x3x4"},
                [&] { c.run(e.V, U, small); });
  auto fewer = make_batch<double>(of_size(d1, d2, d3), count - 1);
  check_failure(status::shape_mismatch, {"chain", "batch of 5", "batch of 6"}, [&] { c.run(fewer, U, workspace); });
  check_failure(status::shape_mismatch, {"chain", "abc,abc->abc", "batch of 6", "batch of 5"},
                [&] { c.run(fewer, fewer, workspace); });
  const auto shifted = view_batch(e.V.data() + 1, of_size(d1, d2, d3), count);
  check_failure(status::overlap, {"chain", "overlaps", "2x3x4"}, [&] { c.run(shifted, e.V, workspace); });
  const auto over_d = view_batch(e.D.data(), of_size(d1, d2, d3), count);
  check_failure(status::overlap, {"chain", "overlaps", "abc,abc->abc"}, [&] { c.run(e.V, over_d, workspace); });
  CHECK(std::all_of(U.begin(), U.end(), [](double x) { return x == -99; }));
}

TEST_CASE("an intermediate of more entries than 63 bits count is refused", "[chain][errors]") {
  const index_t n = index_t(1) << 40;
  double first = 0;
  const operand vector = operand_of(view(&first, of_size(n)));
  check_failure(status::overflow, {"1099511627776x1099511627776"}, [&] {
    chain({{contraction("b,a->ab"), {vector}}, {contraction("b,ab->a"), {vector}}}, vector, vector);
  });
}
