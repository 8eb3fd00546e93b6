// SPDX-License-Identifier: BSD-3-Clause
// Element matrices, full and packed, of every operator against the definition; on a GPU by kernel and by columns.
#include "matrix_checks.hpp"
#include "own_functions.hpp"
#include "own_source.hpp"
#include "testing/failure.hpp"
#include "testing/jit.hpp"
#include "testing/take_worst.hpp"

#include <tessera/device_facts.hpp>
#include <tessera/element/source_function.hpp>

#include <algorithm>
#include <cstdint>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::basis_kind;
using fem::element_operator;
using fem::element_operator_options;

constexpr matrix_storage triangle = matrix_storage::lower_packed;

element_operator_options on_gpu(int p, int q) { return {.trial = {.order = p}, .points = q, .on = target::cuda}; }

}  // namespace

TEST_CASE("element matrices: where entries stand", "[fem][element]") {
  CHECK(matrix_entries(6, 4, matrix_storage::full) == 24);
  CHECK(matrix_entries(5, 5, triangle) == 15);
  index_t place = 0;
  for (index_t j = 0; j < 5; ++j)
    for (index_t i = j; i < 5; ++i) CHECK(matrix_place(i, j, 5, triangle) == place++);
}

TEST_CASE("element matrices: of every operator, full and packed", "[fem][element]") {
  for (const matrix_storage how : {matrix_storage::full, triangle}) {
    const element_operator_options o{.trial = {.order = 2}, .points = 3};
    check_matrices_in_all_dimensions<double>(o, 5, {.first = 1, .count = 3, .how = how, .behind = 3});
    check_all_matrices<float, 2>(o, 3, {.count = 3, .how = how});
    check_matrices<double, pointwise::mass<2>>({.trial = {.order = 1}, .components = 2, .points = 3}, 3,
                                               {.count = 3, .how = how});
  }
  check_all_matrices<double, 2>({.trial = {.order = 2}, .test = fem::function_space{basis_kind::gauss, 1}, .points = 3},
                                2, {.count = 2});
}

TEST_CASE("element matrices: of the mass at once, sizes odd and even", "[fem][element]") {
  // Behind 3 entries and one element no vector of a matrix is aligned.
  for (int p = 1; p <= 7; ++p)
    for (const matrix_storage how : {matrix_storage::full, triangle}) {
      const element_operator_options o{.trial = {.order = p}, .points = p + 1 + p % 3};
      check_matrices<double, pointwise::mass<1>>(o, 37, {.first = 1, .count = 36, .how = how, .behind = 3});
      check_matrices<double, pointwise::mass<2>>(o, 21, {.first = 3, .count = 18, .how = how, .behind = 1});
      check_matrices<float, pointwise::mass<2>>(o, 19, {.first = 2, .count = 17, .how = how});
      if (p > 3) continue;
      for (const int q : {p + 1, p + 2, p + 3})
        check_matrices<double, pointwise::mass<3>>({.trial = {.order = p}, .points = q}, 10,
                                                   {.first = 1, .count = 9, .how = how});
    }
  for (const matrix_storage how : {matrix_storage::full, triangle}) {
    const element_operator_options several{.trial = {.order = 2}, .components = 3, .points = 4};
    check_matrices<double, pointwise::mass<1>>(several, 20, {.first = 1, .count = 19, .how = how, .behind = 1});
    check_matrices<double, pointwise::mass<2>>(several, 11, {.first = 1, .count = 10, .how = how, .behind = 1});
  }
  // Functions of two kinds have no symmetric pairs, also where there are as many of them.
  check_matrices<double, pointwise::mass<3>>(
      {.trial = {.order = 3}, .test = fem::function_space{basis_kind::gauss, 3}, .points = 4}, 9, {.count = 9});
  for (const int p : {1, 2, 4})
    check_matrices<double, pointwise::mass<2>>(
        {.trial = {.order = 2}, .test = fem::function_space{basis_kind::gauss, p}, .points = 5}, 9, {.count = 9});
}

TEST_CASE("element matrices: of the mass, columns that are too long to be remembered", "[fem][element]") {
  const int d = 11, q = 11;
  const index_t rows = d * d * d;
  const std::vector<double> D = seeded<double>(q * q * q, 3);
  const element_operator<double> A(3, 1, D.data(), {.trial = {.order = d - 1}, .points = q});
  std::vector<double> M(entry(rows * rows)), x(entry(rows)), y(entry(rows));
  A.assemble(0, 1, M.data());
  double worst = 0;
  for (index_t j = 0; j < rows; j += 53) {
    x[entry(j)] = 1;
    A.apply(x.data(), y.data());
    x[entry(j)] = 0;
    for (index_t i = 0; i < rows; ++i) take_worst(worst, std::abs(M[entry(i + rows * j)] - y[entry(i)]));
  }
  CHECK(worst < 1e-13);
  CHECK(worst > 0);
}

