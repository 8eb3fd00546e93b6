// SPDX-License-Identifier: BSD-3-Clause
// Calls of LAPACK.
#include "lapack.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <tessera/error.hpp>

extern "C" {
// The lengths of the texts come last, as Fortran compilers pass them.
void dgesdd_(const char* job, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
             const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork, int* info,
             std::size_t);
void dgesvd_(const char* job_u, const char* job_vt, const int* m, const int* n, double* a, const int* lda, double* s,
             double* u, const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* info,
             std::size_t, std::size_t);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work,
             const int* lwork, int* info);
void dstev_(const char* job, const int* n, double* d, double* e, double* z, const int* ldz, double* work, int* info,
            std::size_t);
}

namespace tessera::spin_chain {

namespace {

// All min(rows, columns) singular values and vectors, or what the routine returns if it fails.
struct whole_svd {
  std::vector<double> U, values, VT;
  int info = 0;
};

whole_svd svd_by(svd_routine routine, std::vector<double> matrix, int rows, int columns) {
  const int least = std::min(rows, columns), query = -1;
  whole_svd all{.U = std::vector<double>(std::size_t(rows) * std::size_t(least)),
                .values = std::vector<double>(std::size_t(least)),
                .VT = std::vector<double>(std::size_t(least) * std::size_t(columns))};
  std::vector<int> integers(8 * std::size_t(least));
  const auto call = [&](double* work, const int* size) {
    if (routine == svd_routine::gesdd)
      dgesdd_("S", &rows, &columns, matrix.data(), &rows, all.values.data(), all.U.data(), &rows, all.VT.data(), &least,
              work, size, integers.data(), &all.info, 1);
    else
      dgesvd_("S", "S", &rows, &columns, matrix.data(), &rows, all.values.data(), all.U.data(), &rows, all.VT.data(),
              &least, work, size, &all.info, 1, 1);
  };
  double wanted = 0;
  call(&wanted, &query);
  const int size = int(wanted);
  std::vector<double> work(static_cast<std::size_t>(size));
  call(work.data(), &size);
  return all;
}

}  // namespace

svd_result truncated_svd(const std::vector<double>& matrix, index_t rows, index_t columns, index_t most,
                         svd_routine first) {
  const std::string name = "SVD of a matrix of " + std::to_string(rows) + " x " + std::to_string(columns);
  if (rows < 1 || columns < 1 || most < 1 || index_t(matrix.size()) != rows * columns)
    throw error(name + ", given by " + std::to_string(matrix.size()) + " numbers, to " + std::to_string(most) +
                " values");
  if (!std::all_of(matrix.begin(), matrix.end(), [](double a) { return std::isfinite(a); }))
    throw error(name + ": it has entries that are not finite");
  whole_svd all = svd_by(first, matrix, int(rows), int(columns));
  if (all.info != 0 && first == svd_routine::gesdd) all = svd_by(svd_routine::gesvd, matrix, int(rows), int(columns));
  if (all.info != 0) throw error(name + " does not converge: dgesvd returned " + std::to_string(all.info));

  svd_result result;
  const index_t least = std::min(rows, columns);
  result.kept = std::min(most, least);
  double sum = 0, left = 0;
  for (index_t i = least; i-- > 0;) {
    const double square = all.values[std::size_t(i)] * all.values[std::size_t(i)];
    sum += square;
    if (i >= result.kept) left += square;
  }
  result.discarded = sum > 0 ? left / sum : 0;
  all.U.resize(std::size_t(rows * result.kept));
  all.values.resize(std::size_t(result.kept));
  result.U = std::move(all.U);
  result.values = std::move(all.values);
  for (index_t j = 0; j < columns; ++j)
    for (index_t i = 0; i < result.kept; ++i) result.VT.push_back(all.VT[std::size_t(i + j * least)]);
  return result;
}

qr_result orthogonal_factor(std::vector<double> matrix, index_t rows, index_t columns) {
  const std::string name = "QR of a matrix of " + std::to_string(rows) + " x " + std::to_string(columns);
  if (rows < 1 || columns < 1 || index_t(matrix.size()) != rows * columns)
    throw error(name + ", given by " + std::to_string(matrix.size()) + " numbers");
  const int m = int(rows), n = int(columns), kept = std::min(m, n), query = -1;
  std::vector<double> tau(static_cast<std::size_t>(kept));
  int info = 0;
  const auto with_workspace = [&](const auto& call, const char* routine) {
    double wanted = 0;
    call(&wanted, &query);
    const int size = int(wanted);
    std::vector<double> work(static_cast<std::size_t>(size));
    call(work.data(), &size);
    if (info != 0) throw error(name + ": " + routine + " returned " + std::to_string(info));
  };
  with_workspace(
      [&](double* work, const int* size) { dgeqrf_(&m, &n, matrix.data(), &m, tau.data(), work, size, &info); },
      "dgeqrf");
  qr_result result{.Q = {}, .R = std::vector<double>(std::size_t(kept) * std::size_t(columns)), .kept = kept};
  for (index_t j = 0; j < columns; ++j)
    for (index_t i = 0; i <= std::min<index_t>(j, kept - 1); ++i)
      result.R[std::size_t(i + j * kept)] = matrix[std::size_t(i + j * rows)];
  matrix.resize(std::size_t(rows) * std::size_t(kept));
  with_workspace([&](double* work,
                     const int* size) { dorgqr_(&m, &kept, &kept, matrix.data(), &m, tau.data(), work, size, &info); },
                 "dorgqr");
  result.Q = std::move(matrix);
  return result;
}

lowest_pair lowest_of_tridiagonal(std::vector<double> diagonal, std::vector<double> beside) {
  const int n = int(diagonal.size());
  std::vector<double> vectors(diagonal.size() * diagonal.size()), work(2 * diagonal.size());
  beside.resize(diagonal.size());
  int info = 0;
  dstev_("V", &n, diagonal.data(), beside.data(), vectors.data(), &n, work.data(), &info, 1);
  if (info != 0)
    throw error("eigenvalues of a tridiagonal matrix of " + std::to_string(n) + " rows: dstev returned " +
                std::to_string(info));
  vectors.resize(diagonal.size());
  return {diagonal.front(), vectors};
}

}  // namespace tessera::spin_chain
