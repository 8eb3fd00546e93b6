// SPDX-License-Identifier: BSD-3-Clause
// Two segments with a mass operator, whose parts tests replace.
#pragma once

#include <vector>

#include "handles.hpp"

namespace ceed_test {

struct small_operator {
  static constexpr int elements = 2, order = 2, points = 3, nodes = elements * order + 1;

  Ceed ceed;
  basis functions;
  element_restriction numbers, data_numbers;
  vector data;
  function code;
  operation op;

  explicit small_operator(Ceed on) : ceed(on) {
    const std::vector<CeedInt> offsets{0, 1, 2, 2, 3, 4};
    const CeedInt strides[3] = {1, points, points};
    check(ceed, CeedBasisCreateTensorH1Lagrange(ceed, 1, 1, order + 1, points, CEED_GAUSS, functions.out()));
    check(ceed, CeedElemRestrictionCreate(ceed, elements, order + 1, 1, 1, nodes, CEED_MEM_HOST, CEED_COPY_VALUES,
                                          offsets.data(), numbers.out()));
    check(ceed,
          CeedElemRestrictionCreateStrided(ceed, elements, points, 1, elements * points, strides, data_numbers.out()));
    data = vector_of(ceed, {1, 2, 3, 4, 5, 6});
  }

  /// "u" and "qdata" in, "v" out.
  void make_function(CeedQFunctionUser f) {
    check(ceed, CeedQFunctionCreateInterior(ceed, 1, f, __FILE__ ":f", code.out()));
    check(ceed, CeedQFunctionAddInput(code, "u", 1, CEED_EVAL_INTERP));
    check(ceed, CeedQFunctionAddInput(code, "qdata", 1, CEED_EVAL_NONE));
    check(ceed, CeedQFunctionAddOutput(code, "v", 1, CEED_EVAL_INTERP));
  }

  void make_operator() {
    if (code == nullptr) check(ceed, CeedQFunctionCreateInteriorByName(ceed, "MassApply", code.out()));
    check(ceed, CeedOperatorCreate(ceed, code, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, op.out()));
    check(ceed, CeedOperatorSetField(op, "u", numbers, functions, CEED_VECTOR_ACTIVE));
    check(ceed, CeedOperatorSetField(op, "qdata", data_numbers, CEED_BASIS_NONE, data));
    check(ceed, CeedOperatorSetField(op, "v", numbers, functions, CEED_VECTOR_ACTIVE));
  }

  std::vector<double> apply(std::vector<double> x = {1, -2, 3, 0.5, 1}) const {
    const vector from = vector_of(ceed, x), to = vector_of(ceed, std::vector<double>(nodes, 7.0));
    check(ceed, CeedOperatorApply(op, from, to, CEED_REQUEST_IMMEDIATE));
    return numbers_of(ceed, to);
  }
};

}  // namespace ceed_test
