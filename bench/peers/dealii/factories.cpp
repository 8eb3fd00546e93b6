// SPDX-License-Identifier: BSD-3-Clause
// What deal.II's library has compiled for its own number of lanes alone: evaluation where the order is known at run
// time, which MatrixFree needs to set up. Our loops know their orders at compile time.
#define FE_EVAL_FACTORY_DEGREE_MAX 1
#include "peers/dealii/lanes.hpp"

#include <deal.II/matrix_free/evaluation_template_factory.templates.h>
#include <deal.II/matrix_free/evaluation_template_factory_hanging_nodes.templates.h>

namespace dealii::internal {

template struct FEEvaluationFactory<3, tessera::bench::dealii_peer::lanes>;
template struct FEEvaluationHangingNodesFactory<3, double, tessera::bench::dealii_peer::lanes>;

}  // namespace dealii::internal
