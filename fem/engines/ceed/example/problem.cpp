// SPDX-License-Identifier: BSD-3-Clause
// Makes a bake-off problem: spaces, the data at the points by a set-up operator, the operator and its vectors.
#include "problem.hpp"

#include "own_functions.h"

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace bake_off {

namespace {

void check(Ceed ceed, int code) {
  if (code == CEED_ERROR_SUCCESS) return;
  const char* message = "libCEED failed";
  if (ceed != nullptr) CeedGetErrorMessage(ceed, &message);
  throw std::runtime_error(message);
}

std::vector<CeedInt> node_list(const settings& s, int order, int stride) {
  const int n[3] = {s.cells[0] * order + 1, s.cells[1] * order + 1, s.cells[2] * order + 1};
  std::vector<CeedInt> list;
  for (int z = 0; z < s.cells[2]; ++z)
    for (int y = 0; y < s.cells[1]; ++y)
      for (int x = 0; x < s.cells[0]; ++x)
        for (int k = 0; k <= order; ++k)
          for (int j = 0; j <= order; ++j)
            for (int i = 0; i <= order; ++i)
              list.push_back(stride * (x * order + i + n[0] * (y * order + j + n[1] * (z * order + k))));
  return list;
}

long nodes_of(const settings& s, int order) {
  return long(s.cells[0] * order + 1) * (s.cells[1] * order + 1) * (s.cells[2] * order + 1);
}

int components_of(const settings& s) { return s.problem % 2 == 0 ? 3 : 1; }
bool is_mass(const settings& s) { return s.problem <= 2; }

}  // namespace

settings sized(int number, int order, double unknowns) {
  settings s{.problem = number, .order = order};
  const double nodes = unknowns / components_of(s);
  for (int a = 0;; a = (a + 1) % 3) {
    const double before = double(nodes_of(s, order));
    ++s.cells[a];
    if (std::abs(double(nodes_of(s, order)) - nodes) < std::abs(before - nodes)) continue;
    --s.cells[a];
    return s;
  }
}

problem::problem(const std::string& resource, const settings& s) {
  setenv("CEED_ERROR_HANDLER", "return", 0);  // of an unknown resource
  if (CeedInit(resource.c_str(), &ceed_) != CEED_ERROR_SUCCESS)
    throw std::runtime_error("libCEED has no resource " + resource);
  CeedSetErrorHandler(ceed_, CeedErrorStore);
  make_space(s);
  make_geometry(s);
  make_operator(s);
}

problem::~problem() {
  CeedOperatorDestroy(&apply_);
  for (CeedVector* v : {&x_, &y_, &numbers_, &mark_}) CeedVectorDestroy(v);
  for (CeedElemRestriction* r : {&nodes_, &corner_nodes_, &data_}) CeedElemRestrictionDestroy(r);
  for (CeedBasis* b : {&basis_, &corners_}) CeedBasisDestroy(b);
  CeedDestroy(&ceed_);
}

void problem::make_space(const settings& s) {
  const CeedInt p = s.order, q = s.problem <= 4 ? p + 2 : p + 1, elements = s.cells[0] * s.cells[1] * s.cells[2];
  const CeedQuadMode rule = s.problem <= 4 ? CEED_GAUSS : CEED_GAUSS_LOBATTO;
  const CeedInt components = components_of(s), factors = is_mass(s) ? 1 : 6;
  const long nodes = nodes_of(s, p);
  unknowns_ = nodes * components;
  const std::vector<CeedInt> list = node_list(s, p, 1), corner_list = node_list(s, 1, 1);
  check(ceed_, CeedBasisCreateTensorH1Lagrange(ceed_, 3, components, p + 1, q, rule, &basis_));
  check(ceed_, CeedBasisCreateTensorH1Lagrange(ceed_, 3, 3, 2, q, rule, &corners_));
  check(ceed_, CeedElemRestrictionCreate(ceed_, elements, (p + 1) * (p + 1) * (p + 1), components, CeedInt(nodes),
                                         unknowns_, CEED_MEM_HOST, CEED_COPY_VALUES, list.data(), &nodes_));
  check(ceed_, CeedElemRestrictionCreate(ceed_, elements, 8, 3, CeedInt(nodes_of(s, 1)), 3 * nodes_of(s, 1),
                                         CEED_MEM_HOST, CEED_COPY_VALUES, corner_list.data(), &corner_nodes_));
  const CeedInt points = q * q * q, strides[3] = {1, points, points * factors};
  check(ceed_, CeedElemRestrictionCreateStrided(ceed_, elements, points, factors, CeedSize(points) * factors * elements,
                                                strides, &data_));
}

void problem::make_geometry(const settings& s) {
  CeedVector corners = nullptr;
  CeedQFunction build = nullptr;
  CeedOperator set_up = nullptr;
  check(ceed_, CeedElemRestrictionCreateVector(corner_nodes_, &corners, nullptr));
  check(ceed_, CeedElemRestrictionCreateVector(data_, &numbers_, nullptr));
  CeedScalar* at = nullptr;
  check(ceed_, CeedVectorGetArrayWrite(corners, CEED_MEM_HOST, &at));
  const long count = nodes_of(s, 1);
  for (long n = 0; n < count; ++n) {
    const long i = n % (s.cells[0] + 1), j = n / (s.cells[0] + 1) % (s.cells[1] + 1),
               k = n / (s.cells[0] + 1) / (s.cells[1] + 1);
    const double u[3] = {double(i) / s.cells[0], double(j) / s.cells[1], double(k) / s.cells[2]};
    for (int a = 0; a < 3; ++a) at[n + count * a] = u[a] + 0.03 * std::sin(3 * u[(a + 1) % 3] + u[(a + 2) % 3]);
  }
  check(ceed_, CeedVectorRestoreArray(corners, &at));
  check(ceed_, CeedQFunctionCreateInteriorByName(ceed_, is_mass(s) ? "Mass3DBuild" : "Poisson3DBuild", &build));
  check(ceed_, CeedOperatorCreate(ceed_, build, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, &set_up));
  check(ceed_, CeedOperatorSetField(set_up, "dx", corner_nodes_, corners_, CEED_VECTOR_ACTIVE));
  check(ceed_, CeedOperatorSetField(set_up, "weights", CEED_ELEMRESTRICTION_NONE, corners_, CEED_VECTOR_NONE));
  check(ceed_, CeedOperatorSetField(set_up, "qdata", data_, CEED_BASIS_NONE, CEED_VECTOR_ACTIVE));
  check(ceed_, CeedOperatorApply(set_up, corners, numbers_, CEED_REQUEST_IMMEDIATE));
  check(ceed_, CeedOperatorDestroy(&set_up));
  check(ceed_, CeedQFunctionDestroy(&build));
  check(ceed_, CeedVectorDestroy(&corners));
}

void problem::make_operator(const settings& s) {
  CeedQFunction function = nullptr;
  const bool mass = is_mass(s), vector = components_of(s) == 3;
  const char *in = mass ? "u" : "du", *out = mass ? "v" : "dv";
  if (s.own_function) {
    const CeedQFunctionUser code =
        mass ? (vector ? &own_mass_3 : &own_mass_1) : (vector ? &own_diffusion_3 : &own_diffusion_1);
    const char* where =
        mass ? (vector ? own_mass_3_loc : own_mass_1_loc) : (vector ? own_diffusion_3_loc : own_diffusion_1_loc);
    const CeedEvalMode mode = mass ? CEED_EVAL_INTERP : CEED_EVAL_GRAD;
    const CeedInt size = components_of(s) * (mass ? 1 : 3);
    check(ceed_, CeedQFunctionCreateInterior(ceed_, 1, code, where, &function));
    check(ceed_, CeedQFunctionAddInput(function, in, size, mode));
    check(ceed_, CeedQFunctionAddInput(function, "qdata", mass ? 1 : 6, CEED_EVAL_NONE));
    check(ceed_, CeedQFunctionAddOutput(function, out, size, mode));
  } else {
    const char* name =
        mass ? (vector ? "Vector3MassApply" : "MassApply") : (vector ? "Vector3Poisson3DApply" : "Poisson3DApply");
    check(ceed_, CeedQFunctionCreateInteriorByName(ceed_, name, &function));
  }
  check(ceed_, CeedOperatorCreate(ceed_, function, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, &apply_));
  check(ceed_, CeedQFunctionDestroy(&function));
  check(ceed_, CeedOperatorSetField(apply_, in, nodes_, basis_, CEED_VECTOR_ACTIVE));
  check(ceed_, CeedOperatorSetField(apply_, "qdata", data_, CEED_BASIS_NONE, numbers_));
  check(ceed_, CeedOperatorSetField(apply_, out, nodes_, basis_, CEED_VECTOR_ACTIVE));
  check(ceed_, CeedElemRestrictionCreateVector(nodes_, &x_, nullptr));
  check(ceed_, CeedElemRestrictionCreateVector(nodes_, &y_, nullptr));
  CeedScalar* at = nullptr;
  check(ceed_, CeedVectorGetArrayWrite(x_, CEED_MEM_HOST, &at));
  for (long n = 0; n < unknowns_; ++n) at[n] = std::sin(0.37 * double(n % 1000)) + 0.1;
  check(ceed_, CeedVectorRestoreArray(x_, &at));
  check(ceed_, CeedVectorCreate(ceed_, 1, &mark_));
}

// Copies from a GPU wait for what is queued before them. On a CPU there is nothing to wait for.
void problem::wait() {
  CeedMemType memory = CEED_MEM_HOST;
  CeedScalar* at = nullptr;
  const CeedScalar* read = nullptr;
  check(ceed_, CeedGetPreferredMemType(ceed_, &memory));
  check(ceed_, CeedVectorGetArrayWrite(mark_, memory, &at));
  check(ceed_, CeedVectorRestoreArray(mark_, &at));
  check(ceed_, CeedVectorGetArrayRead(mark_, CEED_MEM_HOST, &read));
  check(ceed_, CeedVectorRestoreArrayRead(mark_, &read));
}

void problem::apply() { check(ceed_, CeedOperatorApply(apply_, x_, y_, CEED_REQUEST_IMMEDIATE)); }

std::vector<double> problem::y() const {
  const CeedScalar* at = nullptr;
  check(ceed_, CeedVectorGetArrayRead(y_, CEED_MEM_HOST, &at));
  std::vector<double> copy(at, at + unknowns_);
  check(ceed_, CeedVectorRestoreArrayRead(y_, &at));
  return copy;
}

}  // namespace bake_off
