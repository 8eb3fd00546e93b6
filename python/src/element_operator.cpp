// SPDX-License-Identifier: BSD-3-Clause
// Element operators.
#include "parts.hpp"

namespace tessera::python {

void add_element_operators(nb::module_&) {}

}  // namespace tessera::python
