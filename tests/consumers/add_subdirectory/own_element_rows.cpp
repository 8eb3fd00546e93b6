// SPDX-License-Identifier: BSD-3-Clause
// A user's program whose build named sizes of element operators: they are compiled for every CPU target, and right.
#include <tessera/cpu/element/own_function.hpp>
#include <tessera/element/pointwise.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/tessera.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using fem::element_operator;
using fem::element_operator_options;

constexpr index_t elements = 5;

template <class T>
std::vector<T> numbers(index_t count, int seed) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = T(int(i * 37 + std::size_t(seed)) % 101 - 50) / T(100);
  return all;
}

// The same function in a kernel for any sizes, compiled here.
template <class T, class Function>
bool is_compiled(element_operator_options o, const Function& function) {
  constexpr int dim = Function::dim;
  index_t points = 1;
  for (int a = 0; a < dim; ++a) points *= o.points;
  const std::vector<T> D = numbers<T>(points * Function::factors * elements, 1);
  const element_operator<T> any(own_function<T>(function, "any sizes"), elements, D.data(), o);
  const std::vector<T> x = numbers<T>(any.trial_size() * any.components() * elements, 2);
  std::vector<T> wanted(static_cast<std::size_t>(any.test_size() * any.test_components() * elements)), y = wanted;
  any.apply(x.data(), wanted.data());
  bool good = true;
  for (const target on : available_targets()) {
    if (on == target::cuda) continue;
    o.on = on;
    const element_operator<T> A(dim, elements, D.data(), o);
    A.apply(x.data(), y.data());
    double worst = 0;
    for (std::size_t i = 0; i < y.size(); ++i) worst = std::max(worst, double(std::abs(y[i] - wanted[i])));
    const bool right = worst <= (sizeof(T) == 8 ? 1e-11 : 1e-2);
    const bool compiled = A.describe().find("compiled for these sizes") != std::string::npos;
    std::cout << A.describe() << (right ? "" : ": WRONG") << (compiled ? "" : ": NOT COMPILED") << '\n';
    good = good && right && compiled;
  }
  return good;
}

}  // namespace

int main() try {
  bool good = is_compiled<double>({.kind = operator_kind::diffusion, .trial = {.order = 4}, .points = 7},
                                  pointwise::diffusion<3>{});
  const element_operator_options nodal{.kind = operator_kind::helmholtz,
                                       .trial = {.order = 2},
                                       .components = 2,
                                       .points = 3,
                                       .rule = fem::points_kind::gauss_lobatto};
  good = is_compiled<double>(nodal, pointwise::helmholtz<2>{}) && good;
  good = is_compiled<float>(nodal, pointwise::helmholtz<2>{}) && good;
  good = is_compiled<float>({.kind = operator_kind::elasticity,
                             .trial = {.order = 2},
                             .test = fem::function_space{fem::basis_kind::bernstein, 1},
                             .components = 2,
                             .points = 4},
                            pointwise::elasticity<2>{}) &&
         good;
  return good ? 0 : 1;
} catch (const error& fault) {
  std::cerr << fault.what() << '\n';
  return 1;
}
