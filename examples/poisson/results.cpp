// SPDX-License-Identifier: BSD-3-Clause
// Prints and writes what the Poisson solver found.
#include "results.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tessera::examples {

slice slice_of(const box_mesh& mesh, const std::vector<std::vector<double>>& x, const std::vector<double>& u) {
  slice made{.side = mesh.side, .x = {}, .y = {}, .u = {}};
  const index_t plane = mesh.side * mesh.side, first = mesh.dim == 3 ? plane * (mesh.cells / 2 * mesh.order) : 0;
  for (std::size_t i = std::size_t(first); i < std::size_t(first + plane); ++i) {
    made.x.push_back(x[0][i]);
    made.y.push_back(x[1][i]);
    made.u.push_back(u[i]);
  }
  return made;
}

double rate(const std::vector<level>& levels) {
  return levels.size() < 2 ? 0 : std::log2(levels[levels.size() - 2].error / levels.back().error);
}

void print_head() {
  std::printf("%12s %10s %11s %11s %6s %9s %30s\n", "elements", "unknowns", "iterations", "L2 error", "order",
              "seconds", "10^6 unknowns x iterations/s");
}

void print_row(const std::vector<level>& levels, int dim) {
  const level& l = levels.back();
  char order[16] = "-";
  if (levels.size() > 1) std::snprintf(order, sizeof order, "%.2f", rate(levels));
  const std::string size = std::to_string(l.cells) + "^" + std::to_string(dim);
  std::printf("\r%12s %10lld %11d %11.3e %6s %9.3f %30.1f\n", size.c_str(), static_cast<long long>(l.unknowns),
              l.iterations(), l.error, order, l.seconds, double(l.unknowns) * l.iterations() / l.seconds * 1e-6);
  std::fflush(stdout);
}

void write_json(const std::string& file, int dim, int order, const std::string& where,
                const std::vector<level>& levels) {
  using nlohmann::json;
  json all{{"schema", 2}, {"dim", dim}, {"order", order}, {"where", where}, {"levels", json::array()}};
  for (const level& l : levels)
    all["levels"].push_back({{"cells", l.cells},
                             {"elements", l.elements},
                             {"unknowns", l.unknowns},
                             {"iterations", l.iterations()},
                             {"error", l.error},
                             {"seconds", l.seconds},
                             {"residuals", l.residuals},
                             {"kernel", l.kernel}});
  const slice& drawn = levels.back().drawn;
  all["slice"] = {{"side", drawn.side}, {"x", drawn.x}, {"y", drawn.y}, {"u", drawn.u}};
  std::ofstream out(file);
  out << all << '\n';
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace tessera::examples
