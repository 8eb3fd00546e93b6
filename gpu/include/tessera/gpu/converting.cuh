// SPDX-License-Identifier: BSD-3-Clause
// Operands whose entries are of another type than the gemm kernel's, or are conjugated.
#pragma once

#include <tessera/gpu/elements.cuh>
#include <tessera/gpu/operand.cuh>

namespace tessera::device {

/// `Operand` with entries that become Sum when they are put into shared memory. Never a chunk: those go there as they
/// are.
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

/// The operand as a kernel of sums in Sum takes it.
template <class Sum, class Operand>
constexpr converting<Operand, Sum> as_sums(const Operand& o, bool conjugated) {
  return {o, conjugated};
}

}  // namespace tessera::device
