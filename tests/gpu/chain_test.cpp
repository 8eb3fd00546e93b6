// SPDX-License-Identifier: BSD-3-Clause
// Chains in one launch on a GPU: against the same chain on the CPU and staged on the GPU, entry for entry.
#include <cmath>
#include <random>

#include <tessera/batch.hpp>

#include "chain_case.hpp"
#include "testing/definition.hpp"
#include "testing/failure.hpp"
#include "testing/jit.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// NaN equals NaN: entries that nobody writes.
template <class T>
index_t count_unequal(const std::vector<T>& a, const std::vector<T>& b) {
  index_t unequal = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && unequal == 0; ++i)
    unequal += !(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])));
  return unequal;
}

template <class T>
void check_mass(const mass_sizes& s) {
  mass_case<T> m(s);
  const chain c = m.on_gpu();
  INFO(c.describe() << s.count << " elements, beta " << s.beta << ", gap " << s.gap << ", shift " << s.shift);
  REQUIRE(c.is_fused());
  CHECK(c.workspace_bytes(s.count) == 0);
  const std::vector<T> found = m.result(true);
  CHECK(count_unequal(found, m.result(false)) == 0);
  CHECK(count_unequal(found, m.result(true, {.compile = false, .fuse = false})) == 0);
}

mass_sizes mass(int dim, index_t p, index_t count, double beta = 0) {
  return {std::vector<index_t>(std::size_t(dim), p + 1), std::vector<index_t>(std::size_t(dim), p + 2), count, 1, beta};
}

}  // namespace

TEMPLATE_TEST_CASE("gpu chain: a small mass evaluation in one launch", "[gpu][chain][sanitize]", float, double) {
  if (absent()) return;
  for (const double beta : {0.0, -0.5}) {
    check_mass<TestType>(mass(3, 2, 67, beta));
    check_mass<TestType>(mass(2, 3, 203, beta));
  }
  mass_sizes uneven{{3, 2, 4}, {4, 5, 3}, 41, -0.5, 2};
  uneven.gap = 3, uneven.shift = 1;
  check_mass<TestType>(uneven);
}

TEMPLATE_TEST_CASE("gpu chain: mass evaluations of all orders", "[gpu][chain]", float, double) {
  if (absent()) return;
  for (index_t p = 1; p <= 8; ++p)
    for (const int dim : {2, 3}) check_mass<TestType>(mass(dim, p, 1001, p % 2 == 0 ? 1 : 0));
  check_mass<TestType>(mass(3, 11, 5));
}

TEMPLATE_TEST_CASE("gpu chain: fewer elements than a block takes, and one more than its blocks", "[gpu][chain]", float,
                   double) {
  if (absent()) return;
  for (const index_t count : {1, 2, 3, 5, 31, 33, 63, 64, 65, 127, 129}) {
    check_mass<TestType>(mass(3, 1, count, 1));
    check_mass<TestType>(mass(2, 2, count));
  }
}

TEMPLATE_TEST_CASE("gpu chain: elements apart in memory, and not on 16 bytes", "[gpu][chain]", float, double) {
  if (absent()) return;
  for (const index_t gap : {0, 1, 4})
    for (const index_t shift : {0, 1, 2, 3}) {
      mass_sizes s = mass(3, 3, 77, double(shift % 2));
      s.gap = gap, s.shift = shift;
      check_mass<TestType>(s);
    }
}

