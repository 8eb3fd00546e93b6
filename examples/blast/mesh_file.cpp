// SPDX-License-Identifier: BSD-3-Clause
// Meshes in files of MFEM's format v1.0: https://mfem.org/mesh-format-v1.0.
#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "zone_mesh.hpp"

namespace tessera::blast {

namespace {

// What the format calls segments, squares and cubes; their corners, in its order, as ours.
struct geometry {
  int code;
  int dim;
  std::vector<int> ours;  // corner c of the file is our corner ours[c]
};
const std::array<geometry, 4> geometries{{{.code = 0, .dim = 0, .ours = {0}},
                                          {.code = 1, .dim = 1, .ours = {0, 1}},
                                          {.code = 3, .dim = 2, .ours = {0, 1, 3, 2}},
                                          {.code = 5, .dim = 3, .ours = {0, 1, 3, 2, 4, 5, 7, 6}}}};

// The words of a file that are not comments, and where they are.
class words {
 public:
  explicit words(const std::string& file) : name_(file), in_(file) {
    if (!in_) throw std::runtime_error("cannot read the mesh '" + file + "'");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("mesh '" + name_ + "', line " + std::to_string(line_) + ": " + what);
  }
  /// The next line that says something.
  std::string line() {
    std::string text;
    while (std::getline(in_, text)) {
      ++line_;
      text = text.substr(0, text.find('#'));
      const std::size_t first = text.find_first_not_of(" \t\r");
      if (first != std::string::npos) return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
    }
    return "";
  }
  template <class T>
  std::vector<T> numbers(const std::string& what) {
    const std::string text = line();
    if (text.empty()) fail("expected " + what + ", found the end of the file");
    std::istringstream in(text);
    std::vector<T> found;
    for (T number; in >> number;) found.push_back(number);
    if (found.empty() || !in.eof()) fail("expected " + what + ", found '" + text + "'");
    return found;
  }
  template <class T>
  T number(const std::string& what) {
    const auto found = numbers<T>(what);
    if (found.size() != 1) fail("expected " + what + ", found " + std::to_string(found.size()) + " numbers");
    return found[0];
  }

 private:
  std::string name_;
  std::ifstream in_;
  int line_ = 0;
};

// Cells of one dimension: attribute, geometry, vertices.
struct cell {
  int attribute = 1;
  std::vector<index_t> corners;
};
std::vector<cell> read_cells(words& in, int dim, const std::string& what) {
  const auto count = in.number<index_t>("the number of " + what);
  if (count < 0) in.fail("the number of " + what + " is negative");
  std::vector<cell> cells;
  const geometry& is = geometries[std::size_t(dim)];
  for (index_t i = 0; i < count; ++i) {
    const auto line = in.numbers<index_t>("attribute, geometry and vertices of one of the " + what);
    if (line.size() < 2 || line[1] != is.code)
      in.fail("of the " + what + " only geometry " + std::to_string(is.code) + " is supported in " +
              std::to_string(dim) + "-D");
    if (line.size() != 2 + is.ours.size())
      in.fail("geometry " + std::to_string(is.code) + " has " + std::to_string(is.ours.size()) + " vertices, found " +
              std::to_string(line.size() - 2));
    cell made{.attribute = int(line[0]), .corners = std::vector<index_t>(is.ours.size())};
    for (std::size_t c = 0; c < is.ours.size(); ++c) made.corners[std::size_t(is.ours[c])] = line[2 + c];
    auto sorted = made.corners;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) in.fail("vertex " + std::to_string(*twice) + " is there twice");
    cells.push_back(std::move(made));
  }
  return cells;
}

// The coordinates of `count` vertices as an H1 field of order 1. The file may have fewer, so that memory grows with
// what is there.
void read_nodes(words& in, index_t count, zone_mesh& mesh) {
  if (in.line() != "FiniteElementSpace") in.fail("expected 'FiniteElementSpace'");
  const std::string linear = "H1_" + std::to_string(mesh.dim) + "D_P1", collection = in.line();
  if (collection != "FiniteElementCollection: Linear" && collection != "FiniteElementCollection: " + linear)
    in.fail("'" + collection + "': only straight zones are supported, 'Linear' or '" + linear + "'");
  if (in.line() != "VDim: " + std::to_string(mesh.dim)) in.fail("expected VDim: " + std::to_string(mesh.dim));
  const std::string ordering = in.line();
  if (ordering != "Ordering: 0" && ordering != "Ordering: 1") in.fail("expected 'Ordering: 0' or 'Ordering: 1'");
  const std::size_t vertices = std::size_t(count), dim = std::size_t(mesh.dim);
  std::vector<double> all;
  while (all.size() / dim < vertices)
    for (const double number : in.numbers<double>("coordinates of the nodes")) all.push_back(number);
  mesh.vertices.resize(vertices);
  for (std::size_t i = 0; i < vertices; ++i)
    for (std::size_t a = 0; a < dim; ++a)
      mesh.vertices[i][a] = ordering == "Ordering: 0" ? all[i + vertices * a] : all[a + dim * i];
}

void read_vertices(words& in, zone_mesh& mesh) {
  const auto count = in.number<index_t>("the number of vertices");
  if (count < 2) in.fail("a mesh has at least 2 vertices");
  const std::string next = in.line();
  if (next == "nodes") return read_nodes(in, count, mesh);
  if (next != std::to_string(mesh.dim)) in.fail("expected the dimension of the vertices, or 'nodes'");
  for (index_t i = 0; i < count; ++i) {
    const auto x = in.numbers<double>("coordinates of vertex " + std::to_string(i) + " of " + std::to_string(count));
    if (x.size() != std::size_t(mesh.dim)) in.fail("a vertex has " + std::to_string(mesh.dim) + " coordinates");
    auto& vertex = mesh.vertices.emplace_back();
    for (std::size_t a = 0; a < x.size(); ++a) vertex[a] = x[a];
  }
}

}  // namespace

