// SPDX-License-Identifier: BSD-3-Clause
// A user's pointwise function: right, and compiled for the instruction set that the build chose for this file.
#include <tessera/compiled_targets.hpp>
#include <tessera/cpu/element/own_function.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/target.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace tessera;

/// The mass with twice the density.
struct twice_the_mass {
  static constexpr int dim = 2, factors = 1;
  static constexpr point_shape trial{.value = true}, test{.value = true};
  template <class S>
  constexpr void operator()(const at_point<S, 1, 2>& u, const S (&D)[1], at_point<S, 1, 2>& v) const {
    v.value[0] = (D[0] + D[0]) * u.value[0];
  }
};

}  // namespace

int main(int, char** arguments) try {
  const int order = 2, points = 4;
  const index_t elements = 7, d = order + 1, Q = points * points;
  const std::vector<double> weights = fem::gauss(points).weights;
  std::vector<double> D(std::size_t(Q * elements)), x(std::size_t(d * d * elements), 1), y = x;
  for (std::size_t k = 0; k < D.size(); ++k) D[k] = weights[k % points] * weights[k / points % points];  // unit squares
  const fem::element_operator<double> A(own_function<double>(twice_the_mass{}, "twice the mass"), elements, D.data(),
                                        {.trial = {.order = order}, .points = points});
  A.apply(x.data(), y.data());
  double area = 0;
  for (const double entry : y) area += entry;
  std::cout << A.describe() << "\ntwice the area " << area << '\n';

  const target best = target_from_name("best");
  const bool to_be_best = std::string(arguments[1]) == "best";
  const std::string says = std::string("the function was compiled for ") + name_of(simd::native_isa::name);
  const bool right_set =
      A.describe().find(says) != std::string::npos && (!to_be_best || simd::native_isa::name == best);
  return right_set && std::abs(area - 2 * double(elements)) < 1e-12 ? 0 : 1;
} catch (const tessera::error& fault) {
  std::cerr << fault.what() << '\n';
  // To be expected where this build of the library has no kernels for the set that this file is compiled for.
  const std::vector<target> built = compiled_cpu_targets();
  const bool is_built = std::find(built.begin(), built.end(), simd::native_isa::name) != built.end();
  if (is_built || fault.code() != status::no_target) return 1;
  std::cout << "skipped: the library has no kernels for " << name_of(simd::native_isa::name) << '\n';
  return 0;
}
