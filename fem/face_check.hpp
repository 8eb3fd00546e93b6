// SPDX-License-Identifier: BSD-3-Clause
// Checks a face of a list.
#pragma once

#include <tessera/fem/boundary.hpp>

namespace tessera::fem::detail {

/// Throws naming the operation and face `number` of the list, where its element or its face is out of range.
void check_face(const char* operation, const boundary_face& f, index_t number, index_t elements, int faces);

}  // namespace tessera::fem::detail
