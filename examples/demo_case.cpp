// SPDX-License-Identifier: BSD-3-Clause
// Builds, checks, times and bounds the demo's cases.
#include "demo_case.hpp"

#include <tessera/fem/mass.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "gpu/device.hpp"
#include "limits/cpu.hpp"
#include "measure.hpp"

namespace tessera::demo {

namespace {

using vector = fem::field<double>;

// A cube of about `elements` elements, bent inside and unmoved at its boundary: its volume is 1.
fem::mesh bent_cube(double elements) {
  const int n = std::max(1, static_cast<int>(std::cbrt(elements) + 1e-9));
  const int last = std::max(1, static_cast<int>(elements / n / n));
  return fem::mesh({n, n, last}, 2, [](const fem::point& x) {
    const double pi = std::acos(-1.0);
    const double bump = 0.1 * std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]);
    return fem::point{x[0] + bump, x[1] - 0.5 * bump, x[2] + 0.75 * bump};
  });
}

std::vector<double> host_values(const vector& v) {
  if (v.space() == space_kind::gpu) stream_view{}.synchronize();
  return v.host();
}

// "  runs on avx512: gemm f64 5xanyx4 (...)": what stands behind the colon, up to the details.
std::vector<std::string> rows_in(const std::string& description) {
  std::vector<std::string> rows;
  std::istringstream lines(description);
  const std::string mark = "runs on ";
  for (std::string line; std::getline(lines, line);)
    if (const auto at = line.find(mark); at != std::string::npos) {
      const auto row = line.find(": ", at);
      rows.push_back(line.substr(row + 2, line.find(" (", row) - row - 2));
    }
  return rows;
}

bench::protocol protocol_for(space_kind space, double seconds) {
  bench::protocol p;
  p.reps = {.least = 7, .most = 25};
  p.most_seconds = seconds / (space == space_kind::cpu ? 3 : 1);
  if (space == space_kind::gpu) p.time = bench::device::seconds;
  return p;
}

// Times `pass`, and in turn with it the plain movement of as many bytes: `read` doubles in, `written` out.
void measure(outcome& result, const std::function<void()>& pass, std::size_t read_x, std::size_t read_D,
             std::size_t written, const settings& how, const limits& machine) {
  std::vector<bench::contender> contenders{{"tessera", pass}};
  double peak = machine.gpu_flops;
  vector x, D, y;
  if (result.space == space_kind::cpu) {
    peak = machine.cpu_flops;
    const auto array = [](std::size_t n) { return vector(space_kind::cpu, of_size(static_cast<index_t>(n)), 1); };
    x = array(read_x);
    D = array(read_D);
    y = array(written);
    const bench::arrays arrays{x.data(), D.data(), y.data(), read_x, read_D, written};
    for (const bool streaming : {false, true})
      contenders.push_back({"movement", [=, &how] { bench::move_once(arrays, false, streaming, how.threads); }});
  }
  const std::vector<bench::timing> timings = bench::measure(contenders, protocol_for(result.space, how.seconds));
  result.seconds = timings[0].seconds.median;
  result.mad = timings[0].seconds.mad;
  if (result.space == space_kind::cpu)
    result.bandwidth = result.bytes / std::min(timings[1].seconds.median, timings[2].seconds.median);
  else
    result.bandwidth = bench::device::copy_bandwidth(static_cast<std::size_t>(how.gpu_bytes));
  const double by_bytes = result.bytes / result.bandwidth, by_flops = result.flops / peak;
  result.bound_by_bytes = by_bytes >= by_flops;
  result.bound_seconds = std::max(by_bytes, by_flops);
}

void run_apply(outcome& result, fem::mass_operator<double>& M, const settings& how, const limits& machine) {
  vector x = M.vector(), y = M.vector();
  x.set(std::vector<double>(x.bytes() / sizeof(double), 1.0));
  M.apply(x, y);
  long double volume = 0;
  for (const double value : host_values(y)) volume += value;
  result.error = static_cast<double>(std::abs(volume - 1));
  result.tolerance = 64 * std::numeric_limits<double>::epsilon();
  const std::size_t functions = x.bytes() / sizeof(double);
  const auto points = static_cast<std::size_t>(M.grid().size() * M.elements());
  measure(
      result, [&] { M.apply(x, y); }, functions, points, functions, how, machine);
}

void run_assemble(outcome& result, fem::mass_operator<double>& M, const settings& how, const limits& machine) {
  vector matrices = M.matrices(), x = M.vector(), y = M.vector(), z = M.vector();
  std::vector<double> values(x.bytes() / sizeof(double));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.7 * static_cast<double>(i % 1009));
  x.set(values);
  M.assemble(matrices);
  make_plan(contraction("ij,j->i"), matrices, x, y).run(matrices, x, y);
  M.apply(x, z);
  const std::vector<double> product = host_values(y), evaluation = host_values(z);
  double largest = 0;
  for (std::size_t i = 0; i < product.size(); ++i) {
    // The largest value is kept where it is NaN, too.
    const double difference = std::abs(product[i] - evaluation[i]);
    if (!(difference <= result.error)) result.error = difference;
    largest = std::max(largest, std::abs(evaluation[i]));
  }
  result.error /= largest;
  // Roundings on both ways: the sums of the two chains and of the product with M.
  const double d = M.order() + 1, q = M.grid().points(0);
  result.tolerance = (3 * (d + 2) + 6 * (q + 2) + d * d * d + 10) * std::numeric_limits<double>::epsilon();
  measure(
      result, [&] { M.assemble(matrices); }, static_cast<std::size_t>(M.grid().size() * M.elements()), 0,
      matrices.bytes() / sizeof(double), how, machine);
}

}  // namespace

outcome run(operation what, space_kind space, int p, const settings& how, const limits& machine) {
  outcome result{.what = what, .space = space, .p = p};
  const fem::element_cost cost = fem::cost_of_mass(fem::strategy::near_optimal_evaluation,
                                                   {.d = p + 1, .q = {p + 2, p + 2, p + 2}, .geometry = 3});
  const double flops = what == operation::apply ? cost.apply_flops : cost.assembly_flops;
  const double bytes = what == operation::apply ? cost.apply_bytes : cost.assembly_bytes;
  const fem::mesh domain = bent_cube((space == space_kind::cpu ? how.cpu_bytes : how.gpu_bytes) / bytes);
  fem::mass_operator<double> M(domain, p, {.space = space, .plans = {{}, how.threads}});
  result.elements = M.elements();
  result.flops = flops * static_cast<double>(M.elements());
  result.bytes = bytes * static_cast<double>(M.elements());
  result.rows = rows_in(what == operation::apply ? M.describe() : M.describe_assembly());
  if (what == operation::apply)
    run_apply(result, M, how, machine);
  else
    run_assemble(result, M, how, machine);
  return result;
}

}  // namespace tessera::demo
