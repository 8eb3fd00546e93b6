// SPDX-License-Identifier: BSD-3-Clause
// Suite launch: the cost of launching many small independent products one by one, and the alternatives.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <tessera/chain.hpp>
#include <tessera/executor.hpp>

#include "gpu/launch_ways.hpp"
#include "launch_model.hpp"
#include "measure/gpu/device.hpp"
#include "models/transfer.hpp"
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
  items.reserve(products.size());
  for (const std::vector<operand>& product : products) items.push_back({what, product});
  return items;
}

std::string formatted(const char* format, auto value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// The time relative to the first way's, as a loss in percent; below it what the model says.
std::vector<std::string> table_lines(const case_results& c) {
  const double batched = c.all.front().time.seconds.median;
  std::string line = formatted("%-10s", c.label.c_str()), predicted = formatted("%-10s", "  model");
  for (const result& r : c.all) {
    line += formatted("  %13s", duration(r.time.seconds.median).c_str());
    predicted += formatted("  %13s", r.predicted ? duration(r.predicted->seconds).c_str() : "-");
    if (&r == &c.all.front()) continue;
    line += formatted(" %8ld%%", std::lround(100 * (r.time.seconds.median / batched - 1)));
    predicted += formatted(" %9s", "");
  }
  for (const result& r : c.all)
    if (!r.checked.correct()) line += "  WRONG: " + r.impl;
  return {line + mark_of(c.all.front()) + "  " + c.row, predicted};
}

std::string table_head(const std::vector<way>& ways) {
  std::string line = "case      ";
  for (const way& w : ways) {
    const bool ours = &w == &ways.front();
    line += formatted(ours ? "  %13s" : "  %13s  overhead", ours ? "batched" : w.name.c_str());
  }
  return line + "  row";
}

// The products of a size in all ways, with the operands, plans and lists that these use.
class product_ways {
 public:
  product_ways(const gemm_size& size, const setting& s)
      : work_(product_case(size, "nn", s)),
        batches_(place(work_, s)),
        products_(products_of(batches_)),
        batched_(make_plan_of(work_.what, batches_.data(), 3, options_of_plans(s))),
        single_(make_plan_of(work_.what, products_.front().data(), 3, options_of_plans(s))),
        listed_(items_of(work_.what, products_), options_of_plans(s)) {
    const auto separate = [this](stream_view queue) {
      for (const std::vector<operand>& product : products_) single_.run_operands(product.data(), 3, queue);
    };
    ways_ = {{"tessera", [this] { batched_.run_operands(batches_.data(), 3, {}); }, batched_.describe()},
             {"separate", [separate] { separate({}); }, single_.describe()}};
    if (s.on == target::cuda) {
      const gemm_call call = call_for(work_, s);
      ways_.push_back({serial, [call] { device::multiply_in_one_block(call); },
                       "one block, the products one after the other, each staged in shared memory"});
      ways_.push_back({"graph", device::graph_of(separate), "a CUDA graph of the separate launches, replayed"});
    }
    ways_.push_back({"executor", [this] { listed_.run(); }, listed_.describe()});
  }
  product_ways(const product_ways&) = delete;
  product_ways& operator=(const product_ways&) = delete;

  const std::vector<way>& ways() const { return ways_; }
  case_results run(setting& s) { return measured(work_, s, ways_, batched_); }

  static constexpr const char* serial = "fused-serial";

 private:
  workload work_;
  std::vector<operand> batches_;
  std::vector<std::vector<operand>> products_;
  plan batched_, single_;
  executor listed_;
  std::vector<way> ways_;
};

constexpr gemm_size smallest_product{1, 1, 1};

// Not for a profiler, which looks at the sizes that were asked for.
case_results smallest_case(const setting& s) {
  setting unprofiled = s;
  unprofiled.with.profiled = "none";
  return product_ways(smallest_product, unprofiled).run(unprofiled);
}

// Latency and the roofline of the bytes and flops of all products, of which one block has a multiprocessor's part.
void predict_ways(case_results& c, const launch_latencies& latency, setting& s) {
  memory_level level = s.memory->level_for(c.bytes);
  for (std::size_t i = 0; i < c.all.size(); ++i) {
    result& r = c.all[i];
    memory_level part = level;
    const double parts = r.impl == product_ways::serial ? device::this_device().multiprocessors : 1;
    part.line.bandwidth /= parts;
    r.predicted = predict(part, c.limit.peak / parts, c.flops, c.bytes, latency.of(i));
  }
  c.predicted = c.all.front().predicted;
  const double separate = c.all[1].time.seconds.median, batched = c.all.front().time.seconds.median;
  c.facts["launch_share"] = models::launch_share(separate, batched);
}

// Hockney's line of each way through its times of all sizes.
void fit_ways(const std::vector<case_results>& cases, double products, report& to) {
  nlohmann::json lines = nlohmann::json::array();
  for (std::size_t w = 0; w < cases.front().all.size(); ++w) {
    std::vector<models::transfer_sample> samples;
    samples.reserve(cases.size());
    for (const case_results& c : cases) samples.push_back({c.bytes, c.all[w].time.seconds.median});
    const models::transfer_line line = models::fit_transfers(samples);
    const std::string name = w == 0 ? "batched" : cases.front().all[w].impl;
    to.note(formatted("%-13s", name.c_str()) + ": " + latency_text(line.latency) + " + bytes / " +
            formatted("%.1f GB/s", line.bandwidth * 1e-9) + ", " + latency_text(line.latency / products) +
            " a product; off by at most " + formatted("%.0f%%", 100 * line.worst_fit));
    lines.push_back(launch_line_json(cases.front().all[w].impl, line, products));
  }
  to.attach("launch_lines", lines);
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
  to.note("model: time of products of 1 x 1, and the roofline of all bytes and flops");
  launch_latencies latency([&] { return smallest_case(s); });
  std::vector<case_results> cases;
  for (const gemm_size& size : sizes) {
    product_ways products(size, s);
    if (cases.empty()) to.note(table_head(products.ways()));
    const bool is_smallest = size == smallest_product;
    if (is_smallest)
      for (const way& w : products.ways()) run_for_profiler(s, w.name, w.run);
    case_results c = is_smallest ? latency.smallest() : products.run(s);
    latency.hold_against(c);
    predict_ways(c, latency, s);
    to.keep(c);
    for (const std::string& line : table_lines(c)) to.note(line);
    cases.push_back(std::move(c));
  }
  const auto by_bytes = [](const case_results& a, const case_results& b) { return a.bytes < b.bytes; };
  const auto [least, most] = std::minmax_element(cases.begin(), cases.end(), by_bytes);
  if (cases.size() > 1 && least->bytes < most->bytes) fit_ways(cases, double(*o.batch), to);
  return to.finish();
}

}  // namespace tessera::bench
