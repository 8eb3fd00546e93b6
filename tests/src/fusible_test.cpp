// SPDX-License-Identifier: BSD-3-Clause
// Chains as one kernel, without a GPU: which can be, what is chosen for them, and that their sources compile.
#include "fused_run.hpp"

#include <algorithm>

#include <tessera/batch.hpp>
#include <tessera/detail/jit.hpp>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// The mass operator's evaluation in 3-D; unequal along every axis where `unequal`.
template <class T>
struct mass_chain {
  mass_chain(index_t d, index_t q, bool unequal = false)
      : d2(d + unequal),
        d3(d + 2 * unequal),
        q2(q + unequal),
        q3(q + 2 * unequal),
        B1(make_tensor<T>(of_size(q, d))),
        B2(make_tensor<T>(of_size(q2, d2))),
        B3(make_tensor<T>(of_size(q3, d3))),
        D(make_batch<T>(of_size(q, q2, q3), 2)),
        V(make_batch<T>(of_size(d, d2, d3), 2)) {}

  std::vector<chain_step> steps() {
    const operand b1 = operand_of(B1), b2 = operand_of(unequal() ? B2 : B1), b3 = operand_of(unequal() ? B3 : B1);
    return {{contraction("kj,abj->abk"), {b3}}, {contraction("kj,ajc->akc"), {b2}},
            {contraction("kj,jbc->kbc"), {b1}}, {contraction("abc,abc->abc"), {operand_of(D)}},
            {contraction("ki,abk->abi"), {b3}}, {contraction("ki,akc->aic"), {b2}},
            {contraction("ki,kbc->ibc"), {b1}}};
  }
  bool unequal() const { return B2.extents()(0) != B1.extents()(0); }
  detail::fusible fused() { return detail::fuse(steps(), operand_of(V), operand_of(V)); }

  index_t d2, d3, q2, q3;
  tensor<T, cpu, extents<dynamic, dynamic>> B1, B2, B3;
  batch<T, cpu, extents<dynamic, dynamic, dynamic>> D, V;
};

device::chain_form spread_form(device::chain_form form, const gpu_limits& limits) {
  device::spread_results(form, limits);
  return form;
}

bool overlaps_itself(const operand_facts& facts) {
  for (int d = 1; d < facts.rank; ++d)
    if (facts.stride[d] < facts.stride[d - 1] * facts.extent[d - 1]) return true;
  return false;
}

void check_compiles(const detail::fusible& f, int architecture) {
  REQUIRE(f.why_not.empty());
  const gpu_limits limits = gpu_limits_of(architecture);
  const device::chain_form form = spread_form(f.form, limits);
  const jit_code code = device::compile_chain(form, device::choose_blocks(form, limits), "", architecture);
  INFO(code.log);
  CHECK_FALSE(code.machine_code.empty());
  REQUIRE(code.entries.size() == 1);
  CHECK(code.entries.front().find("fused_chain") != std::string::npos);
}

}  // namespace

TEST_CASE("a mass evaluation is one kernel: its D joins a contraction, equal tables are one", "[chain]") {
  mass_chain<double> same(3, 5);
  const detail::fusible f = same.fused();
  REQUIRE(f.why_not.empty());
  CHECK(f.form.steps.size() == 6);
  CHECK(f.form.tables.size() == 1);
  CHECK(f.tables == std::vector<const void*>{same.B1.data()});
  CHECK(f.streams == std::vector<const void*>{same.D.data()});
  CHECK(f.form.streams == 1);
  CHECK(device::text_of_modes(f.form.steps[0].e) == "kj,abjz->abkz");
  CHECK(f.form.steps[2].weighted);
  CHECK(f.form.steps[2].text == "kj,jbc->kbc, times abc,abc->abc");
  CHECK(f.form.steps[2].weights.apart == 125);
  for (const std::size_t i : {0, 1, 3, 4, 5}) CHECK_FALSE(f.form.steps[i].weighted);

  mass_chain<double> unequal(2, 4, true);
  CHECK(unequal.fused().form.tables.size() == 3);
}

TEST_CASE("shared memory holds the input and the largest results in two halves", "[chain]") {
  const device::chain_form form = mass_chain<double>(3, 5).fused().form;
  // Results of 9 x 5, 3 x 25, 125, 75, 45 and 27 entries; the input, 27, is in the first half with every second one.
  CHECK(form.half(0) == 76);
  CHECK(form.half(1) == 128);
  // A table of 5 x 3 in lines of 6.
  CHECK(form.table_entries() == 20);
  CHECK(device::shared_bytes_of(form, 7) == (7 * 204 + 20) * 8);
}

