// SPDX-License-Identifier: BSD-3-Clause
// Random operators of all kinds that the backend takes: results, diagonals and assembled QFunctions as on
// /cpu/self/ref/serial.
#include "compare.hpp"
#include "random_operator.hpp"
#include "testing/catch.hpp"
#include "testing/gpu.hpp"
#include "version.hpp"

#include <tessera/ceed/tessera_ceed.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace ceed_test;

constexpr double tolerance = 1e-12;

bool runs_here(CeedOperator op) {
  const char* text = tessera_ceed_describe(op);
  return text != nullptr && std::string(text).rfind("tessera: ", 0) == 0;
}

void check_case(Ceed ours, Ceed theirs, const operator_case& c) {
  random_operator a(ours, c), b(theirs, c);
  INFO(c.describe() + "; " + tessera_ceed_describe(a.handle()));
  CHECK(runs_here(a.handle()));
  CHECK(difference(a.apply(), b.apply()) <= tolerance);
  CHECK(difference(a.apply(), b.apply()) <= tolerance);  // by the D that was kept
  a.change();
  b.change();
  CHECK(difference(a.apply(), b.apply()) <= tolerance);
  CHECK(difference(a.add(), b.add()) <= tolerance);
  if (c.kind == operator_case::nonlinear) return;
  CHECK(difference(a.assembled(), b.assembled()) <= tolerance);
  if (c.square()) CHECK(difference(a.diagonal(), b.diagonal()) <= tolerance);
}

// That many of them, a tenth of them at least of each kind.
void check_drawn(Ceed ours, Ceed theirs, unsigned first, int count) {
  std::map<std::string, int> drawn;
  for (int i = 0; i < count; ++i) {
    const operator_case c = draw(first + unsigned(i));
    check_case(ours, theirs, c);
    ++drawn[c.kind == operator_case::gallery ? "gallery" : "own"];
    ++drawn[c.functions == operator_case::no_tensor ? "no tensor" : "tensor"];
    drawn["with fields"] += c.field_values || c.field_gradients;
    drawn["with another y"] += c.other_test;
    drawn["three components"] += c.components == 3;
  }
  for (const auto& [kind, number] : drawn) {
    INFO(kind);
    CHECK(10 * number >= count);
  }
}

void check_composites(Ceed ours, Ceed theirs, int count) {
  int done = 0;
  for (unsigned seed = 1000; done < count; ++seed) {
    operator_case c = draw(seed);
    if (c.kind == operator_case::nonlinear || !c.square()) continue;
    ++done;
    const auto sum_of = [&](Ceed ceed, bool diagonal) {
      // Two parts of one mesh and one L-vector.
      operator_case second = c;
      second.kind = operator_case::gallery;
      random_operator first(ceed, c);
      random_operator other(ceed, second);
      operation all;
      check(ceed, create_composite(ceed, all.out()));
      check(ceed, add_part(all, first.handle()));
      check(ceed, add_part(all, other.handle()));
      CeedSize size = 0, same = 0;
      check(ceed, CeedOperatorGetActiveVectorLengths(all, &size, &same));
      std::vector<double> numbers(static_cast<std::size_t>(size));
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sin(double(i));
      const vector x = vector_of(ceed, numbers), y = vector_of(ceed, numbers);
      if (diagonal)
        check(ceed, CeedOperatorLinearAssembleDiagonal(all, y, CEED_REQUEST_IMMEDIATE));
      else
        check(ceed, CeedOperatorApply(all, x, y, CEED_REQUEST_IMMEDIATE));
      return numbers_of(ceed, y);
    };
    INFO(c.describe());
    CHECK(difference(sum_of(ours, false), sum_of(theirs, false)) <= tolerance);
    CHECK(difference(sum_of(ours, true), sum_of(theirs, true)) <= tolerance);
  }
}

// Neither in Tessera nor in libCEED, which were built apart.
bool no_gpu() {
  if (tessera::testing::no_gpu()) return true;
  setenv("CEED_ERROR_HANDLER", "return", 1);  // an unknown resource is not the end
  context theirs;
  const int code = CeedInit("/gpu/cuda/ref", theirs.out());
  unsetenv("CEED_ERROR_HANDLER");
  if (code == CEED_ERROR_SUCCESS) return false;
  tessera::testing::skip("libCEED has no GPU");
  return true;
}

}  // namespace

TEST_CASE("random operators are as on the reference backend") {
  check_drawn(init("/cpu/self/tessera"), init("/cpu/self/ref/serial"), 0, 400);
}

TEST_CASE("many more random operators are as on the reference backend", "[.long]") {
  check_drawn(init("/cpu/self/tessera"), init("/cpu/self/ref/serial"), 100000, 10000);
}

// Each operator has kernels of its own, which are compiled. Strides that are the backend's are others on a CPU.
TEST_CASE("operators on a GPU are as on the reference backend", "[gpu]") {
  if (no_gpu()) return;
  const context ours = init("/gpu/cuda/tessera"), theirs = init("/gpu/cuda/ref");
  check_drawn(ours, theirs, 0, 60);
}

TEST_CASE("composite operators on a GPU are as on the reference backend", "[gpu]") {
  if (no_gpu()) return;
  check_composites(init("/gpu/cuda/tessera"), init("/gpu/cuda/ref"), 10);
}

TEST_CASE("composite operators are as on the reference backend") {
  check_composites(init("/cpu/self/tessera"), init("/cpu/self/ref/serial"), 40);
}
