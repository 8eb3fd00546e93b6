// SPDX-License-Identifier: BSD-3-Clause
// Whoever destroys their handles frees everything: the backend keeps no reference. Operators at points of their own.
#include "compare.hpp"
#include "small_operator.hpp"
#include "testing/catch.hpp"
#include "testing/skip.hpp"
#include "version.hpp"

#include <tessera/ceed/tessera_ceed.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace ceed_test;

int times(void* context, CeedInt Q, const CeedScalar* const* in, CeedScalar* const* out) {
  const double factor = *static_cast<const double*>(context);
  for (CeedInt n = 0; n < Q; ++n) out[0][n] = factor * in[0][n] * in[1][n];
  return 0;
}

int destroyed = 0;

int count_destroyed(void*) {
  ++destroyed;
  return CEED_ERROR_SUCCESS;
}

// A context whose end is counted; QFunctions, and operators with them, keep it alive.
function_context counted_context(Ceed ceed, double& factor) {
  function_context made;
  check(ceed, CeedQFunctionContextCreate(ceed, made.out()));
  check(ceed, CeedQFunctionContextSetData(made, CEED_MEM_HOST, CEED_USE_POINTER, sizeof factor, &factor));
  check(ceed, CeedQFunctionContextSetDataDestroy(made, CEED_MEM_HOST, &count_destroyed));
  return made;
}

// The entries of an assembled matrix, in libCEED's order.
std::vector<double> matrix_of(Ceed ceed, CeedOperator op) {
  CeedSize count = 0;
  CeedInt *rows = nullptr, *columns = nullptr;
  vector entries;
  check(ceed, CeedOperatorLinearAssembleSymbolic(op, &count, &rows, &columns));
  std::free(rows);
  std::free(columns);
  check(ceed, CeedVectorCreate(ceed, count, entries.out()));
  check(ceed, CeedOperatorLinearAssemble(op, entries));
  return numbers_of(ceed, entries);
}

// Two points of the program's in each element, at numbers of their own.
std::vector<double> at_points(Ceed ceed, std::string* decision) {
  const CeedInt offsets[] = {3, 5, 7, 0, 1, 2, 3};
  element_restriction places, data_numbers;
  operation op, all;
  small_operator s(ceed);
  check(ceed, CeedElemRestrictionCreateAtPoints(ceed, s.elements, 4, 1, 4, CEED_MEM_HOST, CEED_COPY_VALUES, offsets,
                                                places.out()));
  check(ceed, CeedElemRestrictionCreateAtPoints(ceed, s.elements, 4, 1, 4, CEED_MEM_HOST, CEED_COPY_VALUES, offsets,
                                                data_numbers.out()));
  const vector points = vector_of(ceed, {-0.5, 0.25, 0.1, 0.9}), data = vector_of(ceed, {1, 2, 3, 4});
  check(ceed, CeedQFunctionCreateInteriorByName(ceed, "MassApply", s.code.out()));
  check(ceed, create_at_points(ceed, s.code, op.out()));
  check(ceed, CeedOperatorSetField(op, "u", s.numbers, s.functions, CEED_VECTOR_ACTIVE));
  check(ceed, CeedOperatorSetField(op, "qdata", data_numbers, CEED_BASIS_NONE, data));
  check(ceed, CeedOperatorSetField(op, "v", s.numbers, s.functions, CEED_VECTOR_ACTIVE));
  check(ceed, set_points(op, places, points));
  if (const char* text = tessera_ceed_describe(op)) *decision = text;

  s.make_operator();
  check(ceed, create_composite(ceed, all.out()));
  check(ceed, add_part(all, op));
  check(ceed, add_part(all, s.op));
  std::vector<double> numbers;
  for (const CeedOperator o : {CeedOperator(op), CeedOperator(all)}) {
    const vector x = vector_of(ceed, {1, -2, 3, 0.5, 1}), y = vector_of(ceed, std::vector<double>(s.nodes, 7.0));
    check(ceed, CeedOperatorApply(o, x, y, CEED_REQUEST_IMMEDIATE));
    for (const double v : numbers_of(ceed, y)) numbers.push_back(v);
    check(ceed, CeedOperatorLinearAssembleDiagonal(o, y, CEED_REQUEST_IMMEDIATE));
    for (const double v : numbers_of(ceed, y)) numbers.push_back(v);
    for (const double v : matrix_of(ceed, o)) numbers.push_back(v);
  }
  return numbers;
}

}  // namespace

TEST_CASE("contexts of QFunctions end with their handles") {
  for (const CeedInt vector_length : {1, 3}) {  // of 3 points: delegated
    double first = 2, second = 5;
    destroyed = 0;
    {
      const context ceed = init("/cpu/self/tessera");
      small_operator s(ceed);
      check(ceed, CeedQFunctionCreateInterior(ceed, vector_length, times, __FILE__ ":times", s.code.out()));
      check(ceed, CeedQFunctionAddInput(s.code, "u", 1, CEED_EVAL_INTERP));
      check(ceed, CeedQFunctionAddInput(s.code, "qdata", 1, CEED_EVAL_NONE));
      check(ceed, CeedQFunctionAddOutput(s.code, "v", 1, CEED_EVAL_INTERP));
      for (double* factor : {&first, &second}) {
        const function_context c = counted_context(ceed, *factor);
        check(ceed, CeedQFunctionSetContext(s.code, c));
        if (s.op == nullptr) s.make_operator();
        s.apply();
        const vector diagonal = vector_of(ceed, std::vector<double>(s.nodes, 0.0));
        check(ceed, CeedOperatorLinearAssembleDiagonal(s.op, diagonal, CEED_REQUEST_IMMEDIATE));
      }
      CHECK(destroyed <= 1);
    }
    CHECK(destroyed == 2);
  }
}

TEST_CASE("operators at points of their own are delegated, also as parts of others") {
  if (!has_at_points) return tessera::testing::skip("this libCEED has no such operators");
  std::string decision;
  const std::vector<double> ours = at_points(init("/cpu/self/tessera"), &decision),
                            theirs = at_points(init("/cpu/self/ref/serial"), &decision);
  CHECK(decision == "delegated: it has other points in each element");
  CHECK(difference(ours, theirs) <= 1e-12);
}
