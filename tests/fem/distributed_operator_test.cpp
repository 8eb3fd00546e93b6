// SPDX-License-Identifier: BSD-3-Clause
// Operators over several processes: the results of one, whoever has what, and solvers around them.
#include "distributed_checks.hpp"
#include "own_functions.hpp"
#include "poisson_case.hpp"
#include "testing/failure.hpp"

#include <tessera/cpu/element/own_function.hpp>
#include <tessera/element/pointwise.hpp>

using namespace tessera;
using namespace tessera::testing;
using fem::distributed_operator;
using fem::element_operator_options;

namespace {

element_operator_options best(operator_kind kind, int order) {
  return options_of(kind, order, target_from_name("best"), element_form::partial_assembly);
}

}  // namespace

TEST_CASE("distributed operators: the results of one process", "[fem][distributed]") {
  for (const int count : {1, 2, 3})
    for (const int dim : {1, 2, 3}) {
      const index_t cells = dim == 1 ? 30 : dim == 2 ? 6 : 3;
      for (const int p : {1, 3}) {
        const unknowns u = plain_box(dim, cells, p, 1);
        check_distributed<double>(best(operator_kind::diffusion, p), dim, u, slabs(u.elements, count), count);
        check_distributed<float>(best(operator_kind::mass, p), dim, u, slabs(u.elements, count), count);
        const unknowns shuffled = shuffled_box(dim, cells, p, 1, false, 3);
        check_distributed<double>(best(operator_kind::convection, p), dim, shuffled, dealt(u.elements, count), count);
      }
    }
}

TEST_CASE("distributed operators: components, constrained numbers, D computed at each application",
          "[fem][distributed]") {
  for (const int count : {1, 2, 4}) {
    unknowns u = plain_box(3, 2, 2, 3);
    check_distributed<double>(
        [&] {
          element_operator_options o = best(operator_kind::elasticity, 2);
          o.components = 3;
          return o;
        }(),
        3, u, slabs(u.elements, count), count);
    unknowns v = plain_box(2, 5, 2, 1);
    for (index_t k = 0; k < v.size; k += 4) v.constrained.push_back(k);
    element_operator_options o = best(operator_kind::helmholtz, 2);
    o.form = element_form::matrix_free;
    check_distributed<double>(o, 2, v, slabs(v.elements, count), count);
    v.negative = negative_offset::sign;
    for (std::size_t j = 0; j < v.offsets.size(); j += 3) v.offsets[j] = -1 - v.offsets[j];
    check_distributed<float>(o, 2, v, dealt(v.elements, count), count);
  }
}

TEST_CASE("distributed operators: numbers that no one sends, a process without elements", "[fem][distributed]") {
  const unknowns u = plain_box(2, 4, 3, 1);
  std::set<index_t> apart;
  for (index_t k = 0; k < u.size; k += 5) apart.insert(k);
  for (const int count : {1, 3}) {
    check_distributed<double>(best(operator_kind::diffusion, 3), 2, u, slabs(u.elements, count), count, apart);
    check_distributed<double>(best(operator_kind::diffusion, 3), 2, u, slabs(u.elements, count), count + 1, apart);
  }
  std::set<index_t> all;
  for (index_t k = 0; k < u.size; ++k) all.insert(k);
  check_distributed<double>(best(operator_kind::mass, 3), 2, u, slabs(u.elements, 2), 2, all);
}

TEST_CASE("distributed operators: a user's function", "[fem][distributed]") {
  const int p = 2, count = 2;
  const unknowns u = plain_box(3, 2, p, 1);
  const element_operator_options o{.kind = operator_kind::diffusion, .trial = {.order = p}, .points = p + 2};
  const index_t each = 6 * (p + 2) * (p + 2) * (p + 2);
  const std::vector<double> D = seeded<double>(each * u.elements, 1), x = seeded<double>(u.size, 2);
  std::vector<double> wanted(x.size()), y(x.size());
  global_operator<double>(3, D.data(), u.made(), o).apply(x.data(), wanted.data());
  const compiled_function<double> f = own_function<double>(pointwise::diffusion<3>{}, "my diffusion");
  processes all(u, slabs(u.elements, count), count);
  all.run([&](int r) {
    const std::vector<double> own_D = of_elements(D, all[r].elements, each), own_x = part_of(x, all[r].owned);
    std::vector<double> own_y(own_x.size());
    const distributed_operator<double> A(f, own_D.data(), all.made(r), all[r].numbers(), o, all.exchange<double>(r));
    A.apply(own_x.data(), own_y.data());
    put_part(y, all[r].owned, own_y);
  });
  check_near_whole(y, wanted, "y = A x");
}

