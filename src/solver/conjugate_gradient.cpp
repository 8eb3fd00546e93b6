// SPDX-License-Identifier: BSD-3-Clause
// Checks a system and solves it on a CPU, or gives it to the GPU's loop.
#include <tessera/solver/conjugate_gradient.hpp>

#include <functional>
#include <string>
#include <utility>

#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "../element/output_check.hpp"
#include "device_cg.hpp"
#include "host_cg.hpp"

namespace tessera {

namespace detail {

namespace {

[[noreturn]] void refuse_cg(const std::string& why, status code = status::invalid_argument) {
  throw error("conjugate_gradient: " + why, code);
}

void check_options(const conjugate_gradient_options& o, index_t size, space_kind space) {
  if (!(o.relative >= 0) || !(o.absolute >= 0))
    refuse_cg("tolerances " + std::to_string(o.relative) + " (relative) and " + std::to_string(o.absolute) +
              " (absolute), of which none may be negative");
  if (o.max_iterations < 0) refuse_cg(std::to_string(o.max_iterations) + " iterations at most");
  if (o.systems < 1 || o.systems > most_systems)
    refuse_cg(std::to_string(o.systems) + " systems, of 1 to " + std::to_string(most_systems));
  if (size % o.systems != 0)
    refuse_cg(std::to_string(size) + " numbers are not those of " + std::to_string(o.systems) + " systems of one size",
              status::shape_mismatch);
  if (space == space_kind::cpu && o.sums.on_stream && !o.sums.on_host)
    refuse_cg("sums over processes in a stream, for vectors in host memory");
}

template <class T>
void check_operators(const linear_operator<T>& A, const linear_operator<T>& M) {
  if (!A) refuse_cg("no operator", status::null_pointer);
  checked_product("conjugate_gradient: vectors", {A.size()}, sizeof(T));
  if (!M) return;
  if (M.size() != A.size())
    refuse_cg(
        "the operator has " + std::to_string(A.size()) + " numbers, the preconditioner " + std::to_string(M.size()),
        status::shape_mismatch);
  if (M.space() != A.space())
    refuse_cg(
        std::string("the operator is on a ") + name_of(A.space()) + ", the preconditioner on a " + name_of(M.space()),
        status::wrong_space);
}

template <class T>
void check_vectors(index_t n, const T* b, const T* x, space_kind space) {
  const auto refuse = [](const std::string& why, status code) {
    throw error("conjugate_gradient::solve: " + why, code);
  };
  if (n == 0) return;
  if (b == nullptr) refuse("b is a null pointer", status::null_pointer);
  if (x == nullptr) refuse("x is a null pointer", status::null_pointer);
  check_aligned("conjugate_gradient::solve: b", b);
  check_aligned("conjugate_gradient::solve: x", x);
  const std::less<const T*> before;
  if (before(b, x + n) && before(x, b + n))
    refuse("b and x overlap: " + std::to_string(n) + " numbers", status::overlap);
  if (space == space_kind::gpu && !(device::is_device_pointer(b) && device::is_device_pointer(x)))
    refuse("b and x are to be in device memory", status::wrong_space);
}

}  // namespace

}  // namespace detail

template <class T>
struct conjugate_gradient<T>::state {
  index_t size;
  space_kind space;
  int systems;
  std::unique_ptr<detail::host_cg<T>> on_cpu{};
  std::unique_ptr<detail::device_cg<T>> on_gpu{};

  solve_result solve(const T* b, T* x, bool from_zero, stream_view on) {
    if (systems != 1)
      detail::refuse_cg("solve is for one system, solve_each for the " + std::to_string(systems) + " of this solver");
    return std::move(solve_each(b, x, from_zero, on).front());
  }
  std::vector<solve_result> solve_each(const T* b, T* x, bool from_zero, stream_view on) {
    detail::check_vectors(size, b, static_cast<const T*>(x), space);
    return space == space_kind::cpu ? on_cpu->solve(b, x, from_zero) : on_gpu->solve(b, x, from_zero, on);
  }
};

template <class T>
conjugate_gradient<T>::conjugate_gradient(linear_operator<T> A, linear_operator<T> M,
                                          const conjugate_gradient_options& options) {
  detail::check_operators(A, M);
  detail::check_options(options, A.size(), A.space());
  state_ = std::make_unique<state>(state{A.size(), A.space(), options.systems});
  if (A.space() == space_kind::cpu)
    state_->on_cpu = std::make_unique<detail::host_cg<T>>(A, M, options);
  else
    state_->on_gpu = std::make_unique<detail::device_cg<T>>(A, M, options);
}
template <class T>
conjugate_gradient<T>::~conjugate_gradient() = default;
template <class T>
conjugate_gradient<T>::conjugate_gradient(conjugate_gradient&&) noexcept = default;
template <class T>
conjugate_gradient<T>& conjugate_gradient<T>::operator=(conjugate_gradient&&) noexcept = default;

template <class T>
solve_result conjugate_gradient<T>::solve(const T* b, T* x, stream_view on) {
  return state_->solve(b, x, false, on);
}
template <class T>
solve_result conjugate_gradient<T>::solve_from_zero(const T* b, T* x, stream_view on) {
  return state_->solve(b, x, true, on);
}
template <class T>
std::vector<solve_result> conjugate_gradient<T>::solve_each(const T* b, T* x, stream_view on) {
  return state_->solve_each(b, x, false, on);
}
template <class T>
std::vector<solve_result> conjugate_gradient<T>::solve_each_from_zero(const T* b, T* x, stream_view on) {
  return state_->solve_each(b, x, true, on);
}
template <class T>
index_t conjugate_gradient<T>::size() const {
  return state_->size;
}

template class conjugate_gradient<float>;
template class conjugate_gradient<double>;

}  // namespace tessera
