// SPDX-License-Identifier: BSD-3-Clause
// What each source around element operators adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace tessera::python {

namespace nb = nanobind;

void add_element_operator_class(nb::module_& m);
void add_restriction_class(nb::module_& m);
void add_global_operator_class(nb::module_& m);
void add_points_class(nb::module_& m);
void add_solver(nb::module_& m);

/// The signature with the parameters of `text_with_options` in the place of "%s". It is kept.
nb::sig signature_with_options(const char* signature);
/// The text with what all operators and points take in the place of "%s". It is kept.
const char* text_with_options(const char* text);

}  // namespace tessera::python
