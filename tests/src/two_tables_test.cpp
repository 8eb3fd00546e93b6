// SPDX-License-Identifier: BSD-3-Clause
// Chains of two tables: which are recognised, the general contraction that they become, and tiles for it.
#include <tessera/batch.hpp>
#include <tessera/detail/general_candidates.hpp>
#include <tessera/view.hpp>

#include <algorithm>
#include <vector>

#include "src/general/two_tables.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using tessera::detail::as_two_tables;
using tessera::detail::general_by;
using tessera::detail::general_candidate;
using tessera::detail::general_second;
using tessera::detail::rates_of_h200;
using tessera::detail::two_tables;
using tessera::detail::two_tables_attempt;

namespace {

// Nothing is read.
template <class T>
T* no_data(int which = 0) {
  static std::vector<T> memory(8);
  return memory.data() + which;
}

template <class T = double>
operand table(index_t rows, index_t columns) {
  return operand_of(view(no_data<T>(), of_size(rows, columns)));
}
template <class T = double>
operand matrices(index_t rows, index_t columns, index_t count, int which) {
  return operand_of(view_batch(no_data<T>(which), of_size(rows, columns), count));
}

// Arrays of C, as in the paper: Y[b][p][r] = sum over q, c of G[p][q] X[b][q][c] M[c][r].
template <class T = double>
two_tables_attempt update(index_t dp, index_t chi, index_t count, const scaling& last = assign) {
  return as_two_tables(
      {{contraction("qp,cq->cp"), {table<T>(dp, dp)}}, {contraction("rc,cp->rp", last), {table<T>(chi, chi)}}},
      matrices<T>(chi, dp, count, 1), matrices<T>(chi, dp, count, 2));
}

void check_digit(const general_digit& found, const general_digit& wanted) {
  CHECK(found.extent == wanted.extent);
  CHECK(found.left == wanted.left);
  CHECK(found.right == wanted.right);
  CHECK(found.out == wanted.out);
}

void check_two_tables(const two_tables& found, index_t dp, index_t chi, index_t count) {
  REQUIRE(found.form.rows.count == 1);
  REQUIRE(found.form.inner.count == 1);
  REQUIRE(found.form.cols.count == 2);
  CHECK(found.form.batch.count == 0);
  check_digit(found.form.rows.at[0], {chi, 1, 0, 1});
  check_digit(found.form.inner.at[0], {chi, chi, 1, 0});
  check_digit(found.form.cols.at[0], {dp, 0, chi, chi});
  check_digit(found.form.cols.at[1], {count, 0, dp * chi, dp * chi});
  CHECK(found.batch == 1);
  CHECK(found.kind.second == general_second{int(dp), 0, dp, 1});
}

std::string refusal_of_tables(const std::vector<chain_step>& steps, const operand& in, const operand& out) {
  return as_two_tables(steps, in, out).why_not;
}

}  // namespace

TEST_CASE("two tables: a two-site update is a product whose tiles a small matrix multiplies", "[two_tables]") {
  const two_tables_attempt found = update(16, 64, 8);
  REQUIRE(found.why_not.empty());
  check_two_tables(found.made, 16, 64, 8);
  CHECK(found.made.kind.by == general_by::mma_f64);
  CHECK_FALSE(found.made.kind.reads_out);
  CHECK(text_of(found.made.kind) == "f64 by tensor cores, times a matrix of 16x16");
  CHECK(update<float>(16, 64, 8).made.kind.by == general_by::fma);
  // Tiles of tensor cores are 8 wide: vectors of 12 would share them.
  CHECK(update(12, 64, 8).made.kind.by == general_by::fma);
  CHECK(update(24, 64, 8).made.kind.by == general_by::mma_f64);
  CHECK(is_for_tiles(found.made));
  CHECK_FALSE(is_for_tiles(update(16, 32, 8).made));
  CHECK(is_for_tiles(update(16, 33, 8).made));
}

TEST_CASE("two tables: the same digits, another one of which is the batch, are other kernels", "[two_tables]") {
  two_tables_attempt found = update(16, 64, 8);
  REQUIRE(found.why_not.empty());
  two_tables& first = found.made;
  first.form.cols.at[2] = first.form.cols.at[1];
  first.form.cols.count = 3;
  two_tables second = first;
  second.batch = 2;
  CHECK(two_tables_key(first, 8, 0) != two_tables_key(second, 8, 0));
  CHECK(two_tables_key(first, 8, 0) == two_tables_key(first, 8, 0));
}

