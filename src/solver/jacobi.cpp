// SPDX-License-Identifier: BSD-3-Clause
// Inverts a diagonal, on the host: it is done once.
#include <tessera/solver/jacobi.hpp>

#include <cmath>
#include <sstream>
#include <vector>

#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>

namespace tessera {

namespace {

template <class T>
T checked_inverse(const T* diagonal, index_t i) {
  const T inverted = T(1) / diagonal[i];
  if (diagonal[i] > 0 && std::isfinite(diagonal[i]) && std::isfinite(inverted)) return inverted;
  std::ostringstream text;
  text << "jacobi: number " << i << " of the diagonal is " << diagonal[i]
       << (diagonal[i] > 0 ? ", which has no inverse" : ", not positive");
  throw error(text.str());
}

}  // namespace

template <class T>
linear_operator<T> jacobi(index_t size, const T* diagonal, space_kind space) {
  detail::checked_product("jacobi: a diagonal", {size}, sizeof(T));
  if (diagonal == nullptr && size > 0) throw error("jacobi: the diagonal is a null pointer", status::null_pointer);
  const std::size_t bytes = std::size_t(size) * sizeof(T);
  std::vector<T> copied;
  if (space == space_kind::gpu) {
    copied.resize(std::size_t(size));
    device::copy(copied.data(), diagonal, bytes, device::direction::device_to_host);
    diagonal = copied.data();
  }
  buffer on_host(space_kind::cpu, bytes);
  T* const inverted = static_cast<T*>(on_host.data());
  for (index_t i = 0; i < size; ++i) inverted[i] = checked_inverse(diagonal, i);
  if (space == space_kind::cpu)
    return linear_operator<T>::diagonal(size, std::make_shared<const buffer>(std::move(on_host)));
  auto there = std::make_shared<buffer>(space, bytes);
  device::copy(there->data(), inverted, bytes, device::direction::host_to_device);
  return linear_operator<T>::diagonal(size, std::move(there));
}

template linear_operator<float> jacobi(index_t, const float*, space_kind);
template linear_operator<double> jacobi(index_t, const double*, space_kind);

}  // namespace tessera