TEST_CASE("lanes at one address share an answer of shared memory, lanes in one bank queue", "[chain]") {
  const auto stride = [](index_t step, int bytes, int lanes = 32) {
    index_t address[32];
    for (int t = 0; t < 32; ++t) address[t] = t * step;
    return device::wavefronts(address, lanes, bytes);
  };
  CHECK(stride(0, 8) == 1);
  CHECK(stride(1, 8) == 2);
  CHECK(stride(1, 4) == 1);
  CHECK(stride(2, 4) == 2);
  CHECK(stride(4, 8) == 8);
  CHECK(stride(5, 8) == 2);
  CHECK(stride(16, 8) == 32);
  CHECK(stride(16, 8, 5) == 5);
}

TEMPLATE_TEST_CASE("blocks of fused chains fit, start on pieces and leave room for others", "[chain]", float, double) {
  for (const int architecture : {75, 80, 90, 120})
    for (index_t p = 1; p <= 8; ++p) {
      INFO("sm_" << architecture << " p = " << p);
      const gpu_limits limits = gpu_limits_of(architecture);
      const device::chain_form tight = mass_chain<TestType>(p + 1, p + 2).fused().form;
      const device::chain_form form = spread_form(tight, limits);
      const device::chain_blocks b = device::choose_blocks(form, limits);
      REQUIRE(b.elements >= 1);
      CHECK(b.threads >= 64);
      CHECK(b.threads <= 256);
      CHECK(b.threads % 32 == 0);
      CHECK(b.shared_bytes == device::shared_bytes_of(form, b.elements));
      CHECK(b.shared_bytes <= limits.shared_bytes);
      if (architecture >= 80 && p <= 6) CHECK(b.resident >= 3);
      CHECK(b.resident * (b.shared_bytes + 1024) <= limits.all_shared_bytes + 1024);
      if (b.elements > 1) CHECK(b.elements * form.in.entries() * index_t(sizeof(TestType)) % 16 == 0);
      REQUIRE(b.tiles.size() == form.steps.size());
      for (std::size_t i = 0; i < form.steps.size(); ++i) {
        const lowered step = device::lowered_step(form, i, b.elements);
        CHECK(step.fault == lower_fault::none);
        CHECK(b.tiles[i].rows <= step.rows.size());
        CHECK(b.tiles[i].cols <= std::max<index_t>(1, step.cols.size()));
        CHECK_FALSE(overlaps_itself(form.steps[i].result.facts));
        CHECK(form.steps[i].result.apart >= form.steps[i].result.span());
      }
      // Nothing was spread without a gain.
      const device::chain_blocks before = device::choose_blocks(tight, limits);
      CHECK((b.resident > before.resident || b.clocks <= before.clocks));
    }
}

TEST_CASE("a chain whose element is larger than a block's memory is no kernel", "[chain]") {
  const device::chain_form form = mass_chain<double>(24, 26).fused().form;
  CHECK(device::choose_blocks(form, gpu_limits_of(90)).elements == 0);
  CHECK(device::choose_blocks(form, gpu_limits_of(90)).tiles.empty());
}

TEST_CASE("what cannot be one kernel says why", "[chain]") {
  mass_chain<double> m(2, 3);
  const operand v = operand_of(m.V);
  const auto why = [&](const operand& in, const operand& out) { return detail::fuse(m.steps(), in, out).why_not; };
  const auto why_steps = [&](std::vector<chain_step> steps) { return detail::fuse(steps, v, v).why_not; };
  const auto names = [](const std::string& text, const char* word) {
    INFO(text);
    return text.find(word) != std::string::npos;
  };
  CHECK(why(v, v).empty());
  CHECK(names(why_steps({m.steps().front()}), "single step"));
  operand other = v;
  other.batched = false;
  CHECK(names(why(other, v), "not a batch"));
  other = v, other.lanes = 4;
  CHECK(names(why(other, v), "the input is interleaved"));
  other = v, other.grouped = true;
  CHECK(names(why(v, other), "the output is a group"));
  other = v, other.facts.affine = false;
  CHECK(names(why(v, other), "without strides"));
  other = v, other.type = scalar_type::f32;
  CHECK(names(why(other, v), "another type"));
  other = v, other.type = scalar_type::c64;
  CHECK(names(why(other, other), "neither f32 nor f64"));
  other = v, other.facts.extent[1] = 0;
  CHECK(names(why(other, v), "the input is empty"));
  other = v, other.stride = index_t(1) << 40;
  CHECK(names(why(other, v), "too far apart"));

  std::vector<chain_step> steps = m.steps();
  steps[1].inputs[0].lanes = 2;
  CHECK(names(why_steps(steps), "an input of step \"kj,ajc->akc\" is interleaved"));
  auto c = make_batch<float>(of_size(2, 2, 2), 1);
  auto b = make_tensor<float>(of_size(2, 2));
  const contraction in_double("kj,abj->abk", sums_in<double>());
  CHECK(names(
      detail::fuse({{in_double, {operand_of(b)}}, {in_double, {operand_of(b)}}}, operand_of(c), operand_of(c)).why_not,
      "sums of another type"));
}

