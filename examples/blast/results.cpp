// SPDX-License-Identifier: BSD-3-Clause
// Fields of a state at nodes, in VTK's files and as JSON; errors of density.
#include "results.hpp"

#include <tessera/fem/vtk.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "exact.hpp"
#include "replacement.hpp"

namespace tessera::blast {

namespace {

using numbers = std::vector<double>;

// Of an earlier part of the run.
template <class Frame>
std::vector<Frame> frames_before(const std::string& file, double time) {
  std::vector<Frame> found;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    char name[1024] = {};
    double at = 0;
    if (std::sscanf(line.c_str(), " <DataSet timestep=\"%lf\" file=\"%1023[^\"]\"", &at, name) == 2 && at < time)
      found.push_back({at, name});
  }
  return found;
}

// The nodes of what may be drawn of a zone: all of it, or its six sides.
std::vector<std::vector<std::size_t>> drawn_sides(int dim, std::size_t line) {
  std::vector<std::vector<std::size_t>> sides(dim == 3 ? 6 : 1);
  const std::size_t stride[] = {1, line, line * line};
  for (std::size_t j = 0; j < (dim > 1 ? line : 1); ++j)
    for (std::size_t i = 0; i < line; ++i) {
      if (dim < 3) {
        sides[0].push_back(i + line * j);
        continue;
      }
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t end = 0; end < 2; ++end)
          sides[2 * a + end].push_back(i * stride[(a + 1) % 3] + j * stride[(a + 2) % 3] +
                                       end * (line - 1) * stride[a]);
    }
  return sides;
}

double radius(const vec& x) { return std::hypot(x[0], x[1], x[2]); }

// The exact density of a problem with its own mesh and gas, as long as no wave is at its boundary.
std::optional<std::function<double(const vec&)>> exact_density(const simulation& of) {
  if (of.time() <= 0 || !of.given().mesh.empty() || !of.given().materials.empty()) return {};
  if (of.which().number == 2 && of.time() < sod_ends_at())
    return [time = of.time()](const vec& x) { return sod_density_at(x[0], time); };
  if (of.which().number == 1) {
    const sedov_wave wave(of.in().dim, 1.4, of.given().released);
    if (wave.shock_radius(of.time()) < 1)
      return [wave, time = of.time()](const vec& x) { return wave.density(radius(x), time); };
  }
  return {};
}

}  // namespace

frames::frames(const std::string& prefix, double from_time) : prefix_(prefix) {
  if (prefix.empty()) return;
  if (from_time > 0) all_ = frames_before<frame>(prefix + ".pvd", from_time);
  check_replaceable(prefix + ".pvd");
}

void frames::write(fields& now) {
  const simulation& of = now.of();
  if (prefix_.empty() || written_ == of.steps()) return;
  const fem::gas_spaces& in = of.in();
  char number[32];
  std::snprintf(number, sizeof number, "_%06ld.vtu", of.steps());
  const std::string file = prefix_ + number;
  const int order = std::max(in.energy_order, 1);
  const numbers x = now.places(), v = now.velocity(), energy = now.energy(order), density = now.density(order);
  fem::write_vtu(file, {.dim = in.dim, .order = in.order, .elements = in.zones, .coordinates = x.data()},
                 {{.name = "velocity", .order = in.order, .components = in.dim, .values = v.data()},
                  {.name = "density", .order = order, .values = density.data()},
                  {.name = "energy", .order = order, .values = energy.data()}});
  const std::string name = file.substr(file.find_last_of('/') + 1);
  if (all_.empty() || all_.back().file != name) all_.push_back({of.time(), name});  // not where the rest failed before
  replacement collection(prefix_ + ".pvd");
  std::ostream& out = collection.out();
  out.precision(17);
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (const frame& each : all_) out << "<DataSet timestep=\"" << each.time << "\" file=\"" << each.file << "\"/>\n";
  out << "</Collection>\n</VTKFile>\n";
  collection.finish();
  written_ = of.steps();
}

double density_error(const simulation& of) {
  const auto exact = exact_density(of);
  if (!exact) return std::numeric_limits<double>::quiet_NaN();
  const numbers state = of.state();
  return fem::integral(of.in(), state.data(), [&](const auto& at) { return std::abs(at.density - (*exact)(at.x)); });
}

void write_json(const std::string& file, fields& now, double error, double seconds) {
  using nlohmann::json;
  const simulation& of = now.of();
  const fem::gas_spaces& in = of.in();
  json all{{"schema", 1},
           {"problem", of.which().number},
           {"name", of.which().name},
           {"dim", in.dim},
           {"zones", in.zones},
           {"orders", {in.order, in.energy_order}},
           {"zone_size", in.length * in.order},
           {"method", of.given().method_number},
           {"steps", of.steps()},
           {"repeats", of.run().repeats()},
           {"time", of.time()},
           {"energy_norm", of.energy_norm()},
           {"seconds", seconds}};
  json& history = all["history"];
  for (const record& each : of.history()) {
    history["time"].push_back(each.time);
    history["dt"].push_back(each.dt);
    history["internal"].push_back(each.internal);
    history["kinetic"].push_back(each.kinetic);
    history["potential"].push_back(each.potential);
    for (int c = 0; c < in.dim; ++c) history["momentum"][std::size_t(c)].push_back(each.momentum[std::size_t(c)]);
  }

  // Density and energy at the nodes of zones; in 3-D of their sides that were in the lowest plane at the start.
  const numbers x = now.places(), density = now.density(in.order), energy = now.energy(in.order);
  const std::size_t n = std::size_t(in.zone_nodes), line = std::size_t(in.order) + 1;
  const auto coordinate = [&](std::size_t z, int c, std::size_t i) {
    return x[i + n * (std::size_t(c) + std::size_t(in.dim) * z)];
  };
  const double* const heights = in.nodes.coordinates.data() + (in.dim == 3 ? 2 * in.nodes.count : 0);
  const double highest = *std::min_element(heights, heights + in.nodes.count) + 1e-9 * in.length;
  json& picture = all["picture"];
  picture = {{"line", line}, {"x", json::array()}, {"density", json::array()}, {"energy", json::array()}};
  if (in.dim > 1) picture["y"] = json::array();
  for (std::size_t z = 0; z < std::size_t(in.zones); ++z)
    for (const auto& nodes : drawn_sides(in.dim, line)) {
      const auto is_lowest = [&](std::size_t i) { return heights[in.nodes.number[i + n * z]] <= highest; };
      if (in.dim == 3 && !std::all_of(nodes.begin(), nodes.end(), is_lowest)) continue;
      for (const std::size_t i : nodes) {
        picture["x"].push_back(coordinate(z, 0, i));
        if (in.dim > 1) picture["y"].push_back(coordinate(z, 1, i));
        picture["density"].push_back(density[i + n * z]);
        picture["energy"].push_back(energy[i + n * z]);
      }
    }

  if (const auto exact = exact_density(of)) {
    all["density_error"] = error;
    for (int i = 0; i <= 400; ++i) {
      const double at = i / 400.0;
      all["exact"]["x"].push_back(at);
      all["exact"]["density"].push_back((*exact)({at, 0, 0}));
    }
  }
  replacement made(file);
  made.out() << all << '\n';
  made.finish();
}

}  // namespace tessera::blast
