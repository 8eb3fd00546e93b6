// SPDX-License-Identifier: BSD-3-Clause
// Errors of libCEED and of QFunctions reach the caller as they do on libCEED's own backends.
#include "small_operator.hpp"
#include "testing/catch.hpp"

#include <tessera/ceed/tessera_ceed.h>

#include <string>

namespace {

using namespace ceed_test;

int fails(void*, CeedInt, const CeedScalar* const*, CeedScalar* const*) { return 3; }
int fails_badly(void*, CeedInt, const CeedScalar* const*, CeedScalar* const*) { return CEED_ERROR_UNSUPPORTED; }

// The code of an application on a backend.
template <class Prepare>
int code_on(const char* resource, const Prepare& prepare) {
  const context ceed = init(resource);
  small_operator s(ceed);
  return prepare(s);
}

template <class Prepare>
void check_codes(const Prepare& prepare) {
  const int theirs = code_on("/cpu/self/ref/serial", prepare);
  CHECK(theirs != CEED_ERROR_SUCCESS);
  CHECK(code_on("/cpu/self/tessera", prepare) == theirs);
}

int apply_code(small_operator& s, CeedSize x_length, CeedSize y_length) {
  vector x, y;
  check(s.ceed, CeedVectorCreate(s.ceed, x_length, x.out()));
  check(s.ceed, CeedVectorCreate(s.ceed, y_length, y.out()));
  check(s.ceed, CeedVectorSetValue(x, 1));
  return CeedOperatorApply(s.op, x, y, CEED_REQUEST_IMMEDIATE);
}

}  // namespace

TEST_CASE("an error of a QFunction is that of the application") {
  for (const CeedQFunctionUser f : {&fails, &fails_badly})
    check_codes([&](small_operator& s) {
      s.make_function(f);
      s.make_operator();
      return apply_code(s, s.nodes, s.nodes);
    });
}

TEST_CASE("an operator works again after an error") {
  const context ceed = init("/cpu/self/tessera");
  small_operator s(ceed), good(ceed);
  s.make_function(&fails);
  s.make_operator();
  CHECK(apply_code(s, s.nodes, s.nodes) != CEED_ERROR_SUCCESS);
  CHECK(apply_code(s, s.nodes, s.nodes) != CEED_ERROR_SUCCESS);
  good.make_operator();
  CHECK(apply_code(good, good.nodes, good.nodes) == CEED_ERROR_SUCCESS);
}

TEST_CASE("vectors of a wrong length are errors") {
  check_codes([](small_operator& s) {
    s.make_operator();
    return apply_code(s, s.nodes - 1, s.nodes);
  });
  check_codes([](small_operator& s) {
    s.make_operator();
    return apply_code(s, s.nodes, s.nodes - 1);
  });
}

TEST_CASE("a vector without numbers is an error") {
  check_codes([](small_operator& s) {
    s.make_operator();
    vector x, y;
    check(s.ceed, CeedVectorCreate(s.ceed, s.nodes, x.out()));
    check(s.ceed, CeedVectorCreate(s.ceed, s.nodes, y.out()));
    return CeedOperatorApply(s.op, x, y, CEED_REQUEST_IMMEDIATE);
  });
}

TEST_CASE("passive inputs without numbers, and ones that are being written, are errors") {
  check_codes([](small_operator& s) {
    vector empty;
    check(s.ceed, CeedVectorCreate(s.ceed, s.elements * s.points, empty.out()));
    s.data = std::move(empty);
    s.make_operator();
    return apply_code(s, s.nodes, s.nodes);
  });
  check_codes([](small_operator& s) {
    s.make_operator();
    CeedScalar* at = nullptr;
    check(s.ceed, CeedVectorGetArray(s.data, CEED_MEM_HOST, &at));
    const int code = apply_code(s, s.nodes, s.nodes);
    check(s.ceed, CeedVectorRestoreArray(s.data, &at));
    return code;
  });
}

TEST_CASE("operators with missing fields are errors") {
  check_codes([](small_operator& s) {
    check(s.ceed, CeedQFunctionCreateInteriorByName(s.ceed, "MassApply", s.code.out()));
    check(s.ceed, CeedOperatorCreate(s.ceed, s.code, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, s.op.out()));
    check(s.ceed, CeedOperatorSetField(s.op, "u", s.numbers, s.functions, CEED_VECTOR_ACTIVE));
    return apply_code(s, s.nodes, s.nodes);
  });
}

TEST_CASE("a part of the resource's name is an error") {
  setenv("CEED_ERROR_HANDLER", "store", 1);
  Ceed ceed = nullptr;
  CHECK(CeedInit("/cpu/self/tess", &ceed) != CEED_ERROR_SUCCESS);
}
