// SPDX-License-Identifier: BSD-3-Clause
// Suite call: what a run of a plan costs on a CPU besides its products, by the kernel rows of fixed and of any sizes.
#include <cstdio>

#include <tessera/chain.hpp>
#include <tessera/error.hpp>

#include "product_case.hpp"
#include "small/overhead.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

constexpr long long usual_products = 9;

struct sizes_and_steps {
  gemm_size size;
  bool trans_b;
};

// The views that a user makes for a run of `count` products from product e on.
template <class T>
void run_views(const plan& planned, const std::vector<operand>& all, const sizes_and_steps& of, index_t e,
               index_t count) {
  const auto [m, n, k] = of.size;
  const auto a = view_batch(static_cast<const T*>(all[0].data) + e * m * k, of_size(m, k), count);
  const auto b =
      view_batch(static_cast<const T*>(all[1].data) + e * k * n, of.trans_b ? of_size(n, k) : of_size(k, n), count);
  planned.run(a, b, view_batch(static_cast<T*>(const_cast<void*>(all[2].data)) + e * m * n, of_size(m, n), count));
}

std::vector<way> call_ways(const plan& planned, const std::vector<operand>& all, const sizes_and_steps& of,
                           bool in_float, const std::vector<std::vector<operand>>& singles) {
  const auto run = in_float ? run_views<float> : run_views<double>;
  const index_t count = all[2].count;
  return {{"tessera", [&, run, of, count] { run(planned, all, of, 0, count); }, planned.describe()},
          {"separate",
           [&, run, of, count] {
             for (index_t e = 0; e < count; ++e) run(planned, all, of, e, 1);
           },
           planned.describe()},
          {"tessera-operands", [&] { planned.run_operands(all.data(), 3, {}); }, planned.describe()},
          {"separate-operands",
           [&] {
             for (const std::vector<operand>& one : singles) planned.run_operands(one.data(), 3, {});
           },
           planned.describe()}};
}

// Nanoseconds.
std::string line_of_call(const case_results& c) {
  const double count = c.facts.at("batch").get<double>();
  const auto seconds = [&](std::size_t way) { return c.all[way].time.seconds.median; };
  const call_cost by_views = cost_of_call(seconds(1) / count, seconds(0), (long long)(count));
  const call_cost by_operands = cost_of_call(seconds(3) / count, seconds(2), (long long)(count));
  char text[160];
  std::snprintf(text, sizeof text, "%-12s %9.1f %9.1f %9.1f %9.1f %9.1f", c.label.c_str(), 1e9 * seconds(1) / count,
                1e9 * seconds(0), 1e9 * by_views.one_entry, 1e9 * by_views.fixed, 1e9 * by_operands.fixed);
  std::string line = text;
  for (const result& r : c.all)
    if (!r.checked.correct()) line += "  WRONG: " + r.impl;
  return line + "  " + c.row + mark_of(c.all.front());
}

case_results call_case(const gemm_size& size, const std::string& trans, setting& s) {
  workload work = product_case(size, trans, s);
  const std::vector<operand> all = place(work, s);
  std::vector<std::vector<operand>> singles;
  for (index_t e = 0; e < work.batch(); ++e)
    singles.push_back({slice(all[0], e, 1), slice(all[1], e, 1), slice(all[2], e, 1)});
  const plan planned = make_plan_of(work.what, all.data(), 3, {s.on, s.with.threads});
  const bool in_float = s.with.type == product_types(scalar_type::f32);
  return measured(work, s, call_ways(planned, all, {size, trans[1] == 't'}, in_float, singles), planned);
}

}  // namespace

int run_call(const options& given) {
  options o = given;
  if (!o.type.is_real()) throw error(std::string("call: type ") + name_of(o.type) + ", not f32 or f64");
  if (!o.batch) o.batch = usual_products;
  const std::vector<gemm_size> sizes = parse_sizes(o.call_sizes);
  report to(o, {});
  setting s = make_setting(o, {}, to);
  if (s.on == target::cuda) throw error("call: a suite of the CPU; the suite launch has launches of a GPU");
  const std::string many = "run of " + std::to_string(*o.batch);
  to.note(
      "ns; fixed: a run of one product less the time of a further product, with views made for the run, and with "
      "operands made before");
  char text[160];
  std::snprintf(text, sizeof text, "%-12s %9s %9s %9s %9s %9s  row", "case", "run of 1", many.c_str(), "a product",
                "fixed", "operands");
  to.note(text);
  for (const gemm_size& size : sizes)
    for (const char* trans : {"nn", "nt"}) {  // B transposed is not packed: the kernel for any sizes
      const case_results c = call_case(size, trans, s);
      to.keep(c);
      to.note(line_of_call(c));
    }
  return to.finish();
}

}  // namespace tessera::bench
