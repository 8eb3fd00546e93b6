// SPDX-License-Identifier: BSD-3-Clause
// Singular values, tridiagonal matrices and Lanczos' method of spin_chain.
#include "lanczos.hpp"
#include "lapack.hpp"

#include <cmath>
#include <limits>

#include "exact_chain.hpp"

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;
namespace sc = tessera::spin_chain;

namespace {

std::vector<double> fractions(index_t count, unsigned seed) {
  std::vector<double> all;
  unsigned state = seed * 2654435761u + 1u;
  for (index_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    all.push_back(double(state) / 2147483648.0 - 1);
  }
  return all;
}

// sum over k of U(i,k) values(k) VT(k,j)
double entry_of(const sc::svd_result& of, index_t rows, index_t i, index_t j) {
  double sum = 0;
  for (index_t k = 0; k < of.kept; ++k)
    sum += of.U[std::size_t(i + k * rows)] * of.values[std::size_t(k)] * of.VT[std::size_t(k + j * of.kept)];
  return sum;
}

}  // namespace

TEST_CASE("orthogonal factors of tall, wide and singular matrices") {
  for (const auto& [rows, columns] : {std::pair<index_t, index_t>{6, 3}, {3, 6}, {4, 4}, {1, 5}, {5, 1}}) {
    INFO(rows << " x " << columns);
    std::vector<double> matrix = fractions(rows * columns, 3);
    if (columns > 2)
      for (index_t i = 0; i < rows; ++i) matrix[std::size_t(i + rows)] = 2 * matrix[std::size_t(i)];
    const sc::qr_result of = sc::orthogonal_factor(matrix, rows, columns);
    REQUIRE(of.kept == std::min(rows, columns));
    REQUIRE(of.Q.size() == std::size_t(rows * of.kept));
    for (index_t j = 0; j < columns; ++j)
      for (index_t i = 0; i < rows; ++i) {
        double sum = 0;
        for (index_t k = 0; k < of.kept; ++k)
          sum += of.Q[std::size_t(i + k * rows)] * of.R[std::size_t(k + j * of.kept)];
        CHECK(std::abs(sum - matrix[std::size_t(i + j * rows)]) < 1e-14);
      }
    for (index_t j = 0; j < of.kept; ++j)
      for (index_t k = 0; k < of.kept; ++k) {
        double sum = 0;
        for (index_t i = 0; i < rows; ++i) sum += of.Q[std::size_t(i + j * rows)] * of.Q[std::size_t(i + k * rows)];
        CHECK(std::abs(sum - (j == k)) < 1e-14);
        if (j > k) CHECK(of.R[std::size_t(j + k * of.kept)] == 0);
      }
  }
  check_failure(status::invalid_argument, {"QR of a matrix of 2 x 3", "5 numbers"},
                [] { sc::orthogonal_factor(std::vector<double>(5), 2, 3); });
}

TEST_CASE("singular values rebuild a matrix, and what is cut is as large as reported") {
  for (const auto routine : {sc::svd_routine::gesdd, sc::svd_routine::gesvd})
    for (const auto& [rows, columns] : {std::pair<index_t, index_t>{12, 7}, {7, 12}, {1, 5}, {9, 9}}) {
      const std::vector<double> M = fractions(rows * columns, 3);
      double all = 0;
      for (const double m : M) all += m * m;
      for (const index_t most : {index_t{100}, index_t{4}, index_t{1}}) {
        INFO(rows << " x " << columns << " to " << most);
        const sc::svd_result found = sc::truncated_svd(M, rows, columns, most, routine);
        REQUIRE(found.kept == std::min({rows, columns, most}));
        REQUIRE(index_t(found.U.size()) == rows * found.kept);
        REQUIRE(index_t(found.VT.size()) == found.kept * columns);
        double off = 0;
        for (index_t j = 0; j < columns; ++j)
          for (index_t i = 0; i < rows; ++i)
            off += std::pow(entry_of(found, rows, i, j) - M[std::size_t(i + j * rows)], 2);
        CHECK(std::abs(off / all - found.discarded) < 1e-13);
        if (found.kept == std::min(rows, columns)) CHECK(found.discarded == 0);
        for (index_t k = 0; k < found.kept; ++k)
          for (index_t l = 0; l < found.kept; ++l) {
            double product = 0;
            for (index_t i = 0; i < rows; ++i)
              product += found.U[std::size_t(i + k * rows)] * found.U[std::size_t(i + l * rows)];
            CHECK(std::abs(product - (k == l)) < 1e-13);
          }
      }
    }
}

