// SPDX-License-Identifier: BSD-3-Clause
// Fields of blast's runs at nodes, and what its pictures show.
#include "fields.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "results.hpp"
#include "temporary_file.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::blast;

TEST_CASE("blast: the density at nodes is that of the library's projection", "[blast]") {
  for (const auto& [dim, order, energy_order] :
       {std::tuple{1, 2, 1}, {1, 1, 0}, {2, 4, 3}, {2, 3, 0}, {2, 2, 3}, {3, 2, 1}, {3, 3, 2}}) {
    INFO(dim << "-D, orders " << order << " and " << energy_order);
    simulation of({.problem_number = 1,
                   .dim = dim,
                   .refinements = 1,
                   .order = {.velocity = order, .energy = energy_order},
                   .final_time = 0.6});
    fields now(of);
    for (const long steps : {0, 10, 20}) {
      while (!of.finished() && of.steps() < steps) of.step();
      const auto coefficients = fem::gas_density(of.in(), of.state().data());
      for (const int at : {1, 3}) {
        const auto found = now.density(at), wanted = fem::energy_at_nodes(of.in(), at, coefficients);
        REQUIRE(found.size() == wanted.size());
        double farthest = 0;
        for (std::size_t i = 0; i < found.size(); ++i) farthest = std::max(farthest, std::abs(found[i] - wanted[i]));
        CHECK(farthest < 1e-11);
      }
      CHECK(now.state() == of.state());
    }
  }
}

TEST_CASE("blast: a projection of the density that does not converge says so", "[blast]") {
  simulation of({.problem_number = 3, .refinements = 0});
  while (!of.finished() && of.steps() < 20) of.step();
  density_projection density(of.in());
  CHECK(!density.project(of.state().data(), 1));
  CHECK(density.project(of.state().data()));
}

TEST_CASE("blast: a cube without walls has its lowest plane in the picture, wherever it moves", "[blast]") {
  zone_mesh cube = box_of_zones({{0, 0.5, 1}, {0, 0.5, 1}, {0, 0.5, 1}});
  cube.sides.clear();
  const temporary_file mesh, json;
  write_mfem_mesh(mesh.name(), cube);
  simulation of({.problem_number = 1, .mesh = mesh.name(), .refinements = 1, .final_time = 0.1});
  while (!of.finished()) of.step();
  fields now(of);
  write_json(json.name(), now, 0, 0);
  std::ifstream in(json.name());
  const auto picture = nlohmann::json::parse(in)["picture"];
  for (const char* field : {"x", "y", "density", "energy"}) CHECK(picture[field].size() == 16 * 9);
  const double most = *std::max_element(picture["energy"].begin(), picture["energy"].end());
  CHECK(most > 1);
}