TEST_CASE("gpu chain: every element has the same bits wherever it is in the batch", "[gpu][chain]") {
  if (absent()) return;
  const index_t d = 4, q = 5, count = 133;
  std::mt19937 random(7);
  const auto draw = [&](index_t size) {
    std::vector<double> values;
    for (index_t i = 0; i < size; ++i) values.push_back(double(random()) / 4e9 - 0.5);
    return values;
  };
  const auto repeated = [&](const std::vector<double>& one) {
    std::vector<double> all;
    for (index_t e = 0; e < count; ++e) all.insert(all.end(), one.begin(), one.end());
    return all;
  };
  both_sides<double> B(draw(q * d)), D(repeated(draw(q * q))), x(repeated(draw(d * d))), y(repeated(draw(d * d)));
  const auto at = [&](both_sides<double>& data, std::vector<index_t> extents) {
    return data.on(true, packed_operand(extents, count));
  };
  const operand b = B.on(true, packed_operand({q, d}));
  const std::vector<chain_step> steps{{contraction("kj,aj->ak"), {b}},
                                      {contraction("kj,jb->kb"), {b}},
                                      {contraction("ab,ab->ab"), {at(D, {q, q})}},
                                      {contraction("ki,ak->ai"), {b}},
                                      {contraction("ki,kb->ib"), {b}}};
  const chain c(steps, at(x, {d, d}), at(y, {d, d}));
  REQUIRE(c.is_fused());
  buffer none;
  c.run(at(x, {d, d}), at(y, {d, d}), none);
  const std::vector<double> found = y.device.read();
  for (index_t e = 1; e < count; ++e)
    CHECK(std::equal(found.begin(), found.begin() + d * d, found.begin() + e * d * d));
}

TEMPLATE_TEST_CASE("gpu chain: real entries stay within the bound of a chain", "[gpu][chain]", float, double) {
  if (absent()) return;
  const index_t d = 5, q = 6, count = 50;
  std::mt19937 random(3);
  const auto draw = [&](index_t size) {
    std::vector<TestType> values;
    for (index_t i = 0; i < size; ++i) values.push_back(TestType(double(random()) / 2.2e9 - 1));
    return values;
  };
  const auto sizes_of = [](std::vector<TestType> values) {
    for (TestType& v : values) v = std::fabs(v);
    return values;
  };
  both_sides<TestType> B(draw(q * d)), D(draw(count * q * q * q)), x(draw(count * d * d * d)),
      y(std::vector<TestType>(std::size_t(count * d * d * d)));
  both_sides<double> absolute_B({0}), absolute_D({0}), absolute_x({0}), magnitudes({0});
  const auto run = [&](auto& table, auto& weights, auto& in, auto& out, bool gpu_side, const plan_options& options) {
    const operand b = table.on(gpu_side, packed_operand({q, d}));
    const operand dd = weights.on(gpu_side, packed_operand({q, q, q}, count));
    const operand i = in.on(gpu_side, packed_operand({d, d, d}, count)),
                  o = out.on(gpu_side, packed_operand({d, d, d}, count));
    const chain c({{contraction("kj,abj->abk"), {b}},
                   {contraction("kj,ajc->akc"), {b}},
                   {contraction("kj,jbc->kbc"), {b}},
                   {contraction("abc,abc->abc"), {dd}},
                   {contraction("ki,abk->abi"), {b}},
                   {contraction("ki,akc->aic"), {b}},
                   {contraction("ki,kbc->ibc"), {b}}},
                  i, o, options);
    buffer workspace(gpu_side ? space_kind::gpu : space_kind::cpu, c.workspace_bytes(count));
    c.run(i, o, workspace);
  };
  const auto in_double = [&](const std::vector<TestType>& values) {
    const std::vector<TestType> sizes = sizes_of(values);
    return std::vector<double>(sizes.begin(), sizes.end());
  };
  absolute_B.host = in_double(B.host), absolute_D.host = in_double(D.host), absolute_x.host = in_double(x.host);
  magnitudes.host.resize(y.host.size());
  run(absolute_B, absolute_D, absolute_x, magnitudes, false, {});
  run(B, D, x, y, true, {});
  const std::vector<TestType> fused = y.device.read();
  run(B, D, x, y, true, {.compile = false, .fuse = false});
  const std::vector<TestType> staged = y.device.read();
  // Six sums, a product, two roundings more a stage; each of the two forms has that bound.
  const long double bound = 2 * gamma_bound<TestType>(3 * d + 3 * q + 1 + 2 * 7);
  index_t wrong = 0;
  for (std::size_t i = 0; i < fused.size(); ++i)
    wrong += !(std::fabs((long double)fused[i] - (long double)staged[i]) <= bound * (long double)magnitudes.host[i]);
  CHECK(wrong == 0);
}