zone_mesh read_mfem_mesh(const std::string& file) {
  words in(file);
  if (in.line() != "MFEM mesh v1.0") in.fail("expected 'MFEM mesh v1.0'");
  zone_mesh mesh;
  if (in.line() != "dimension") in.fail("expected 'dimension'");
  mesh.dim = in.number<int>("the dimension");
  if (mesh.dim < 1 || mesh.dim > 3) in.fail("the dimension is not 1, 2 or 3");
  if (in.line() != "elements") in.fail("expected 'elements'");
  for (const cell& zone : read_cells(in, mesh.dim, "elements")) {
    mesh.corners.insert(mesh.corners.end(), zone.corners.begin(), zone.corners.end());
    mesh.attributes.push_back(zone.attribute);
  }
  if (mesh.zones() == 0) in.fail("the mesh has no elements");
  if (in.line() != "boundary") in.fail("expected 'boundary'");
  for (cell& side : read_cells(in, mesh.dim - 1, "boundary"))
    mesh.sides.push_back({std::move(side.corners), side.attribute});
  if (in.line() != "vertices") in.fail("expected 'vertices'");
  read_vertices(in, mesh);
  const auto check = [&](const std::string& what, std::size_t number, index_t corner) {
    if (corner < 0 || corner >= index_t(mesh.vertices.size()))
      throw std::runtime_error("mesh '" + file + "': " + what + " " + std::to_string(number) + " has vertex " +
                               std::to_string(corner) + ", and there are " + std::to_string(mesh.vertices.size()));
  };
  for (std::size_t i = 0; i < mesh.corners.size(); ++i)
    check("element", i / std::size_t(mesh.zone_corners()), mesh.corners[i]);
  for (std::size_t i = 0; i < mesh.sides.size(); ++i)
    for (const index_t corner : mesh.sides[i].corners) check("side", i, corner);
  return mesh;
}

void write_mfem_mesh(const std::string& file, const zone_mesh& mesh) {
  std::ofstream out(file);
  out.precision(17);
  out << "MFEM mesh v1.0\n\ndimension\n" << mesh.dim << "\n\nelements\n" << mesh.zones() << "\n";
  const auto write = [&](int dim, int attribute, const auto& corner) {
    const geometry& is = geometries[std::size_t(dim)];
    out << attribute << " " << is.code;
    for (const int ours : is.ours) out << " " << corner(ours);
    out << "\n";
  };
  for (index_t z = 0; z < mesh.zones(); ++z)
    write(mesh.dim, mesh.attributes[std::size_t(z)], [&](int c) { return mesh.corner(z, c); });
  out << "\nboundary\n" << mesh.sides.size() << "\n";
  for (const auto& side : mesh.sides)
    write(mesh.dim - 1, side.attribute, [&](int c) { return side.corners[std::size_t(c)]; });
  out << "\nvertices\n" << mesh.vertices.size() << "\n" << mesh.dim << "\n";
  for (const auto& x : mesh.vertices)
    for (int a = 0; a < mesh.dim; ++a) out << x[std::size_t(a)] << (a + 1 < mesh.dim ? " " : "\n");
  if (!out.flush()) throw std::runtime_error("cannot write the mesh '" + file + "'");
}

}  // namespace tessera::blast