TEST_CASE("singular values of what is no matrix") {
  std::vector<double> M = fractions(12, 1);
  check_failure(status::invalid_argument, {"3 x 5", "12 numbers"}, [&] { sc::truncated_svd(M, 3, 5, 2); });
  check_failure(status::invalid_argument, {"3 x 4", "to 0 values"}, [&] { sc::truncated_svd(M, 3, 4, 0); });
  M[5] = std::numeric_limits<double>::quiet_NaN();
  check_failure(status::invalid_argument, {"3 x 4", "not finite"}, [&] { sc::truncated_svd(M, 3, 4, 2); });
}

TEST_CASE("the lowest eigenvector of a tridiagonal matrix") {
  // 2 on the diagonal, -1 beside it: 2 - 2 cos(pi / (n + 1)).
  const int n = 9;
  const sc::lowest_pair found =
      sc::lowest_of_tridiagonal(std::vector<double>(n, 2.0), std::vector<double>(n - 1, -1.0));
  const double pi = std::acos(-1.0);
  CHECK(std::abs(found.value - (2 - 2 * std::cos(pi / (n + 1)))) < 1e-14);
  for (int i = 0; i < n; ++i) {
    const double sine = std::sin(pi * (i + 1) / (n + 1)) * std::sqrt(2. / (n + 1));
    CHECK(std::abs(std::abs(found.vector[std::size_t(i)]) - sine) < 1e-14);
  }
}

namespace {

// 64 states of 6 spins as a tensor of 2 x 4 x 8, its sums over 8 rows of 8. H is applied on the host.
void check_ground_state(space_kind where) {
  const int sites = 6;
  const std::size_t size = 64;
  const std::vector<double> H = chain_matrix(sites);
  const auto times_H = [&](const std::vector<double>& x) {
    std::vector<double> y(size, 0.0);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) y[i] += H[i + size * j] * x[j];
    return y;
  };
  const auto apply = [&](const operand& in, const operand& out) {
    std::vector<double> x(size);
    copy_memory(x.data(), in.data, size * sizeof(double));
    copy_memory(const_cast<void*>(out.data), times_H(x).data(), size * sizeof(double));
  };
  const double exact = exact_by_diagonalisation(sites);
  sc::lanczos solver(where, {2, 4, 8}, 8, 30);
  // Again with the same solver: nothing of the first run is left.
  for (const unsigned seed : {1u, 2u}) {
    sc::packed_tensor x(where, {2, 4, 8}, fractions(64, seed));
    const sc::lanczos_result found = solver.run(x, apply, 1e-9);
    CHECK(std::abs(found.value - exact) < 1e-13);
    CHECK(found.residual <= 1e-9);
    CHECK(found.applications < 30);
    const std::vector<double> v = x.numbers(), Hv = times_H(v);
    double residual = 0, norm = 0;
    for (std::size_t i = 0; i < size; ++i) {
      residual += std::pow(Hv[i] - found.value * v[i], 2);
      norm += v[i] * v[i];
    }
    CHECK(std::abs(norm - 1) < 1e-13);
    CHECK(std::abs(std::sqrt(residual) - found.residual) < 1e-12);
    // From the solution one application is enough.
    CHECK(solver.run(x, apply, 1e-8).applications == 1);
  }
}

}  // namespace

TEST_CASE("Lanczos' method finds the ground state of all spins") { check_ground_state(space_kind::cpu); }

TEST_CASE("Lanczos' method with vectors on a GPU finds the ground state") {
  if (no_gpu()) return;
  check_ground_state(space_kind::gpu);
}

TEST_CASE("Lanczos' method where it cannot go on") {
  sc::lanczos solver(space_kind::cpu, {3}, 3, 10);
  sc::packed_tensor x(space_kind::cpu, {3});
  const auto twice = [](const operand& in, const operand& out) {
    for (int i = 0; i < 3; ++i)
      static_cast<double*>(const_cast<void*>(out.data))[i] = 2 * static_cast<const double*>(in.data)[i];
  };
  check_failure(status::invalid_argument, {"3 numbers", "0.0"}, [&] { solver.run(x, twice, 1e-10); });
  x.set(std::vector<double>{1, 2, 3});
  CHECK(solver.run(x, twice, 1e-10).value == Approx(2).epsilon(1e-15));
  const auto bad = [](const operand&, const operand& out) {
    static_cast<double*>(const_cast<void*>(out.data))[1] = std::numeric_limits<double>::infinity();
  };
  check_failure(status::invalid_argument, {"vector 1", "not finite"}, [&] { solver.run(x, bad, 1e-10); });
}
