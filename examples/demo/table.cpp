// SPDX-License-Identifier: BSD-3-Clause
// The demo's table, row by row as cases are measured, and its summary.
#include "table.hpp"

#include <tessera/element/operator_kind.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace tessera::demo {

namespace {

constexpr const char* name_of_space(space_kind space) { return space == space_kind::cpu ? "CPU" : "GPU"; }

std::string rate_text(const bench::timing& t, double rate) {
  char text[16] = "-";
  if (rate > 0) std::snprintf(text, sizeof text, rate < 100e9 ? "%.3f" : "%.1f", rate * 1e-9);
  return rate > 0 && !bench::disturbance(t).empty() ? std::string("~") + text : text;
}

bool any_scatters(const outcome& r) {
  const bench::timing* const beside[] = {&r.with_gather, &r.plain, &r.csr};
  return std::any_of(std::begin(beside), std::end(beside),
                     [](auto t) { return t->seconds.median > 0 && !bench::disturbance(*t).empty(); });
}

}  // namespace

std::string fraction_text(const outcome& r) {
  if (!r.is_believed()) return "?";
  char text[16];
  std::snprintf(text, sizeof text, r.disturbed() ? "~%.0f%%" : "%.0f%%", 100 * r.fraction());
  return text;
}

std::string fractions_text(const std::vector<outcome>& results) {
  std::string lines;
  for (const space_kind space : {space_kind::cpu, space_kind::gpu})
    for (const operation what : {operation::apply, operation::matrices})
      for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion}) {
        std::vector<double> believed;
        int cases = 0;
        for (const outcome& r : results) {
          if (r.space != space || r.what != what || r.sizes.kind != kind) continue;
          ++cases;
          if (r.is_believed()) believed.push_back(r.fraction());
        }
        if (cases == 0) continue;
        char text[128] = "no fraction of the bound is plausible";
        if (!believed.empty())
          std::snprintf(text, sizeof text, "%.0f%% of the bound in geometric mean, %.0f%% at worst",
                        100 * bench::geometric_mean(believed),
                        100 * *std::min_element(believed.begin(), believed.end()));
        lines += std::string(name_of_space(space)) + ", " + name_of(kind) + ", " + name_of(what) + ": " + text + " (" +
                 std::to_string(believed.size()) + " of " + std::to_string(cases) + " cases)\n";
      }
  return lines;
}

void print_machine(const facts& about) {
  std::printf("CPU: %s, %d thread%s, %s, %.0f GFLOP/s of multiply-adds in double\n", about.cpu.c_str(), about.threads,
              about.threads == 1 ? "" : "s", about.target.c_str(), about.cpu_flops * 1e-9);
  if (about.has_gpu)
    std::printf("GPU: %s, %.0f GFLOP/s of multiply-adds in double\n", about.gpu.c_str(), about.gpu_flops * 1e-9);
  else
    std::printf("GPU: %s\n", about.gpu.c_str());
  std::printf(
      "\nMass and diffusion on bent hexahedra, order p, p + 2 Gauss points a direction, double. Each line appears when "
      "its\n"
      "case is checked and measured.\n");
}

void print_head(operation what, space_kind space) {
  if (what == operation::matrices)
    std::printf("\n%s: element matrices, billion entries a second\n%-9s %2s %9s %9s %9s %7s %9s  %s\n",
                name_of_space(space), "operator", "p", "elements", "Tessera", "of bound", "bound", "error", "check");
  else if (space == space_kind::gpu)
    std::printf("\nGPU: y = A x of every element, GDOF/s\n%-9s %2s %9s %9s %9s %7s %9s  %s\n", "operator", "p",
                "elements", "Tessera", "of bound", "bound", "error", "check");
  else
    std::printf("\nCPU: y = A x of every element, GDOF/s\n%-9s %2s %9s %9s %9s %7s %9s %11s %9s %9s  %s\n", "operator",
                "p", "elements", "Tessera", "of bound", "bound", "gather+", "plain loop", "CSR", "error", "check");
}

void print_row(const outcome& r) {
  std::printf("%-9s %2d %9lld %9s %9s %7s ", name_of(r.sizes.kind), r.sizes.p, static_cast<long long>(r.elements),
              rate_text(r.tessera, r.rate()).c_str(), fraction_text(r).c_str(),
              r.bound_by_bytes() ? "memory" : "flops");
  if (r.what == operation::apply && r.space == space_kind::cpu)
    std::printf("%9s %11s %9s ", rate_text(r.with_gather, r.rate(r.with_gather, r.elements)).c_str(),
                rate_text(r.plain, r.rate(r.plain, r.elements)).c_str(),
                rate_text(r.csr, r.rate(r.csr, r.csr_elements)).c_str());
  std::printf("%9.1e  %s%s\n", r.error, correct(r) ? "right" : "WRONG", r.disturbed() ? ", disturbed" : "");
  std::fflush(stdout);
}

void print_summary(const std::vector<outcome>& results) {
  std::printf(
      "\nDOF: entries of the E-vector, (p+1)^3 an element, for every column: so columns compare times for the same "
      "mesh.\n"
      "  (Unknowns a second are about (p/(p+1))^3 of it.) Tessera and the plain loop: E-vector to E-vector.\n"
      "gather+: Tessera between a gather and a scatter, from unknowns to unknowns, which is what CSR does.\n"
      "CSR: the assembled matrix, double and 32-bit columns, on a mesh of as many bytes.\n"
      "of bound: of the larger of bytes / bandwidth, measured between samples of the case, and flops / peak.\n"
      "error: the largest of all checks (1'M1 = volume; energy and patch test of diffusion; Tessera, plain loop, CSR "
      "and\n"
      "  matrices against one another), relative; right up to %.0e.\n\n",
      tolerance);
  std::printf("%s", fractions_text(results).c_str());
  if (std::any_of(results.begin(), results.end(), [](auto& r) { return r.disturbed() || any_scatters(r); }))
    std::printf("Disturbed (~, ?): other work on this machine spoilt limits or times; try again when it is quiet.\n");
}

}  // namespace tessera::demo
