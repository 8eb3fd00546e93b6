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
void check_update(const two_site_sizes& sizes, const two_site_texts& text, bool fits) {
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
  if (fits) CHECK(both.is_fused());
  buffer workspace(space_kind::gpu, both.workspace_bytes(sizes.count));
  both.run(u.batch(u.X), u.batch(u.Y), workspace);
  CHECK(u.Y.device.read() == wanted);
}

}  // namespace

TEMPLATE_TEST_CASE("gpu two-site updates: small ones are their sum", "[gpu][two_site][sanitize]", double, float) {
  if (absent()) return;
  for (const two_site_texts& text : two_site_orders) {
    check_update<TestType>({4, 7, 5}, text, true);
    check_update<TestType>({9, 12, 3}, text, true);
    update_on_gpu<TestType> u({4, 7, 5}, text);
    u.run(text.direct, {u.g(), u.batch(u.X), u.m(), u.batch(u.Y)});
    CHECK(u.Y.device.read() == u.data.by_loops());
  }
}

TEMPLATE_TEST_CASE("gpu two-site updates: the paper's shapes are their sum", "[gpu][two_site]", double, float) {
  if (absent()) return;
  for (const index_t dp : {16, 32})
    for (const index_t count : {1, 16, 67}) check_update<TestType>({dp, 64, count}, two_site_orders[1], true);
  check_update<TestType>({16, 128, 3}, two_site_orders[1], true);
  // Such an M does not fit the shared memory of a multiprocessor.
  check_update<TestType>({16, 256, 2}, two_site_orders[1], false);
}
