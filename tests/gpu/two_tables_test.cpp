// SPDX-License-Identifier: BSD-3-Clause
// Chains of two tables by tiles: what is compiled for them, and, on a GPU, results on integers against plain loops.
#include <tessera/chain.hpp>
#include <tessera/detail/general_candidates.hpp>
#include <tessera/gpu/detail/general/general_source.hpp>

#include "chain_case.hpp"
#include "stack_of_code.hpp"
#include "testing/gpu.hpp"
#include "testing/jit.hpp"
#include "testing/skip.hpp"
#include "testing/two_site_case.hpp"

using namespace tessera;
using namespace tessera::testing;
using tessera::detail::general_by;
using tessera::detail::general_kind;
using tessera::detail::general_tile;
using tessera::detail::rates_of_h200;

namespace {

// Y[b][p][r] = sum over q, c of G[p][q] X[b][q][c] M[c][r], arrays of C, so many entries of the batch.
general_form tables_form(index_t dp, index_t chi, index_t count) {
  general_form form;
  form.rows = {1, {{chi, 1, 0, 1}}};
  form.inner = {1, {{chi, chi, 1, 0}}};
  form.cols = {2, {{dp, 0, chi, chi}, {count, 0, dp * chi, dp * chi}}};
  return form;
}
general_kind tables_kind(scalar_type type, general_by by, int dp) {
  return {.left = type, .right = type, .out = type, .sum = type, .by = by, .second = {dp, 0, dp, 1}};
}

void check_tables_compile(scalar_type type, general_by by, int dp, index_t chi, index_t count) {
  const general_form form = tables_form(dp, chi, count);
  const general_kind kind = tables_kind(type, by, dp);
  const auto all = tessera::detail::candidates_of(form, rates_of_h200, kind);
  REQUIRE_FALSE(all.found.empty());
  const general_tile& tile = all.found.front().tile;
  INFO(text_of(kind) << ", chi " << chi << ", " << count << " of them: " << text_of(tile, form));
  const device::general_code made = device::general_source(form, kind, tile);
  CHECK(made.shared_bytes <= rates_of_h200.shared_of_block);
  const jit_code code = device::compile_source(made.source, {}, 90);
  INFO(code.log);
  REQUIRE_FALSE(code.machine_code.empty());
  CHECK(code.log.find("warning") == std::string::npos);
  const std::optional<unsigned> frame = largest_frame(code.machine_code);
  REQUIRE(frame.has_value());
  CHECK(*frame <= 64);  // little is spilled
}

// Operands `gap` entries of the batch's memory apart, the first of them `shift` entries from where memory begins.
struct tables_placing {
  index_t gap = 0, shift = 0;
};

template <class T>
class tables_case {
 public:
  tables_case(const two_site_sizes& sizes, const two_site_texts& text, const tables_placing& at)
      : data_(sizes, text.last_is_nearest),
        text_(text),
        at_(at),
        G_(shifted(data_.G)),
        M_(shifted(data_.M)),
        X_(apart(data_.X, T(50))),
        Y_(apart(std::vector<T>(data_.X.size(), T(7)), T(50))) {}

  chain made(const scaling& last = assign) {
    return {{{contraction(text_.first), {table(G_, data_.sizes.dp)}},
             {contraction(text_.second, last), {table(M_, data_.sizes.chi)}}},
            batch(X_),
            batch(Y_)};
  }
  // With these tables, for the batches of another case.
  chain made_at(tables_case& other) {
    return {{{contraction(text_.first), {table(G_, data_.sizes.dp)}},
             {contraction(text_.second), {table(M_, data_.sizes.chi)}}},
            other.batch(other.X_),
            other.batch(other.Y_)};
  }
  void run(const chain& by, index_t count) {
    buffer workspace(space_kind::gpu, by.workspace_bytes(count));
    by.run_operands(batch(X_, count), batch(Y_, count), workspace, {});
  }
  // The first `count` entries of alpha G X M + beta 7, the rest as it was.
  void check(index_t count, T alpha, T beta) {
    std::vector<T> wanted = data_.by_loops();
    const std::size_t entry = std::size_t(data_.sizes.dp * data_.sizes.chi);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = i < std::size_t(count) * entry ? alpha * wanted[i] + beta * T(7) : T(7);
    CHECK(Y_.device.read() == apart(wanted, T(50)));
  }

