// SPDX-License-Identifier: BSD-3-Clause
// Which contractions a GPU plan runs by kernels of general contractions, their tiles, and the words for both.
#include "general/plan_general.hpp"

#include <tessera/core/general.hpp>
#include <tessera/explain.hpp>

#include <cmath>

#include "general/gpu_rates.hpp"
#include "general/kind_of.hpp"
#include "gpu_named.hpp"
#include "plan_state.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/tccg_rows.hpp"

using namespace tessera;
using namespace tessera::testing;
using tessera::detail::arguments;
using tessera::detail::general_kind;
using tessera::detail::general_kind_of;
using tessera::detail::is_for_tiles;
using tessera::detail::wants_general;

namespace {

// In device memory that is not there, as decisions need none.
operand of_gpu(const operand_facts& facts, scalar_type type = scalar_type::f64) {
  operand o{.type = type, .entry_bytes = size_of(type), .space = space_kind::gpu, .facts = facts, .span = 1};
  for (int d = 0; d < facts.rank; ++d) o.span += (facts.extent[d] - 1) * std::abs(facts.stride[d]);
  return o;
}
operand tensor_of(std::initializer_list<index_t> extents) {
  operand_facts facts{.rank = int(extents.size())};
  index_t stride = 1;
  int d = 0;
  for (const index_t extent : extents) {
    facts.extent[d] = extent;
    facts.stride[d++] = stride;
    stride *= extent;
  }
  operand o = of_gpu(facts);
  o.span = stride;
  return o;
}
operand batch_of(operand o, index_t count) {
  o.batched = true;
  o.count = count;
  o.stride = o.span;
  return o;
}

// With a gap behind each.
operand apart(operand o) {
  o = batch_of(o, 9);
  ++o.stride;
  return o;
}

struct pair_case {
  const char* einsum;
  operand left, right, out;
  bool wanted;
  const char* why;  // a part of the reason
};

void check_decision(const pair_case& c) {
  const operand all[] = {c.left, c.right, c.out};
  const detail::general_answer answer = wants_general(contraction(c.einsum), arguments(all, 3));
  INFO(c.einsum << ", " << c.why << ": " << answer.because);
  CHECK(answer.yes == c.wanted);
  CHECK(answer.because.find(c.why) != std::string::npos);
}

device::device_info h200() { return gpu_named("NVIDIA H200", 9, 0, 132); }

}  // namespace

TEST_CASE("plan general: all rows of TCCG are for tiles", "[general]") {
  for (const tccg_row& row : tccg_rows) {
    const row_facts facts = packed_facts(row);
    const operand all[] = {of_gpu(facts.at[0]), of_gpu(facts.at[1]), of_gpu(facts.at[output])};
    const detail::general_answer answer = wants_general(contraction(einsum_of(row)), arguments(all, 3));
    INFO("row " << row.id << ": " << answer.because);
    CHECK(answer.yes);
  }
}

