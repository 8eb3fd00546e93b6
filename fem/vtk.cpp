// SPDX-License-Identifier: BSD-3-Clause
// Writes VTK's XML files of high-order cells.
#include <tessera/error.hpp>
#include <tessera/fem/basis.hpp>
#include <tessera/fem/vtk.hpp>

#include "host_memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <span>

namespace tessera::fem {

namespace {

using cell_point = std::array<int, 3>;

[[noreturn]] void refuse_vtu(const std::string& why, status code = status::invalid_argument) {
  throw error("write_vtu: " + why, code);
}

// The points of a cell in VTK's order: corners, edges, faces, inside; i, j, k count equidistant points.
class vtk_order {
 public:
  vtk_order(int dim, int order) : last_(order) {
    const int p = order;
    if (dim == 1) {
      all_ = {{0, 0, 0}, {p, 0, 0}};
      along({0, 0, 0}, 0);
      return;
    }
    if (dim == 2) {
      quadrilateral_corners(0);
      quadrilateral_edges(0);
      inside_of({0, 0, 0}, 0, 1);
      return;
    }
    quadrilateral_corners(0);
    quadrilateral_corners(p);
    quadrilateral_edges(0);
    quadrilateral_edges(p);
    for (const auto& [i, j] : {std::pair{0, 0}, {p, 0}, {p, p}, {0, p}}) along({i, j, 0}, 2);
    for (const int i : {0, p}) inside_of({i, 0, 0}, 1, 2);
    for (const int j : {0, p}) inside_of({0, j, 0}, 0, 2);
    for (const int k : {0, p}) inside_of({0, 0, k}, 0, 1);
    for (int k = 1; k < p; ++k) inside_of({0, 0, k}, 0, 1);
  }
  const std::vector<cell_point>& points() const { return all_; }

 private:
  void quadrilateral_corners(int k) {
    for (const auto& [i, j] : {std::pair{0, 0}, {last_, 0}, {last_, last_}, {0, last_}}) all_.push_back({i, j, k});
  }
  void quadrilateral_edges(int k) {
    along({0, 0, k}, 0);
    along({last_, 0, k}, 1);
    along({0, last_, k}, 0);
    along({0, 0, k}, 1);
  }
  void along(cell_point at, std::size_t direction) {
    for (int i = 1; i < last_; ++i) {
      at[direction] = i;
      all_.push_back(at);
    }
  }
  void inside_of(cell_point at, std::size_t first, std::size_t second) {
    for (int j = 1; j < last_; ++j) {
      at[second] = j;
      along(at, first);
    }
  }

  int last_;
  std::vector<cell_point> all_;
};

// From values at Gauss-Lobatto points of one order to equidistant ones of another, first direction fastest.
class to_equidistant {
 public:
  to_equidistant(int dim, int from, int to) : dim_(dim), from_(std::size_t(from) + 1), to_(std::size_t(to) + 1) {
    const basis functions(basis_kind::gauss_lobatto, from);
    table_.resize(from_ * to_);
    for (std::size_t k = 0; k < to_; ++k)
      functions.evaluate(double(k) / double(to), std::span(table_).subspan(from_ * k, from_));
  }
  std::vector<double> operator()(std::vector<double> values) const {
    std::size_t before = 1;  // points of the directions that are done
    for (int a = 0; a < dim_; ++a, before *= to_) {
      std::size_t behind = 1;  // functions of those to come
      for (int later = a + 1; later < dim_; ++later) behind *= from_;
      std::vector<double> next(before * to_ * behind);
      for (std::size_t c = 0; c < behind; ++c)
        for (std::size_t k = 0; k < to_; ++k)
          for (std::size_t i = 0; i < from_; ++i)
            for (std::size_t b = 0; b < before; ++b)
              next[b + before * (k + to_ * c)] += table_[i + from_ * k] * values[b + before * (i + from_ * c)];
      values.swap(next);
    }
    return values;
  }