TEST_CASE("element matrices: those that exceed the caches are the same, to the last bit", "[fem][element]") {
  // They are then written by non-temporal stores; pieces are small enough for ordinary ones.
  const index_t cache = last_level_cache_bytes(default_cpu_target());
  if (cache > index_t(640) << 20) return skip("two times the last cache would be too much memory for a test");
  struct matrices {
    int dim, p;
    bool aligned;
    int more = 1;  // points than p
  };
  for (const matrices& m : {matrices{2, 1, false}, matrices{2, 2, false}, matrices{3, 2, false}, matrices{3, 3, true},
                            matrices{3, 3, false}, matrices{3, 3, true, 2}})
    for (const matrix_storage how : {matrix_storage::full, triangle}) {
      const element_operator_options o{.trial = {.order = m.p}, .points = m.p + m.more};
      const auto all_of = [&](index_t n) { return m.dim == 3 ? n * n * n : n * n; };
      const index_t functions = all_of(m.p + 1), points = all_of(m.p + m.more);
      const index_t size = matrix_entries(functions, functions, how), most = std::min<index_t>(999, (1 << 20) / size);
      const index_t count = cache / (size * index_t(sizeof(double))) + most + 3;
      const std::vector<double> D = seeded<double>(count * points, 1);
      const element_operator<double> A(m.dim, count, D.data(), o);
      INFO(A.describe() << ", " << count << " elements" << (m.aligned ? ", aligned" : ""));
      constexpr index_t margin = 16;
      std::vector<double> whole(entry(count * size + margin), -7), pieces = whole;
      const auto from = [&](std::vector<double>& M) {
        const auto behind = index_t(reinterpret_cast<std::uintptr_t>(M.data()) % 64 / sizeof(double));
        return M.data() + (m.aligned ? (8 - behind) % 8 : m.p + 2);
      };
      A.assemble(0, count, from(whole), how);
      for (index_t first = 0; first < count; first += most)
        A.assemble(first, std::min<index_t>(most, count - first), from(pieces) + first * size, how);
      CHECK(std::equal(from(whole), from(whole) + count * size, from(pieces)));
      for (const std::vector<double>* all : {&whole, &pieces})
        CHECK(std::count(all->begin(), all->end(), -7.0) == margin);
    }
}

TEST_CASE("element diagonals: those of the matrices, of every operator", "[fem][element]") {
  const auto check = [](int dim, index_t elements, const element_operator_options& o) {
    const int q = o.points;
    index_t points = 1;
    for (int a = 0; a < dim; ++a) points *= q;
    const std::vector<double> D = seeded<double>(points * factors_of(o.kind, dim) * elements, 5);
    const element_operator<double> A(dim, elements, D.data(), o);
    INFO(A.describe());
    const index_t n = A.trial_size() * A.components(), size = A.matrix_entries();
    std::vector<double> M(entry(size * elements)), diagonal(entry(n * elements + 1), -3);
    A.assemble(0, elements, M.data());
    A.diagonal(diagonal.data());
    double worst = 0, largest = 0;
    for (index_t e = 0; e < elements; ++e)
      for (index_t i = 0; i < n; ++i) {
        const double wanted = M[entry(size * e + i + n * i)];
        take_worst(worst, std::abs(diagonal[entry(i + n * e)] - wanted));
        largest = std::max(largest, std::abs(wanted));
      }
    CHECK(worst <= 1e-13 * largest);
    CHECK(largest > 0);
    CHECK(diagonal.back() == -3);
  };
  for (const operator_kind kind : all_operator_kinds)
    for (int dim = 1; dim <= 3; ++dim)
      for (const int p : {1, 2, 4}) {
        element_operator_options o{.kind = kind, .trial = {.order = p}, .points = p + 2};
        o.components = coupled_components(kind, dim);
        check(dim, 11, o);
        o.components *= 2;
        check(dim, 3, o);
        o.points = p;  // fewer than functions
        check(dim, 2, o);
      }
  check(2, 9, {.trial = {.order = 13}, .points = 14});
  // Spaces of as many functions, but different ones.
  check(2, 9,
        {.kind = operator_kind::helmholtz,
         .trial = {.order = 3},
         .test = fem::function_space{basis_kind::gauss, 3},
         .points = 5});
}