TEST_CASE("two tables: either order of the steps is the same", "[two_tables]") {
  // The order of the paper's text, and results whose indices are in another order.
  const operand X = matrices(64, 16, 8, 1), Y = matrices(64, 16, 8, 2), turned = matrices(16, 64, 8, 2);
  const auto other =
      as_two_tables({{contraction("rc,cq->rq"), {table(64, 64)}}, {contraction("qp,rq->rp"), {table(16, 16)}}}, X, Y);
  REQUIRE(other.why_not.empty());
  check_two_tables(other.made, 16, 64, 8);
  const auto back_again =
      as_two_tables({{contraction("qp,cq->pc"), {table(16, 16)}}, {contraction("rc,pc->rp"), {table(64, 64)}}}, X, Y);
  REQUIRE(back_again.why_not.empty());
  check_two_tables(back_again.made, 16, 64, 8);
  // Tables transposed, and p nearest in the result.
  const auto across = as_two_tables(
      {{contraction("pq,cq->cp"), {table(16, 16)}}, {contraction("cr,cp->pr"), {table(64, 64)}}}, X, turned);
  REQUIRE(across.why_not.empty());
  check_digit(across.made.form.rows.at[0], {64, 64, 0, 16});
  check_digit(across.made.form.inner.at[0], {64, 1, 1, 0});
  check_digit(across.made.form.cols.at[0], {16, 0, 64, 1});
  CHECK(across.made.kind.second == general_second{16, 0, 1, 16});
}

TEST_CASE("two tables: factors, a table that is no square, dimensions that neither changes", "[two_tables]") {
  CHECK(update(16, 64, 8, {2, 3}).made.alpha == 2);
  CHECK(update(16, 64, 8, {2, 3}).made.beta == 3);
  CHECK(update(16, 64, 8, {2, 3}).made.kind.reads_out);
  const auto longer =
      as_two_tables({{contraction("qp,cq->cp"), {table(8, 8)}}, {contraction("rc,cp->rp"), {table(40, 64)}}},
                    matrices(64, 8, 8, 1), matrices(40, 8, 8, 2));
  REQUIRE(longer.why_not.empty());
  check_digit(longer.made.form.rows.at[0], {40, 1, 0, 1});
  check_digit(longer.made.form.inner.at[0], {64, 40, 1, 0});
  check_digit(longer.made.form.cols.at[0], {8, 0, 64, 40});
  const auto in = operand_of(view_batch(no_data<double>(1), of_size(64, 3, 8, 5), 7)),
             out = operand_of(view_batch(no_data<double>(2), of_size(64, 3, 8, 5), 7));
  const auto between = as_two_tables(
      {{contraction("rc,csqt->rsqt"), {table(64, 64)}}, {contraction("pq,rsqt->rspt"), {table(8, 8)}}}, in, out);
  REQUIRE(between.why_not.empty());
  REQUIRE(between.made.form.cols.count == 4);
  check_digit(between.made.form.cols.at[0], {3, 0, 64, 64});
  check_digit(between.made.form.cols.at[1], {8, 0, 192, 192});
  check_digit(between.made.form.cols.at[2], {5, 0, 1536, 1536});
  check_digit(between.made.form.cols.at[3], {7, 0, 7680, 7680});
  CHECK(between.made.kind.second.digit == 1);
  CHECK(between.made.batch == 3);
}

