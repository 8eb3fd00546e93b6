// SPDX-License-Identifier: BSD-3-Clause
// Runs and checks solves.
#include "solve_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <tessera/solver/jacobi.hpp>

#include "measure/limits/cpu.hpp"

namespace tessera::bench {

namespace {

buffer vector_in(space_kind space, std::size_t bytes, const void* from = nullptr) {
  buffer made(space, bytes);
  if (from != nullptr) copy_memory(made.data(), from, bytes);
  return made;
}

}  // namespace

template <class T>
solve_case<T>::solve_case(const global_case<T>& made, int iterations)
    : made_(made),
      b_(vector_in(made.A->space(), made.y.size_bytes(), made.y.data())),
      z_(vector_in(made.A->space(), made.y.size_bytes())),
      solver_(*made.A, jacobi(*made.A),
              {.relative = double(std::numeric_limits<T>::epsilon()) / 4, .max_iterations = iterations}) {}

template <class T>
std::vector<T> solve_case<T>::solution() const {
  std::vector<T> z(made_.y.size());
  copy_memory(z.data(), z_.data(), z_.bytes());
  return z;
}

template <class T>
verdict solve_case<T>::check() const {
  if (found_.outcome != solve_outcome::iteration_limit && !found_.solved())
    return {std::numeric_limits<double>::infinity(), 0};
  return check(solution(), residual());
}

template <class T>
verdict solve_case<T>::check(const std::vector<T>& z, double reported) const {
  const space_kind space = made_.A->space();
  const buffer x = vector_in(space, z_.bytes(), z.data()), y = vector_in(space, z_.bytes());
  made_.A->apply(static_cast<const T*>(x.data()), static_cast<T*>(y.data()));
  std::vector<T> b(z.size()), Az(z.size());
  copy_memory(b.data(), b_.data(), b_.bytes());
  copy_memory(Az.data(), y.data(), y.bytes());
  double bb = 0, rr = 0, zz = 0, zr = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double r = double(b[i]) - double(Az[i]);
    bb += double(b[i]) * double(b[i]);
    rr += r * r;
    zz += double(z[i]) * double(z[i]);
    zr += double(z[i]) * r;
  }
  const double off = std::abs(std::sqrt(rr) - reported) / std::sqrt(bb), skew = std::abs(zr) / std::sqrt(zz * bb);
  // Roundings of all iterations add up; a wrong step is far above.
  const verdict v{std::max(off, skew), 65536 * double(std::numeric_limits<T>::epsilon())};
  return std::isnan(off + skew) ? verdict{std::numeric_limits<double>::infinity(), v.bound} : v;
}

iteration_movement::iteration_movement(std::span<const std::byte> D, std::size_t vector_bytes)
    : D_(reinterpret_cast<const double*>(D.data())),
      data_(D.size() / sizeof(double)),
      vector_(vector_bytes / sizeof(double)),
      vectors_(space_kind::cpu, 5 * vector_bytes) {}

void iteration_movement::run(bool streaming, int threads) const {
  double *const x = static_cast<double*>(vectors_.data()), *const p = x + vector_, *const q = p + vector_;
  const double* const diagonal = q + vector_;
  double* const r = q + 2 * vector_;
  // D, p -> q; q, diagonal, r -> r; diagonal, r, x, p -> x, p
  move_once({.a = D_, .b = p, .c = q, .na = data_, .nb = vector_, .nc = vector_}, false, streaming, threads);
  move_once({.a = q, .b = r, .c = r, .na = 2 * vector_, .nb = 0, .nc = vector_}, true, false, threads);
  move_once({.a = diagonal, .b = r, .c = x, .na = 2 * vector_, .nb = 0, .nc = 2 * vector_}, true, false, threads);
}

template class solve_case<float>;
template class solve_case<double>;

}  // namespace tessera::bench
