// SPDX-License-Identifier: BSD-3-Clause
// linear_operator: y = A x as solvers call it: an operator of Tessera's, a function of the caller, or a diagonal.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <tessera/core/types.hpp>
#include <tessera/memory.hpp>
#include <tessera/stream.hpp>

namespace tessera {

namespace detail {

template <class Operator, class... Arguments>
concept applies = requires(const Operator& A, Arguments... arguments) {
  { A.size() } -> std::convertible_to<index_t>;
  A.apply(arguments...);
};
template <class Operator, class X, class Y>
concept applies_with_dot = requires(const Operator& A, X x, Y y, double* dot) {
  A.apply_with_dot(x, y, dot, stream_view{});
};

}  // namespace detail

/// y = A x on vectors of size() numbers in one memory space. Copies share what they refer to.
template <class T>
class linear_operator {
 public:
  /// x and y do not overlap. On a GPU it queues its work in `on`. What it throws reaches the caller of the solver.
  using function = std::function<void(const T* x, T* y, stream_view on)>;
  /// Also *dot = x.y, in the vectors' memory; over this process's numbers, where a solver completes sums over several.
  using function_with_dot = std::function<void(const T* x, T* y, double* dot, stream_view on)>;

  /// None. As a preconditioner: the identity.
  linear_operator() = default;

  /// f(x, y, on), or f(x, y) in host memory.
  template <class F>
    requires(std::is_invocable_v<F&, const T*, T*, stream_view>)
  linear_operator(index_t size, F f, space_kind space = space_kind::cpu)
      : size_(size), space_(space), apply_(std::move(f)) {}
  template <class F>
    requires(std::is_invocable_v<F&, const T*, T*> && !std::is_invocable_v<F&, const T*, T*, stream_view>)
  linear_operator(index_t size, F f)
      : size_(size), apply_([f = std::move(f)](const T* x, T* y, stream_view) mutable { f(x, y); }) {}

  /// An object with size() and apply(x, y), in host memory, or with apply(x, y, on) and space(), such as
  /// fem::global_operator, and perhaps apply_with_dot(x, y, dot, on). It is not copied, and must stay.
  template <class Operator>
    requires(detail::applies<Operator, const T*, T*> && !std::same_as<Operator, linear_operator>)
  linear_operator(const Operator& A) : linear_operator(square_size(A), applying(A), space_of_operator(A)) {
    take_dot_of(A);
  }
  template <class Operator>
    requires(detail::applies<Operator, const T*, T*, stream_view>)
  linear_operator(const Operator& A, space_kind space)
      : linear_operator(
            square_size(A), [&A](const T* x, T* y, stream_view on) { A.apply(x, y, on); }, space) {
    take_dot_of(A);
  }
  /// Of an object that ends with the statement: it would dangle.
  template <class Operator>
    requires(detail::applies<Operator, const T*, T*> && !std::same_as<Operator, linear_operator>)
  linear_operator(const Operator&&)
  = delete;
  template <class Operator>
    requires(detail::applies<Operator, const T*, T*, stream_view>)
  linear_operator(const Operator&&, space_kind)
  = delete;

  /// The same, which also gives x.y: conjugate gradients then have p.Ap without reading p and Ap once more.
  linear_operator with_dot(function_with_dot f) const {
    linear_operator made = *this;
    made.apply_with_dot_ = std::move(f);
    return made;
  }

  /// A matrix that has these numbers on its diagonal, and 0 elsewhere: solvers fuse it with their own loops.
  static linear_operator diagonal(index_t size, std::shared_ptr<const buffer> numbers);

  explicit operator bool() const { return apply_ != nullptr; }
  index_t size() const { return size_; }
  space_kind space() const { return space_; }
  /// The numbers on the diagonal of a matrix that `diagonal` made, else null.
  const T* diagonal() const { return numbers_ == nullptr ? nullptr : static_cast<const T*>(numbers_->data()); }
  void apply(const T* x, T* y, stream_view on = {}) const { apply_(x, y, on); }
  bool gives_dot() const { return apply_with_dot_ != nullptr; }
  /// Throws where it gives no x.y.
  void apply_with_dot(const T* x, T* y, double* dot, stream_view on = {}) const {
    if (apply_with_dot_ == nullptr) refuse_dot();
    apply_with_dot_(x, y, dot, on);
  }

 private:
  template <class Operator>
  static function applying(const Operator& A) {
    if constexpr (detail::applies<Operator, const T*, T*, stream_view>)
      return [&A](const T* x, T* y, stream_view on) { A.apply(x, y, on); };
    else
      return [&A](const T* x, T* y, stream_view) { A.apply(x, y); };
  }
  template <class Operator>
  void take_dot_of(const Operator& A) {
    if constexpr (detail::applies_with_dot<Operator, const T*, T*>)
      apply_with_dot_ = [&A](const T* x, T* y, double* dot, stream_view on) { A.apply_with_dot(x, y, dot, on); };
  }
  template <class Operator>
  static space_kind space_of_operator(const Operator& A) {
    if constexpr (requires { A.space(); }) return A.space();
    return space_kind::cpu;
  }
  template <class Operator>
  static index_t square_size(const Operator& A) {
    if constexpr (requires { A.trial_size(); }) check_square(A.size(), A.trial_size());
    return A.size();
  }
  [[noreturn]] static void refuse_dot();
  /// Throws unless there are as many numbers of y as of x.
  static void check_square(index_t y, index_t x);

  index_t size_ = 0;
  space_kind space_ = space_kind::cpu;
  function apply_;
  function_with_dot apply_with_dot_;
  std::shared_ptr<const buffer> numbers_;
};

extern template class linear_operator<float>;
extern template class linear_operator<double>;

}  // namespace tessera