TEST_CASE("element matrices: what cannot be is refused", "[fem][element]") {
  const std::vector<double> D = seeded<double>(2 * 27 * 6, 1);
  const element_operator<double> convection(3, 2, D.data(),
                                            {.kind = operator_kind::convection, .trial = {.order = 1}, .points = 3});
  const element_operator<double> mixed(
      3, 2, D.data(), {.trial = {.order = 1}, .test = fem::function_space{basis_kind::gauss, 1}, .points = 3});
  const element_operator<double> mass(3, 2, D.data(), {.trial = {.order = 1}, .points = 3});
  std::vector<double> M(128);
  check_failure(status::invalid_argument, {"convection 3-D", "8 x 8", "not known to be symmetric"},
                [&] { convection.assemble(0, 1, M.data(), triangle); });
  check_failure(status::invalid_argument, {"mass 3-D", "not known to be symmetric"},
                [&] { mixed.assemble(0, 1, M.data(), triangle); });
  check_failure(status::invalid_argument, {"2 elements from 1 on, of 2"},
                [&] { mass.assemble(1, 2, M.data(), triangle); });
  check_failure(status::invalid_argument, {"1 elements from -1 on, of 2"}, [&] { mass.assemble(-1, 1, M.data()); });
  check_failure(status::null_pointer, {"M is a null pointer"}, [&] { mass.assemble(0, 1, nullptr, triangle); });
  check_failure(status::no_target, {"convection 3-D", "no kernel"}, [&] {
    convection.kernel().matrices(0, 1, M.data(), matrix_storage::full,
                                 point_data<double>::stored(convection.kernel(), 2));
  });
  const point_data<double> of_another = point_data<double>::stored(convection.kernel(), 2);
  check_failure(status::shape_mismatch, {"mass 3-D", "81 numbers an element", "not 27"},
                [&] { mass.kernel().matrices(0, 1, M.data(), matrix_storage::full, of_another); });
  CHECK(convection.describe_assembly() == "by columns");
  CHECK(mass.describe_assembly().rfind("each distinct number of a matrix once", 0) == 0);
  CHECK(mass.kernel().symmetric());
  CHECK_FALSE(convection.kernel().symmetric());
  mass.assemble(2, 0, nullptr);
}

TEST_CASE("gpu element matrices: small ones of every kind are their definition", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  for (const matrix_storage how : {matrix_storage::full, triangle}) {
    check_matrices_in_all_dimensions<double>(on_gpu(1, 3), 5, {.first = 1, .count = 3, .how = how, .behind = 3});
    check_matrices_in_all_dimensions<float>(on_gpu(2, 3), 3, {.count = 3, .how = how});
  }
}

TEST_CASE("gpu element matrices: orders, points and counts", "[fem][element][gpu]") {
  if (absent()) return;
  for (const matrix_storage how : {matrix_storage::full, triangle})
    for (const int p : {1, 2, 3, 4})
      for (const int more : {1, 2}) {
        const auto o = on_gpu(p, p + more);
        check_all_matrices<double, 2>(o, 131, {.first = 1, .count = 130, .how = how, .behind = p});
        if (p < 4) check_all_matrices<double, 3>(o, 7, {.first = 2, .count = 5, .how = how, .behind = p});
      }
  for (const int p : {4, 5, 6}) {
    element_operator_options o = on_gpu(p, p + 2);
    check_matrices<double, pointwise::mass<3>>(o, 2, {.count = 2, .behind = 1});
    o.kind = operator_kind::diffusion;
    check_matrices<double, pointwise::diffusion<3>>(o, 1, {});
    check_matrices<double, pointwise::diffusion<3>>(o, 1, {.how = triangle});
  }
  for (const int p : {5, 6, 7, 8, 12}) {
    check_all_matrices<double, 2>(on_gpu(p, p + 2), 3, {.count = 3, .behind = 7});
    check_all_matrices<double, 1>(on_gpu(p, p + 1), 200, {.count = 200});
  }
  // Large ones by slices, and many small ones a block, of which the last one has a part.
  for (const matrix_storage how : {matrix_storage::full, triangle})
    for (const int p : {5, 6}) {
      check_matrices<double, pointwise::mass<3>>(on_gpu(p, p + 1), 2,
                                                 {.first = 1, .count = 1, .how = how, .behind = 1});
      check_matrices<double, pointwise::mass<1>>(on_gpu(p, p + 2), 301, {.first = 1, .count = 299, .how = how});
    }
  // No more than a multiprocessor's worth of elements, and one.
  check_matrices<double, pointwise::mass<3>>(on_gpu(1, 2), 1, {});
  check_matrices<float, pointwise::mass<3>>(on_gpu(3, 5), 9, {.first = 8, .count = 1, .behind = 1});
}

