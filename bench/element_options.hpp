// SPDX-License-Identifier: BSD-3-Clause
// The options of the suites element and assembly.
#pragma once

#include <string>
#include <vector>

#include "element_case.hpp"
#include "measure/measure.hpp"
#include "options.hpp"

namespace tessera::bench {

/// Throw if the text is not valid, naming the valid ones.
std::vector<operator_kind> kinds_of(const std::string& text);
std::vector<matrix_storage> storages_of(const std::string& text);
element_sizes sizes_of(operator_kind kind, int p, const options& o);
/// The same with the form of the options.
element_sizes sizes_with_form(operator_kind kind, int p, const options& o);

/// The definition of an unknown, for the terminal and the file.
inline constexpr const char* dofs_are = "entries of an E-vector";

/// Joules per 10^9 unknowns; NaN if energy was not measured.
double joules_per_billion(const timing& t, double dofs);
/// "; 31.2e9 dofs/s" and, under sustained load where energy is measured, "; 0.0123 J per 1e9 dofs".
std::string words_of_dofs(const timing& t, double dofs, const options& o);

}  // namespace tessera::bench
