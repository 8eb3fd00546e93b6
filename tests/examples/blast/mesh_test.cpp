// SPDX-License-Identifier: BSD-3-Clause
// Meshes of blast: boxes, refinement, MFEM's format, and the numbers of nodes.
#include <tessera/fem/basis.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "memory_need.hpp"
#include "numbering.hpp"
#include "problems.hpp"
#include "simulation.hpp"
#include "temporary_file.hpp"
#include "testing/catch.hpp"
#include "zone_mesh.hpp"

using namespace tessera;
using namespace tessera::blast;

namespace {

zone_mesh box(int dim) {
  const std::vector<std::vector<double>> lines{{0, 1, 3}, {0, 0.5, 1, 2}, {-1, 1}};
  return box_of_zones({lines.begin(), lines.begin() + dim});
}
index_t zones_of_box(int dim) { return dim == 1 ? 2 : 6; }

zone_mesh mesh_in(const std::string& text) {
  const temporary_file file(text);
  return read_mfem_mesh(file.name());
}
std::string refusal(const std::string& text) {
  try {
    mesh_in(text);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

// The volume of a zone that is a box, from its first and last corner.
double volume(const zone_mesh& mesh, index_t z) {
  const auto& first = mesh.vertices[std::size_t(mesh.corner(z, 0))];
  const auto& last = mesh.vertices[std::size_t(mesh.corner(z, mesh.zone_corners() - 1))];
  double product = 1;
  for (std::size_t a = 0; a < std::size_t(mesh.dim); ++a) product *= last[a] - first[a];
  return product;
}

}  // namespace

TEST_CASE("blast: boxes of zones, and zones halved in each direction", "[blast]") {
  for (const int dim : {1, 2, 3})
    for (const int times : {0, 1, 2}) {
      INFO(dim << "-D, refined " << times << " times");
      const zone_mesh mesh = refined(box(dim), times);
      CHECK(mesh.zones() == zones_of_box(dim) << (dim * times));
      double sum = 0, smallest = 100;
      for (index_t z = 0; z < mesh.zones(); ++z) {
        sum += volume(mesh, z);
        smallest = std::min(smallest, volume(mesh, z));
      }
      CHECK(std::abs(sum - (dim == 1 ? 3 : dim == 2 ? 6 : 12)) < 1e-13);
      CHECK(smallest > 0);
      // Each vertex once.
      CHECK(std::set<std::array<double, 3>>(mesh.vertices.begin(), mesh.vertices.end()).size() == mesh.vertices.size());
      const index_t lines[] = {(2 << times) + 1, (3 << times) + 1, (1 << times) + 1};
      index_t vertices = 1;
      for (int a = 0; a < dim; ++a) vertices *= lines[a];
      CHECK(index_t(mesh.vertices.size()) == vertices);
      for (const auto& side : mesh.sides) {
        const std::size_t across = std::size_t(side.attribute - 1);
        const double at = mesh.vertices[std::size_t(side.corners[0])][across];
        const double ends[][2] = {{0, 3}, {0, 2}, {-1, 1}};
        CHECK((at == ends[across][0] || at == ends[across][1]));
        for (const index_t corner : side.corners) CHECK(mesh.vertices[std::size_t(corner)][across] == at);
      }
    }
}

TEST_CASE("blast: meshes are written and read in MFEM's format", "[blast]") {
  for (const int dim : {1, 2, 3}) {
    const zone_mesh mesh = refined(box(dim), 1);
    const temporary_file file;
    write_mfem_mesh(file.name(), mesh);
    const zone_mesh found = read_mfem_mesh(file.name());
    CHECK(found.dim == dim);
    CHECK(found.corners == mesh.corners);
    CHECK(found.vertices == mesh.vertices);
    CHECK(found.attributes == mesh.attributes);
    REQUIRE(found.sides.size() == mesh.sides.size());
    for (std::size_t i = 0; i < found.sides.size(); ++i) {
      CHECK(found.sides[i].corners == mesh.sides[i].corners);
      CHECK(found.sides[i].attribute == mesh.sides[i].attribute);
    }
  }
}

TEST_CASE("blast: coordinates as nodes, both orderings, comments", "[blast]") {
  const std::string head =
      "MFEM mesh v1.0\n# a comment\n\ndimension\n2\nelements\n1\n1 3 0 1 2 3 # ccw\nboundary\n1\n"
      "2 1 0 1\nvertices\n4\nnodes\nFiniteElementSpace\nFiniteElementCollection: ";
  const zone_mesh mesh = mesh_in(head + "Linear\nVDim: 2\nOrdering: 0\n\n0\n2\n2\n0\n5\n5\n6\n6\n");
  CHECK(mesh.corners == std::vector<index_t>{0, 1, 3, 2});
  CHECK(mesh.vertices[2] == std::array<double, 3>{2, 6, 0});
  CHECK(mesh.sides[0].attribute == 2);
  CHECK(mesh_in(head + "H1_2D_P1\nVDim: 2\nOrdering: 1\n0 5\n2 5\n2 6\n0 6\n").vertices == mesh.vertices);
}

TEST_CASE("blast: what is wrong with a mesh's file is said with its line", "[blast]") {
  const auto says = [](const std::string& text, const std::string& part) {
    const std::string found = refusal(text);
    INFO(found);
    CHECK(found.find(part) != std::string::npos);
  };
  const std::string start = "MFEM mesh v1.0\ndimension\n2\nelements\n1\n";
  says("MFEM NC mesh v1.0\n", "line 1: expected 'MFEM mesh v1.0'");
  says("MFEM mesh v1.0\ndimension\n4\n", "line 3: the dimension is not 1, 2 or 3");
  says(start + "1 2 0 1 2\n", "line 6: of the elements only geometry 3 is supported in 2-D");
  says(start + "1 3 0 1 2\n", "line 6: geometry 3 has 4 vertices, found 3");
  says("MFEM mesh v1.0\ndimension\n2\nelements\n-1\n", "line 5: the number of elements is negative");
  says(start + "1 3 0 1 2 x\n", "line 6: expected attribute, geometry and vertices");
  says(start + "1 3 0 1 2 9\nboundary\n0\nvertices\n4\n2\n0 0\n1 0\n1 1\n0 1\n",
       "element 0 has vertex 9, and there are 4");
  says(start + "1 3 0 1 2 3\nboundary\n0\nvertices\n4\nnodes\nFiniteElementSpace\nFiniteElementCollection: H1_2D_P3\n",
       "only straight zones are supported");
  says(start + "1 3 0 1 2 2\n", "line 6: vertex 2 is there twice");
  says(start + "1 3 0 1 2 3\nboundary\n1\n1 1 3 3\n", "line 9: vertex 3 is there twice");
  CHECK_THROWS_WITH(read_mfem_mesh("no such file"), Catch::Contains("cannot read the mesh 'no such file'"));
}

TEST_CASE("blast: a file with fewer numbers than it says ends with its last line, not with the memory", "[blast]") {
  const auto says = [](const std::string& text, const std::string& part) {
    const std::string found = refusal(text);
    INFO(found);
    CHECK(found.find(part) != std::string::npos);
  };
  const std::string start = "MFEM mesh v1.0\ndimension\n1\nelements\n";
  says(start + "9000000000000000000\n1 1 0 1\n", "line 6: expected attribute, geometry and vertices");
  const std::string to_vertices = start + "1\n1 1 0 1\nboundary\n0\nvertices\n9000000000000000000\n";
  says(to_vertices + "1\n0\n1\n",
       "line 13: expected coordinates of vertex 2 of 9000000000000000000, found the end of the file");
  says(to_vertices + "nodes\nFiniteElementSpace\nFiniteElementCollection: Linear\nVDim: 1\nOrdering: 0\n0\n1\n",
       "line 17: expected coordinates of the nodes, found the end of the file");
}

TEST_CASE("blast: meshes that no memory holds are refused before they are made", "[blast]") {
  const fem::gas_orders orders{.velocity = 2, .energy = 1};
  const zone_mesh cube = box_of_zones({{0, 1, 2}, {0, 1, 2}, {0, 1, 2}});
  CHECK_NOTHROW(check_memory(cube, 1, orders, least_bytes(3, 64, orders)));
  CHECK_THROWS_WITH(check_memory(cube, 1, orders, least_bytes(3, 64, orders) * 0.999),
                    Catch::Contains("refined 1 times the mesh has 64 zones"));
  CHECK(memory_of_machine() > 1e8);
  try {
    const simulation of({.problem_number = 1, .dim = 3, .refinements = 18});
    FAIL("it was made");
  } catch (const std::runtime_error& e) {
    const std::string text = e.what();
    INFO(text);
    CHECK(text.find("refined 18 times the mesh has 144115188075855872 zones, which need at least ") == 0);
    CHECK(text.find(" EB of memory; there are ") != std::string::npos);
  }
}

TEST_CASE("blast: nodes of zones that touch have one number, walls fix their component", "[blast]") {
  for (const int dim : {1, 2, 3})
    for (const int order : {1, 2, 3, 5}) {
      INFO(dim << "-D, order " << order);
      const zone_mesh mesh = box(dim);
      const fem::gas_nodes nodes = number_nodes(mesh, order);
      const index_t zone_nodes = index_t(nodes.number.size()) / mesh.zones();
      const index_t side[] = {2 * order + 1, 3 * order + 1, order + 1};
      index_t count = 1;
      for (int a = 0; a < dim; ++a) count *= side[a];
      REQUIRE(nodes.count == count);
      // Nodes at one place are one node, and all zones have it where their corners say.
      std::set<std::vector<long>> places;
      for (index_t i = 0; i < count; ++i) {
        std::vector<long> place;
        for (int a = 0; a < dim; ++a) place.push_back(std::lround(1e9 * nodes.coordinates[std::size_t(i + count * a)]));
        places.insert(place);
      }
      CHECK(index_t(places.size()) == count);
      const fem::basis line(fem::basis_kind::gauss_lobatto, order);
      for (index_t z = 0; z < mesh.zones(); ++z)
        for (index_t i = 0; i < zone_nodes; ++i) {
          const index_t number = nodes.number[std::size_t(i + zone_nodes * z)];
          const auto& first = mesh.vertices[std::size_t(mesh.corner(z, 0))];
          const auto& last = mesh.vertices[std::size_t(mesh.corner(z, mesh.zone_corners() - 1))];
          index_t rest = i;
          for (std::size_t a = 0; a < std::size_t(dim); ++a, rest /= order + 1) {
            const double at = first[a] + (last[a] - first[a]) * line.nodes()[std::size_t(rest % (order + 1))];
            CHECK(std::abs(nodes.coordinates[std::size_t(number + count * index_t(a))] - at) < 1e-13);
          }
        }
      index_t fixed = 0;
      const double ends[][2] = {{0, 3}, {0, 2}, {-1, 1}};
      for (int a = 0; a < dim; ++a)
        for (index_t i = 0; i < count; ++i) {
          const double x = nodes.coordinates[std::size_t(i + count * a)];
          const bool wall = std::abs(x - ends[a][0]) < 1e-13 || std::abs(x - ends[a][1]) < 1e-13;
          CHECK(std::binary_search(nodes.walls.begin(), nodes.walls.end(), i + count * a) == wall);
          fixed += wall ? 1 : 0;
        }
      CHECK(index_t(nodes.walls.size()) == fixed);
    }
}

TEST_CASE("blast: problems are defined in some dimensions, on their meshes", "[blast]") {
  CHECK_THROWS_WITH(problem_of(8, 2), Catch::Contains("there is no problem 8: 0 Taylor-Green vortex"));
  CHECK_THROWS_WITH(problem_of(-1, 2), Catch::Contains("there is no problem -1"));
  CHECK_THROWS_WITH(problem_of(0, 1), Catch::Contains("is defined in 2 to 3 dimensions, not in 1"));
  CHECK_THROWS_WITH(problem_of(3, 1), Catch::Contains("the triple point is defined in 2 to 3"));
  for (int number = 0; number < 8; ++number)
    for (const int dim : {2, 3}) CHECK(mesh_of(problem_of(number, dim), dim).dim == dim);
  CHECK(mesh_of(problem_of(3, 2), 2).zones() == 21);
  CHECK(mesh_of(problem_of(3, 3), 3).zones() == 16);
  zone_mesh mesh = box(2);
  mesh.sides[0].attribute = 3;
  CHECK_THROWS_WITH(number_nodes(mesh, 2), Catch::Contains("a side of the mesh has attribute 3"));
}
