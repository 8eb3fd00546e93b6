// SPDX-License-Identifier: BSD-3-Clause
// TESSERA_TARGET=reference in a program with element operators: they have no reference loops, run the kernels of the
// narrowest instruction set, and say so.
#include "testing/catch.hpp"
#include "testing/forced.hpp"
#include "testing/says.hpp"

#include <tessera/compiled_targets.hpp>
#include <tessera/fem/element_operator.hpp>

#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;

constexpr double corners[3][4] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};  // of a tetrahedron
const std::vector<double> ones(64, 1.0);

// By tables of one direction, and by dense tables.
fem::element_operator<double> of_cubes(std::optional<target> on) {
  return fem::element_operator<double>(3, 1, ones.data(), {.trial = {.order = 2}, .points = 4, .on = on});
}
fem::element_operator<double> of_tetrahedra(std::optional<target> on) {
  return fem::element_operator<double>({.dim = 3, .elements = 1, .coordinates = corners[0]},
                                       {.trial = {.order = 2}, .on = on, .shape = fem::element_shape::simplex});
}

std::vector<double> applied(const fem::element_operator<double>& A) {
  std::vector<double> x(std::size_t(A.trial_size())), y(std::size_t(A.test_size()));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + double(i % 7);
  A.apply(x.data(), y.data());
  return y;
}

}  // namespace

TEST_CASE("an element operator of the reference target says whose kernels run", "[fem][element]") {
  const target narrowest = compiled_cpu_targets().front();
  if (!is_available(narrowest)) return;
  const std::string instead =
      std::string(name_of(narrowest)) + " in place of reference, which has no element kernels, ";
  for (const auto make : {of_cubes, of_tetrahedra}) {
    const std::vector<double> wanted = applied(make(narrowest));
    for (const bool by_environment : {false, true}) {
      const forced environment(by_environment ? "reference" : nullptr);
      const fem::element_operator<double> A =
          make(by_environment ? std::nullopt : std::optional<target>(target::reference));
      INFO(A.describe());
      CHECK(says(A.describe(), instead));
      CHECK(says(A.describe(detail_level::brief), instead));
      CHECK(applied(A) == wanted);
    }
    CHECK_FALSE(says(make(narrowest).describe(), "reference"));
    const forced best("best");
    CHECK_FALSE(says(make(std::nullopt).describe(), "reference"));
  }
}
