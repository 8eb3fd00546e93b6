// SPDX-License-Identifier: BSD-3-Clause
// D read back in plain order: given, stored in float, computed from the geometry, and in the order of a caller.
#include "plain_points.hpp"
#include "testing/failure.hpp"

#include <tessera/fem/global_operator.hpp>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_form;
using fem::element_operator;

// D of the mass, one number a point.
template <class T>
std::vector<T> data_of(const element_operator<T>& A, index_t first, index_t count) {
  std::vector<T> D(at(count * A.kernel().points() * A.kernel().factors()), T(-7));
  A.data().get(first, count, D.data());
  return D;
}

std::vector<double> by_the_document(const element_operator<double>& A) {
  // snippet read
  std::vector<double> D(std::size_t(A.elements() * A.kernel().points() * A.kernel().factors()));
  A.data().get(0, A.elements(), D.data());
  // end snippet
  return D;
}

}  // namespace

TEMPLATE_TEST_CASE("D that was given is read back", "[fem][element]", float, double) {
  using T = TestType;
  const index_t elements = 13, each = 64 * 6;
  const std::vector<T> D = seeded<T>(elements * each, 1);
  element_operator_options o{.kind = operator_kind::diffusion, .trial = {.order = 2}};
  const element_operator<T> A(3, elements, D.data(), o);
  CHECK(data_of(A, 0, elements) == D);
  CHECK(data_of(A, 5, 3) == std::vector<T>(D.begin() + 5 * each, D.begin() + 8 * each));
  o.storage = point_storage::in_float;
  std::vector<T> rounded(D);
  for (T& one : rounded) one = T(float(one));
  CHECK(data_of(element_operator<T>(3, elements, D.data(), o), 0, elements) == rounded);
}

TEST_CASE("D from the geometry is the same stored and computed, and that of the formula", "[fem][element]") {
  each_shape([](int dim, element_shape shape) {
    const moved_mesh<double> m(dim, 2, shape);
    element_operator_options o = m.options(2);
    const std::vector<double> stored = data_of(element_operator<double>(m.nodes(), o), 0, m.elements);
    std::vector<double> w(stored.size());
    element_points<double>(m.nodes(), o).weights(w.data());
    CHECK(distance(stored, w) < 1e-13);
    o.form = element_form::matrix_free;
    const element_operator<double> computed(m.nodes(), o);
    CHECK(by_the_document(computed) == stored);
    CHECK(data_of(computed, 0, m.elements) == stored);
    const std::ptrdiff_t each = std::ptrdiff_t(stored.size()) / m.elements;
    CHECK(data_of(computed, 3, 2) == std::vector<double>(stored.begin() + 3 * each, stored.begin() + 5 * each));
    // Diffusion: w det J J^-1 J^-T, rows of the upper triangle.
    o.kind = operator_kind::diffusion;
    const std::vector<double> D =
        element_points<double>(m.nodes(), o)
            .evaluate(pointwise::symmetric_size(dim), [dim](const mapped_point<double>& p, double* to) {
              for (int a = 0; a < dim; ++a)
                for (int b = a; b < dim; ++b, ++to) {
                  *to = 0;
                  for (int d = 0; d < dim; ++d) *to += p.weight * p.inverse[a][d] * p.inverse[b][d];
                }
            });
    CHECK(distance(data_of(element_operator<double>(m.nodes(), o), 0, m.elements), D) < 1e-12);
  });
}

TEST_CASE("D between L-vectors is read back in the order of the caller's elements", "[fem][element][global]") {
  const fem::mesh domain({5, 4, 3}, 1, bubble(3, 0.1));
  const restriction r = restriction::box({.dim = 3, .cells = {5, 4, 3}, .order = 2});
  for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
    const element_operator_options o{.kind = operator_kind::diffusion, .trial = {.order = 2}, .form = form};
    const element_operator<double> A(fem::nodes_of(domain), o);
    const fem::global_operator<double> G(fem::nodes_of(domain), r, o);
    std::vector<double> D(at(60 * 64 * 6));
    G.get_data(D.data());
    CHECK(D == data_of(A, 0, 60));
  }
}

TEST_CASE("D that cannot be read is an error", "[fem][element]") {
  moved_mesh<double> m(2, 1, element_shape::cube);
  element_operator_options o = m.options(1);
  o.form = element_form::matrix_free;
  const element_operator<double> A(m.nodes(), o);
  std::vector<double> D(at(12 * 9), 7.0);
  check_failure(status::invalid_argument, {"point_data::get", "3 elements from 10 on, of 12"},
                [&] { A.data().get(10, 3, D.data()); });
  check_failure(status::null_pointer, {"point_data::get", "null pointer"}, [&] { A.data().get(0, 1, nullptr); });
  check_failure(status::overlap, {"point_data::get", "overlaps the coordinates"},
                [&] { A.data().get(0, 1, m.coordinates.data()); });
  const fem::global_operator<double> G(m.nodes(), restriction::box({.dim = 2, .cells = {3, 4, 1}, .order = 1}), o);
  check_failure(status::null_pointer, {"global_operator::get_data"}, [&] { G.get_data(nullptr); });
  CHECK(D == std::vector<double>(D.size(), 7.0));
}