TEST_CASE("two tables: other chains are refused, with the reason", "[two_tables]") {
  const operand X = matrices(64, 16, 8, 1), Y = matrices(64, 16, 8, 2), G = table(16, 16), M = table(64, 64);
  const chain_step first{contraction("qp,cq->cp"), {G}}, last{contraction("rc,cp->rp"), {M}};
  CHECK(refusal_of_tables({first}, X, Y) == "it has not two steps");
  CHECK(refusal_of_tables({first, {contraction("qp,cq->cp"), {G}}}, X, Y) == "both tables are along one dimension");
  CHECK(refusal_of_tables({first, {contraction("rp,rp->rp"), {matrices(64, 16, 8, 3)}}}, X, Y) ==
        "a step is more than a table along one dimension");
  CHECK(refusal_of_tables({{contraction("qp,cq->cp"), {matrices(16, 16, 8, 3)}}, last}, X, Y) ==
        "a step is more than a table along one dimension");
  CHECK(refusal_of_tables({{contraction("qpk,cq->cpk"), {operand_of(view(no_data<double>(), of_size(16, 16, 3)))}},
                           {contraction("rck,cpk->rp"), {operand_of(view(no_data<double>(), of_size(64, 64, 3)))}}},
                          X, Y) == "a step is more than a table along one dimension");
  CHECK(refusal_of_tables({first, last}, X, matrices(64, 16, 8, 1)) == "its output is its input");
  CHECK(refusal_of_tables({{contraction("qp,cq->cp"), {table(48, 48)}}, last}, matrices(64, 48, 8, 1),
                          matrices(64, 48, 8, 2)) == "neither table is square, of 2 to 32 rows");
  CHECK(refusal_of_tables({{contraction("qp,cq->cp"), {table(16, 12)}}, last}, matrices(64, 16, 8, 1),
                          matrices(64, 12, 8, 2)) == "neither table is square, of 2 to 32 rows");
}

TEST_CASE("two tables: the smaller of two small ones is multiplied behind the sum", "[two_tables]") {
  const auto found =
      as_two_tables({{contraction("qp,cq->cp"), {table(32, 32)}}, {contraction("rc,cp->rp"), {table(8, 8)}}},
                    matrices(8, 32, 5, 1), matrices(8, 32, 5, 2));
  REQUIRE(found.why_not.empty());
  CHECK(found.made.kind.second == general_second{8, 0, 1, 8});
  check_digit(found.made.form.rows.at[0], {32, 32, 0, 8});
}

TEST_CASE("two tables: warps of every candidate have whole vectors", "[two_tables]") {
  const auto check_shape = [](const two_tables_attempt& found, index_t dp, index_t count) {
    REQUIRE(found.why_not.empty());
    const auto& kind = found.made.kind;
    const general_form form = form_for(found.made, count);
    const auto all = tessera::detail::candidates_of(form, rates_of_h200, kind);
    INFO(text_of(kind) << ", " << count << " of them");
    REQUIRE_FALSE(all.found.empty());
    const auto facts = facts_of(kind, rates_of_h200);
    for (const general_candidate& c : all.found) {
      INFO(text_of(c.tile, form));
      CHECK(c.tile.cols[0] == dp);
      CHECK(count % c.tile.cols[1] == 0);
      const auto work = work_of(c.tile, form, facts);
      const int warps = work.exchanged ? work.warps_down : work.warps_across,
                lines = (work.exchanged ? work.down() : work.across()) / warps;
      CHECK((warps == 1 || lines % int(dp) == 0));
      if (kind.by == general_by::mma_f64) CHECK_FALSE(c.tile.exchanged);
    }
  };
  for (const index_t dp : {2, 5, 8, 12, 16, 31, 32})
    for (const index_t count : {1, 7, 64}) {
      check_shape(update(dp, 64, count), dp, count);
      check_shape(update<float>(dp, 100, count), dp, count);
    }
}

TEST_CASE("two tables: the model counts what the matrix takes", "[two_tables]") {
  const two_tables of = update(32, 64, 256).made;
  const general_form form = form_for(of, 256);
  auto plain = of.kind;
  plain.second = {};
  const auto tile = tessera::detail::candidates_of(form, rates_of_h200, of.kind).found.front().tile;
  const auto with = cost_of(tile, form, rates_of_h200, of.kind), without = cost_of(tile, form, rates_of_h200, plain);
  // 32 products behind each 64, where each block has a whole sum; the rest is as before.
  CHECK(with.mma / without.mma == Approx(1 + 32. * tile.splits / 64));
  CHECK(with.dram == without.dram);
  const auto facts = facts_of(of.kind, rates_of_h200), plain_facts = facts_of(plain, rates_of_h200);
  const auto work = work_of(tile, form, facts);
  if (tile.splits == 1) CHECK(shared_bytes_of(work, facts) == shared_bytes_of(work, plain_facts) + 32 * (32 + 2) * 8);
  CHECK(registers_of(work, facts) == registers_of(work, plain_facts) + 32);
  // Many entries share what a block reads of the table.
  CHECK(tile.cols[1] > 1);
}
