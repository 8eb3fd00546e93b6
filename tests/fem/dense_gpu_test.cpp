// SPDX-License-Identifier: BSD-3-Clause
// Operators of dense tables on the GPU: their definition, what a CPU gives, and how vectors lie.
#include "dense_checks.hpp"
#include "e_vector_checks.hpp"
#include "element_both_sides.hpp"
#include "own_functions.hpp"
#include "own_source.hpp"
#include "simplex_mesh.hpp"
#include "testing/failure.hpp"

#include <tessera/element/source_function.hpp>
#include <tessera/gpu/detail/element/kernel.hpp>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_operator;
using fem::element_operator_options;
using fem::element_shape;

// Two components of 7 functions, to two of 5.
both_sides two_spaces() {
  return {{.kind = operator_kind::helmholtz, .components = 2, .tables = random_tables(2, {7, 9, 5}, 3)}, 2};
}

}  // namespace

TEST_CASE("gpu dense tables: small operators of every kind are their definition", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  each_operator_in_all_dimensions({.on = target::cuda}, [&]<class Function>(const element_operator_options& o) {
    check_dense<double, Function>({4, 5}, o, 37);
    check_dense<float, Function>({5, 13, 7}, o, 17);
  });
  check_dense<double, pointwise::helmholtz<3>>({1, 1}, {.kind = operator_kind::helmholtz, .on = target::cuda}, 5);
}

TEST_CASE("gpu dense tables: many functions and points, components, D in float", "[fem][element][gpu]") {
  if (absent()) return;
  for (const table_sizes& s :
       {table_sizes{45, 64}, table_sizes{64, 45, 37}, table_sizes{3, 200}, table_sizes{343, 216}}) {
    check_dense<double, pointwise::mass<2>>(s, {.kind = operator_kind::mass, .on = target::cuda}, 70);
    check_dense<double, pointwise::diffusion<3>>(s, {.kind = operator_kind::diffusion, .on = target::cuda}, 33);
    check_dense<float, pointwise::elasticity<3>>(s, {.kind = operator_kind::elasticity, .on = target::cuda}, 20);
  }
  for (const point_storage storage : {point_storage::same, point_storage::in_float})
    each_operator_in_all_dimensions({.storage = storage, .on = target::cuda},
                                    [&]<class Function>(element_operator_options o) {
                                      o.components = 3 * Function::trial.components;
                                      check_dense<double, Function>({6, 7, 3}, o, 9);
                                    });
}

TEST_CASE("gpu dense tables: layouts, ranges, lists, right hand sides, +=", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  check_layouts(two_spaces());
}

TEST_CASE("gpu dense tables: matrices and diagonals, the same bits again", "[fem][element][gpu]") {
  if (absent()) return;
  for (const int repeats : {1, 2})
    each_operator<3>({.on = target::cuda}, [&]<class Function>(element_operator_options o) {
      o.components = repeats * Function::trial.components;
      check_dense_matrices<double, Function>({6, 7}, o, 6, 1, matrix_storage::full);
      check_dense_matrices<float, Function>({5, 4, 3}, o, 9, 2, matrix_storage::full);
      if (is_symmetric(o.kind)) check_dense_matrices<double, Function>({6, 7}, o, 6, 1, matrix_storage::lower_packed);
    });
  const both_sides s = two_spaces();
  check_one_by_one(s.gpu, s.x, true);
}

TEST_CASE("gpu simplices: orders 1 to 6 as on a CPU, D from the geometry", "[fem][element][gpu]") {
  if (absent()) return;
  for (const int dim : {2, 3})
    for (int p = 1; p <= 6; ++p)
      for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion, operator_kind::elasticity}) {
        const simplex_mesh mesh(dim, 2);
        const std::vector<double> coordinates = mesh.nodes(2, bubble(dim, 0.1));
        const fem::element_nodes<double> nodes{
            .dim = dim, .order = 2, .elements = mesh.elements(), .coordinates = coordinates.data()};
        element_operator_options o{.kind = kind,
                                   .trial = {.order = p},
                                   .components = coupled_components(kind, dim),
                                   .shape = element_shape::simplex};
        const element_operator<double> on_cpu(nodes, o);
        o.on = target::cuda;
        const element_operator<double> on_gpu(nodes, o);
        INFO(on_gpu.describe());
        std::vector<double> u = seeded<double>(on_cpu.trial_size() * on_cpu.components() * mesh.elements(), 6), v(u);
        const placed<double> gu(u, true), gv(v, true);
        on_cpu.apply(u.data(), v.data());
        on_gpu.apply(gu.data(), gv.data());
        CHECK(near(gv.read(), v, 0));
      }
}

TEST_CASE("gpu dense tables: functions of a user's own, from their text", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  const index_t elements = 7;
  const auto check = [&]<class Function>(const Function& function, const std::string& name, const table_sizes& s) {
    const std::vector<double> D = seeded<double>(s.q * Function::factors * elements, 3);
    const fem::dense_element tables = random_tables(3, s, 11);
    const element_operator<double> A(source_function<double>(function, name, own_source(name)), elements, D.data(),
                                     {.components = Function::trial.components, .tables = tables});
    const dense_reference<Function> reference(tables);
    const index_t nx = A.trial_size() * A.components(), ny = A.test_size() * A.test_components();
    const std::vector<double> x = seeded<double>(nx * elements, 4), y(at(ny * elements));
    const placed<double> gx(x, true), gy(y, true);
    A.apply(gx.data(), gy.data());
    const std::vector<double> got = gy.read();
    worst_error worst;
    for (index_t e = 0; e < elements; ++e) {
      const double *const xe = x.data() + nx * e, *const De = D.data() + s.q * Function::factors * e;
      const auto wanted = reference.apply(xe, De), sizes = reference.magnitudes(xe, De);
      for (index_t i = 0; i < ny; ++i)
        worst.count(got[at(i + ny * e)], wanted[at(i)],
                    static_cast<long double>(gamma<double>(reference.roundings())) * sizes[at(i)]);
    }
    CHECK(worst.of_bound() <= 1);
  };
  check(force{}, "force", {4, 8, 10});
  check(work{}, "work", {10, 8, 4});
}

TEST_CASE("gpu element operators: fewer points than functions, of coupled components, too",
          "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  for (const int p : {1, 2, 3}) {
    check_all_dimensions<double>({.trial = {.order = p}, .points = p, .on = target::cuda}, 5);
    check_all_dimensions<float>({.trial = {.order = p}, .points = p, .on = target::cuda}, 3);
  }
  check_all_dimensions<double>({.trial = {.order = 4},
                                .test = fem::function_space{fem::basis_kind::bernstein, 3},
                                .points = 2,
                                .on = target::cuda},
                               3);
}

TEST_CASE("gpu dense tables: what cannot be is refused", "[fem][element][gpu]") {
  if (absent()) return;
  const simplex_mesh mesh(2, 2);
  const std::vector<double> coordinates = mesh.nodes(1);
  const fem::element_nodes<double> nodes{
      .dim = 2, .order = 1, .elements = mesh.elements(), .coordinates = coordinates.data()};
  check_failure(status::no_target, {"D of dense tables on a GPU is stored"}, [&] {
    element_operator<double>(nodes, {.trial = {.order = 2},
                                     .form = fem::element_form::matrix_free,
                                     .on = target::cuda,
                                     .shape = element_shape::simplex});
  });
  const std::vector<double> D(1, 1.0);
  check_failure(status::no_target, {"an element does not fit shared memory"}, [&] {
    element_operator<double>(2, 1, D.data(), {.on = target::cuda, .tables = random_tables(2, {40000, 1}, 1)});
  });
}
