// SPDX-License-Identifier: BSD-3-Clause
// Element operators on the GPU that compute D at each application, against the CPU's.
#include "element_checks.hpp"
#include "testing/failure.hpp"
#include "testing/jit.hpp"
#include "testing/take_worst.hpp"

#include <tessera/detail/element/geometry_factors.hpp>

#include <cmath>
#include <limits>

using namespace tessera;
using namespace tessera::testing;
using fem::element_operator;
using fem::element_operator_options;

namespace {

// Both sides' matrix-free operators, and the GPU's that stores D, on boxes with moved nodes: conventional E-vectors,
// then a list of elements with several right hand sides added to vectors by nodes; coordinates on the host and on the
// device. Edges are `edge` long, rho is divided by its square and the velocity beside K by it: no term vanishes.
template <class T>
void check_computed(operator_kind kind, int dim, int p, int points, int order, bool at_points, double edge = 1) {
  constexpr index_t elements = 11;
  const int components = coupled_components(kind, dim), given = coefficients_of(kind, dim).most;
  element_operator_options o{.kind = kind,
                             .trial = {.order = p},
                             .components = components,
                             .points = points,
                             .form = fem::element_form::matrix_free};
  index_t n = 1, all_points = 1;
  for (int a = 0; a < dim; ++a) n *= order + 1, all_points *= points;
  const std::vector<double> on_line = fem::gauss_lobatto(order + 1).points;
  std::vector<T> corners = seeded<T>(n * dim * elements, 5);
  for (index_t i = 0; i < index_t(corners.size()); ++i) {
    index_t own = i % n;
    for (index_t c = i / n % dim; c > 0; --c) own /= order + 1;
    corners[entry(i)] = (T(on_line[entry(own % (order + 1))]) + T(0.06 / (order + 1)) * corners[entry(i)]) * T(edge);
  }
  std::vector<T> coefficients = seeded<T>(given * all_points * elements, 6);
  for (T& c : coefficients) c += T(2);
  if (kind == operator_kind::helmholtz)
    for (index_t i = 0; i < index_t(coefficients.size()); i += given) coefficients[entry(i)] /= T(edge) * T(edge);
  if (kind == operator_kind::advection_diffusion)
    for (index_t i = 0; i < index_t(coefficients.size()); ++i)
      if (i % given >= given - dim) coefficients[entry(i)] /= T(edge);
  fem::element_nodes<T> nodes{.dim = dim, .order = order, .elements = elements, .coordinates = corners.data()};
  const placed<T> coordinates(corners, true), at(coefficients, true);
  if (at_points) {
    nodes.coefficients_at_points = coefficients.data();
    nodes.coefficients_given = given;
  }
  const element_operator<T> on_cpu(nodes, o);
  o.on = target::cuda;
  const element_operator<T> on_gpu(nodes, o);
  nodes.coordinates = coordinates.data();
  if (at_points) nodes.coefficients_at_points = at.data();
  const element_operator<T> there(nodes, o);
  o.form = fem::element_form::partial_assembly;
  const element_operator<T> stored(nodes, o);
  INFO(on_gpu.describe());
  CHECK(on_gpu.describe().find("D computed at each application") != std::string::npos);
  CHECK(on_gpu.describe_assembly() == "by columns");

  const index_t size = on_cpu.trial_size() * components * elements;
  const std::vector<T> x = seeded<T>(2 * size, 7);
  const placed<T> gx(x, true);
  const double rounding = sizeof(T) == 8 ? 1e-12 : 1e-4;
  const auto check = [&](const element_set& which, const element_set& which_there, application<T> a) {
    // y that is added to is of the size of what is added.
    const int power = kind == operator_kind::mass ? dim : kind == operator_kind::convection ? dim - 1 : dim - 2;
    std::vector<T> y = seeded<T>(2 * size, 8);
    for (T& value : y) value *= T(std::pow(edge, power));
    const placed<T> gy(y, true), gz(y, true), gs(y, true);
    a.x = x.data(), a.y = y.data();
    on_cpu.apply(which, a);
    a.x = gx.data(), a.y = gy.data();
    on_gpu.apply(which_there, a);
    a.y = gz.data();
    there.apply(which_there, a);
    a.y = gs.data();
    stored.apply(which_there, a);
    const std::vector<T> got = gy.read(), of_stored = gs.read();
    double worst = 0, largest = std::pow(edge, power);
    for (std::size_t i = 0; i < y.size(); ++i) {
      take_worst(worst, std::abs(double(got[i]) - double(y[i])));
      take_worst(worst, std::abs(double(of_stored[i]) - double(y[i])));
      largest = std::max(largest, std::abs(double(y[i])));
    }
    // Numbers next to zero have fewer digits; each point adds one of them.
    CHECK(worst <= rounding * largest + 4.0 * double(all_points) * double(std::numeric_limits<T>::denorm_min()));
    CHECK(got == gz.read());
  };
  const element_set all = element_set::range(0, elements);
  check(all, all, {.x_layout = on_gpu.x_layout(), .y_layout = on_gpu.y_layout()});
  const std::vector<index_t> list{10, 3, 4, 0, 9};
  const placed<index_t> on_device(list, true);
  const element_layout by_node = element_layout::by_node(on_gpu.trial_size(), components);
  check(element_set::of(list), element_set::of({on_device.data(), list.size()}),
        {.x_layout = by_node, .y_layout = by_node, .add = true, .sides = 2, .x_side = size, .y_side = size});
}

}  // namespace