TEST_CASE("gpu chain: assembly in one launch", "[gpu][chain][sanitize]") {
  if (absent()) return;
  const index_t d = 2, q = 3, count = 19;
  both_sides<double> B(signs<double>(q * d, 1)), D(signs<double>(count * q * q * q, 2)),
      M(std::vector<double>(std::size_t(count * d * d * d * d * d * d)));
  const auto run = [&](bool gpu_side) {
    const operand b = B.on(gpu_side, packed_operand({q, d}));
    const operand in = D.on(gpu_side, packed_operand({q, q, q}, count));
    const operand out = M.on(gpu_side, packed_operand({d, d, d, d, d, d}, count));
    const chain c({{contraction("ki,kj,klm->ilmj"), {b, b}},
                   {contraction("ki,kj,akmb->aimbj"), {b, b}},
                   {contraction("ki,kj,abkcd->abicdj"), {b, b}}},
                  in, out);
    CHECK(c.is_fused() == gpu_side);
    buffer workspace(gpu_side ? space_kind::gpu : space_kind::cpu, c.workspace_bytes(count));
    c.run(in, out, workspace);
  };
  run(true);
  run(false);
  CHECK(count_unequal(M.device.read(), M.host) == 0);
}

TEST_CASE("gpu chain: strided operands, a product first and one with a shared tensor last", "[gpu][chain][sanitize]") {
  if (absent()) return;
  const index_t n = 4, count = 23;
  both_sides<double> B(signs<double>(n * n, 1)), D(signs<double>(count * n * n, 2)), E(signs<double>(n * n, 3)),
      x(signs<double>(count * 20, 4)), y(signs<double>(count * 30, 5));
  const auto run = [&](bool gpu_side) {
    const operand b = B.on(gpu_side, packed_operand({n, n})), e = E.on(gpu_side, packed_operand({n, n}));
    operand in = packed_operand({n, n}, count, 4), out = packed_operand({n, n}, count, 14);
    in.facts.stride[0] = n, in.facts.stride[1] = 1;
    out.facts.stride[1] = 6, out.span = 22;
    in = x.on(gpu_side, in), out = y.on(gpu_side, out);
    const chain c({{contraction("ab,ab->ab"), {D.on(gpu_side, packed_operand({n, n}, count))}},
                   {contraction("kj,aj->ak"), {b}},
                   {contraction("kj,jb->kb"), {b}},
                   {contraction("ab,ab->ab").scaled(2, 1), {e}}},
                  in, out);
    CHECK(c.is_fused() == gpu_side);
    buffer workspace(gpu_side ? space_kind::gpu : space_kind::cpu, c.workspace_bytes(count));
    c.run(in, out, workspace);
  };
  run(true);
  run(false);
  CHECK(count_unequal(y.device.read(), y.host) == 0);
}

TEST_CASE("gpu chain: it may end where it began", "[gpu][chain]") {
  if (absent()) return;
  const mass_sizes s = mass(3, 2, 150);
  mass_case<double> m(s);
  const std::vector<double> wanted = m.result(false);
  const chain c(m.steps(true), m.x(true), m.x(true));
  REQUIRE(c.is_fused());
  operand x = m.x(true);
  buffer none;
  c.run(x, x, none);
  std::vector<double> found(wanted.size());
  device::copy(found.data(), x.data, found.size() * sizeof(double), device::direction::device_to_host);
  CHECK(count_unequal(found, wanted) == 0);
}

