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

}  // namespace

void print_head(const run_report& run) {
  std::printf("Heisenberg chain of %lld spins 1/2, open, bonds of at most %lld, on %s\n",
              static_cast<long long>(run.options.sites), static_cast<long long>(run.options.bond), run.where.c_str());
  std::printf("energy of the ground state by Bethe's equations: %.12f\n\n", run.exact);
  std::printf("%5s %-8s %5s %20s %11s %11s %9s %9s %13s %10s %9s %9s\n", "sweep", "by", "bond", "energy", "error",
              "truncation", "products", "plans", "contractions", "vectors", "SVD", "GFLOP/s");
}

void print_sweep(const run_report& run, const history& of) {
  const sweep_result& s = of.sweeps.back();
  std::printf("%5zu %-8s %5lld %20.12f %11.2e %11.2e %9ld %7.3f s %11.3f s %8.3f s %7.3f s %9.2f\n", of.sweeps.size(),
              of.by.c_str(), static_cast<long long>(s.bond), s.energy, s.energy - run.exact, s.truncation,
              s.applications, s.seconds.planning, s.seconds.contractions, s.seconds.vectors, s.seconds.svd, rate(s));
  std::fflush(stdout);
}

void print_end(const run_report& run) {
  const history& first = run.ways.front();
  const double energy = first.sweeps.back().energy;
  std::printf("\n%s after %zu sweeps: energy %.12f, %.1e from the exact one\n",
              run.converged ? "converged" : "not converged", first.sweeps.size(), energy, energy - run.exact);
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
                                   {"exact_energy", run.exact},
                                   {"converged", run.converged},
                                   {"largest_product", run.products},
                                   {"ways", ways}};
  std::ofstream out(file);
  out << all.dump(1) << '\n';
  out.close();
  if (!out) throw std::runtime_error("cannot write '" + file + "'");
}

}  // namespace tessera::spin_chain
