// SPDX-License-Identifier: BSD-3-Clause
// The quadrature rule of a direction that an operator's options name.
#pragma once

#include <tessera/fem/element_operator.hpp>

namespace tessera::fem::detail {

/// Of elements that are products.
quadrature_rule line_rule(const element_operator_options& o);

}  // namespace tessera::fem::detail
