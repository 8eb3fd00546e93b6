// SPDX-License-Identifier: BSD-3-Clause
// Lists faces of boxes, and the unknowns on faces.
#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/boundary.hpp>

#include "face_check.hpp"

#include <algorithm>
#include <string>

namespace tessera::fem {

namespace detail {

void check_face(const char* operation, const boundary_face& f, index_t number, index_t elements, int faces) {
  const std::string name = std::string(operation) + ": face " + std::to_string(number) + " of the list is ";
  if (f.element < 0 || f.element >= elements)
    throw error(name + "in element " + std::to_string(f.element) + ", and there are " + std::to_string(elements) +
                " elements");
  if (f.face < 0 || f.face >= faces)
    throw error(name + "face " + std::to_string(f.face) + " of element " + std::to_string(f.element) + ", which has " +
                std::to_string(faces));
}

}  // namespace detail

namespace {

std::vector<boundary_face> faces_of_cells(int dim, const index_t (&cells)[3]) {
  std::vector<boundary_face> faces;
  if (cells[0] == 0 || cells[1] == 0 || cells[2] == 0) return faces;
  const index_t stride[3] = {1, cells[0], cells[0] * cells[1]};
  for (int side = 0; side < 2 * dim; ++side) {
    const int a = side / 2, low = a == 0 ? 1 : 0, high = a == 2 ? 1 : 2;
    const index_t first = side % 2 == 0 ? 0 : stride[a] * (cells[a] - 1);
    for (index_t j = 0; j < cells[high]; ++j)
      for (index_t i = 0; i < cells[low]; ++i)
        faces.push_back({first + stride[low] * i + stride[high] * j, side, side});
  }
  return faces;
}

// The functions of each face of an element that are not 0 on it.
std::vector<std::vector<index_t>> functions_on_faces(int dim, const function_space& space, element_shape shape,
                                                     index_t& functions) {
  std::vector<std::vector<index_t>> of_face(std::size_t(faces_of_element(dim, shape)));
  if (shape == element_shape::cube) {
    if (space.kind == basis_kind::gauss)
      throw error("numbers_on: functions of basis gauss belong to no face; gauss_lobatto and bernstein have such");
    const index_t d = basis(space.kind, space.order).size();
    functions = dim == 3 ? d * d * d : dim == 2 ? d * d : d;
    for (index_t i = 0; i < functions; ++i)
      for (index_t a = 0, rest = i; a < dim; ++a, rest /= d) {
        if (rest % d == 0) of_face[std::size_t(2 * a)].push_back(i);
        if (rest % d == d - 1) of_face[std::size_t(2 * a + 1)].push_back(i);
      }
    return of_face;
  }
  const simplex_basis simplex(space.kind, dim, space.order);
  functions = simplex.size();
  for (index_t i = 0; i < functions; ++i) {
    const double* const node = simplex.nodes().data() + dim * i;
    double left = 1;  // all but 0 if the node is on face 0; others are as far away as Gauss-Lobatto points
    for (int a = 0; a < dim; ++a) {
      left -= node[a];
      if (node[a] < 1e-6) of_face[std::size_t(a) + 1].push_back(i);
    }
    if (left < 1e-6) of_face[0].push_back(i);
  }
  return of_face;
}

}  // namespace

int faces_of_element(int dim, element_shape shape) {
  if (dim < 1 || dim > 3) throw error("faces_of_element: " + std::to_string(dim) + " dimensions; there are 1 to 3");
  return shape == element_shape::simplex ? dim + 1 : 2 * dim;
}

std::vector<boundary_face> box_faces(const box_spec& box) {
  faces_of_element(box.dim);
  index_t cells[3] = {1, 1, 1};
  for (int a = 0; a < box.dim; ++a) {
    if (box.cells[a] < 0)
      throw error("box_faces: " + std::to_string(box.cells[a]) + " cells in direction " + std::to_string(a));
    cells[a] = box.cells[a];
  }
  tessera::detail::checked_product("box_faces", {cells[0], cells[1], cells[2]}, sizeof(boundary_face));
  return faces_of_cells(box.dim, cells);
}

std::vector<boundary_face> box_faces(const mesh& domain) {
  index_t cells[3] = {1, 1, 1};
  std::copy(domain.cells().begin(), domain.cells().end(), cells);
  return faces_of_cells(domain.dim(), cells);
}

std::vector<boundary_face> with_tags(std::span<const boundary_face> faces, std::initializer_list<int> tags) {
  std::vector<boundary_face> chosen;
  for (const boundary_face& f : faces)
    if (std::find(tags.begin(), tags.end(), f.tag) != tags.end()) chosen.push_back(f);
  return chosen;
}

std::vector<index_t> numbers_on(const restriction& numbers, std::span<const boundary_face> faces, int dim,
                                const function_space& space, element_shape shape, int component) {
  if (component < -1 || component >= numbers.components())
    throw error("numbers_on: component " + std::to_string(component) + " of " + std::to_string(numbers.components()) +
                "; -1 is all");
  index_t functions = 1;
  const auto of_face = functions_on_faces(dim, space, shape, functions);
  if (functions != numbers.entries())
    throw error("numbers_on: a space of " + std::to_string(functions) + " functions, a restriction of " +
                    std::to_string(numbers.entries()) + " entries of an element",
                status::shape_mismatch);
  const int first = component < 0 ? 0 : component, last = component < 0 ? numbers.components() : component + 1;
  std::vector<index_t> found;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    detail::check_face("numbers_on", faces[f], index_t(f), numbers.elements(), int(of_face.size()));
    for (const index_t i : of_face[std::size_t(faces[f].face)]) {
      const index_t offset = numbers.offset(i, faces[f].element), number = offset < 0 ? -1 - offset : offset;
      for (int c = first; c < last; ++c) found.push_back(number + c * numbers.component_stride());
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace tessera::fem