TEST_CASE("plan general: small products keep their rows, large ones have tiles", "[general]") {
  const auto m = [](index_t rows, index_t cols) { return tensor_of({rows, cols}); };
  const pair_case cases[] = {
      {"ik,kj->ij", m(32, 32), m(32, 32), m(32, 32), false, "32x32x32 are small"},
      {"ik,kj->ij", m(33, 32), m(32, 32), m(33, 32), false, "are small"},
      {"ik,kj->ij", m(33, 33), m(33, 33), m(33, 33), true, "33x33x33"},
      {"ik,kj->ij", m(64, 64), m(64, 64), m(64, 64), true, "64x64x64 are for tiles"},
      {"ik,kj->ij", batch_of(m(64, 64), 9), m(64, 64), batch_of(m(64, 64), 9), true, "64x64x64"},
      // Dense matrices of a batch have rows of their own, to 64 x 64 x 64.
      {"ik,kj->ij", batch_of(m(63, 63), 9), m(63, 63), batch_of(m(63, 63), 9), false, "63x63x63 are small"},
      {"ki,kj->ij", batch_of(m(40, 48), 9), batch_of(m(40, 40), 9), batch_of(m(48, 40), 9), false, "48x40x40"},
      {"ik,kj->ij", batch_of(m(48, 48), 9), m(48, 48), apart(m(48, 48)), true, "48x48x48"},
      {"iak,kj->iaj", batch_of(tensor_of({16, 3, 48}), 9), m(48, 48), batch_of(tensor_of({16, 3, 48}), 9), false, "48"},
      {"iak,kj->ija", batch_of(tensor_of({16, 3, 48}), 9), m(48, 48), batch_of(tensor_of({16, 48, 3}), 9), true, "48"},
      {"ik,kj->ij", batch_of(m(24, 24), 9000), m(24, 24), batch_of(m(24, 24), 9000), false, "small"},
      {"kj,jbc->kbc", m(17, 17), tensor_of({17, 17, 17}), tensor_of({17, 17, 17}), false, "289x17 are small"},
      {"kj,jbc->kbc", m(5, 4), tensor_of({4, 4, 4000}), tensor_of({5, 4, 4000}), true, "5x16000x4"},
      // Loops are no rows: a batch in letters is as small as its products.
      {"ikb,kjb->ijb", tensor_of({20, 20, 5000}), tensor_of({20, 20, 5000}), tensor_of({20, 20, 5000}), false,
       "20x20x20"},
      {"ab,ab->ab", m(900, 900), m(900, 900), m(900, 900), false, "1x1x1"},
      {"i,i->", tensor_of({1 << 20}), tensor_of({1 << 20}), tensor_of({}), true, "1x1x1048576"},
      {"i,i->", tensor_of({1000}), tensor_of({1000}), tensor_of({}), false, "1x1x1000 are small"},
      // A thread of the other kernels would go through the sum alone.
      {"i,i->", tensor_of({1025}), tensor_of({1025}), tensor_of({}), true, "1x1x1025 are for tiles"},
      {"ki,kj->ij", batch_of(m(2000, 3), 9), batch_of(m(2000, 2), 9), batch_of(m(3, 2), 9), true, "3x2x2000"},
      {"i,j->ij", tensor_of({500}), tensor_of({500}), m(500, 500), true, "500x500x1"},
      {"ij,j->i", m(500, 500), tensor_of({500}), tensor_of({500}), true, "500x1x500"},
      {"ij,j->i", batch_of(m(64, 64), 99), batch_of(tensor_of({64}), 99), batch_of(tensor_of({64}), 99), false,
       "small"},
      {"ik,kj->ij", m(0, 64), m(64, 64), m(0, 64), false, "without entries"},
  };
  for (const pair_case& c : cases) check_decision(c);
}

TEST_CASE("plan general: operands that strides do not describe keep their kernels", "[general]") {
  const operand square = tensor_of({64, 64});
  const auto check = [&](const char* why, auto spoil) {
    for (int o = 0; o < 3; ++o) {
      operand all[] = {batch_of(square, 8), batch_of(square, 8), batch_of(square, 8)};
      spoil(all[o]);
      check_decision({"ik,kj->ij", all[0], all[1], all[2], false, why});
    }
  };
  check("group", [](operand& o) { o.grouped = true; });
  check("interleaved", [](operand& o) { o.lanes = 4; });
  check("strides", [](operand& o) { o.facts.affine = false; });
  check("strides", [](operand& o) { o.offsets = std::make_shared<std::vector<index_t>>(64 * 64); });
  const operand all[] = {square, square, tensor_of({64, 64, 64}), tensor_of({64, 64, 64})};
  CHECK(wants_general(contraction("si,sj,ksl->kilj"), arguments(all, 4)).because ==
        "three inputs, which make_network multiplies pair by pair");
}

TEST_CASE("plan general: what a form's kernel works with", "[general]") {
  const auto square = [](scalar_type type) {
    operand o = tensor_of({64, 64});
    o.type = type;
    return o;
  };
  const auto kind = [&](product_types types, complex<double> beta) {
    const operand all[] = {square(types.in), square(types.in), square(types.out)};
    return general_kind_of(contraction("ik,kj->ij", {2, beta}, types.sum), arguments(all, 3), product_precision::exact);
  };
  CHECK(kind(scalar_type::f64, 0) == general_kind{});
  CHECK(kind(scalar_type::f64, 1e-300).reads_out);
  CHECK_FALSE(kind(scalar_type::f32, 1e-300).reads_out);  // 0 in the type of the sums
  CHECK(kind(scalar_type::f32, 0.5).reads_out);
  CHECK(kind(scalar_type::c64, {0, 1}).reads_out);
  CHECK(kind({scalar_type::f32, scalar_type::f32, scalar_type::f64}, 1e-300).reads_out);
  operand conjugated[] = {square(scalar_type::c64), square(scalar_type::c64), square(scalar_type::c64)};
  conjugated[1].conjugated = true;
  const general_kind of = general_kind_of(contraction("ik,kj->ij"), arguments(conjugated, 3), product_precision::exact);
  CHECK_FALSE(of.left_conjugated);
  CHECK(of.right_conjugated);
}

