// SPDX-License-Identifier: BSD-3-Clause
// Boxes of cells and lists of faces from Python.
#pragma once

#include <vector>

#include <nanobind/nanobind.h>

#include <tessera/element/restriction.hpp>
#include <tessera/fem/boundary.hpp>

namespace tessera::python {

namespace nb = nanobind;

/// 1 to 3 positive numbers of cells. Throws ValueError for others.
box_spec box_of_cells(nb::handle cells, const char* call);
/// Of an integer array (faces, 2) or (faces, 3): element, face, tag.
std::vector<fem::boundary_face> faces_from(nb::handle given, const char* call);
/// box_faces, numbers_on, gauss, gauss_lobatto.
void add_boundary(nb::module_& m);

}  // namespace tessera::python
