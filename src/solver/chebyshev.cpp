// SPDX-License-Identifier: BSD-3-Clause
// Chebyshev's iteration for D^-1 A from zero, with eigenvalues that conjugate gradients estimate.
#include <tessera/solver/chebyshev.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "vectors.hpp"

namespace tessera {

namespace detail {

// z = p(D^-1 A) D^-1 r. See Saad, Iterative Methods for Sparse Linear Systems, algorithm 12.1.
template <class T>
struct chebyshev_iteration {
  linear_operator<T> A, D;
  int degree;
  double middle, half;  // of the range
  vector_memory<T> q, step;

  void run(const T* r, T* z, stream_view on) const {
    const space_kind space = A.space();
    const index_t n = A.size();
    const T* const d = D.diagonal();
    multiply(space, n, 1 / middle, d, r, z, on);
    const double sigma = middle / half;
    double rho = 1 / sigma;
    for (int k = 1; k < degree; ++k) {
      A.apply(z, q.data(), on);
      const double next = 1 / (2 * sigma - rho);
      const T* const before = k == 1 ? z : step.data();
      chebyshev_step(space, n, next * rho, 2 * next / half, d, r, static_cast<const T*>(q.data()), before, step.data(),
                     z, on);
      rho = next;
    }
  }
};

}  // namespace detail

namespace {

[[noreturn]] void refuse_chebyshev(const std::string& why, status code = status::invalid_argument) {
  throw error("chebyshev: " + why, code);
}

// Numbers in [-1, 1) that have something of every eigenvector: the same ones always.
template <class T>
std::vector<T> fixed_numbers(index_t n) {
  std::vector<T> numbers(static_cast<std::size_t>(n));
  std::uint64_t state = 1;
  for (T& number : numbers) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    number = T(double(state >> 11) / double(std::uint64_t(1) << 52) - 1);
  }
  return numbers;
}

template <class T>
eigenvalue_range estimated_range(const linear_operator<T>& A, const linear_operator<T>& D, const chebyshev_options& o) {
  const std::vector<T> numbers = fixed_numbers<T>(A.size());
  const detail::vector_memory<T> x(A.space(), A.size()), there(A.space(), A.space() == space_kind::gpu ? A.size() : 0);
  const T* b = numbers.data();
  if (A.space() == space_kind::gpu) {
    device::copy(there.data(), b, numbers.size() * sizeof(T), device::direction::host_to_device);
    b = there.data();
  }
  conjugate_gradient<T> solver(
      A, D, {.relative = 1e-6, .max_iterations = o.estimate_iterations, .sums = o.sums, .graph = false});
  const solve_result found = solver.solve_from_zero(b, x.data());
  if (!found.solved() && found.outcome != solve_outcome::iteration_limit)
    refuse_chebyshev("no estimate of eigenvalues: " + found.describe());
  return estimated_eigenvalues(found);
}

// The eigenvalues to damp, as given or estimated.
template <class T>
eigenvalue_range damped_range(const linear_operator<T>& A, const linear_operator<T>& D, const chebyshev_options& o) {
  eigenvalue_range range = o.eigenvalues;
  constexpr double safety = 1.2;  // the estimate is from below
  if (range.largest == 0) range.largest = safety * estimated_range(A, D, o).largest;
  if (range.largest == 0) range.largest = 1;  // no numbers, or no right-hand side
  if (range.smallest == 0) range.smallest = range.largest / o.range;
  if (!(range.smallest > 0 && range.largest > range.smallest && std::isfinite(range.largest)))
    refuse_chebyshev("eigenvalues from " + std::to_string(range.smallest) + " to " + std::to_string(range.largest) +
                     " are no range of positive numbers");
  return range;
}

}  // namespace

template <class T>
linear_operator<T> chebyshev(const linear_operator<T>& A, const linear_operator<T>& D,
                             const chebyshev_options& options) {
  if (!A) refuse_chebyshev("no operator", status::null_pointer);
  if (D.diagonal() == nullptr) refuse_chebyshev("D is not what jacobi gives");
  if (A.size() != D.size() || A.space() != D.space())
    refuse_chebyshev("A has " + std::to_string(A.size()) + " numbers on a " + name_of(A.space()) + ", D " +
                         std::to_string(D.size()) + " on a " + name_of(D.space()),
                     status::shape_mismatch);
  if (options.degree < 1) refuse_chebyshev("degree " + std::to_string(options.degree));
  if (options.estimate_iterations < 1)
    refuse_chebyshev(std::to_string(options.estimate_iterations) + " iterations for the estimate");
  const eigenvalue_range range = damped_range(A, D, options);
  const index_t steps = options.degree > 1 ? A.size() : 0;
  const auto made = std::make_shared<const detail::chebyshev_iteration<T>>(
      detail::chebyshev_iteration<T>{A,
                                     D,
                                     options.degree,
                                     0.5 * (range.largest + range.smallest),
                                     0.5 * (range.largest - range.smallest),
                                     {A.space(), steps},
                                     {A.space(), steps}});
  return {A.size(), [made](const T* r, T* z, stream_view on) { made->run(r, z, on); }, A.space()};
}

template linear_operator<float> chebyshev(const linear_operator<float>&, const linear_operator<float>&,
                                          const chebyshev_options&);
template linear_operator<double> chebyshev(const linear_operator<double>&, const linear_operator<double>&,
                                           const chebyshev_options&);

}  // namespace tessera
