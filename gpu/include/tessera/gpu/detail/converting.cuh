// SPDX-License-Identifier: BSD-3-Clause
// Operands whose entries are of another type than the gemm kernel's, or are conjugated.
#pragma once

#include <tessera/gpu/detail/elements.cuh>
#include <tessera/gpu/detail/operand.cuh>
#include <tessera/gpu/detail/staging.cuh>

namespace tessera::device {

/// `Operand` whose entries are converted to Sum on the way to shared memory. Never a chunk, since chunks are copied
/// unconverted.
template <class Operand, class Sum>
struct converting : Operand {
  static constexpr bool packed = false;
  bool conjugated;

  constexpr Sum* base() const { return nullptr; }
  __device__ Sum load(const typename Operand::anchor_type& a, index_t r, index_t c) const {
    const Sum value = converted<Sum>(Operand::load(a, r, c));
    if constexpr (is_complex<Sum>)
      return conjugated ? conj(value) : value;
    else
      return value;
  }
  constexpr slot place(int rows, int cols, int group) const {
    return gathered_slot(rows, cols, group, Operand::shared);
  }
};

/// An operand whose entries are copied to shared memory unconverted, so that packed ones can be a chunk, and converted
/// when read from there.
template <class Entry>
struct unconverted : mapped<Entry, strided_map> {
  bool conjugated = false;
};

/// The operand for a kernel with sums in Sum.
template <class Sum, class Operand>
constexpr converting<Operand, Sum> as_sums(const Operand& o, bool conjugated) {
  return {o, conjugated};
}

template <class Entry, class T>
struct staged<unconverted<const Entry>, T> {
  using entry = Entry;
  __device__ static T summand(const unconverted<const Entry>& from, const Entry& value) {
    const T sum = converted<T>(value);
    if constexpr (is_complex<T>)
      return from.conjugated ? conj(sum) : sum;
    else
      return sum;
  }
};
/// For results: only if they are packed, since they are rounded in shared memory.
template <class Entry, class T>
struct staged<unconverted<Entry>, T> {
  using entry = Entry;
};

}  // namespace tessera::device