 private:
  std::vector<T> shifted(std::vector<T> of) const {
    of.insert(of.begin(), std::size_t(at_.shift), T(99));
    return of;
  }
  std::vector<T> apart(const std::vector<T>& of, T between) const {
    const auto entry = data_.sizes.dp * data_.sizes.chi;
    std::vector<T> all(std::size_t(at_.shift), T(99));
    for (index_t b = 0; b < data_.sizes.count; ++b) {
      all.insert(all.end(), of.begin() + b * entry, of.begin() + (b + 1) * entry);
      all.insert(all.end(), std::size_t(at_.gap), between);
    }
    return all;
  }
  operand table(both_sides<T>& of, index_t rows) { return of.on(true, packed_operand({rows, rows}), at_.shift); }
  operand batch(both_sides<T>& of, index_t count = 0) {
    return of.on(true, packed_operand(data_.extents(), count > 0 ? count : data_.sizes.count, at_.gap), at_.shift);
  }

  two_site_arrays<T> data_;
  two_site_texts text_;
  tables_placing at_;
  both_sides<T> G_, M_, X_, Y_;
};

template <class T>
void check_by_tiles(const two_site_sizes& sizes, const two_site_texts& text, const tables_placing& at = {}) {
  INFO("dp " << sizes.dp << ", chi " << sizes.chi << ", " << sizes.count << " of them, " << text.direct << ", gap "
             << at.gap << ", shift " << at.shift);
  tables_case<T> u(sizes, text, at);
  const chain by = u.made();
  INFO(by.describe());
  CHECK(by.is_fused());
  CHECK(by.workspace_bytes(sizes.count) == 0);
  CHECK(by.describe(detail_level::brief).find("times a matrix of") != std::string::npos);
  u.run(by, sizes.count);
  u.check(sizes.count, 1, 0);
}

}  // namespace

TEST_CASE("gpu two tables: the kernel's type says the matrix", "[two_tables]") {
  general_tile tile;
  tile.rows[0] = 64, tile.cols[0] = 16, tile.cols[1] = 2, tile.inner[0] = 16;
  tile.warps_down = 4, tile.warps_across = 1;
  const general_form form = tables_form(16, 64, 2);
  const auto source_of = [&](const general_kind& kind) { return device::general_source(form, kind, tile); };
  const device::general_code with = source_of(tables_kind(scalar_type::f64, general_by::mma_f64, 16));
  CHECK(with.source.kernels[0].find("}, tessera::device::second_matrix<16, 16, 1, false>>") != std::string::npos);
  // Without it, it is the kernel of any contraction, with as much less of shared memory.
  const device::general_code without = source_of({});
  CHECK(without.source.kernels[0].find("second_matrix") == std::string::npos);
  CHECK(with.shared_bytes == without.shared_bytes + 16 * (16 + 2) * 8);
  // By multiply-adds with the nearest entries of the output across, its vectors lie down.
  tile.exchanged = true;
  const device::general_code down = source_of(tables_kind(scalar_type::f32, general_by::fma, 16));
  CHECK(down.source.kernels[0].find("}, tessera::device::second_matrix<16, 16, 1, true>>") != std::string::npos);
}

TEST_CASE("gpu two tables: vectors of the matrix follow each other in a tile whatever is nearest", "[two_tables]") {
  // Another dimension, of 3, is nearer in the output.
  general_form form = tables_form(16, 64, 2);
  form.cols = {2, {{3, 0, 64, 64}, {16, 0, 192, 192}}};
  general_kind kind = tables_kind(scalar_type::f64, general_by::mma_f64, 16);
  kind.second.digit = 1;
  general_tile tile;
  tile.rows[0] = 64, tile.cols[0] = 3, tile.cols[1] = 16, tile.inner[0] = 16;
  tile.warps_down = 4, tile.warps_across = 1;
  const std::string name = device::general_source(form, kind, tile).source.kernels[0];
  INFO(name);
  CHECK(name.find("boxed<tessera::device::numbers<16, 3>, tessera::device::numbers<16, 3>>") != std::string::npos);
}