TEST_CASE("plan general: rates by the name of a GPU, else by its multiprocessors", "[general]") {
  using detail::rates_of;
  CHECK(rates_of(h200()).dram == detail::rates_of_h200.dram);
  CHECK(rates_of(h200()).flops == detail::rates_of_h200.flops);
  CHECK(rates_of(h200()).shared_of_block == detail::rates_of_h200.shared_of_block);
  CHECK(rates_of(gpu_named("NVIDIA H100 80GB HBM3", 9, 0, 132)).dram == detail::rates_of_h100.dram);
  CHECK(rates_of(gpu_named("NVIDIA H100 PCIe", 9, 0, 114)).dram < 2.1e12);
  CHECK(rates_of(gpu_named("NVIDIA H20", 9, 0, 78)).dram == 4.0e12);
  const detail::gpu_rates part = rates_of(gpu_named("NVIDIA H100 MIG 3g.40gb of another name", 9, 0, 66));
  CHECK(part.multiprocessors == 66);
  CHECK(part.flops == detail::rates_of_h100.flops / 2);
  const detail::gpu_rates unknown = rates_of(gpu_named("a GPU of tomorrow", 9, 0, 66));
  CHECK(unknown.dram == detail::rates_of_h100.dram / 2);
  const detail::gpu_rates small = rates_of(gpu_named("NVIDIA L40S", 8, 9, 142));
  CHECK(small.shared_of_block == 99 * 1024);
  CHECK(small.threads == 1536);
  CHECK(small.flops < 0.1 * detail::rates_of_h100.flops);
}

TEST_CASE("plan general: by a name alone a GPU has the rates that it has where it is", "[general]") {
  using detail::rates_of_device;
  const auto are_same = [](const detail::gpu_rates& a, const detail::gpu_rates& b) {
    return a.multiprocessors == b.multiprocessors && a.flops == b.flops && a.flops_fma32 == b.flops_fma32 &&
           a.l2 == b.l2 && a.dram == b.dram && a.shared_of_block == b.shared_of_block && a.threads == b.threads;
  };
  for (const device::device_info& one :
       {h200(), gpu_named("NVIDIA H100 PCIe", 9, 0, 114), gpu_named("NVIDIA H20", 9, 0, 78),
        gpu_named("NVIDIA GH200 480GB", 9, 0, 132), gpu_named("NVIDIA A100-SXM4-80GB", 8, 0, 108),
        gpu_named("NVIDIA B200", 10, 0, 148)}) {
    INFO(one.name);
    CHECK(are_same(rates_of_device(one.name), detail::rates_of(one)));
  }
  CHECK(are_same(rates_of_device("NVIDIA H100 80GB HBM3"), detail::rates_of_h100));
  CHECK(are_same(rates_of_device("unknown"), detail::rates_of_h200));
}

TEST_CASE("plan general: every row of TCCG has a tile on every GPU, by the GPU's rates", "[general]") {
  for (const device::device_info& here :
       {h200(), gpu_named("NVIDIA A100-SXM4-80GB", 8, 0, 108), gpu_named("NVIDIA L40S", 8, 9, 142)})
    for (const tccg_row& row : tccg_rows) {
      const general_form form = lower_general(parse_einsum(einsum_of(row).c_str()), packed_facts(row).at);
      const auto chosen = detail::tile_for(form, {}, here);
      INFO(here.name << ", row " << row.id);
      REQUIRE(chosen);
      const detail::gpu_rates rates = detail::rates_of(here);
      const detail::general_work work = work_of(chosen->tile, form);
      const detail::kind_facts kind = facts_of(detail::general_kind{}, rates);
      CHECK(shared_bytes_of(work, kind) <= rates.shared_of_block);
      CHECK((chosen->tile.splits == 1 || chosen->tile.has_parts() || here.major >= 9));
      CHECK(blocks_together(work, kind, rates) >= 1);
      CHECK(chosen->costs.seconds == cost_of(chosen->tile, form, rates).seconds);
      CHECK(chosen->costs.seconds < 60);
      const std::string& because = chosen->because.name;
      CHECK((because.find(" tiles by the model") != std::string::npos ||
             because.find("record of ") != std::string::npos));
    }
}

