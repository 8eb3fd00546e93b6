// SPDX-License-Identifier: BSD-3-Clause
// Checks a batch of matrices and its vectors, and gives them to the CPU's or the GPU's kernels.
#include <tessera/solver/batched_cholesky.hpp>

#include <cstdio>
#include <functional>
#include <sstream>

#include <tessera/cpu/detail/cholesky.hpp>
#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/cholesky.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>
#include <tessera/scalar.hpp>

#include "../element/output_check.hpp"

namespace tessera {

namespace {

[[noreturn]] void refuse_cholesky(const std::string& why, status code = status::invalid_argument) {
  throw error("batched_cholesky: " + why, code);
}

template <class T>
void check_matrices(index_t n, index_t count, const T* A, space_kind space) {
  if (n < 1 || n > detail::most_cholesky_rows)
    refuse_cholesky("matrices of " + std::to_string(n) + " rows; it takes 1 to " +
                    std::to_string(detail::most_cholesky_rows));
  detail::checked_product("batched_cholesky: A", {count, n, n}, sizeof(T));
  if (space == space_kind::gpu && !device::available()) refuse_cholesky(device::why_not_available(), status::no_device);
  if (count == 0) return;
  if (A == nullptr) refuse_cholesky("A is a null pointer", status::null_pointer);
  detail::check_aligned("batched_cholesky: A", A);
  if (space == space_kind::gpu && !device::is_device_pointer(A))
    refuse_cholesky("A is to be in device memory", status::wrong_space);
}

template <class T>
void check_cholesky_vectors(index_t size, const T* b, const T* x, space_kind space) {
  const auto refuse = [](const std::string& why, status code) { throw error("batched_cholesky::solve: " + why, code); };
  if (b == nullptr) refuse("b is a null pointer", status::null_pointer);
  if (x == nullptr) refuse("x is a null pointer", status::null_pointer);
  detail::check_aligned("batched_cholesky::solve: b", b);
  detail::check_aligned("batched_cholesky::solve: x", x);
  const std::less<const T*> before;
  if (b != x && before(b, x + size) && before(x, b + size))
    refuse("b and x overlap: " + std::to_string(size) + " numbers", status::overlap);
  if (space == space_kind::gpu && !(device::is_device_pointer(b) && device::is_device_pointer(x)))
    refuse("b and x are to be in device memory", status::wrong_space);
}

void check_factored(const detail::cholesky_failure& failure) {
  if (failure.matrix < 0) return;
  std::ostringstream text;
  text << "matrix " << failure.matrix << " is not positive definite: pivot " << failure.row << " is " << failure.pivot
       << (failure.pivot > 0 ? ", which has no inverse" : "");
  refuse_cholesky(text.str());
}

}  // namespace

template <class T>
struct batched_cholesky<T>::state {
  int n;
  index_t count;
  const detail::cholesky_kernels<T>* by;  // null on a GPU
  buffer factors;

  state(int rows, index_t matrices, const T* A, space_kind space, stream_view on)
      : n(rows), count(matrices), by(space == space_kind::cpu ? &detail::chosen_cholesky_kernels<T>() : nullptr) {
    const index_t numbers = by != nullptr ? detail::cholesky_numbers(n) * by->lanes * by->blocks(count)
                                          : device::cholesky_stride<T>(n) * count;
    factors = buffer(space, std::size_t(numbers) * sizeof(T));
    T* const L = static_cast<T*>(factors.data());
    check_factored(by != nullptr ? detail::factor_cholesky(*by, n, count, A, L)
                                 : device::factor_cholesky(n, count, A, L, on.handle()));
  }

  void solve(const T* b, T* x, stream_view on) const {
    const T* const L = static_cast<const T*>(factors.data());
    if (by != nullptr)
      detail::solve_cholesky(*by, n, count, L, b, x);
    else
      device::solve_cholesky(n, count, L, b, x, on.handle());
  }
};

template <class T>
batched_cholesky<T>::batched_cholesky(index_t n, index_t count, const T* A, space_kind space, stream_view on) {
  check_matrices(n, count, A, space);
  state_ = std::make_shared<const state>(int(n), count, A, space, on);
}

template <class T>
void batched_cholesky<T>::solve(const T* b, T* x, stream_view on) const {
  if (matrices() == 0) return;
  check_cholesky_vectors(size(), b, static_cast<const T*>(x), space());
  state_->solve(b, x, on);
}
template <class T>
index_t batched_cholesky<T>::size() const {
  return state_->n * state_->count;
}
template <class T>
index_t batched_cholesky<T>::rows() const {
  return state_->n;
}
template <class T>
index_t batched_cholesky<T>::matrices() const {
  return state_->count;
}
template <class T>
space_kind batched_cholesky<T>::space() const {
  return state_->by != nullptr ? space_kind::cpu : space_kind::gpu;
}

template <class T>
std::string batched_cholesky<T>::describe() const {
  const std::string rows = std::to_string(state_->n);
  char megabytes[32];
  std::snprintf(megabytes, sizeof megabytes, "%.1f", double(state_->factors.bytes()) / 1e6);
  std::string text = std::string("batched_cholesky ") + name_of(scalar_of<T>) + ": " + std::to_string(matrices()) +
                     " matrices of " + rows + "x" + rows + ", " + megabytes + " MB, ";
  if (state_->by == nullptr) return text + "on cuda";
  return text + std::to_string(state_->by->lanes) + " at a time on " + name_of(state_->by->isa);
}

template class batched_cholesky<float>;
template class batched_cholesky<double>;

}  // namespace tessera
