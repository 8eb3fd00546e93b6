// SPDX-License-Identifier: BSD-3-Clause
// What the options of the suites element and assembly mean.
#pragma once

#include <string>
#include <vector>

#include "element_case.hpp"
#include "options.hpp"

namespace tessera::bench {

/// Throw where the text means nothing, naming what there is.
std::vector<operator_kind> kinds_of(const std::string& text);
std::vector<matrix_storage> storages_of(const std::string& text);
element_sizes sizes_of(operator_kind kind, int p, const options& o);
/// The same with the form that is asked for.
element_sizes sizes_with_form(operator_kind kind, int p, const options& o);

}  // namespace tessera::bench
