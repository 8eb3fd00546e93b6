// SPDX-License-Identifier: BSD-3-Clause
// Makes the tables of the suite models.
#include "model_tables.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdio>

#include <tessera/error.hpp>

#include "measure/numbers.hpp"
#include "models/product_model.hpp"
#include "models/scaling.hpp"
#include "models/two_site.hpp"
#include "prediction.hpp"
#include "report.hpp"
#include "sizes.hpp"

namespace tessera::bench {

namespace {

using nlohmann::json;

json known_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

[[gnu::format(printf, 1, 2)]] std::string line_of(const char* format, ...) {
  char text[256];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return text;
}

index_t bytes_of(const std::string& type) { return type == "f64" ? 8 : 4; }

model_table ridge_table(const machine_figures& of) {
  model_table made{
      "ridge_points", {line_of("%-12s %12s %10s %14s", "ridge points", "TFLOP/s", "GB/s", "flop/byte")}, {}};
  for (const machine_figures::peak& p : of.peaks) {
    const double ridge = models::ridge_point({p.rate, of.bandwidth});
    made.lines.push_back(
        line_of("%-12s %12.4g %10.4g %14.1f", p.type.c_str(), p.rate * 1e-12, of.bandwidth * 1e-9, ridge));
    made.rows.push_back({{"type", p.type}, {"peak", p.rate}, {"bandwidth", of.bandwidth}, {"ridge", ridge}});
  }
  return made;
}

model_table product_table(const machine_figures& of, const model_choice& what, const std::string& type) {
  const models::roofline roof = of.roof(type);
  model_table made{"products",
                   {line_of("C = A B + C, %s, padded to multiples of %d", type.c_str(), what.tile),
                    line_of("%-14s %8s %9s %7s  %-14s %10s  %s", "M x N x K", "ideal", "padded", "loss", "padded to",
                            "GFLOP/s", "by")},
                   {}};
  for (const gemm_size& size : parse_sizes(what.products)) {
    const models::product_shape shape{size.m, size.n, size.k}, wide = models::padded(shape, what.tile);
    const double ideal = models::product_intensity(shape, bytes_of(type));
    const double effective = models::product_intensity(shape, bytes_of(type), what.tile);
    const double loss = models::padding_loss(shape, bytes_of(type), what.tile);
    const double flops = models::product_flops(shape), bytes = models::product_bytes(wide, bytes_of(type));
    const bool by_bandwidth = models::is_by_bandwidth(roof, flops, bytes);
    const std::string name = line_of("%lldx%lldx%lld", size.m, size.n, size.k),
                      to = line_of("%lldx%lldx%lld", wide.m, wide.n, wide.k);
    made.lines.push_back(line_of("%-14s %8.2f %9.2f %6.1f%%  %-14s %10.1f  %s", name.c_str(), ideal, effective,
                                 100 * loss, to.c_str(), models::attainable(roof, effective) * 1e-9,
                                 by_bandwidth ? "bandwidth" : "flops"));
    made.rows.push_back({{"m", size.m},
                         {"n", size.n},
                         {"k", size.k},
                         {"ideal_intensity", ideal},
                         {"padded_intensity", effective},
                         {"loss", loss},
                         {"padded", {wide.m, wide.n, wide.k}},
                         {"attainable", models::attainable(roof, effective)},
                         {"seconds", models::roofline_seconds(roof, flops, bytes)},
                         {"by", by_bandwidth ? "bandwidth" : "flops"}});
  }
  return made;
}

model_table capacity_table(const machine_figures& of) {
  model_table made{
      "largest_squares", {line_of("%-26s %14s %10s %10s", "largest k of k x k x k", "bytes", "f32", "f64")}, {}};
  for (const machine_figures::capacity& c : of.capacities) {
    const index_t in_float = models::largest_square(c.bytes, 4), in_double = models::largest_square(c.bytes, 8);
    made.lines.push_back(line_of("%-26s %14lld %10lld %10lld", c.name.c_str(), c.bytes, in_float, in_double));
    made.rows.push_back({{"where", c.name}, {"bytes", c.bytes}, {"f32", in_float}, {"f64", in_double}});
  }
  return made;
}

model_table scaling_table(const machine_figures& of, const model_choice& what) {
  model_table made{"speedup",
                   {line_of("%-26s %8s %9s %8s %11s %10s", "parallel fraction", "workers", "Amdahl", "limit",
                            "efficiency", "Gustafson")},
                   {}};
  for (const std::string_view part : split(what.fractions, ',')) {
    const auto fraction = real_in(part, 0, 1);
    if (!fraction) throw error("--fractions: " + why_no_real(part, 0, 1));
    const double speedup = models::amdahl_speedup(*fraction, what.workers), limit = models::amdahl_limit(*fraction);
    const double efficiency = models::parallel_efficiency(speedup, what.workers);
    const double grown = models::gustafson_speedup(1 - *fraction, what.workers);
    made.lines.push_back(line_of("%-26.4g %8d %9.2f %8.1f %10.1f%% %10.2f", *fraction, what.workers, speedup, limit,
                                 100 * efficiency, grown));
    made.rows.push_back({{"fraction", *fraction},
                         {"workers", what.workers},
                         {"amdahl", speedup},
                         {"limit", known_or_null(limit)},
                         {"efficiency", efficiency},
                         {"gustafson", grown}});
  }
  for (const machine_figures::speedup& s : of.speedups) {
    const double speedup = s.all / s.one, fraction = models::parallel_fraction_of(speedup, s.workers);
    made.lines.push_back(line_of("measured: %s, %d threads: %.2f times one, a parallel fraction of %.3f",
                                 s.what.c_str(), s.workers, speedup, fraction));
    made.rows.push_back({{"measured", s.what}, {"workers", s.workers}, {"speedup", speedup}, {"fraction", fraction}});
  }
  return made;
}

model_table update_table(const machine_figures& of, const model_choice& what, const std::string& type) {
  const models::roofline roof = of.roof(type);
  model_table made{"two_site_updates",
                   {line_of("two-site update, %s, times with a launch of %s", type.c_str(),
                            of.latency > 0 ? duration(of.latency).c_str() : "no time"),
                    line_of("%-14s %12s %12s %7s %11s %11s %11s", "B x d x chi", "direct", "staged", "ratio", "direct",
                            "two-stage", "fused")},
                   {}};
  const extent_names names{"batch x physical x bond extent", "--updates", "--updates, batch",
                           "--updates, physical extent", "--updates, bond extent"};
  for (const gemm_size& size : parse_triples(what.updates, names)) {
    const models::two_site_shape shape{size.m, size.n, size.k};
    const double direct = models::direct_terms(shape), staged = models::staged_terms(shape);
    const double once = models::fused_bytes(shape, bytes_of(type)), twice = models::staged_bytes(shape, bytes_of(type));
    const double by_direct = of.latency + models::roofline_seconds(roof, 2 * direct, once),
                 by_stages = 2 * of.latency + models::roofline_seconds(roof, 2 * staged, twice),
                 by_fused = of.latency + models::roofline_seconds(roof, 2 * staged, once);
    made.lines.push_back(line_of("%-14s %12.0f %12.0f %7.2f %11s %11s %11s",
                                 line_of("%lldx%lldx%lld", size.m, size.n, size.k).c_str(), direct, staged,
                                 models::staged_gain(shape), duration(by_direct).c_str(), duration(by_stages).c_str(),
                                 duration(by_fused).c_str()));
    made.rows.push_back({{"batch", size.m},
                         {"physical", size.n},
                         {"bond", size.k},
                         {"direct_terms", direct},
                         {"staged_terms", staged},
                         {"ratio", models::staged_gain(shape)},
                         {"direct_seconds", by_direct},
                         {"staged_seconds", by_stages},
                         {"fused_seconds", by_fused}});
  }
  return made;
}

// The fastest path of a group for a copy of 16 MB.
const machine_figures::path& nearest_of(const machine_figures& of, const std::string& group) {
  constexpr double bytes = 16e6;
  const machine_figures::path* nearest = nullptr;
  for (const machine_figures::path& p : of.paths)
    if (p.group == group && (nearest == nullptr || models::transfer_penalty(nearest->line, p.line, 1, bytes) < 0))
      nearest = &p;
  return *nearest;
}

model_table transfer_table(const machine_figures& of) {
  model_table made{"transfers",
                   {line_of("%-26s %11s %10s %14s %9s", "latency + bytes/bandwidth", "latency", "GB/s", "half at bytes",
                            "worst fit")},
                   {}};
  bool has_unseen = false;
  for (const machine_figures::path& p : of.paths) {
    has_unseen = has_unseen || p.line.latency <= 0;
    const bool depends = std::isfinite(p.line.bandwidth);
    const double half = depends ? models::half_performance_bytes(p.line) : 0;
    made.lines.push_back(line_of("%-26s %11s %10.4g %14.0f %8.0f%%", p.name.c_str(),
                                 latency_text(p.line.latency).c_str(), p.line.bandwidth * 1e-9, half,
                                 100 * p.line.worst_fit));
    made.rows.push_back({{"path", p.name},
                         {"latency", p.line.latency > 0 ? json(p.line.latency) : json(nullptr)},
                         {"bandwidth", known_or_null(p.line.bandwidth)},
                         {"half_performance_bytes", half},
                         {"worst_fit", p.line.worst_fit}});
    if (p.group.empty()) continue;
    const machine_figures::path& nearest = nearest_of(of, p.group);
    const double each = models::transfer_penalty(nearest.line, p.line, 1, 0),
                 gigabyte = models::transfer_penalty(nearest.line, p.line, 0, 1e9);
    made.rows.back().update({{"penalty_of_a_transfer", each}, {"penalty_of_a_gigabyte", gigabyte}});
    if (&p != &nearest)
      made.lines.push_back(line_of("  more than %s: %.2f us a transfer, %.2f ms a GB", nearest.name.c_str(), 1e6 * each,
                                   1e3 * gigabyte));
  }
  if (has_unseen)
    made.lines.emplace_back(
        "latency not seen: in the scatter of the times (worst fit) the best line has none; measure on an idle machine");
  return made;
}

// What each product takes at the time of its roofline.
model_table energy_table(const machine_figures& of, const model_table& products) {
  const models::energy_model& e = *of.energy;
  model_table made{"energy",
                   {line_of("energy: %.1f W + %.2f pJ a flop + %.2f pJ a byte", e.base_watts, 1e12 * e.joules_per_flop,
                            1e12 * e.joules_per_byte),
                    line_of("%-14s %12s %12s %14s %14s", "M x N x K", "time", "uJ", "GFLOP/J", "E T, J s")},
                   {}};
  for (const json& row : products.rows) {
    const models::product_shape shape{row["m"].get<index_t>(), row["n"].get<index_t>(), row["k"].get<index_t>()};
    const double seconds = row["seconds"].get<double>(), flops = models::product_flops(shape);
    const double bytes = flops / row["padded_intensity"].get<double>();
    const double joules = models::predicted_joules(e, seconds, flops, bytes);
    const models::energy_figures figures = models::figures_of({seconds, joules, flops, bytes});
    made.lines.push_back(
        line_of("%-14s %12s %12.4g %14.4g %14.4g", line_of("%lldx%lldx%lld", shape.m, shape.n, shape.k).c_str(),
                duration(seconds).c_str(), 1e6 * joules, 1e-9 * figures.flops_per_joule, figures.energy_delay));
    made.rows.push_back({{"m", shape.m},
                         {"n", shape.n},
                         {"k", shape.k},
                         {"seconds", seconds},
                         {"joules", joules},
                         {"flops_per_joule", figures.flops_per_joule},
                         {"bytes_per_joule", figures.bytes_per_joule},
                         {"energy_delay", figures.energy_delay},
                         {"energy_delay_2", figures.energy_delay_2}});
  }
  return made;
}

}  // namespace

std::vector<model_table> model_tables(const machine_figures& of, const model_choice& what, const std::string& type) {
  std::vector<model_table> all{ridge_table(of), product_table(of, what, type), capacity_table(of),
                               scaling_table(of, what), update_table(of, what, type)};
  if (!of.paths.empty()) all.push_back(transfer_table(of));
  if (of.energy) all.push_back(energy_table(of, all[1]));
  return all;
}

}  // namespace tessera::bench
