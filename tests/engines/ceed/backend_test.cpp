// SPDX-License-Identifier: BSD-3-Clause
// The backend as a whole: which resource it is, what it leaves to the delegate, and when it reads passive inputs anew.
#include "compare.hpp"
#include "small_operator.hpp"
#include "testing/catch.hpp"

#include <tessera/ceed/tessera_ceed.h>

#include <string>
#include <vector>

namespace {

using namespace ceed_test;

constexpr double tolerance = 1e-12;

std::string resource_of(Ceed ceed) {
  const char* text = nullptr;
  check(ceed, CeedGetResource(ceed, &text));
  return text;
}

std::string decision(CeedOperator op) {
  const char* text = tessera_ceed_describe(op);
  return text == nullptr ? "" : std::string(text).substr(0, std::string(text).find(": "));
}

int counted(void* context, CeedInt Q, const CeedScalar* const* in, CeedScalar* const* out) {
  const double factor = context == nullptr ? 1 : *static_cast<const double*>(context);
  for (CeedInt n = 0; n < Q; ++n) out[0][n] = factor * in[0][n] * in[1][n];
  return 0;
}

// A user's function of the gallery's name with another result.
int MassApply(void*, CeedInt Q, const CeedScalar* const* in, CeedScalar* const* out) {
  for (CeedInt n = 0; n < Q; ++n) out[0][n] = in[0][n] * in[0][n] * in[1][n];
  return 0;
}

// The same steps on this backend and on the reference one give the same numbers; returns the decision here.
template <class Steps>
std::string same_on_both(const Steps& steps) {
  const context ours = init("/cpu/self/tessera"), theirs = init("/cpu/self/ref/serial");
  small_operator a(ours), b(theirs);
  const std::vector<double> here = steps(a), there = steps(b);
  CHECK(difference(here, there) <= tolerance);
  return decision(a.op);
}

}  // namespace

TEST_CASE("plain /cpu/self is the backend, and others are still there") {
  CHECK(resource_of(init("/cpu/self")) == "/cpu/self/tessera");
  CHECK(resource_of(init("/cpu/self/tessera")) == "/cpu/self/tessera");
  CHECK(resource_of(init("/cpu/self/ref/serial")) == "/cpu/self/ref/serial");
  CHECK(resource_of(init("/cpu/self/opt/blocked")) == "/cpu/self/opt/blocked");
}

TEST_CASE("descriptions are of operators of this backend only") {
  const context ours = init("/cpu/self/tessera"), theirs = init("/cpu/self/ref/serial");
  small_operator a(ours), b(theirs);
  a.make_operator();
  b.make_operator();
  CHECK(decision(a.op) == "tessera");
  CHECK(tessera_ceed_describe(b.op) == nullptr);
  CHECK(tessera_ceed_describe(nullptr) == nullptr);
}

TEST_CASE("passive inputs are read again when libCEED knows of a change") {
  CHECK(same_on_both([](small_operator& s) {
          s.make_operator();
          std::vector<double> all = s.apply();
          check(s.ceed, CeedVectorScale(s.data, -3.0));
          for (const double y : s.apply()) all.push_back(y);
          return all;
        }) == "tessera");
}

TEST_CASE("a function with a known name is not taken for a known function") {
  CHECK(same_on_both([](small_operator& s) {
          check(s.ceed, CeedQFunctionCreateInterior(s.ceed, 1, MassApply, __FILE__ ":MassApply", s.code.out()));
          check(s.ceed, CeedQFunctionAddInput(s.code, "u", 1, CEED_EVAL_INTERP));
          check(s.ceed, CeedQFunctionAddInput(s.code, "qdata", 1, CEED_EVAL_NONE));
          check(s.ceed, CeedQFunctionAddOutput(s.code, "v", 1, CEED_EVAL_INTERP));
          s.make_operator();
          return s.apply();
        }) == "tessera");
}

TEST_CASE("a QFunction's context may change, and be replaced") {
  for (const bool elsewhere : {false, true})
    CHECK(same_on_both([&](small_operator& s) {
            function_context first, second;
            const double two = 2, five = 5;
            s.make_function(&counted);
            if (elsewhere)  // delegated, for the vector length
              check(s.ceed, CeedQFunctionDestroy(s.code.out())),
                  check(s.ceed, CeedQFunctionCreateInterior(s.ceed, 3, counted, __FILE__ ":counted", s.code.out())),
                  check(s.ceed, CeedQFunctionAddInput(s.code, "u", 1, CEED_EVAL_INTERP)),
                  check(s.ceed, CeedQFunctionAddInput(s.code, "qdata", 1, CEED_EVAL_NONE)),
                  check(s.ceed, CeedQFunctionAddOutput(s.code, "v", 1, CEED_EVAL_INTERP));
            s.make_operator();
            std::vector<double> all;
            for (function_context* c : {&first, &second}) {
              check(s.ceed, CeedQFunctionContextCreate(s.ceed, c->out()));
              check(s.ceed, CeedQFunctionContextSetData(*c, CEED_MEM_HOST, CEED_COPY_VALUES, sizeof two,
                                                        const_cast<double*>(c == &first ? &two : &five)));
              check(s.ceed, CeedQFunctionSetContext(s.code, *c));
              for (const double y : s.apply()) all.push_back(y);
            }
            return all;
          }) == (elsewhere ? "delegated" : "tessera"));
}

