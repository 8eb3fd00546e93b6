// SPDX-License-Identifier: BSD-3-Clause
// Constraints between numbers of a vector: what they give, their transpose, chains of them, and mistakes.
#include <tessera/solver/linear_constraints.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const std::vector<index_t> first_two{0, 1}, of_three{3, 5};
const std::vector<double> halves{0.5, 0.5}, apart{2, -1};

// 3 = (0 + 1) / 2; 4 = 7; 6 = 2 * 3 - 5 + 1, and so 0 + 1 - 5 + 1.
linear_constraints some() {
  const std::vector<linear_constraint> all{{.number = 6, .others = of_three, .weights = apart, .value = 1},
                                           {.number = 4, .value = 7},
                                           {.number = 3, .others = first_two, .weights = halves}};
  return {8, all};
}

}  // namespace

TEST_CASE("linear constraints: vectors are completed, chains included", "[solver][constraints]") {
  const linear_constraints C = some();
  CHECK(C.size() == 8);
  CHECK(std::vector<index_t>(C.numbers().begin(), C.numbers().end()) == std::vector<index_t>{3, 4, 6});
  CHECK(C.describe() == "3 of 8 numbers constrained, by 3 others at most");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x{2, 4, 8, nan, nan, 16, nan, 32}, homogeneous(x);
  C.distribute(x.data());
  CHECK(x == std::vector<double>{2, 4, 8, 3, 7, 16, -9, 32});
  C.extend(homogeneous.data());
  CHECK(homogeneous == std::vector<double>{2, 4, 8, 3, 0, 16, -10, 32});
  std::vector<float> in_float{2, 4, 8, 0, 0, 16, 0, 32};
  C.distribute(in_float.data());
  CHECK(in_float == std::vector<float>{2, 4, 8, 3, 7, 16, -9, 32});
  std::vector<double> d{1, 1, 1, 4, 9, 1, 16, 1};
  C.collect_diagonal(d.data());
  CHECK(d == std::vector<double>{18, 18, 1, 1, 1, 17, 1, 1});
}

TEST_CASE("linear constraints: collect is the transpose of extend", "[solver][constraints]") {
  const linear_constraints C = some();
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      std::vector<double> x(8), y(8);
      x[i] = y[j] = 1;
      C.extend(x.data());
      C.collect(y.data());
      // Where x is constrained it is not read, and y is 0 there.
      CHECK(x[j] == y[i]);
    }
}

TEST_CASE("linear constraints: an operator between what is free, and its right-hand side", "[solver][constraints]") {
  const linear_constraints C = some();
  const linear_operator<double> A(8, [](const double* x, double* y) {
    for (int i = 0; i < 8; ++i) y[i] = 4 * x[i] - (i > 0 ? x[i - 1] : 0) - (i < 7 ? x[i + 1] : 0);
  });
  const linear_operator<double> free = constrained_operator(A, C);
  std::vector<double> u{1, 2, 3, 0, 0, 4, 0, 5}, b(8), r(8), q(8);
  C.distribute(u.data());
  // b of which u is the solution for all numbers, so that the free ones' residual is 0.
  A.apply(u.data(), b.data());
  condense(A, C, b.data());
  for (const index_t k : C.numbers()) {
    CHECK(b[std::size_t(k)] == 0);
    u[std::size_t(k)] = 0;
  }
  free.apply(u.data(), r.data());
  for (std::size_t i = 0; i < 8; ++i) CHECK(r[i] == Approx(b[i]));
  // Symmetric, and the identity where numbers are constrained.
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      std::vector<double> of_i(8), of_j(8);
      of_i[i] = of_j[j] = 1;
      free.apply(of_i.data(), r.data());
      free.apply(of_j.data(), q.data());
      CHECK(r[j] == q[i]);
      if (i == 3 || i == 4 || i == 6) CHECK(r[j] == (i == j ? 1 : 0));
    }
}

TEST_CASE("linear constraints: mistakes name the number", "[solver][constraints]") {
  using enum status;
  const std::vector<double> one{1}, large{1e200}, infinite{std::numeric_limits<double>::infinity()};
  const std::vector<index_t> two{2}, three{3}, far{9};
  const auto refused = [](status code, std::initializer_list<const char*> words, std::vector<linear_constraint> of) {
    for (const char* word : words)
      check_failure(code, {"linear_constraints", word}, [&] { linear_constraints(4, of); });
  };
  refused(invalid_argument, {"number 4", "there are 4"}, {{.number = 4}});
  refused(invalid_argument, {"number -1"}, {{.number = -1}});
  refused(invalid_argument, {"number 1 by number 9", "there are 4"}, {{.number = 1, .others = far, .weights = one}});
  refused(invalid_argument, {"number 2 is constrained twice"}, {{.number = 2}, {.number = 1}, {.number = 2}});
  refused(invalid_argument, {"number 2 is given by itself"}, {{.number = 2, .others = two, .weights = one}});
  refused(invalid_argument, {"number 2 is given by itself, through others"},
          {{.number = 3, .others = two, .weights = one}, {.number = 2, .others = three, .weights = one}});
  refused(invalid_argument, {"number 2 is given by itself, through others"},
          {{.number = 1, .others = two, .weights = one}, {.number = 2, .others = two, .weights = one}});
  refused(invalid_argument, {"number 1: its weights times those of its others are not finite"},
          {{.number = 1, .others = two, .weights = large}, {.number = 2, .others = three, .weights = large}});
  refused(invalid_argument, {"number 1 by number 2: its weight is not finite"},
          {{.number = 1, .others = two, .weights = infinite}});
  refused(invalid_argument, {"number 1 has a value that is not finite"}, {{.number = 1, .value = std::nan("")}});
  refused(shape_mismatch, {"number 1 has 1 others and 0 weights"}, {{.number = 1, .others = two}});
  check_failure(overflow, {"linear_constraints", "-1"}, [] { linear_constraints(-1, {}); });
  const linear_operator<double> A(5, [](const double*, double*) {});
  check_failure(shape_mismatch, {"of 8 numbers", "the operator has 5"}, [&] { constrained_operator(A, some()); });
  check_failure(invalid_argument, {"there is no operator"},
                [&] { constrained_operator(linear_operator<double>(), some()); });
  check_failure(null_pointer, {"the vector is a null pointer"},
                [] { some().distribute(static_cast<double*>(nullptr)); });
  const linear_operator<double> B(8, [](const double*, double*) {});
  check_failure(null_pointer, {"b is a null pointer"}, [&] { condense<double>(B, some(), nullptr); });
}
