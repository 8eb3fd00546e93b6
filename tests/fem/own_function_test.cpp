// SPDX-License-Identifier: BSD-3-Clause
// Element operators around pointwise functions of a user's own.
#include "global_checks.hpp"
#include "own_functions.hpp"
#include "reference_element.hpp"
#include "seeded.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "vectors.hpp"

#include <tessera/cpu/element/own_function.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/fem/points.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::basis_kind;
using fem::element_operator;

/// A function with state, and with a square root that lanes and numbers both have.
struct damping {
  static constexpr int dim = 2, factors = 1;
  static constexpr point_shape trial{.value = true}, test{.value = true};
  double strength;
  template <class S>
  void operator()(const at_point<S, 1, 2>& u, const S (&D)[1], at_point<S, 1, 2>& v) const {
    using std::sqrt;
    v.value[0] = S(strength) * D[0] * sqrt(u.value[0] * u.value[0] + S(1.0)) * u.value[0];
  }
};

}  // namespace

TEST_CASE("a user's function equal to a built-in one is that operator", "[fem][element]") {
  const index_t elements = 7;
  for (const int p : {2, 3}) {
    const index_t n = (p + 1) * (p + 1) * (p + 1), points = (p + 2) * (p + 2) * (p + 2);
    const std::vector<double> D = seeded<double>(points * 6 * elements, 1), x = seeded<double>(n * elements, 2);
    const fem::element_operator_options o{.kind = operator_kind::diffusion, .trial = {.order = p}, .points = p + 2};
    const element_operator<double> built_in(3, elements, D.data(), o);
    const element_operator<double> own(own_function<double>(pointwise::diffusion<3>{}, "my diffusion"), elements,
                                       D.data(), o);
    CHECK(own.describe().starts_with("my diffusion 3-D"));
    const std::string isa = std::string("the function was compiled for ") + name_of(simd::native_isa::name);
    CHECK(own.describe().find(isa) != std::string::npos);
    CHECK((own.describe().find("this CPU has") != std::string::npos) ==
          (simd::native_isa::name < target_from_name("best")));
    CHECK(built_in.describe().find("the function was compiled") == std::string::npos);
    std::vector<double> y(x), z(x);
    built_in.apply(x.data(), y.data());
    own.apply(x.data(), z.data());
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - z[i]) <= 1e-11);
  }
}

TEST_CASE("a user's function takes fewer points than functions, too", "[fem][element]") {
  const index_t elements = 7;
  const int p = 3, q = 3;
  const std::vector<double> D = seeded<double>(q * q * q * 6 * elements, 1), x = seeded<double>(64 * elements, 2);
  const fem::element_operator_options o{.kind = operator_kind::diffusion, .trial = {.order = p}, .points = q};
  const element_operator<double> built_in(3, elements, D.data(), o);
  const element_operator<double> own(own_function<double>(pointwise::diffusion<3>{}, "my diffusion"), elements,
                                     D.data(), o);
  std::vector<double> y(x), z(x);
  built_in.apply(x.data(), y.data());
  own.apply(x.data(), z.data());
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - z[i]) <= 1e-11);

  // With state, coupled components and another space.
  const std::vector<double> F = seeded<double>(q * q * q * 9 * elements, 3), e = seeded<double>(8 * elements, 4);
  const fem::function_space energy{basis_kind::gauss, 1}, velocity{basis_kind::gauss_lobatto, p};
  const element_operator<double> corner(own_function<double>(force{}, "force"), elements, F.data(),
                                        {.trial = energy, .test = velocity, .points = q});
  std::vector<double> Fe(at(64 * 3 * elements));
  corner.apply(e.data(), Fe.data());
  const reference_element<force> reference(fem::basis(energy.kind, 1), fem::basis(velocity.kind, p), fem::gauss(q));
  for (index_t i = 0; i < elements; ++i) {
    const auto wanted = reference.apply(e.data() + 8 * i, F.data() + q * q * q * 9 * i);
    for (index_t j = 0; j < 64 * 3; ++j) CHECK(std::abs(Fe[at(j + 64 * 3 * i)] - wanted[at(j)]) <= 1e-12);
  }
}