TEST_CASE("gpu element operators: D computed at each application", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  for (const operator_kind kind : all_operator_kinds)
    for (const int dim : {1, 2, 3})
      for (const int order : {1, 2}) {
        check_computed<double>(kind, dim, 2, 4, order, order == 2);
        if (order == 1) check_computed<float>(kind, dim, 2, 3, order, false);
      }
}

TEST_CASE("gpu element operators: elements of any size that the type can represent", "[fem][element][gpu]") {
  if (absent()) return;
  for (const operator_kind kind : all_operator_kinds)
    for (const int dim : {1, 2, 3}) {
      for (const double edge : {1e-12, 3e-8, 3e6, 1e12}) check_computed<float>(kind, dim, 2, 4, 1, dim == 2, edge);
      for (const double edge : {1e-60, 1e-12, 1e12, 1e60}) check_computed<double>(kind, dim, 2, 4, 1, dim == 2, edge);
    }
}

TEST_CASE("gpu element operators: an inverted element is named with its point", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  const fem::mesh domain({70, 60}, 1);
  std::vector<double> corners(domain.coordinates().begin(), domain.coordinates().end());
  const auto turn = [&](std::size_t e) {
    std::swap(corners[8 * e], corners[8 * e + 1]);
    std::swap(corners[8 * e + 2], corners[8 * e + 3]);
  };
  turn(4111);
  turn(4007);
  const placed<double> coordinates(corners, true);
  for (const fem::element_form form : {fem::element_form::partial_assembly, fem::element_form::matrix_free})
    for (const double* const given :
         {static_cast<const double*>(corners.data()), static_cast<const double*>(coordinates.data())}) {
      fem::element_nodes<double> nodes = fem::nodes_of(domain);
      nodes.coordinates = given;
      check_failure(status::invalid_argument, {"element 4007 is inverted: its determinant at point 0 of 9"}, [&] {
        element_operator<double>(nodes, {.trial = {.order = 1}, .points = 3, .form = form, .on = target::cuda});
      });
    }
}

TEST_CASE("gpu element operators: D computed at each application, orders", "[fem][element][gpu]") {
  if (absent()) return;
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
    for (const int p : {1, 3, 5, 8})
      for (const int order : {1, p})
        for (const int more : {1, 2}) check_computed<double>(kind, 3, p, p + more, order, false);
  check_computed<double>(operator_kind::elasticity, 3, 4, 6, 3, true);
  const fem::mesh domain({2, 2}, 1, bubble(2, 0.1));
  const element_operator_options o{.kind = operator_kind::diffusion, .trial = {.order = 2}, .points = 4};
  element_operator_options computed = o;
  computed.form = fem::element_form::matrix_free;
  computed.on = target::cuda;
  const element_operator<double> on_cpu(fem::nodes_of(domain), o), on_gpu(fem::nodes_of(domain), computed);
  std::vector<double> M(entry(on_cpu.matrix_entries() * 4));
  on_cpu.assemble(0, 4, M.data());
  const placed<double> there(std::vector<double>(M.size()), true);
  on_gpu.assemble(0, 4, there.data());
  const std::vector<double> got = there.read();
  double worst = 0;
  for (std::size_t i = 0; i < M.size(); ++i) take_worst(worst, std::abs(got[i] - M[i]));
  CHECK(worst <= 1e-12);
}