TEST_CASE("gpu element matrices: nodal, mixed spaces, components, fewer points, D in float", "[fem][element][gpu]") {
  if (absent()) return;
  element_operator_options nodal = on_gpu(3, 4), mixed = on_gpu(3, 5), vector = on_gpu(2, 4), rounded = on_gpu(2, 4);
  nodal.rule = fem::points_kind::gauss_lobatto;
  mixed.test = fem::function_space{basis_kind::bernstein, 2};
  vector.components = 3;
  rounded.storage = point_storage::in_float;
  check_matrices_in_all_dimensions<double>(nodal, 2, {.count = 2});
  check_all_matrices<double, 2>(mixed, 5, {.count = 5, .behind = 1});
  check_all_matrices<double, 3>(mixed, 2, {.count = 2});
  check_matrices<double, pointwise::mass<3>>(vector, 2, {.count = 2});
  check_matrices<double, pointwise::mass<2>>(vector, 3, {.count = 3, .how = triangle});
  check_matrices<double, pointwise::mass<3>>(on_gpu(4, 3), 2, {.count = 2});
  check_all_matrices<double, 3>(rounded, 3, {.first = 1, .count = 2});
}

TEST_CASE("gpu element matrices: what has no kernel goes by columns", "[fem][element][gpu]") {
  if (absent()) return;
  element_operator_options o = on_gpu(10, 12);
  o.kind = operator_kind::diffusion;
  const std::vector<double> K(1728 * 6, 1.0);
  CHECK(element_operator<double>(3, 1, K.data(), o).describe_assembly() == "by columns");

  const std::vector<double> own(27 * 4, 0.5);
  const element_operator<double> A(
      source_function<double>(damping_of_cube{2.0}, "damping", own_source("damping_of_cube")), 1, own.data(),
      {.trial = {.order = 1}, .points = 3});
  CHECK(A.describe_assembly() == "by columns");
}

TEST_CASE("gpu element matrices: each distinct number of the mass once", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  for (const matrix_storage how : {matrix_storage::full, triangle}) {
    check_matrices<double, pointwise::mass<3>>(on_gpu(1, 3), 131, {.first = 1, .count = 129, .how = how, .behind = 1});
    check_matrices<double, pointwise::mass<3>>(on_gpu(2, 3), 9, {.first = 2, .count = 7, .how = how, .behind = 3});
    check_matrices<double, pointwise::mass<2>>(on_gpu(4, 6), 23, {.first = 1, .count = 21, .how = how});
    check_matrices<float, pointwise::mass<3>>(on_gpu(3, 5), 3, {.first = 1, .count = 2, .how = how, .behind = 1});
    check_matrices<double, pointwise::mass<3>>(on_gpu(6, 7), 1, {.how = how});
  }
}

template <int dim>
void check_symmetric(int p, int q, index_t elements, matrix_storage how) {
  element_operator_options o = on_gpu(p, q);
  o.kind = operator_kind::diffusion;
  check_matrices<double, pointwise::diffusion<dim>>(o, elements,
                                                    {.first = 1, .count = elements - 1, .how = how, .behind = p});
  check_matrices<double, pointwise::diffusion<dim>>(o, elements, {.count = 1, .how = how});
}

TEST_CASE("gpu element matrices: symmetric ones, small blocks", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  for (const matrix_storage how : {matrix_storage::full, triangle}) {
    check_symmetric<3>(1, 3, 46, how);
    check_symmetric<3>(2, 4, 10, how);
    check_symmetric<2>(2, 4, 90, how);
    check_symmetric<2>(4, 6, 10, how);
  }
  element_operator_options o = on_gpu(2, 3);
  o.kind = operator_kind::helmholtz;
  o.storage = point_storage::in_float;
  check_matrices<double, pointwise::helmholtz<3>>(o, 6, {.first = 1, .count = 5, .how = triangle});
}

TEST_CASE("gpu element matrices: symmetric ones in 2-D, by even and odd parts", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  for (const matrix_storage how : {matrix_storage::full, triangle}) {
    check_symmetric<2>(5, 7, 8, how);
    check_symmetric<2>(6, 7, 6, how);
    check_symmetric<2>(7, 9, 5, how);
    check_symmetric<2>(8, 10, 4, how);
  }
  element_operator_options o = on_gpu(6, 8);
  o.kind = operator_kind::helmholtz;
  check_matrices<double, pointwise::helmholtz<2>>(o, 4, {.first = 1, .count = 3, .behind = 1});
  o.storage = point_storage::in_float;
  check_matrices<double, pointwise::helmholtz<2>>(o, 4, {.first = 1, .count = 3, .how = triangle});
}