TEST_CASE("gpu chain: an empty batch, and one step", "[gpu][chain]") {
  if (absent()) return;
  both_sides<double> B(signs<double>(6, 1)), x(signs<double>(5 * 4, 2)), y(std::vector<double>(5 * 9, 77));
  const operand b = B.on(true, packed_operand({3, 2})), in = x.on(true, packed_operand({2, 2}, 5)),
                out = y.on(true, packed_operand({3, 3}, 5));
  const chain c({{contraction("kj,aj->ak"), {b}}, {contraction("kj,jb->kb"), {b}}}, in, out);
  REQUIRE(c.is_fused());
  buffer none;
  c.run(slice(in, 0, 0), slice(out, 0, 0), none);
  device::stream_synchronize(nullptr);
  CHECK(y.device.read() == y.host);

  const operand wide = y.on(true, packed_operand({2, 3}, 5));
  const chain one({{contraction("kj,aj->ak"), {b}}}, in, wide);
  CHECK_FALSE(one.is_fused());
  CHECK(one.describe().find("single step") != std::string::npos);
  CHECK(one.workspace_bytes(5) == 0);
  one.run(in, wide, none);
  const operand host_wide = y.on(false, packed_operand({2, 3}, 5));
  const chain on_host({{contraction("kj,aj->ak"), {B.on(false, packed_operand({3, 2}))}}},
                      x.on(false, packed_operand({2, 2}, 5)), host_wide);
  on_host.run(x.on(false, packed_operand({2, 2}, 5)), host_wide, none);
  CHECK(count_unequal(y.device.read(), y.host) == 0);
}

TEST_CASE("gpu chain: says in which form it runs, and why", "[gpu][chain]") {
  if (absent()) return;
  mass_case<double> m(mass(3, 2, 5));
  CHECK(m.on_gpu().describe().find("fused, one launch") == 0);
  CHECK(m.on_gpu().describe().find("kj,jbc->kbc, times abc,abc->abc") != std::string::npos);
  const chain staged = m.on_gpu({.fuse = false});
  CHECK_FALSE(staged.is_fused());
  CHECK(staged.workspace_bytes(5) > 0);
  CHECK(staged.describe().find("plan_options::fuse is off") != std::string::npos);
  CHECK(m.on_gpu({.compile = false}).describe().find("plan_options::compile is off") != std::string::npos);
  // 26^3 doubles in one half and nearly as many in the other.
  const std::string large = mass_case<double>(mass(3, 24, 1)).on_gpu().describe();
  CHECK(large.find("of shared memory, a block has") != std::string::npos);
}

TEST_CASE("gpu chain: what a run of a fused chain refuses", "[gpu][chain]") {
  if (absent()) return;
  const mass_sizes s = mass(3, 2, 6);
  mass_case<double> m(s);
  const chain c = m.on_gpu();
  REQUIRE(c.is_fused());
  buffer none;
  check_failure(status::shape_mismatch, {"chain", "batch of 5", "batch of 6"},
                [&] { c.run(slice(m.x(true), 0, 5), m.y(true), none); });
  operand other = m.x(true);
  other.facts.stride[1] = 4;
  check_failure(status::shape_mismatch, {"chain", "the input", "layout"}, [&] { c.run(other, m.y(true), none); });
  other = m.x(true), other.type = scalar_type::f32;
  check_failure(status::wrong_type, {"chain", "the input"}, [&] { c.run(other, m.y(true), none); });
  check_failure(status::wrong_space, {"chain", "the input"}, [&] { c.run(m.x(false), m.y(true), none); });
  other = m.x(true), other.data = m.x(false).data;
  check_failure(status::wrong_space, {"kj,abj->abk", "input"}, [&] { c.run(other, m.y(true), none); });
  other = m.y(true), other.data = nullptr;
  check_failure(status::null_pointer, {"kj,abj->abk", "output"}, [&] { c.run(m.x(true), other, none); });
  other = m.y(true), other.stride = 20;
  check_failure(status::overlap, {"chain"}, [&] { c.run(m.x(true), other, none); });
  other = m.y(true), other.writable = false;
  check_failure(status::invalid_argument, {"chain", "const"}, [&] { c.run(m.x(true), other, none); });
}