TEST_CASE("a user's function between L-vectors of different spaces", "[fem][element][global]") {
  const index_t elements = 21;
  const std::vector<double> D = seeded<double>(64 * 9 * elements, 3);
  const fem::element_operator_options o{
      .trial = {basis_kind::gauss, 1}, .test = fem::function_space{.order = 2}, .points = 4};
  const auto function = own_function<double>(force{}, "force");
  const element_operator<double> F(function, elements, D.data(), o);
  const restriction energy = random_restriction(elements, F.trial_size(), 1, 1),
                    velocity = random_restriction(elements, F.test_size(), 3, 2);
  check_against_elements(F, fem::global_operator<double>(function, D.data(), energy, velocity, o,
                                                         {.order = element_order::as_given, .patch_elements = 8}));
}

TEST_CASE("u and v may differ in functions, order and components: a force and its transpose", "[fem][element]") {
  const index_t elements = 5;
  const int p = 2, q = 4;
  const std::vector<double> D = seeded<double>(q * q * q * 9 * elements, 3);
  const fem::function_space energy{basis_kind::gauss, p - 1}, velocity{basis_kind::gauss_lobatto, p};
  const element_operator<double> F(own_function<double>(force{}, "force"), elements, D.data(),
                                   {.trial = energy, .test = velocity, .points = q});
  const element_operator<double> W(own_function<double>(work{}, "work"), elements, D.data(),
                                   {.trial = velocity, .test = energy, .components = 3, .points = q});
  CHECK(F.test_components() == 3);
  CHECK(W.test_components() == 1);
  const index_t ne = F.trial_size(), nv = F.test_size();
  const std::vector<double> e = seeded<double>(ne * elements, 4), v = seeded<double>(nv * 3 * elements, 5);
  std::vector<double> Fe(v), Wv(e);
  F.apply(e.data(), Fe.data());
  W.apply(v.data(), Wv.data());
  CHECK(std::abs(dot(v, Fe) - dot(e, Wv)) <= 1e-11);

  const reference_element<force> reference(fem::basis(energy.kind, energy.order),
                                           fem::basis(velocity.kind, velocity.order), fem::gauss(q));
  for (index_t i = 0; i < elements; ++i) {
    const auto wanted = reference.apply(e.data() + ne * i, D.data() + q * q * q * 9 * i);
    for (index_t j = 0; j < nv * 3; ++j) CHECK(std::abs(Fe[at(j + nv * 3 * i)] - wanted[at(j)]) <= 1e-12);
  }
  std::vector<double> M(at(ne * nv * 3));
  F.assemble(1, 1, M.data());
  for (index_t j = 0; j < nv * 3; ++j) {
    double sum = 0;
    for (index_t i = 0; i < ne; ++i) sum += M[at(j + nv * 3 * i)] * e[at(i + ne)];
    CHECK(std::abs(sum - Fe[at(j + nv * 3)]) <= 1e-12);
  }
}

TEST_CASE("D of a user's function from the mesh: corner forces of a pressure", "[fem][element][points]") {
  const fem::mesh domain({3, 2, 2}, 2, bubble(3, 0.1));
  const fem::element_nodes<double> nodes = fem::nodes_of(domain);
  const fem::element_operator_options options{
      .trial = {basis_kind::gauss, 1}, .test = fem::function_space{.order = 2}, .points = 4};
  // snippet factors
  const std::vector<double> D = fem::element_points<double>(nodes, options).evaluate(9, [](const auto& p, double* D) {
    for (int c = 0; c < 3; ++c)
      for (int a = 0; a < 3; ++a) D[a + 3 * c] = p.weight * p.inverse[a][c];  // w det J J^-1
  });
  const element_operator<double> F(own_function<double>(force{}, "force"), nodes.elements, D.data(), options);
  // end snippet
  const fem::element_points<double> energy(nodes, options),
      velocity(nodes, {.trial = {.order = 2}, .components = 3, .points = 4});
  const std::vector<double> e = seeded<double>(F.trial_size() * F.elements(), 1);
  std::vector<double> Fe(at(F.test_size() * 3 * F.elements())), wanted(Fe), pressure(D.size() / 9), stress(D.size());
  F.apply(e.data(), Fe.data());
  energy.values(e.data(), pressure.data());
  for (std::size_t i = 0; i < stress.size(); ++i) stress[i] = i % 9 % 4 == 0 ? pressure[i / 9] : 0;  // times 1
  velocity.gradient_load(stress.data(), wanted.data());
  for (std::size_t i = 0; i < Fe.size(); ++i) CHECK(std::abs(Fe[i] - wanted[i]) <= 1e-13);
}