TEST_CASE("gpu element matrices: symmetric ones, large blocks", "[fem][element][gpu]") {
  if (absent()) return;
  for (const matrix_storage how : {matrix_storage::full, triangle}) {
    for (const auto& [p, q] : {std::pair{3, 4}, {3, 5}, {4, 5}, {4, 6}, {5, 6}, {5, 7}, {6, 7}, {7, 8}})
      check_symmetric<3>(p, q, p < 4 ? 3 : 2, how);
    for (const auto& [p, q] : {std::pair{5, 6}, {5, 8}, {6, 8}, {7, 8}, {8, 9}, {8, 10}})
      check_symmetric<2>(p, q, 41, how);
    // Helmholtz operators, D in float: by tiles and by slices in halves, by strips.
    for (const int p : {5, 6}) {
      element_operator_options o = on_gpu(p, p + 2);
      o.kind = operator_kind::helmholtz;
      o.storage = point_storage::in_float;
      check_matrices<double, pointwise::helmholtz<3>>(o, 3, {.first = 1, .count = 2, .how = how, .behind = 1});
    }
  }
}

TEST_CASE("gpu element matrices: symmetric ones by tiles and by strips", "[fem][element][gpu][sanitize]") {
  if (absent()) return;
  check_symmetric<3>(5, 6, 2, matrix_storage::full);
  for (const matrix_storage how : {matrix_storage::full, triangle}) check_symmetric<3>(6, 7, 2, how);
}

TEST_CASE("gpu element matrices: which kernel there is, in words", "[fem][element][gpu]") {
  if (absent()) return;
  const std::vector<double> D(512 * 6, 1.0);
  const auto says_of = [&](int dim, element_operator_options o, operator_kind kind, const char* words) {
    o.kind = kind;
    const std::string all = element_operator<double>(dim, 1, D.data(), o).describe_assembly();
    INFO(all);
    CHECK(all.find("compiled at run time: ") == 0);
    CHECK(all.find(words) != std::string::npos);
  };
  const auto says = [&](const auto&... what) { says_of(3, what...); };
  const auto says_of_2d = [&](const auto&... what) { says_of(2, what...); };
  says(on_gpu(2, 4), operator_kind::mass, "each distinct number once, 4 matrices by ");
  says(on_gpu(5, 7), operator_kind::mass, "each distinct number once, a slice of a matrix by ");
  says(on_gpu(2, 4), operator_kind::diffusion, "pairs of the last direction, by products of warps, 2 matrices by ");
  says(on_gpu(4, 6), operator_kind::diffusion, "pairs of the last direction, by lines in halves, 1 matrix by ");
  says(on_gpu(5, 7), operator_kind::diffusion,
       "pairs of the last direction, by lines in halves, tiles of a matrix by ");
  says(on_gpu(6, 8), operator_kind::diffusion, "strips of columns on tensor cores by ");
  says_of_2d(on_gpu(8, 10), operator_kind::diffusion, "pairs of the last direction, by even and odd parts, ");
  says(on_gpu(1, 3), operator_kind::helmholtz, "pairs of the last direction, a thread each, 10 matrices by ");
  says(on_gpu(2, 4), operator_kind::convection, " matrices by ");
  says(on_gpu(4, 6), operator_kind::convection, " strips of 5 columns by ");
  element_operator_options vector = on_gpu(2, 4);
  vector.components = 3;
  const std::string of_components = element_operator<double>(3, 1, D.data(), vector).describe_assembly();
  CHECK(of_components.find("distinct") == std::string::npos);
}

TEST_CASE("gpu element matrices: in a stream, twice the same bits, refusals", "[fem][element][gpu]") {
  if (absent()) return;
  const index_t elements = 37;
  const std::vector<double> D = seeded<double>(64 * elements, 1);
  const element_operator<double> A(3, elements, D.data(), on_gpu(2, 4));
  const std::vector<double> room(entry(729 * elements), 0.0);
  const placed<double> all(room, true), parts(room, true);
  const stream own;
  A.assemble(0, elements, all.data(), matrix_storage::full, own);
  for (index_t e = 0; e < elements; e += 3)
    A.assemble(e, std::min<index_t>(3, elements - e), parts.data() + 729 * e, matrix_storage::full, own);
  own.synchronize();
  CHECK(all.read() == parts.read());

  std::vector<double> host(729);
  check_failure(status::wrong_space, {"mass 3-D", "M is not in device memory"}, [&] { A.assemble(0, 1, host.data()); });
  check_failure(status::invalid_argument, {"2 elements from 36 on, of 37"}, [&] { A.assemble(36, 2, all.data()); });
}
