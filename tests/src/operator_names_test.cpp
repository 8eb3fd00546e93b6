// SPDX-License-Identifier: BSD-3-Clause
// Built-in operators by name, and what the list of them says.
#include <tessera/element/operator_names.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/error.hpp>

#include <string>
#include <type_traits>
#include <vector>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

static_assert(std::is_same_v<operator_function<operator_kind::helmholtz, 2>, pointwise::helmholtz<2>>);
static_assert(factors_of(operator_kind::elasticity, 3) == 11 && factors_of(operator_kind::advection_diffusion, 2) == 5);
static_assert(coupled_components(operator_kind::elasticity, 2) == 2);
static_assert(coupled_components(operator_kind::diffusion, 3) == 1);
static_assert(is_symmetric(operator_kind::elasticity) && !is_symmetric(operator_kind::advection_diffusion));
static_assert(coefficients_of(operator_kind::helmholtz, 3).fewest == 2 &&
              coefficients_of(operator_kind::helmholtz, 3).most == 7);
static_assert(!is_built_in(operator_kind(operator_count)) && !is_built_in(operator_kind(-1)));

TEST_CASE("operators have names, and are found by them", "[element][names]") {
  int n = 0;
  for (const operator_kind kind : all_operator_kinds) {
    CHECK(int(kind) == n++);
    CHECK(operator_from_name(name_of(kind)) == kind);
    for (const int dim : {1, 2, 3}) CHECK(with_function(kind, dim, []<class F>(const F&) { return F::dim; }) == dim);
  }
  CHECK(n == operator_count);
  CHECK(names_of_operators().size() == std::size_t(n));
  CHECK_FALSE(operator_from_name("wave"));
  CHECK_FALSE(operator_from_name(""));
  CHECK(std::string(name_of(operator_kind(99))) == "unknown");
}

TEST_CASE("a list of operators", "[element][names]") {
  using kinds = std::vector<operator_kind>;
  CHECK(operators_from_list("mass") == kinds{operator_kind::mass});
  CHECK(operators_from_list("helmholtz,mass,helmholtz") == kinds{operator_kind::helmholtz, operator_kind::mass});
  CHECK(operators_from_list("all") == kinds(all_operator_kinds.begin(), all_operator_kinds.end()));
  CHECK(operators_from_list("mass,all").size() == std::size_t(operator_count));
  check_failure(status::invalid_argument, {"'difusion' (did you mean 'diffusion'?)", "mass, ", " and all"},
                [] { operators_from_list("mass,difusion"); });
  check_failure(status::invalid_argument, {"'' is none of"}, [] { operators_from_list("mass,"); });
  check_failure(status::invalid_argument, {"'' is none of"}, [] { operators_from_list(""); });
}
