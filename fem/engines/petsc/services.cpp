// SPDX-License-Identifier: BSD-3-Clause
// Loads, given values and errors of what a matrix of Tessera's is about.
#include <tessera/fem/norms.hpp>
#include <tessera/fem/points.hpp>
#include <tessera/memory.hpp>

#include <algorithm>
#include <cmath>

#include "errors.hpp"
#include "plex_matrix.hpp"

namespace tessera::petsc {

namespace {

// f at all points, in their order: the caller's function need not be ready for threads.
std::vector<double> values_at(const fem::element_points<double>& points, tessera_petsc_function f, void* context) {
  if (f == nullptr) throw error("null function", status::null_pointer);
  const index_t count = points.count() * points.points();
  const int dim = points.dim(), components = points.components();
  std::vector<double> x(std::size_t(dim * count)), values(std::size_t(components * count));
  points.coordinates(x.data());
  for (index_t k = 0; k < count; ++k)
    check(f(dim, 0, &x[std::size_t(dim * k)], components, &values[std::size_t(components * k)], context));
  return values;
}

}  // namespace

void plex_matrix::check_load(Vec b) const {
  PetscInt size = 0;
  check(VecGetLocalSize(b, &size));
  if (size != cells.owned)
    throw error("b has " + std::to_string(size) + " numbers, A " + std::to_string(cells.owned), status::shape_mismatch);
}

void plex_matrix::add_up(const std::vector<double>& numbers, Vec b) const {
  const fem::halo_exchange<double> exchange = exchanged.exchange(space_kind::cpu);
  std::vector<double> sums(exchanged.sent().size());
  const double* const received = numbers.data() + cells.owned;
  exchange.begin_sum(received, sums.data(), {});
  exchange.end_sum(received, sums.data(), {});
  const array_of to(b, true);
  std::copy_n(numbers.begin(), cells.owned, to.data());
  for (std::size_t k = 0; k < sums.size(); ++k) to.data()[exchanged.sent()[k]] += sums[k];
}

std::vector<double> plex_matrix::numbers_of(Vec local) const {
  PetscInt size = 0;
  check(VecGetLocalSize(local, &size));
  if (size != cells.local_size)
    throw error("a vector of " + std::to_string(size) + " numbers; local vectors of the DM have " +
                    std::to_string(cells.local_size),
                status::shape_mismatch);
  const array_of from(local, false);
  std::vector<double> numbers;
  for (const PetscInt k : cells.local) numbers.push_back(k < 0 ? 0.0 : from.data()[k]);
  return numbers;
}

}  // namespace tessera::petsc

using namespace tessera::petsc;

PetscErrorCode tessera_petsc_load(Mat A, tessera_petsc_function f, void* context, Vec b) {
  return guarded(__func__, __FILE__, __LINE__, [&] {
    const plex_matrix& m = matrix_of(A);
    m.check_load(b);
    const tessera::restriction unknowns = m.cells.unknowns();
    const tessera::fem::element_points<double> points(m.cells.nodes(), m.options);
    std::vector<double> numbers(m.cells.local.size());
    points.load(values_at(points, f, context).data(), {numbers.data(), unknowns});
    m.add_up(numbers, b);
  });
}

PetscErrorCode tessera_petsc_subtract_boundary(Mat A, Vec local, Vec b) {
  return guarded(__func__, __FILE__, __LINE__, [&] {
    const plex_matrix& m = matrix_of(A);
    m.check_load(b);
    std::vector<double> values = m.numbers_of(local), sums(std::size_t(m.cells.owned));
    const tessera::buffer there(m.A.space(), sums.size() * sizeof(double));
    values.erase(values.begin(), values.begin() + m.cells.owned);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (m.cells.received[k] >= 0) values[k] = 0;
    m.A.apply_received(values.data(), static_cast<double*>(there.data()));
    tessera::copy_memory(sums.data(), there.data(), there.bytes());
    PetscScalar* to = nullptr;
    check(VecGetArray(b, &to));
    for (std::size_t k = 0; k < sums.size(); ++k) to[k] -= sums[k];
    check(VecRestoreArray(b, &to));
  });
}

PetscErrorCode tessera_petsc_l2_error(Mat A, tessera_petsc_function f, void* context, Vec local, PetscReal* result) {
  return guarded(__func__, __FILE__, __LINE__, [&] {
    if (result == nullptr) throw tessera::error("null result pointer", tessera::status::null_pointer);
    const plex_matrix& m = matrix_of(A);
    const tessera::restriction unknowns = m.cells.unknowns();
    const std::vector<double> numbers = m.numbers_of(local);
    tessera::fem::element_operator_options finer = m.options;
    finer.points = m.cells.field.order + 3;
    finer.rule = tessera::fem::points_kind::gauss;
    const tessera::fem::element_points<double> points(m.cells.nodes(), finer);
    const double own = tessera::fem::l2_error(points, {numbers.data(), unknowns}, values_at(points, f, context).data());
    double square = own * own, all = 0;
    check(PetscErrorCode(MPI_Allreduce(&square, &all, 1, MPI_DOUBLE, MPI_SUM, m.comm)));
    *result = std::sqrt(all);
  });
}
