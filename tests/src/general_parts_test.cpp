// SPDX-License-Identifier: BSD-3-Clause
// Few results of long sums on a GPU: the model gives them to many blocks, what it predicts is near what memory allows,
// and nothing else is taken apart.
#include <tessera/detail/general_candidates.hpp>
#include <tessera/detail/general_records.hpp>
#include <tessera/explain.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "gpu_named.hpp"
#include "src/general/gpu_rates.hpp"
#include "src/general/plan_general.hpp"
#include "src/general/tile_choice.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using detail::general_by;
using detail::general_kind;
using detail::general_tile;
using testing::gpu_named;

namespace {

device::device_info an_h200() { return gpu_named("NVIDIA H200", 9, 0, 132); }
device::device_info an_a100() { return gpu_named("NVIDIA A100-SXM4-80GB", 8, 0, 108); }
device::device_info an_l40s() { return gpu_named("NVIDIA L40S", 8, 9, 142); }

operand packed_on_gpu(scalar_type type, const std::vector<index_t>& extents) {
  operand o{.type = type, .entry_bytes = size_of(type), .space = space_kind::gpu};
  for (const index_t extent : extents) {
    o.facts.extent[o.facts.rank] = extent;
    o.facts.stride[o.facts.rank++] = std::max<index_t>(o.span, 1);
    o.span = std::max<index_t>(o.span, 1) * extent;
  }
  o.span = std::max<index_t>(o.span, 1);
  o.count = 1;
  return o;
}

struct long_sum {
  const char* text;
  std::vector<index_t> left, right, out;

  general_form form() const {
    const operand_facts facts[max_inputs + 1] = {packed_on_gpu(scalar_type::f64, left).facts,
                                                 packed_on_gpu(scalar_type::f64, right).facts,
                                                 {},
                                                 packed_on_gpu(scalar_type::f64, out).facts};
    return lower_general(parse_einsum(text), facts);
  }
  double entries() const {
    double all = 0;
    for (const std::vector<index_t>* extents : {&left, &right, &out}) {
      double size = 1;
      for (const index_t extent : *extents) size *= double(extent);
      all += size;
    }
    return all;
  }
};

const long_sum a_dot_product{"ab,ab->", {4096, 1024}, {4096, 1024}, {}};
const std::vector<long_sum> few_results{
    a_dot_product,
    {"ki,kj->ij", {1000000, 4}, {1000000, 4}, {4, 4}},
    {"ik,jk->ij", {8, 1000000}, {8, 1000000}, {8, 8}},
    {"ki,kj->ij", {1000003, 3}, {1000003, 5}, {3, 5}},
};
const std::vector<long_sum> some_results{
    {"ab,ba->", {3000, 1001}, {1001, 3000}, {}},         {"ak,k->a", {512, 262144}, {262144}, {512}},
    {"ka,k->a", {262144, 100}, {262144}, {100}},         {"ki,kj->ij", {1000000, 24}, {1000000, 32}, {24, 32}},
    {"ik,jk->ij", {64, 300000}, {64, 300000}, {64, 64}},
};

general_kind kind_in(scalar_type type) {
  return detail::exact_kind(type, type, type == scalar_type::f16 ? scalar_type::f32 : type);
}

}  // namespace

TEST_CASE("general parts: few results of long sums are near what memory allows", "[general]") {
  for (const device::device_info& card : {an_h200(), an_a100()})
    for (const scalar_type type : {scalar_type::f64, scalar_type::f32, scalar_type::f16, scalar_type::i32})
      for (const long_sum& c : few_results) {
        const general_form form = c.form();
        const general_kind kind = *detail::kind_on(card, kind_in(type), form);
        const auto chosen = detail::tile_for(form, kind, card);
        REQUIRE(chosen);
        INFO(card.name << ", " << text_of(kind) << ", " << c.text << ": " << text_of(chosen->tile, form));
        CHECK(kind.by == general_by::fma);
        CHECK(chosen->tile.has_parts());
        CHECK(chosen->tile.threads() == 32);
        CHECK(text_of(chosen->tile, form).ends_with(std::to_string(chosen->tile.splits) + " parts"));
        const double memory = c.entries() * double(size_of(type)) / detail::rates_of(card).dram;
        CHECK(chosen->costs.seconds > memory);
        CHECK(chosen->costs.seconds < 1.6 * memory + 10e-6);  // two launches
      }
}

TEST_CASE("general parts: matrices by vectors, and thin products, fill a GPU", "[general]") {
  for (const device::device_info& card : {an_h200(), an_a100(), an_l40s()})
    for (const scalar_type type : {scalar_type::f64, scalar_type::f32, scalar_type::f16, scalar_type::c64})
      for (const long_sum& c : some_results) {
        const general_form form = c.form();
        const general_kind kind = *detail::kind_on(card, kind_in(type), form);
        const auto whole = detail::tile_for(form, kind, card, detail::sums::whole),
                   chosen = detail::tile_for(form, kind, card);
        REQUIRE(whole);
        REQUIRE(chosen);
        INFO(card.name << ", " << text_of(kind) << ", " << c.text << ": " << text_of(chosen->tile, form));
        CHECK_FALSE(whole->tile.has_parts());
        CHECK(chosen->tile.has_parts());
        CHECK(chosen->costs.seconds < 0.9 * whole->costs.seconds);
        const detail::kind_facts facts = facts_of(kind, detail::rates_of(card));
        const detail::general_work work = work_of(chosen->tile, form, facts);
        CHECK(double(work.tiles) * work.splits >= 0.5 * card.sms);
        CHECK(work.sums_of_parts() * facts.sum_bytes <= double(detail::most_workspace_of_sum));
      }
}

