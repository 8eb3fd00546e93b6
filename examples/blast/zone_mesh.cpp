// SPDX-License-Identifier: BSD-3-Clause
// Boxes of zones, and uniform refinement: new vertices are known by the corners that they lie between.
#include "zone_mesh.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace tessera::blast {

namespace {

// A vertex in the middle of some others.
class midpoints {
 public:
  explicit midpoints(zone_mesh& made) : made_(made) {}

  index_t of(std::vector<index_t> corners) {
    std::sort(corners.begin(), corners.end());
    if (corners.size() == 1) return corners[0];
    const auto [at, is_new] = known_.try_emplace(corners, index_t(made_.vertices.size()));
    if (is_new) {
      std::array<double, 3> x{};
      for (const index_t corner : corners)
        for (std::size_t a = 0; a < 3; ++a) x[a] += made_.vertices[std::size_t(corner)][a] / double(corners.size());
      made_.vertices.push_back(x);
    }
    return at->second;
  }

 private:
  zone_mesh& made_;
  std::map<std::vector<index_t>, index_t> known_;
};

// The corners of the 2^dim parts of a cell of 2^dim corners. Part p has its own corner p; its corner c lies between the
// old corners that agree with p in the directions in which p and c agree.
std::vector<std::vector<index_t>> parts_of(const std::vector<index_t>& cell, midpoints& between) {
  const unsigned count = unsigned(cell.size());
  std::vector<std::vector<index_t>> parts;
  for (unsigned p = 0; p < count; ++p) {
    std::vector<index_t> part;
    for (unsigned c = 0; c < count; ++c) {
      std::vector<index_t> ends;
      for (unsigned old = 0; old < count; ++old)
        if (((old ^ p) & ~(p ^ c) & (count - 1)) == 0) ends.push_back(cell[old]);
      part.push_back(between.of(ends));
    }
    parts.push_back(part);
  }
  return parts;
}

}  // namespace

zone_mesh box_of_zones(const std::vector<std::vector<double>>& lines) {
  zone_mesh made;
  made.dim = int(lines.size());
  if (made.dim < 1 || made.dim > 3) throw std::runtime_error("a box of zones has 1 to 3 directions");
  std::array<index_t, 3> points{1, 1, 1};
  for (std::size_t a = 0; a < lines.size(); ++a) {
    points[a] = index_t(lines[a].size());
    if (points[a] < 2) throw std::runtime_error("a box of zones needs two coordinates in each direction");
  }
  const auto coordinate = [&](std::size_t a, index_t i) { return a < lines.size() ? lines[a][std::size_t(i)] : 0.0; };
  for (index_t k = 0; k < points[2]; ++k)
    for (index_t j = 0; j < points[1]; ++j)
      for (index_t i = 0; i < points[0]; ++i)
        made.vertices.push_back({coordinate(0, i), coordinate(1, j), coordinate(2, k)});
  const std::array<index_t, 3> stride{1, points[0], points[0] * points[1]};
  std::array<index_t, 3> cells{1, 1, 1};
  for (std::size_t a = 0; a < lines.size(); ++a) cells[a] = points[a] - 1;

  // The corners of a cell that spans the directions `across` does not name, from its first vertex.
  const auto corners = [&](index_t first, int across) {
    std::vector<index_t> all{first};
    for (int a = 0; a < made.dim; ++a) {
      if (a == across) continue;
      const std::size_t before = all.size();
      for (std::size_t c = 0; c < before; ++c) all.push_back(all[c] + stride[std::size_t(a)]);
    }
    return all;
  };
  for (index_t k = 0; k < cells[2]; ++k)
    for (index_t j = 0; j < cells[1]; ++j)
      for (index_t i = 0; i < cells[0]; ++i) {
        const std::array<index_t, 3> cell{i, j, k};
        const index_t first = i + stride[1] * j + stride[2] * k;
        const auto zone = corners(first, -1);
        made.corners.insert(made.corners.end(), zone.begin(), zone.end());
        made.attributes.push_back(1);
        for (int a = 0; a < made.dim; ++a) {
          const std::size_t d = std::size_t(a);
          if (cell[d] == 0) made.sides.push_back({corners(first, a), a + 1});
          if (cell[d] + 1 == cells[d]) made.sides.push_back({corners(first + stride[d], a), a + 1});
        }
      }
  return made;
}

zone_mesh refined(const zone_mesh& mesh, int times) {
  if (times == 0) return mesh;
  zone_mesh made;
  made.dim = mesh.dim;
  made.vertices = mesh.vertices;
  midpoints between(made);
  const std::size_t corners = std::size_t(mesh.zone_corners());
  for (std::size_t z = 0; z < std::size_t(mesh.zones()); ++z) {
    const auto first = mesh.corners.begin() + std::ptrdiff_t(corners * z);
    for (const auto& part : parts_of({first, first + std::ptrdiff_t(corners)}, between)) {
      made.corners.insert(made.corners.end(), part.begin(), part.end());
      made.attributes.push_back(mesh.attributes[z]);
    }
  }
  for (const auto& side : mesh.sides)
    for (auto& part : parts_of(side.corners, between)) made.sides.push_back({std::move(part), side.attribute});
  return refined(made, times - 1);
}

}  // namespace tessera::blast
