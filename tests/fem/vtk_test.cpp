// SPDX-License-Identifier: BSD-3-Clause
// Files for VTK: points in its order, exact values of polynomials there, and what is refused.
#include <tessera/error.hpp>
#include <tessera/fem/vtk.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/scratch.hpp"

namespace fem = tessera::fem;
using tessera::index_t;
using tessera::testing::scratch_folder;
using tessera::testing::text_of_file;

namespace {

/// What write_vtu writes.
std::string written(const fem::element_nodes<double>& nodes, const std::vector<fem::element_field>& fields) {
  const scratch_folder folder;
  const std::string file = (folder / "fields.vtu").string();
  fem::write_vtu(file, nodes, fields);
  return text_of_file(file);
}

std::vector<unsigned char> decoded(const std::string& text) {
  std::vector<unsigned char> bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') continue;
    const std::uint32_t six = c >= 'a'   ? std::uint32_t(c - 'a' + 26)
                              : c >= 'A' ? std::uint32_t(c - 'A')
                              : c >= '0' ? std::uint32_t(c - '0' + 52)
                              : c == '+' ? 62
                                         : 63;
    bits = bits << 6 | six;
    count += 6;
    if (count >= 8) bytes.push_back(static_cast<unsigned char>(bits >> (count -= 8)));
  }
  return bytes;
}

// The numbers of an array of the file. Its length and its data are encoded one by one.
template <class Number>
std::vector<Number> array_of(const std::string& text, const std::string& name) {
  std::size_t start = text.find("Name=\"" + name + "\"");
  REQUIRE(start != std::string::npos);
  start = text.find('\n', start) + 1;
  const std::string all = text.substr(start, text.find('\n', start) - start);
  std::uint64_t size = 0;
  std::memcpy(&size, decoded(all.substr(0, 12)).data(), sizeof size);
  const std::vector<unsigned char> bytes = decoded(all.substr(12));
  REQUIRE(bytes.size() == size);
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

fem::point bent(const fem::point& x) { return {x[0] + 0.1 * x[1] * x[1], x[1] - 0.2 * x[0] * x[2], x[2]}; }

double polynomial(const double* x, int p) { return std::pow(x[0], p) - 2 * std::pow(x[1], p) + x[2] + 3; }

}  // namespace

TEST_CASE("points of a cell are in VTK's order", "[vtk]") {
  const std::vector<std::array<double, 3>> hexahedron{
      {0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}, {1, 0, 0},
      {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2}, {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1},
      {2, 2, 1}, {0, 2, 1}, {0, 1, 1}, {2, 1, 1}, {1, 0, 1}, {1, 2, 1}, {1, 1, 0}, {1, 1, 2}, {1, 1, 1}};
  const auto doubled = [](const fem::point& x) { return fem::point{2 * x[0], 2 * x[1], 2 * x[2]}; };
  for (const int dim : {2, 3}) {
    const fem::mesh cube(std::vector<int>(std::size_t(dim), 1), 1, doubled);
    const std::vector<double> zeros(27);
    const auto points = array_of<double>(
        written(fem::nodes_of(cube), {{.name = "zero", .order = 2, .values = zeros.data()}}), "Points");
    // A quadrilateral has the corners, edges and the middle of a hexahedron's face.
    std::vector<std::array<double, 3>> wanted(hexahedron);
    if (dim == 2) {
      wanted = {hexahedron.begin(), hexahedron.begin() + 4};
      wanted.insert(wanted.end(), hexahedron.begin() + 8, hexahedron.begin() + 12);
      wanted.push_back({1, 1, 0});
    }
    REQUIRE(points.size() == 3 * wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) CHECK(std::abs(points[3 * i + c] - wanted[i][c]) < 1e-15);
  }
}

TEST_CASE("fields of a lower order than the nodes, and of a higher one, are exact", "[vtk]") {
  for (const auto& [geometry, order] : {std::pair{2, 2}, {2, 5}, {3, 1}}) {
    const fem::mesh straight({2, 1, 2}, order),
        domain({2, 1, 2}, geometry, order >= 2 * geometry ? bent : fem::deformation{});
    const index_t n = straight.nodes();
    // At the field's nodes: of the bent mesh where the field's order represents its coordinates.
    const fem::mesh at({2, 1, 2}, order, order >= 2 * geometry ? bent : fem::deformation{});
    const int power = order >= 2 * geometry ? 2 : order;
    std::vector<double> values;
    for (index_t e = 0; e < at.elements(); ++e)
      for (int c = 0; c < 2; ++c)
        for (index_t i = 0; i < n; ++i) {
          double x[3];
          for (int a = 0; a < 3; ++a) x[a] = at.coordinates()[std::size_t(i + n * (a + 3 * e))];
          values.push_back(c == 0 ? polynomial(x, power) : x[0]);
        }
    const std::string text =
        written(fem::nodes_of(domain), {{.name = "<both>", .order = order, .components = 2, .values = values.data()}});
    const auto points = array_of<double>(text, "Points"), field = array_of<double>(text, "&lt;both>");
    const std::size_t highest = std::size_t(std::max(geometry, order) + 1);
    REQUIRE(points.size() == 3 * 4 * highest * highest * highest);
    REQUIRE(field.size() == points.size());  // two components are written as three
    double error = 0;
    for (std::size_t i = 0; i < points.size(); i += 3) {
      error = std::max(error, std::abs(field[i] - polynomial(&points[i], power)));
      error = std::max({error, std::abs(field[i + 1] - points[i]), std::abs(field[i + 2])});
    }
    CHECK(error < 1e-13);
    const auto ends = array_of<std::int64_t>(text, "offsets");
    REQUIRE(ends.size() == 4);
    CHECK(ends.back() == index_t(points.size() / 3));
    CHECK(array_of<std::uint8_t>(text, "types") == std::vector<std::uint8_t>(4, 72));
  }
}

TEST_CASE("what cannot be written is refused before the file is touched", "[vtk]") {
  const fem::mesh square({1, 1}, 1);
  const scratch_folder folder;
  const std::string file = (folder / "fields.vtu").string();
  const double values[4] = {};
  const auto refused = [&](tessera::status code, const fem::element_nodes<double>& nodes,
                           const fem::element_field& field, std::string_view words) {
    tessera::testing::check_failure(code, {"write_vtu", words}, [&] { fem::write_vtu(file, nodes, {field}); });
    CHECK(!std::filesystem::exists(file));
  };
  using enum tessera::status;
  const auto nodes = fem::nodes_of(square);
  refused(null_pointer, nodes, {.name = "u"}, "field 'u' is a null pointer");
  refused(invalid_argument, nodes, {.name = "u", .order = 17, .values = values}, "'u' of order 17, not 1 to 16");
  refused(invalid_argument, nodes, {.name = "u", .components = 0, .values = values}, "field 'u' of 0 components");
  refused(invalid_argument, {.dim = 4, .elements = 1, .coordinates = values}, {.name = "u", .values = values}, "4-D");
  refused(null_pointer, {.dim = 2, .elements = 1}, {.name = "u", .values = values}, "coordinates are a null pointer");
  tessera::testing::check_failure(invalid_argument, {"cannot write '/nowhere/u.vtu'"},
                                  [&] { fem::write_vtu("/nowhere/u.vtu", nodes, {}); });
}