TEST_CASE("distributed operators: conjugate gradients", "[fem][distributed][solver]") {
  const poisson<double> problem(3, 8);
  const std::vector<double> b = problem.rough_right_hand_side();
  std::vector<double> x(b.size()), y(b.size());
  const auto A = problem.made(operator_kind::diffusion, true);
  const solve_result one =
      conjugate_gradient<double>(A, jacobi(A), {.relative = 1e-11}).solve_from_zero(b.data(), x.data());
  unknowns u{problem.cells * problem.cells, 16, problem.size()};
  u.offsets.assign(problem.numbers.begin(), problem.numbers.end());
  u.constrained = problem.boundary;
  for (const int count : {1, 2, 3}) {
    processes all(u, slabs(u.elements, count), count);
    std::vector<solve_result> found(at(count));
    all.run([&](int r) {
      const std::vector<double> nodes = of_elements(problem.corners, all[r].elements, 8),
                                own = part_of(b, all[r].owned);
      const distributed_operator<double> D({.dim = 2,
                                            .order = 1,
                                            .elements = index_t(all[r].elements.size()),
                                            .coordinates = nodes.data(),
                                            .coefficients = {}},
                                           all.made(r), all[r].numbers(),
                                           {.kind = operator_kind::diffusion, .trial = {.order = 3}},
                                           all.exchange<double>(r));
      std::vector<double> solution(own.size());
      found[at(r)] = conjugate_gradient<double>(D, jacobi(D), {.relative = 1e-11, .sums = {.on_host = all.sums(r)}})
                         .solve_from_zero(own.data(), solution.data());
      put_part(y, all[r].owned, solution);
    });
    for (const solve_result& f : found) {
      CHECK(f.solved());
      CHECK(f.iterations == one.iterations);
      CHECK(std::abs(f.residuals[20] / one.residuals[20] - 1) < 1e-10);
    }
    double worst = 0;
    for (std::size_t k = 0; k < x.size(); ++k) worst = std::max(worst, std::abs(x[k] - y[k]));
    CHECK(worst < 1e-10);
  }
}

TEST_CASE("distributed operators: mistakes", "[fem][distributed]") {
  const unknowns u = plain_box(2, 3, 1, 1);
  std::vector<double> nodes = corners<double>(2, u.elements);
  const fem::element_nodes<double> mesh{
      .dim = 2, .order = 1, .elements = u.elements, .coordinates = nodes.data(), .coefficients = {}};
  const element_operator_options o = best(operator_kind::mass, 1);
  const auto made = [&](const restriction& r, const fem::owned_numbers& n, const fem::halo_exchange<double>& e = {}) {
    distributed_operator<double>(mesh, r, n, o, e);
  };
  const auto nothing = [](auto...) {};
  const fem::halo_exchange<double> some{nothing, nothing, nothing, nothing};
  const std::vector<index_t> one{3}, twice{3, 3}, far{18};
  check_failure(status::shape_mismatch, {"21 owned numbers", "of 20"}, [&] { made(u.made(), {21}); });
  check_failure(status::shape_mismatch, {"-1 owned"}, [&] { made(u.made(), {-1}); });
  check_failure(status::null_pointer, {"1 numbers are sent", "4 functions"}, [&] { made(u.made(), {18, one}); });
  check_failure(status::null_pointer, {"1 functions"}, [&] { made(u.made(), {18}, {nothing, nothing, nothing, {}}); });
  check_failure(status::invalid_argument, {"number 3 is sent twice"}, [&] { made(u.made(), {18, twice}, some); });
  check_failure(status::invalid_argument, {"sent number 18", "18 owned"}, [&] { made(u.made(), {18, far}, some); });
  const unknowns apart = shuffled_box(2, 3, 1, 2, false, 2);
  check_failure(status::invalid_argument, {"stride", "follow each other"},
                [&] { made(apart.made(), {apart.size}, some); });
  const unknowns larger = plain_box(2, 4, 1, 1);
  check_failure(status::shape_mismatch, {"nodes of 12 elements, unknowns of 20"},
                [&] { made(larger.made(), {larger.size}); });
  // Others are told nothing of an application that is refused.
  int told = 0;
  const auto tell = [&](auto...) { ++told; };
  const std::vector<index_t> sent{4};
  const distributed_operator<double> A(mesh, u.made(), {18, sent}, o, {tell, tell, tell, tell});
  std::vector<double> x(18), y(18), received(2);
  check_failure(status::null_pointer, {"y is a null"}, [&] { A.apply(x.data(), nullptr); });
  check_failure(status::null_pointer, {"x is a null"}, [&] { A.apply(nullptr, y.data()); });
  check_failure(status::overlap, {"overlap"}, [&] { A.apply(x.data(), x.data()); });
  check_failure(status::null_pointer, {"apply_received", "y"}, [&] { A.apply_received(received.data(), nullptr); });
  check_failure(status::null_pointer, {"apply_received", "values"}, [&] { A.apply_received(nullptr, y.data()); });
  check_failure(status::null_pointer, {"diagonal", "y"}, [&] { A.diagonal(nullptr); });
  CHECK(told == 0);
  // The element that is inverted is named as the caller numbers it.
  std::swap(nodes[8 * 7 + 0], nodes[8 * 7 + 1]);
  std::swap(nodes[8 * 7 + 2], nodes[8 * 7 + 3]);
  check_failure(status::invalid_argument, {"element 7"}, [&] { made(u.made(), {10}); });
}
