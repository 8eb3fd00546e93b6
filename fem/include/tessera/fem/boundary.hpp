// SPDX-License-Identifier: BSD-3-Clause
// Faces of elements on the boundary of a domain: lists of them, of boxes, and the unknowns that lie on them.
#pragma once

#include <tessera/element/restriction.hpp>
#include <tessera/fem/element_operator.hpp>

#include <initializer_list>
#include <span>
#include <vector>

namespace tessera::fem {

/// A face of an element. Of segments, squares and cubes face 2 a is where coordinate a of the unit element is 0, face
/// 2 a + 1 where it is 1; of simplices face i is opposite to corner i.
struct boundary_face {
  index_t element = 0;
  int face = 0;
  int tag = 0;  ///< the caller's
};

/// 2 dim, of simplices dim + 1. Throws unless dim is 1 to 3.
int faces_of_element(int dim, element_shape shape = element_shape::cube);

/// The faces on the boundary of a box of cells. The tag is the side of the box, numbered like the faces of an element:
/// 0 where the first coordinate is least, 1 where it is greatest, and so on.
std::vector<boundary_face> box_faces(const box_spec& box);
std::vector<boundary_face> box_faces(const mesh& domain);

/// Those with one of these tags.
std::vector<boundary_face> with_tags(std::span<const boundary_face> faces, std::initializer_list<int> tags);

/// The numbers of an L-vector whose functions are not 0 on these faces, ascending, each once; of one component, or of
/// all (-1). For bases with functions that belong to faces: gauss_lobatto and bernstein. Throws for
/// basis_kind::gauss, for a restriction whose entries are not as many as the space's functions, and for a face that is
/// out of range, which it names.
std::vector<index_t> numbers_on(const restriction& numbers, std::span<const boundary_face> faces, int dim,
                                const function_space& space, element_shape shape = element_shape::cube,
                                int component = -1);

}  // namespace tessera::fem