TEST_CASE("general parts: what fills a GPU, and short sums, stay whole", "[general]") {
  const std::vector<long_sum> others{{"ik,kj->ij", {4096, 4096}, {4096, 4096}, {4096, 4096}},
                                     {"ak,k->a", {200000, 500}, {500}, {200000}},
                                     {"ik,kj->ij", {64, 64}, {64, 64}, {64, 64}},
                                     {"a,b->ab", {5000}, {5000}, {5000, 5000}},
                                     {"bk,bk->b", {5000, 3000}, {5000, 3000}, {5000}}};
  for (const long_sum& c : others) {
    const general_form form = c.form();
    const general_kind kind = *detail::kind_on(an_h200(), {}, form);
    const auto chosen = detail::tile_for(form, kind, an_h200());
    REQUIRE(chosen);
    INFO(c.text << ": " << text_of(chosen->tile, form));
    CHECK_FALSE(chosen->tile.has_parts());
  }
  CHECK(detail::sums_of_batch(a_dot_product.form(), 1, 132) == detail::sums::in_parts);
  CHECK(detail::sums_of_batch(a_dot_product.form(), 131, 132) == detail::sums::in_parts);
  CHECK(detail::sums_of_batch(a_dot_product.form(), 132, 132) == detail::sums::whole);
}

TEST_CASE("general parts: without a workspace there are none", "[general]") {
  const general_form form = a_dot_product.form();
  const general_kind kind = *detail::kind_on(an_h200(), {}, form);
  for (const detail::general_candidate& c : detail::candidates_of(form, detail::rates_of(an_h200()), kind).found)
    CHECK_FALSE(c.tile.has_parts());
  // Nor beyond its bound: 512 x 512 sums of 8 bytes in 100 parts.
  const long_sum square{"ik,jk->ij", {512, 100000}, {512, 100000}, {512, 512}};
  general_tile tile{.splits = 100};
  tile.rows[0] = tile.cols[0] = 64;
  tile.inner[0] = 16;
  constexpr double never = std::numeric_limits<double>::infinity();
  CHECK(cost_of(tile, square.form(), detail::rates_of_h200).seconds == never);
  tile.splits = 30;
  CHECK(cost_of(tile, square.form(), detail::rates_of_h200).seconds < never);
}

TEST_CASE("general parts: lanes of the only warp of a block share the sums of a small box", "[general]") {
  const auto unit = [](int rows, int warps, int cols) { return unit_of(general_by::fma, rows, warps, cols, 1); };
  CHECK(unit(1, 1, 1).shares_sum());
  CHECK(unit(8, 1, 8).shares_sum());
  CHECK_FALSE(unit(13, 1, 5).shares_sum());
  CHECK_FALSE(unit(1, 2, 1).shares_sum());
  CHECK_FALSE(unit_of(general_by::mma_f64, 1, 1, 1, 1).shares_sum());
}

TEST_CASE("general parts: what multiplies, by the GPU and the number of results", "[general]") {
  const long_sum large{"ik,jk->ij", {64, 1000}, {64, 1000}, {64, 64}};
  general_kind half = kind_in(scalar_type::f16), second;
  second.second = {8, 0, 1, 8};
  using detail::kind_on;
  CHECK(kind_on(an_h200(), {}, large.form())->by == general_by::mma_f64);
  CHECK(kind_on(an_a100(), {}, large.form())->by == general_by::fma);
  CHECK(kind_on(an_a100(), half, large.form())->by == general_by::mma_16);
  CHECK(kind_on(an_h200(), half, a_dot_product.form())->by == general_by::fma);
  CHECK(kind_on(an_h200(), second, a_dot_product.form())->by == general_by::mma_f64);
  CHECK_FALSE(kind_on(gpu_named("NVIDIA T4", 7, 5, 40), half, large.form()));
}

TEST_CASE("general parts: records may have them, and serve where there is a workspace", "[general]") {
  const general_form form = a_dot_product.form();
  const general_kind kind = *detail::kind_on(an_h200(), {}, form);
  const std::string text = text_of(kind);
  general_tile tile{.warps_down = 1, .warps_across = 1, .stages = 4, .splits = 1000};
  tile.inner[0] = 64;
  CHECK(detail::why_no_tile(tile, form).empty());
  const detail::tuned_general record{.kind = text, .device = "NVIDIA H200", .form = form, .tile = tile};
  const detail::gpu_rates rates = detail::rates_of(an_h200());
  CHECK_FALSE(detail::choose_general({&record, 1}, form, kind, "NVIDIA H200", rates));
  const auto chosen = detail::choose_general({&record, 1}, form, kind, "NVIDIA H200", with_workspace(rates));
  REQUIRE(chosen);
  CHECK(chosen->tile.splits == 1000);
  tile.splits = detail::most_parts_of_sum + 1;
  CHECK(detail::why_no_tile(tile, form) == "4097 splits, not 1 to 4096");
}

TEST_CASE("general parts: explain lists them", "[general][explain]") {
  const operand all[] = {packed_on_gpu(scalar_type::f32, a_dot_product.left),
                         packed_on_gpu(scalar_type::f32, a_dot_product.right),
                         packed_on_gpu(scalar_type::f32, a_dot_product.out)};
  const std::string text = explain(contraction(a_dot_product.text), all, 3);
  INFO(text);
  CHECK(text.find("a general contraction: products of 1x1x4194304 are for tiles") != std::string::npos);
  CHECK(text.find("  * rows 1, columns 1, sum ") != std::string::npos);
  CHECK(text.find(" parts: ") != std::string::npos);
}