TEST_CASE("plan general: explain says what is large, and lists tiles", "[general][explain]") {
  const contraction product("aebf,dfce->abcd");
  operand left = tensor_of({48, 24, 32, 16}), right = tensor_of({32, 16, 40, 24}), out = tensor_of({48, 32, 40, 32});
  const operand all[] = {left, right, out};
  const std::string text = explain(product, all, 3);
  INFO(text);
  const std::string kernel = device::available() ? device::info().name : "NVIDIA H200";
  for (const std::string& words :
       {std::string("\"aebf,dfce->abcd\" over 48x24x32x16, 32x16x40x24 -> 48x32x40x32"),
        std::string("a general contraction: products of 1536x1280x384"),
        std::string("rows 48x32, columns 40x32, sum of 24x16, batch 1"), "f64 by tensor cores on " + kernel})
    CHECK(text.find(words) != std::string::npos);
  if (!device::available()) {
    CHECK(text.find("left out by rules; of ") != std::string::npos);
    CHECK(text.find("do not fit") != std::string::npos);
    CHECK(text.find("\n  * rows ") != std::string::npos);
    CHECK(text.find("(tensor cores ") != std::string::npos);
    CHECK(text.find("DRAM ") != std::string::npos);
  }
  const operand small[] = {tensor_of({5, 4}), tensor_of({4, 4}), tensor_of({5, 4})};
  CHECK(explain(contraction("ik,kj->ij"), small, 3).find("no general contraction: products of 5x4x4 are small") !=
        std::string::npos);
  check_failure(status::invalid_argument, {"explain \"aebf,dfce->abcd\"", "2 operands given, 3 needed"},
                [&] { explain(product, all, 2); });
  const operand three[] = {left, right, tensor_of({32, 48}), tensor_of({48, 32, 40, 32})};
  CHECK(explain(contraction("aebf,dfce,ba->abcd"), three, 4).find("make_network") != std::string::npos);
  right.facts.extent[1] = 17;
  const operand wrong[] = {left, right, out};
  check_failure(status::shape_mismatch, {"disagree on the extent of 'f'"}, [&] { explain(product, wrong, 3); });
}

TEST_CASE("plan general: explain of other pairs, functions for GPUs only, and precisions", "[general][explain]") {
  if (device::available() && device::info().major < 9) return;
  operand left = tensor_of({512, 512}), right = left, out = left;
  const operand doubles[] = {left, right, out};
  const contraction product("ik,kj->ij");
  const std::string paths = explain(product.over(min_plus), doubles, 3);
  INFO(paths);
  CHECK(paths.find("(multiply-adds ") != std::string::npos);
  CHECK(paths.find("tensor cores") == std::string::npos);
  // A text alone, though these operands are in a CPU's memory.
  const std::string own = explain(product.with({.a = entry_function::own("mine", "x + 1")}), doubles, 3);
  INFO(own);
  CHECK(own.find("mine (A)") != std::string::npos);
  CHECK(own.find("\n  * rows ") != std::string::npos);

  for (operand* o : {&left, &right, &out}) o->type = scalar_type::f32, o->entry_bytes = 4;
  const operand floats[] = {left, right, out};
  const std::string exact = explain(product, floats, 3), rounded = explain(product, floats, 3, product_precision::tf32),
                    thrice = explain(product, floats, 3, product_precision::tf32x3);
  INFO(exact << rounded << thrice);
  CHECK(exact.find("(multiply-adds ") != std::string::npos);
  CHECK(rounded.find("(tensor cores ") != std::string::npos);
  CHECK(thrice.find("(tensor cores ") != std::string::npos);
  CHECK(rounded != thrice);
}

TEST_CASE("plan general: a plan without the kernel says what becomes of it", "[general]") {
  const contraction product("ik,kj->ij");
  detail::plan_state s(product, lowered{}, scalar_type::f64);
  CHECK(detail::why_no_kernel(s).empty());
  s.why_not_general = "TESSERA_JIT=OFF";
  CHECK(detail::why_no_kernel(s) == "no kernel was compiled at run time: TESSERA_JIT=OFF");

  const auto job = [](bool fails) {
    return std::make_shared<detail::compile_job>([fails](detail::compile_job::done_by) {
      if (fails) throw error("NVRTC refuses it: a word too much", status::internal);
    });
  };
  const auto good = job(false), bad = job(true);
  s.compiled_behind = good;
  CHECK(detail::why_no_kernel(s) == "a kernel for it is being compiled");
  good->finish();
  CHECK(detail::why_no_kernel(s) == "a kernel for it has been compiled since: a plan that is made now has it");
  s.compiled_behind = bad;
  bad->finish();
  CHECK(detail::why_no_kernel(s) == "no kernel was compiled at run time: NVRTC refuses it: a word too much");
}

TEST_CASE("plan general: the plans of a CPU are ready", "[general]") {
  auto a = make_tensor<double>(of_size(64, 64)), b = make_tensor<double>(of_size(64, 64)),
       c = make_tensor<double>(of_size(64, 64));
  const plan made = make_plan(contraction("ik,kj->ij"), a, b, c, plan_options{.wait = false});
  CHECK(made.is_ready());
  CHECK(made.describe().find("lowered to (8a)") != std::string::npos);
}