TEST_CASE("gpu two tables: NVRTC takes kernels for the paper's shapes", "[two_tables][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  check_tables_compile(scalar_type::f64, general_by::mma_f64, 16, 64, 1);
  check_tables_compile(scalar_type::f64, general_by::mma_f64, 32, 256, 256);
  check_tables_compile(scalar_type::f32, general_by::fma, 16, 128, 16);
  check_tables_compile(scalar_type::f64, general_by::fma, 5, 40, 6);
  check_tables_compile(scalar_type::f32, general_by::fma, 31, 33, 4);
}

TEMPLATE_TEST_CASE("gpu two tables: small ones are their sum", "[gpu][two_tables][sanitize]", double, float) {
  if (absent()) return;
  for (const two_site_texts& text : two_site_orders) {
    check_by_tiles<TestType>({2, 33, 5}, text);
    check_by_tiles<TestType>({5, 40, 3}, text);
    check_by_tiles<TestType>({8, 36, 4}, text);
    check_by_tiles<TestType>({12, 34, 1}, text);
    check_by_tiles<TestType>({8, 40, 3}, text, {4, 1});
    check_by_tiles<TestType>({16, 35, 2}, text, {3, 3});
  }
}

TEMPLATE_TEST_CASE("gpu two tables: the paper's shapes are their sum", "[gpu][two_tables]", double, float) {
  if (absent()) return;
  for (const index_t dp : {16, 32})
    for (const index_t chi : {64, 128})
      for (const index_t count : {1, 4, 17}) check_by_tiles<TestType>({dp, chi, count}, two_site_orders[1]);
  for (const index_t count : {1, 3, 16}) check_by_tiles<TestType>({16, 256, count}, two_site_orders[1]);
  check_by_tiles<TestType>({32, 256, 2}, two_site_orders[1]);
  check_by_tiles<TestType>({24, 96, 5}, two_site_orders[0]);
  check_by_tiles<TestType>({31, 65, 3}, two_site_orders[1]);
}

TEMPLATE_TEST_CASE("gpu two tables: factors, and a result that is added to", "[gpu][two_tables][sanitize]", double,
                   float) {
  if (absent()) return;
  for (const two_site_texts& text : two_site_orders)
    for (const index_t dp : {8, 6}) {
      INFO("dp " << dp << ", " << text.direct);
      tables_case<TestType> u({dp, 40, 4}, text, {});
      u.run(u.made({-2, 3}), 4);
      u.check(4, -2, 3);
    }
}

TEMPLATE_TEST_CASE("gpu two tables: any number of entries by the kernels of one chain", "[gpu][two_tables]", double,
                   float) {
  if (absent()) return;
  // Made for 60: groups, and what is left of them.
  for (const index_t now : {1, 7, 59, 60}) {
    INFO(now << " entries");
    tables_case<TestType> u({16, 64, 60}, two_site_orders[1], {});
    const chain by = u.made();
    INFO(by.describe());
    u.run(by, now);
    u.check(now, 1, 0);
  }
  // Entries further apart than those that the chain was made for.
  tables_case<TestType> close({16, 64, 60}, two_site_orders[1], {}), far({16, 64, 60}, two_site_orders[1], {4, 0});
  const chain by = far.made_at(close);
  far.run(by, 60);
  far.check(60, 1, 0);
}

TEST_CASE("gpu two tables: in place only by a chain that was made so", "[gpu][two_tables]") {
  if (absent()) return;
  const index_t dp = 16, chi = 64, count = 4;
  const two_site_arrays<double> data({dp, chi, count}, true);
  both_sides<double> G(data.G), M(data.M), X(data.X), Y(data.X);
  const operand x = X.on(true, packed_operand({chi, dp}, count)), y = Y.on(true, packed_operand({chi, dp}, count));
  const std::vector<chain_step> steps{{contraction("qp,cq->cp"), {G.on(true, packed_operand({dp, dp}))}},
                                      {contraction("rc,cp->rp"), {M.on(true, packed_operand({chi, chi}))}}};
  const chain apart(steps, x, y), in_place(steps, x, x);
  buffer none(space_kind::gpu, apart.workspace_bytes(count)), some(space_kind::gpu, in_place.workspace_bytes(count));
  CHECK_THROWS_AS(apart.run_operands(x, x, none, {}), error);
  in_place.run_operands(x, x, some, {});
  CHECK(X.device.read() == data.by_loops());
}