TEST_CASE("a function may have state, and need not be linear", "[fem][element]") {
  const int q = 3;
  const std::vector<double> D(at(q * q * 3), 1.0), x = seeded<double>(4 * 3, 6);
  // Values at points that are the nodes of a basis of the same points: y = D f(x) there.
  const element_operator<double> A(own_function<double>(damping{2.5}, "damping"), 3, D.data(),
                                   {.trial = {basis_kind::gauss, q - 1}, .points = q});
  const std::vector<double> u = seeded<double>(q * q * 3, 7);
  std::vector<double> y(u.size());
  A.apply(u.data(), y.data());
  for (std::size_t i = 0; i < u.size(); ++i) CHECK(std::abs(y[i] - 2.5 * std::sqrt(u[i] * u[i] + 1) * u[i]) <= 1e-14);
}

TEST_CASE("D of a user's function is not computed from the geometry", "[fem][element]") {
  const fem::mesh domain({2, 2}, 1);
  const std::vector<double> D(9 * 4, 1.0);
  const element_operator<double> A(own_function<double>(damping{1}, "damping"), 4, D.data(),
                                   {.trial = {.order = 1}, .points = 3});
  check_failure(status::invalid_argument, {"damping: D of a user's function"}, [&] {
    point_data<double>::computed(A.kernel(), {.elements = 4,
                                              .interpolate = std::vector<double>(6, 0.5),
                                              .weights = std::vector<double>(3, 0.5),
                                              .coordinates = domain.coordinates().data()});
  });
}

TEST_CASE("a user's function between dense tables: force and work are adjoint", "[fem][element][dense]") {
  const index_t elements = 7, energies = 4, velocities = 10, points = 11;
  const auto basis = [&](index_t functions, std::uint32_t seed) {
    return dense_basis{int(functions), seeded<double>(points * functions, seed),
                       seeded<double>(points * functions * 3, seed + 1)};
  };
  fem::dense_element element{
      .dim = 3, .points = int(points), .trial = basis(energies, 1), .test = basis(velocities, 3)};
  const std::vector<double> D = seeded<double>(points * 9 * elements, 5), e = seeded<double>(energies * elements, 6),
                            v = seeded<double>(velocities * 3 * elements, 7);
  const element_operator<double> F(own_function<double>(force{}, "force"), elements, D.data(), {.tables = element});
  std::swap(element.trial, *element.test);
  const element_operator<double> W(own_function<double>(work{}, "work"), elements, D.data(),
                                   {.components = 3, .tables = element});
  CHECK(F.describe().starts_with("force 3-D, d = 4, q = 11, t = 10, f64: "));
  CHECK(F.test_components() == 3);
  std::vector<double> Fe(v.size()), Wv(e.size());
  F.apply(e.data(), Fe.data());
  W.apply(v.data(), Wv.data());
  CHECK(std::abs(dot(Fe, v)) > 1e-3);
  CHECK(std::abs(dot(Fe, v) - dot(e, Wv)) <= 1e-11);
}

TEST_CASE("a user's function that is not linear has neither matrices nor diagonals", "[fem][element]") {
  const std::vector<double> D(8 * 27, 1.0);
  const element_operator<double> square(own_function<double>(damping_of_cube{2.0}, "damping"), 8, D.data(),
                                        {.points = 3});
  std::vector<double> M(64 * 8, -1.0), diagonal(64, -1.0);
  check_failure(status::invalid_argument, {"element_operator::assemble", "damping", "not linear", "element 2"},
                [&] { square.assemble(2, 5, M.data()); });
  check_failure(status::invalid_argument, {"element_operator::diagonal", "not linear", "element 0"},
                [&] { square.diagonal(diagonal.data()); });
  CHECK(M == std::vector<double>(64 * 8, -1.0));
  CHECK(diagonal == std::vector<double>(64, -1.0));
}

TEST_CASE("a user's function that gives no numbers has neither matrices nor diagonals", "[fem][element]") {
  std::vector<double> D(8 * 27, 1.0), M(64 * 8);
  D[27 * 3 + 5] = std::numeric_limits<double>::quiet_NaN();
  const element_operator<double> op(own_function<double>(damping_of_cube{0.0}, "damping"), 8, D.data(), {.points = 3});
  check_failure(status::invalid_argument, {"element_operator::assemble", "damping", "no finite number in element 3"},
                [&] { op.assemble(2, 5, M.data()); });
}