TEST_CASE("chains over host memory say that they are staged", "[chain]") {
  mass_chain<double> m(2, 3);
  auto U = make_batch<double>(of_size(2, 2, 2), 2);
  const chain c(m.steps(), operand_of(m.V), operand_of(U), plan_options{.fuse = false});
  CHECK_FALSE(c.is_fused());
  CHECK(c.describe().find("staged") == 0);
  CHECK(c.describe().find("plan_options::fuse is off") != std::string::npos);
  CHECK(c.workspace_bytes(2) > 0);
}

TEST_CASE("fused chains compile, for architectures with and without bulk copies", "[chain][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (const int architecture : {80, 90}) {
    check_compiles(mass_chain<double>(4, 5).fused(), architecture);
    check_compiles(mass_chain<float>(2, 4, true).fused(), architecture);
  }
  check_compiles(mass_chain<double>(9, 10).fused(), 90);
  check_compiles(mass_chain<float>(1, 1).fused(), 75);
}

TEST_CASE("a fused assembly compiles: three inputs a step, results of growing rank", "[chain][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  auto B = make_tensor<double>(of_size(4, 3));
  auto D = make_batch<double>(of_size(4, 4, 4), 2);
  auto M = make_batch<double>(of_size(3, 3, 3, 3, 3, 3), 2);
  const operand b = operand_of(B);
  check_compiles(detail::fuse({{contraction("ki,kj,klm->ilmj"), {b, b}},
                               {contraction("ki,kj,akmb->aimbj"), {b, b}},
                               {contraction("ki,kj,abkcd->abicdj"), {b, b}}},
                              operand_of(D), operand_of(M)),
                 90);
}

TEST_CASE("a fused chain over strided operands, with D at its start and its end, compiles", "[chain][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  auto B = make_tensor<double>(of_size(4, 4));
  auto D = make_batch<double>(of_size(4, 4), 2);
  auto E = make_tensor<double>(of_size(4, 4));
  std::vector<double> memory(64);
  const auto in = view_batch(memory.data(), row_major(of_size(4, 4)), 2, 20);
  const auto out = view_batch(memory.data(), column_major(of_size(4, 4), 6), 2, 30);
  const detail::fusible f = detail::fuse({{contraction("ab,ab->ab"), {operand_of(D)}},
                                          {contraction("kj,aj->ak"), {operand_of(B)}},
                                          {contraction("kj,jb->kb"), {operand_of(B)}},
                                          {contraction("ab,ab->ab"), {operand_of(E)}}},
                                         operand_of(in), operand_of(out));
  REQUIRE(f.form.steps.size() == 3);
  CHECK(f.form.steps[0].text == "ab,ab->ab");
  CHECK(f.form.steps[2].weighted);
  check_compiles(f, 90);
}

TEST_CASE("a fused chain's brief description is one line, and names the source of its tuning", "[chain]") {
  mass_chain<double> c(4, 5);
  detail::fusible f = c.fused();
  REQUIRE(f.why_not.empty());
  detail::fused_run made;
  made.blocks = device::choose_blocks(f.form, gpu_limits_of(90));
  made.form = std::move(f.form);
  const std::string brief = describe_fused(made, detail_level::brief), full = describe_fused(made, detail_level::full);
  INFO(brief);
  CHECK(brief.starts_with("fused, one launch, compiled at run time: "));
  CHECK(brief.ends_with("; tuning: default"));
  CHECK(brief.find('\n') == std::string::npos);
  CHECK(full.starts_with(brief + "\n"));
}