TEST_CASE("vectors that overlap are left to the delegate") {
  const context ours = init("/cpu/self/tessera");
  small_operator s(ours);
  s.make_operator();
  const std::vector<double> x{1, 2, 3, 4, 5}, expected = s.apply(x);
  std::vector<double> shared(x);
  vector from, to;
  for (vector* v : {&from, &to}) {
    check(ours, CeedVectorCreate(ours, s.nodes, v->out()));
    check(ours, CeedVectorSetArray(*v, CEED_MEM_HOST, CEED_USE_POINTER, shared.data()));
  }
  check(ours, CeedOperatorApplyAdd(s.op, from, to, CEED_REQUEST_IMMEDIATE));
  std::vector<double> sum(x);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += expected[i];
  CHECK(difference(numbers_of(ours, to), sum) <= tolerance);
}

TEST_CASE("operators of no elements give zero") {
  const context ours = init("/cpu/self/tessera");
  small_operator s(ours);
  const CeedInt strides[3] = {1, 3, 3};
  s.numbers = {};
  s.data_numbers = {};
  check(ours, CeedElemRestrictionCreate(ours, 0, 3, 1, 1, s.nodes, CEED_MEM_HOST, CEED_COPY_VALUES, nullptr,
                                        s.numbers.out()));
  check(ours, CeedElemRestrictionCreateStrided(ours, 0, 3, 1, 6, strides, s.data_numbers.out()));
  s.make_operator();
  CHECK(s.apply() == std::vector<double>(s.nodes, 0.0));
}

TEST_CASE("what the backend does not take is delegated") {
  SECTION("numbers at points from an active vector, to a passive one") {
    CHECK(same_on_both([](small_operator& s) {
            vector out = vector_of(s.ceed, std::vector<double>(6, 0.0));
            check(s.ceed, CeedQFunctionCreateInterior(s.ceed, 1, counted, __FILE__ ":counted", s.code.out()));
            check(s.ceed, CeedQFunctionAddInput(s.code, "u", 1, CEED_EVAL_INTERP));
            check(s.ceed, CeedQFunctionAddInput(s.code, "qdata", 1, CEED_EVAL_NONE));
            check(s.ceed, CeedQFunctionAddOutput(s.code, "v", 1, CEED_EVAL_NONE));
            check(s.ceed, CeedOperatorCreate(s.ceed, s.code, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, s.op.out()));
            check(s.ceed, CeedOperatorSetField(s.op, "u", s.numbers, s.functions, CEED_VECTOR_ACTIVE));
            check(s.ceed, CeedOperatorSetField(s.op, "qdata", s.data_numbers, CEED_BASIS_NONE, s.data));
            check(s.ceed, CeedOperatorSetField(s.op, "v", s.data_numbers, CEED_BASIS_NONE, CEED_VECTOR_ACTIVE));
            const vector x = vector_of(s.ceed, {1, 2, 3, 4, 5});
            check(s.ceed, CeedOperatorApply(s.op, x, out, CEED_REQUEST_IMMEDIATE));
            return numbers_of(s.ceed, out);
          }) == "delegated");
  }
  SECTION("restrictions with orientations") {
    CHECK(same_on_both([](small_operator& s) {
            const CeedInt offsets[6] = {0, 1, 2, 2, 3, 4};
            const bool flipped[6] = {false, true, false, true, false, false};
            s.numbers = {};
            check(s.ceed, CeedElemRestrictionCreateOriented(s.ceed, s.elements, 3, 1, 1, s.nodes, CEED_MEM_HOST,
                                                            CEED_COPY_VALUES, offsets, flipped, s.numbers.out()));
            s.make_operator();
            return s.apply();
          }) == "delegated");
  }
  SECTION("a QFunction without an active input") {
    CHECK(same_on_both([](small_operator& s) {
            s.make_function(&counted);
            check(s.ceed, CeedOperatorCreate(s.ceed, s.code, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, s.op.out()));
            const vector u = vector_of(s.ceed, {1, 2, 3, 4, 5});
            check(s.ceed, CeedOperatorSetField(s.op, "u", s.numbers, s.functions, u));
            check(s.ceed, CeedOperatorSetField(s.op, "qdata", s.data_numbers, CEED_BASIS_NONE, s.data));
            check(s.ceed, CeedOperatorSetField(s.op, "v", s.numbers, s.functions, CEED_VECTOR_ACTIVE));
            return s.apply();
          }) == "delegated");
  }
}
