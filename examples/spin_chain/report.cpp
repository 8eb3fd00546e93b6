// SPDX-License-Identifier: BSD-3-Clause
// Lines and the JSON file of a run.
#include "report.hpp"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tessera::spin_chain {

namespace {

double rate(const sweep_result& sweep) {
  return sweep.seconds.contractions > 0 ? 1e-9 * sweep.flops / sweep.seconds.contractions : 0;
}

nlohmann::ordered_json json_of(const sweep_result& s) {
  return {{"energy", s.energy},
          {"residual", s.residual},
          {"truncation", s.truncation},
          {"bond", s.bond},
          {"applications", s.applications},
          {"flops", s.flops},
          {"planning_seconds", s.seconds.planning},
          {"contractions_seconds", s.seconds.contractions},
          {"vectors_seconds", s.seconds.vectors},
          {"svd_seconds", s.seconds.svd}};
}

nlohmann::ordered_json json_of(const history& way) {
  nlohmann::ordered_json sweeps = nlohmann::ordered_json::array(), cuts = nlohmann::ordered_json::array();
  for (const sweep_result& s : way.sweeps) sweeps.push_back(json_of(s));
  for (const cut& c : way.cuts)
    cuts.push_back({{"bond", c.bond}, {"truncation", c.truncation}, {"entropy", c.entropy}});
  return {{"by", way.by}, {"sweeps", sweeps}, {"cuts", cuts}};
}

// By how much an energy is above the exact one; "-" where that is not known.
std::string above(double energy, const std::optional<double>& exact, const char* format) {
  if (!exact) return "-";
  char text[32];
  std::snprintf(text, sizeof text, format, energy - *exact);
  return text;
}

std::string final_error(double energy, const std::optional<double>& exact) {
  return exact ? ", " + above(energy, exact, "%.1e") + " from the exact one" : "";
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

void print_chain(const dmrg_options& of, const std::string& where, const std::optional<double>& exact) {
  std::printf("Heisenberg chain of %lld spins 1/2, open, bonds of at most %lld, on %s\n",
              static_cast<long long>(of.sites), static_cast<long long>(of.bond), where.c_str());
  if (exact)
    std::printf("energy of the ground state by Bethe's equations: %.12f\n\n", *exact);
  else
    std::printf("energy of the ground state by Bethe's equations: not computed beyond %lld sites\n\n",
                static_cast<long long>(most_exact_sites));
}

void write(const nlohmann::ordered_json& all, const std::string& file) {
  std::ofstream out(file);
  out << all.dump(1) << '\n';
  out.close();
  if (!out) throw std::runtime_error("cannot write '" + file + "'");
}

}  // namespace

void print_head(const run_report& run) {
  print_chain(run.options, run.where, run.exact);
  std::printf("%5s %-8s %5s %20s %11s %11s %9s %9s %13s %10s %9s %9s\n", "sweep", "by", "bond", "energy", "error",
              "truncation", "products", "plans", "contractions", "vectors", "SVD", "GFLOP/s");
}

void print_sweep(const run_report& run, const history& of) {
  const sweep_result& s = of.sweeps.back();
  std::printf("%5zu %-8s %5lld %20.12f %11s %11.2e %9ld %7.3f s %11.3f s %8.3f s %7.3f s %9.2f\n", of.sweeps.size(),
              of.by.c_str(), static_cast<long long>(s.bond), s.energy, above(s.energy, run.exact, "%.2e").c_str(),
              s.truncation, s.applications, s.seconds.planning, s.seconds.contractions, s.seconds.vectors,
              s.seconds.svd, rate(s));
  std::fflush(stdout);
}

void print_end(const run_report& run) {
  const history& first = run.ways.front();
  const double energy = first.sweeps.back().energy;
  std::printf("\n%s after %zu sweeps: energy %.12f%s\n", run.converged ? "converged" : "not converged",
              first.sweeps.size(), energy, final_error(energy, run.exact).c_str());
  for (const history& way : run.ways) {
    sweep_times sum;
    for (const sweep_result& s : way.sweeps) {
      sum.planning += s.seconds.planning;
      sum.contractions += s.seconds.contractions;
      sum.vectors += s.seconds.vectors;
      sum.svd += s.seconds.svd;
    }
    std::printf(
        "%-8s %10.3f s: plans %.3f s, contractions %.3f s, vectors %.3f s, SVD %.3f s; last sweep: contractions %.3f "
        "s\n",
        way.by.c_str(), sum.all(), sum.planning, sum.contractions, sum.vectors, sum.svd,
        way.sweeps.back().seconds.contractions);
  }
}

void write_json(const run_report& run, const std::string& file) {
  nlohmann::ordered_json ways = nlohmann::ordered_json::array();
  for (const history& way : run.ways) ways.push_back(json_of(way));
  const nlohmann::ordered_json all{{"schema", 1},
                                   {"sites", run.options.sites},
                                   {"bond", run.options.bond},
                                   {"where", run.where},
                                   {"tolerance", run.tolerance},
                                   {"lanczos_vectors", run.options.most_vectors},
                                   {"lanczos_residual", run.options.lanczos_residual},
                                   {"exact_energy", or_null(run.exact)},
                                   {"converged", run.converged},
                                   {"largest_product", run.products},
                                   {"ways", ways}};
  write(all, file);
}

void print_head(const evolution_report& run) {
  print_chain(run.options, run.where, run.exact);
  std::printf("%7s %7s %5s %20s %11s %11s %8s %9s %9s %9s %9s %9s %9s\n", "step", "time", "bond", "energy", "error",
              "truncation", "updates", "plans", "merge", "update", "split", "energy", "GFLOP/s");
}

void print_block(const evolution_report& run) {
  const evolution_block& b = run.blocks.back();
  const double rate_of_updates = b.seconds.update > 0 ? 1e-9 * b.flops / b.seconds.update : 0;
  std::printf("%7.4f %7.2f %5lld %20.12f %11s %11.2e %8ld %7.3f s %7.3f s %7.3f s %7.3f s %7.3f s %9.2f\n", b.step,
              b.time, static_cast<long long>(b.bond), b.energy, above(b.energy, run.exact, "%.2e").c_str(),
              b.truncation, b.updates, b.seconds.planning, b.seconds.merge, b.seconds.update, b.seconds.split,
              b.seconds.energy, rate_of_updates);
  std::fflush(stdout);
}

void print_end(const evolution_report& run) {
  const evolution_block& last = run.blocks.back();
  evolution_times sum;
  for (const evolution_block& b : run.blocks) {
    sum.planning += b.seconds.planning;
    sum.merge += b.seconds.merge;
    sum.update += b.seconds.update;
    sum.split += b.seconds.split;
    sum.energy += b.seconds.energy;
  }
  std::printf("\n%s after an imaginary time of %.2f: energy %.12f%s\n", run.converged ? "converged" : "not converged",
              last.time, last.energy, final_error(last.energy, run.exact).c_str());
  std::printf("plans %.3f s, merge %.3f s, update %.3f s, split %.3f s, energy %.3f s\n", sum.planning, sum.merge,
              sum.update, sum.split, sum.energy);
}

void write_json(const evolution_report& run, const std::string& file) {
  nlohmann::ordered_json blocks = nlohmann::ordered_json::array();
  for (const evolution_block& b : run.blocks)
    blocks.push_back({{"step", b.step},
                      {"time", b.time},
                      {"energy", b.energy},
                      {"truncation", b.truncation},
                      {"bond", b.bond},
                      {"updates", b.updates},
                      {"flops", b.flops},
                      {"planning_seconds", b.seconds.planning},
                      {"merge_seconds", b.seconds.merge},
                      {"update_seconds", b.seconds.update},
                      {"split_seconds", b.seconds.split},
                      {"energy_seconds", b.seconds.energy}});
  write({{"schema", 1},
         {"sites", run.options.sites},
         {"bond", run.options.bond},
         {"where", run.where},
         {"tolerance", run.tolerance},
         {"exact_energy", or_null(run.exact)},
         {"converged", run.converged},
         {"update", run.update},
         {"blocks", blocks}},
        file);
}

}  // namespace tessera::spin_chain
