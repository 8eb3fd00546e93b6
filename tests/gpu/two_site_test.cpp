// SPDX-License-Identifier: BSD-3-Clause
// Two-site updates on a GPU: at once, in stages, as a network and as a chain, against plain loops on integers.
#include <tessera/chain.hpp>
#include <tessera/network.hpp>

#include "chain_case.hpp"
#include "testing/gpu.hpp"
#include "testing/jit.hpp"
#include "testing/two_site_case.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class T>
struct update_on_gpu {
  two_site_arrays<T> data;
  two_site_texts text;
  both_sides<T> G, M, X, Y, between;

  update_on_gpu(const two_site_sizes& sizes, const two_site_texts& texts)
      : data(sizes, texts.last_is_nearest),
        text(texts),
        G(data.G),
        M(data.M),
        X(data.X),
        Y(std::vector<T>(data.X.size(), T(77))),
        between(std::vector<T>(data.X.size(), T(-77))) {}

  operand shared(both_sides<T>& of, index_t rows) { return of.on(true, packed_operand({rows, rows})); }
  operand batch(both_sides<T>& of) { return of.on(true, packed_operand(data.extents(), data.sizes.count)); }
  operand g() { return shared(G, data.sizes.dp); }
  operand m() { return shared(M, data.sizes.chi); }

  void run(const char* of, const std::vector<operand>& operands) {
    make_plan_of(contraction(of), operands.data(), int(operands.size()), {})
        .run_operands(operands.data(), int(operands.size()), stream_view{});
  }
};

template <class T>
void check_update(const two_site_sizes& sizes, const two_site_texts& text) {
  const std::vector<T> wanted = two_site_arrays<T>(sizes, text.last_is_nearest).by_loops();
  INFO("dp " << sizes.dp << ", chi " << sizes.chi << ", " << sizes.count << " of them, " << text.direct);
  {
    update_on_gpu<T> u(sizes, text);
    u.run(text.first, {u.g(), u.batch(u.X), u.batch(u.between)});
    u.run(text.second, {u.m(), u.batch(u.between), u.batch(u.Y)});
    CHECK(u.Y.device.read() == wanted);
  }
  {
    update_on_gpu<T> u(sizes, text);
    const std::vector<operand> all{u.g(), u.batch(u.X), u.m(), u.batch(u.Y)};
    make_network_of(text.direct, all.data(), 4).run_operands(all.data(), 4, stream_view{});
    CHECK(u.Y.device.read() == wanted);
  }
  update_on_gpu<T> u(sizes, text);
  const chain both({{contraction(text.first), {u.g()}}, {contraction(text.second), {u.m()}}}, u.batch(u.X),
                   u.batch(u.Y));
  INFO(both.describe());
  CHECK(both.is_fused());
  buffer workspace(space_kind::gpu, both.workspace_bytes(sizes.count));
  both.run(u.batch(u.X), u.batch(u.Y), workspace);
  CHECK(u.Y.device.read() == wanted);
}

}  // namespace

TEMPLATE_TEST_CASE("gpu two-site updates: small ones are their sum", "[gpu][two_site][sanitize]", double, float) {
  if (absent()) return;
  for (const two_site_texts& text : two_site_orders) {
    check_update<TestType>({4, 7, 5}, text);
    check_update<TestType>({9, 12, 3}, text);
    update_on_gpu<TestType> u({4, 7, 5}, text);
    u.run(text.direct, {u.g(), u.batch(u.X), u.m(), u.batch(u.Y)});
    CHECK(u.Y.device.read() == u.data.by_loops());
  }
}

TEMPLATE_TEST_CASE("gpu two-site updates: the paper's shapes are their sum", "[gpu][two_site]", double, float) {
  if (absent()) return;
  for (const index_t dp : {16, 32})
    for (const index_t count : {1, 16, 67}) check_update<TestType>({dp, 64, count}, two_site_orders[1]);
  check_update<TestType>({16, 128, 3}, two_site_orders[1]);
  // Such an M does not fit the shared memory of a multiprocessor, tiles of it do.
  check_update<TestType>({16, 256, 2}, two_site_orders[1]);
}

TEST_CASE("gpu two-site updates: a sum of terms in one launch, and added term by term", "[gpu][two_site][sanitize]") {
  if (absent()) return;
  const summed_update_arrays u;
  both_sides<double> G(u.G), M(u.M), X(u.X), Y(std::vector<double>(u.X.size(), 77.0));
  const auto batch = [&](both_sides<double>& of) { return of.on(true, packed_operand({u.dp, u.chi}, u.count)); };
  const chain stacked({{contraction("pqk,qc->pck"), {G.on(true, packed_operand({u.dp, u.dp, u.terms}))}},
                       {contraction("crk,pck->pr"), {M.on(true, packed_operand({u.chi, u.chi, u.terms}))}}},
                      batch(X), batch(Y));
  INFO(stacked.describe());
  CHECK(stacked.is_fused());
  buffer workspace(space_kind::gpu, stacked.workspace_bytes(u.count));
  stacked.run(batch(X), batch(Y), workspace);
  std::vector<double> wanted = u.by_loops();
  CHECK(Y.device.read() == wanted);
  for (index_t k = 0; k < u.terms; ++k) {
    const chain term({{contraction("pq,qc->pc"), {G.on(true, packed_operand({u.dp, u.dp}), k * u.dp * u.dp)}},
                      {contraction("cr,pc->pr", add), {M.on(true, packed_operand({u.chi, u.chi}), k * u.chi * u.chi)}}},
                     batch(X), batch(Y));
    buffer of_term(space_kind::gpu, term.workspace_bytes(u.count));
    term.run(batch(X), batch(Y), of_term);
  }
  for (double& y : wanted) y *= 2;
  CHECK(Y.device.read() == wanted);
}
