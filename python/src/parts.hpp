// SPDX-License-Identifier: BSD-3-Clause
// What each source adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace tessera::python {

namespace nb = nanobind;

void add_settings(nb::module_& m);
void add_limits(nb::module_& m);
void add_plans(nb::module_& m);
void add_einsum(nb::module_& m);
void add_own_functions(nb::module_& m);
void add_element_operators(nb::module_& m);

}  // namespace tessera::python
