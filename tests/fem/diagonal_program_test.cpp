// SPDX-License-Identifier: BSD-3-Clause
// The steps of the GPU's kernel of diagonals, run on the host, against the columns of the definition.
#include "dense_checks.hpp"
#include "reference_element.hpp"

#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/constants.hpp>
#include <tessera/gpu/detail/element/diagonal_program.cuh>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;

constexpr index_t all = 5, first = 1, count = 3;
constexpr int repeats = 2;
constexpr int threads = 32;

// Steps by all threads, in ascending or descending order: were one to read what another one writes, they would differ.
template <class Program>
void run(const typename Program::arguments& a, int elements, bool descending) {
  using T = typename Program::value_type;
  for (index_t block = 0; block * elements < a.count; ++block) {
    std::vector<T> shared(at(Program::shared_entries), std::numeric_limits<T>::quiet_NaN());
    std::vector<Program> all_threads;
    for (int thread = 0; thread < threads; ++thread)
      all_threads.emplace_back(a, shared.data(), block, descending ? threads - 1 - thread : thread);
    Program::in_order([&](const auto& step) {
      for (Program& thread : all_threads) step(thread);
    });
  }
}

// Of elements first, first + 1, ..., the reference applied to unit vectors.
template <class T, class Stored, class Function, class Form, class Reference>
void check_with(const Reference& reference, const std::vector<T>& tables) {
  using program = device::diagonal_program<T, Stored, Function, Form, device::e_vector_storer<T, true>>;
  constexpr index_t parts = Function::trial.components, factors = Function::factors;
  const index_t points = device::power_of(Form::points, Form::directions),
                size = device::power_of(Form::functions, Form::directions), n = size * parts;
  const std::vector<Stored> D = seeded<Stored>(points * factors * all, 8);
  std::vector<T> forth(at(n * repeats * count + 2), T(-3)), back = forth;
  device::diagonal_arguments<T> a{.D = D.data(),
                                  .y = forth.data() + 1,
                                  .tables = tables.data(),
                                  .first = first,
                                  .count = count,
                                  .repeats = repeats,
                                  .y_layout = element_layout::conventional(size, int(parts) * repeats).from(first)};
  run<program>(a, Form::tuning.elements, false);
  a.y = back.data() + 1;
  run<program>(a, Form::tuning.elements, true);
  CHECK(forth == back);
  CHECK(forth.front() == T(-3));
  CHECK(forth.back() == T(-3));

  worst_error worst;
  std::vector<double> own(at(points * factors)), unit(at(n));
  for (index_t e = 0; e < count; ++e) {
    for (index_t k = 0; k < points; ++k)
      for (index_t f = 0; f < factors; ++f)
        own[at(f + factors * k)] = double(D[at(k + points * (f + factors * (first + e)))]);
    for (index_t j = 0; j < n; ++j) {
      unit.assign(unit.size(), 0);
      unit[at(j)] = 1;
      const auto y = reference.apply(unit.data(), own.data()), sizes = reference.magnitudes(unit.data(), own.data());
      for (int r = 0; r < repeats; ++r)
        worst.count(double(forth[at(1 + j + n * (r + repeats * e))]), y[at(j)],
                    static_cast<long double>(gamma<T>(reference.roundings() + 4)) * sizes[at(j)]);
    }
  }
  CHECK(worst.of_bound() <= 1);
}

// n products of column i of test and trial tables (q,d), one table behind the other: [i + d (k + q n)].
template <class T>
void append(const double* test, const double* trial, int q, int d, std::vector<T>& to) {
  for (int k = 0; k < q; ++k)
    for (int i = 0; i < d; ++i) to.push_back(T(test[k + q * i] * trial[k + q * i]));
}

template <class T, class Stored, class Function, int p, int q, int elements>
void check_product() {
  constexpr int dim = Function::dim, d = p + 1;
  const fem::basis u(fem::basis_kind::gauss_lobatto, p), v(fem::basis_kind::bernstein, p);
  const fem::basis_tables of_u = fem::tabulate(u, fem::gauss(q)), of_v = fem::tabulate(v, fem::gauss(q));
  std::vector<T> tables;
  for (const auto* test : {&of_v.B, &of_v.G})
    for (const auto* trial : {&of_u.B, &of_u.G}) append(test->data(), trial->data(), q, d, tables);
  check_with<T, Stored, Function, device::diagonal_form<dim, false, d, q, elements, threads>>(
      reference_element<Function>(u, v, fem::gauss(q)), tables);
}

template <class T, class Function, int d, int q, int elements>
void check_dense() {
  constexpr int dim = Function::dim;
  const fem::dense_element e = random_tables(dim, {d, q, d}, 3);
  std::vector<T> tables;
  const auto table = [](const dense_basis& basis, int slot) {
    return slot < dim ? basis.gradients.data() + slot * q * d : basis.values.data();
  };
  for (int o = 0; o <= dim; ++o)
    for (int i = 0; i <= dim; ++i) append(table(*e.test, o), table(e.trial, i), q, d, tables);
  check_with<T, T, Function, device::diagonal_form<1, true, d, q, elements, threads>>(dense_reference<Function>(e),
                                                                                      tables);
}

template <template <int> class Function>
void check_function() {
  check_product<double, double, Function<1>, 3, 5, 2>();
  check_product<double, double, Function<2>, 2, 4, 2>();
  check_product<double, float, Function<3>, 2, 3, 1>();
  check_product<double, double, Function<3>, 2, 2, 2>();
  check_dense<double, Function<1>, 3, 5, 2>();
  check_dense<float, Function<2>, 6, 7, 3>();
  check_dense<double, Function<3>, 10, 14, 2>();
}

}  // namespace

TEST_CASE("gpu diagonal program: every operator, products of segments and dense tables", "[fem][element][dense]") {
  check_function<pointwise::mass>();
  check_function<pointwise::diffusion>();
  check_function<pointwise::helmholtz>();
  check_function<pointwise::convection>();
  check_function<pointwise::elasticity>();
  check_function<pointwise::advection_diffusion>();
}

TEST_CASE("gpu diagonal program: a block has some elements", "[fem][element]") {
  for (const int d : {2, 4, 9, 17}) {
    const diagonal_sizes s{.directions = 3, .functions = d, .points = d + 1};
    const diagonal_tuning t = ruled_diagonal_tuning(s, 227 * 1024);
    INFO(d << " functions: " << t.elements << " elements");
    CHECK(t.elements >= 1);
    CHECK((t.elements == 1 || 4 * diagonal_layout{s, t}.entries() * 8 <= 227 * 1024));
    CHECK((t.elements == 1 || (t.elements - 1) * d * d * d < t.threads));
  }
}