 private:
  int dim_;
  std::size_t from_, to_;
  std::vector<double> table_;
};

std::string base64(const void* bytes, std::size_t count) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* from = static_cast<const unsigned char*>(bytes);
  std::string text;
  text.reserve((count + 2) / 3 * 4);
  for (std::size_t i = 0; i < count; i += 3) {
    const std::size_t left = std::min<std::size_t>(3, count - i);
    std::uint32_t three = std::uint32_t(from[i]) << 16;
    if (left > 1) three |= std::uint32_t(from[i + 1]) << 8;
    if (left > 2) three |= from[i + 2];
    for (std::size_t d = 0; d < 4; ++d) text += d <= left ? digits[three >> (18 - 6 * d) & 63] : '=';
  }
  return text;
}

template <class Number>
void write_array(std::ofstream& out, const char* type, const std::string& name, int components,
                 const std::vector<Number>& numbers) {
  const std::uint64_t bytes = numbers.size() * sizeof(Number);
  out << "<DataArray type=\"" << type << "\" Name=\"" << name << "\" NumberOfComponents=\"" << components
      << "\" format=\"binary\">\n"
      << base64(&bytes, sizeof bytes) << base64(numbers.data(), bytes) << "\n</DataArray>\n";
}

std::string in_xml(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return safe;
}

// Components of a point side by side, points in VTK's order, `width` numbers a point, of which those behind the
// components are 0. read(i, c, e)
template <class Read>
std::vector<double> points_of_cells(int dim, int from, int to, index_t elements, int components, int width,
                                    const Read& read) {
  const to_equidistant interpolate(dim, from, to);
  const vtk_order order(dim, to);
  const std::vector<cell_point>& points = order.points();
  std::size_t entries = 1;
  for (int a = 0; a < dim; ++a) entries *= std::size_t(from + 1);
  std::vector<double> all(std::size_t(elements) * points.size() * std::size_t(width)), values(entries);
  const std::size_t line = std::size_t(to) + 1;
  for (index_t e = 0; e < elements; ++e)
    for (int c = 0; c < components; ++c) {
      for (std::size_t i = 0; i < entries; ++i) values[i] = read(index_t(i), c, e);
      const std::vector<double> there = interpolate(values);
      double* into = all.data() + points.size() * std::size_t(width) * std::size_t(e) + c;
      for (const cell_point& at : points) {
        *into = there[std::size_t(at[0]) + line * (std::size_t(at[1]) + line * std::size_t(at[2]))];
        into += width;
      }
    }
  return all;
}

void check_vtu(const element_nodes<double>& nodes, const std::vector<element_field>& fields) {
  if (nodes.dim < 1 || nodes.dim > 3) refuse_vtu("elements in " + std::to_string(nodes.dim) + "-D, not 1-D to 3-D");
  if (nodes.elements < 0) refuse_vtu(std::to_string(nodes.elements) + " elements", status::overflow);
  if (nodes.coordinates == nullptr && nodes.elements > 0)
    refuse_vtu("coordinates are a null pointer", status::null_pointer);
  detail::need_host("write_vtu: coordinates", nodes.coordinates);
  [[maybe_unused]] const basis of_nodes(basis_kind::gauss_lobatto, nodes.order);  // throws where there is none
  for (const element_field& f : fields) {
    if (f.order < 1 || f.order > max_order)
      refuse_vtu("field '" + f.name + "' of order " + std::to_string(f.order) + ", not 1 to " +
                 std::to_string(max_order));
    if (f.components < 1) refuse_vtu("field '" + f.name + "' of " + std::to_string(f.components) + " components");
    if (f.values == nullptr && nodes.elements > 0)
      refuse_vtu("field '" + f.name + "' is a null pointer", status::null_pointer);
    detail::need_host("write_vtu: field '" + f.name + "'", f.values);
  }
}

element_layout layout_of(const element_nodes<double>& nodes, index_t n) {
  const element_layout &given = nodes.layout, nothing;
  const bool left_as_it_is = given.entry == nothing.entry && given.component == nothing.component &&
                             given.element == nothing.element && given.lanes == nothing.lanes &&
                             given.block == nothing.block;
  return left_as_it_is ? element_layout::conventional(n, nodes.dim).from(given.first) : given;
}

index_t entries_of(int dim, int order) {
  index_t n = 1;
  for (int a = 0; a < dim; ++a) n *= order + 1;
  return n;
}

}  // namespace

void write_vtu(const std::string& file, const element_nodes<double>& nodes, const std::vector<element_field>& fields) {
  check_vtu(nodes, fields);
  const int dim = nodes.dim;
  int order = nodes.order;
  for (const element_field& f : fields) order = std::max(order, f.order);
  const index_t points = entries_of(dim, order);

  std::ofstream out(file, std::ios::binary);
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"2.2\" byte_order=\"LittleEndian\" "
         "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\""
      << points * nodes.elements << "\" NumberOfCells=\"" << nodes.elements << "\">\n<Points>\n";
  const element_layout layout = layout_of(nodes, entries_of(dim, nodes.order));
  write_array(out, "Float64", "Points", 3,
              points_of_cells(dim, nodes.order, order, nodes.elements, dim, 3, [&](index_t i, int c, index_t e) {
                return nodes.coordinates[layout.offset(i, c, layout.first + e)];
              }));
  out << "</Points>\n<Cells>\n";
  std::vector<std::int64_t> numbers(std::size_t(points * nodes.elements)), ends(std::size_t(nodes.elements));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::int64_t(i);
  for (std::size_t e = 0; e < ends.size(); ++e) ends[e] = std::int64_t(points) * std::int64_t(e + 1);
  constexpr std::uint8_t curve = 68, quadrilateral = 70, hexahedron = 72;
  const std::uint8_t type = dim == 1 ? curve : dim == 2 ? quadrilateral : hexahedron;
  write_array(out, "Int64", "connectivity", 1, numbers);
  write_array(out, "Int64", "offsets", 1, ends);
  write_array(out, "UInt8", "types", 1, std::vector<std::uint8_t>(ends.size(), type));
  out << "</Cells>\n<PointData>\n";
  for (const element_field& f : fields) {
    const index_t n = entries_of(dim, f.order);
    const int width = f.components == 2 ? 3 : f.components;  // programs draw vectors of three
    write_array(out, "Float64", in_xml(f.name), width,
                points_of_cells(dim, f.order, order, nodes.elements, f.components, width,
                                [&](index_t i, int c, index_t e) { return f.values[i + n * (c + f.components * e)]; }));
  }
  out << "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  if (!out.flush()) refuse_vtu("cannot write '" + file + "'");
}

}  // namespace tessera::fem
