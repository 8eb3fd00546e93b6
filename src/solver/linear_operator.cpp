// SPDX-License-Identifier: BSD-3-Clause
// Diagonal matrices as operators, and the check that an operator is square.
#include <tessera/solver/linear_operator.hpp>

#include <string>

#include <tessera/error.hpp>

#include "vectors.hpp"

namespace tessera {

template <class T>
void linear_operator<T>::check_square(index_t y, index_t x) {
  if (y != x)
    throw error("linear_operator: y has " + std::to_string(y) + " numbers, x " + std::to_string(x),
                status::shape_mismatch);
}

template <class T>
void linear_operator<T>::refuse_dot() {
  throw error("linear_operator::apply_with_dot: this operator gives no x.y, see with_dot");
}

template <class T>
linear_operator<T> linear_operator<T>::diagonal(index_t size, std::shared_ptr<const buffer> numbers) {
  if (numbers == nullptr || size < 0 || numbers->bytes() < std::size_t(size) * sizeof(T))
    throw error("linear_operator: a diagonal of " + std::to_string(size) + " numbers in " +
                    std::to_string(numbers == nullptr ? 0 : numbers->bytes()) + " bytes",
                status::shape_mismatch);
  const space_kind space = numbers->space();
  linear_operator made(
      size,
      [size, space, numbers](const T* x, T* y, stream_view on) {
        detail::multiply(space, size, 1.0, static_cast<const T*>(numbers->data()), x, y, on);
      },
      space);
  made.numbers_ = std::move(numbers);
  return made;
}

template class linear_operator<float>;
template class linear_operator<double>;

}  // namespace tessera
