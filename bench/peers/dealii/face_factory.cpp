// SPDX-License-Identifier: BSD-3-Clause
// As factories.cpp, for faces: both of deal.II's headers have one include guard.
#define FE_EVAL_FACTORY_DEGREE_MAX 1
#include "peers/dealii/lanes.hpp"

#include <deal.II/matrix_free/evaluation_template_face_factory.templates.h>

template struct dealii::internal::FEFaceEvaluationFactory<3, tessera::bench::dealii_peer::lanes>;
