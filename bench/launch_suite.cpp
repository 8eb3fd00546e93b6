// SPDX-License-Identifier: BSD-3-Clause
// Suite launch: the cost of launching many small independent products one by one, and the alternatives.
#include <cmath>
#include <cstdio>
#include <utility>

#include <tessera/chain.hpp>
#include <tessera/executor.hpp>

#include "gpu/launch_ways.hpp"
#include "product_case.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

constexpr long long default_products = 1000;

// The operands of every single product.
std::vector<std::vector<operand>> products_of(const std::vector<operand>& batches) {
  std::vector<std::vector<operand>> products;
  for (index_t b = 0; b < batches.back().count; ++b) {
    products.emplace_back();
    for (const operand& batch : batches) {
      operand one = slice(batch, b, 1);
      one.batched = false;
      products.back().push_back(one);
    }
  }
  return products;
}

std::vector<executor_item> items_of(const contraction& what, const std::vector<std::vector<operand>>& products) {
  std::vector<executor_item> items;
  for (const std::vector<operand>& product : products) items.push_back({what, product});
  return items;
}

// The time relative to the first way's, as a loss in percent.
std::string table_line(const case_results& c) {
  const double batched = c.all.front().time.seconds.median;
  char text[64];
  std::snprintf(text, sizeof text, "%-10s", c.label.c_str());
  std::string line = text;
  for (const result& r : c.all) {
    std::snprintf(text, sizeof text, "  %13s", duration(r.time.seconds.median).c_str());
    line += text;
    if (&r == &c.all.front()) continue;
    std::snprintf(text, sizeof text, " %8ld%%", std::lround(100 * (r.time.seconds.median / batched - 1)));
    line += text;
  }
  for (const result& r : c.all)
    if (!r.checked.correct()) line += "  WRONG: " + r.impl;
  line += mark_of(c.all.front());
  return line + "  " + c.row;
}

std::string table_head(const std::vector<way>& ways) {
  std::string line = "case      ";
  char text[64];
  for (const way& w : ways) {
    const bool ours = &w == &ways.front();
    std::snprintf(text, sizeof text, ours ? "  %13s" : "  %13s  overhead", ours ? "batched" : w.name.c_str());
    line += text;
  }
  return line + "  row";
}

case_results run_one(const gemm_size& size, setting& s, report& to, bool first) {
  workload work = product_case(size, "nn", s);
  const std::vector<operand> batches = place(work, s);
  const std::vector<std::vector<operand>> products = products_of(batches);
  const plan_options on = options_of_plans(s);
  const plan batched = make_plan_of(work.what, batches.data(), 3, on);
  const plan single = make_plan_of(work.what, products.front().data(), 3, on);
  const executor listed(items_of(work.what, products), on);

  const auto separate = [&](stream_view queue) {
    for (const std::vector<operand>& product : products) single.run_operands(product.data(), 3, queue);
  };
  std::vector<way> ways{{"tessera", [&] { batched.run_operands(batches.data(), 3, {}); }, batched.describe()},
                        {"separate", [&] { separate({}); }, single.describe()}};
  if (s.on == target::cuda) {
    const gemm_call call = call_for(work, s);
    ways.push_back({"fused-serial", [call] { device::multiply_in_one_block(call); },
                    "one block, the products one after the other, each staged in shared memory"});
    ways.push_back({"graph", device::graph_of(separate), "a CUDA graph of the separate launches, replayed"});
  }
  ways.push_back({"executor", [&] { listed.run(); }, listed.describe()});
  if (first) to.note(table_head(ways));
  return measured(work, s, ways, batched);
}

}  // namespace

int run_launch(const options& given) {
  options o = given;
  if (!o.type.is_real()) throw error(std::string("launch: type ") + name_of(o.type) + ", not f32 or f64");
  if (!o.batch) o.batch = default_products;
  const std::vector<gemm_size> sizes = parse_sizes(o.launch_sizes);
  report to(o, {});
  setting s = make_setting(o, {}, to);
  to.note(std::to_string(*o.batch) + " products C = A B of " + name_of(o.type) +
          "; overhead: time over that of one plan" + " run over the batch, less 1");
  if (s.on != target::cuda)
    to.note("on a CPU there is no launch: separate plan runs beside one run, " + std::to_string(o.threads) +
            (o.threads == 1 ? " thread" : " threads") + "; fused-serial and graph need a GPU (--target cuda)");
  bool first = true;
  for (const gemm_size& size : sizes) {
    const case_results c = run_one(size, s, to, std::exchange(first, false));
    to.keep(c);
    to.note(table_line(c));
  }
  return to.finish();
}

}  // namespace tessera::bench
