// SPDX-License-Identifier: BSD-3-Clause
// The entry types of a kernel, of its inputs, output and sums, and conversions between them.
#pragma once

#include <nv/target>

#include <tessera/core/complex.hpp>
#include <tessera/core/half.hpp>
#include <tessera/core/types.hpp>

namespace tessera::device {

/// A kernel's argument `Types`: one scalar for all three, or this. Conjugated: of complex inputs.
template <class In, class Out, class Sum, bool LeftConjugated = false, bool RightConjugated = false>
struct elements {
  using in = In;
  using out = Out;
  using sum = Sum;
  static constexpr bool left_conjugated = LeftConjugated, right_conjugated = RightConjugated;
};

template <class T>
struct elements_of : elements<T, T, T> {};
template <class In, class Out, class Sum, bool LeftConjugated, bool RightConjugated>
struct elements_of<elements<In, Out, Sum, LeftConjugated, RightConjugated>>
    : elements<In, Out, Sum, LeftConjugated, RightConjugated> {};

namespace ptx {

// clang-format off
__device__ inline float float_from_half(unsigned short bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
__device__ inline unsigned short half_from(float value) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
__device__ inline unsigned short bfloat16_from(float value) {
  unsigned short bits;
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));), (
    bits = tessera::detail::bfloat16_from(value);))
  return bits;
}
// clang-format on

}  // namespace ptx

/// An entry as the type of sums, and back.
template <class To, class From>
__device__ To converted(const From& value) {
  if constexpr (same_type<To, From>)
    return value;
  else if constexpr (same_type<From, half>)
    return To(ptx::float_from_half(value.bits));
  else if constexpr (same_type<To, half>)
    return half::of_bits(ptx::half_from(value));
  else if constexpr (same_type<To, bfloat16>)
    return bfloat16::of_bits(ptx::bfloat16_from(value));
  else
    return To(value);
}

/// The same of an input that may be conjugated.
template <class Sum, bool Conjugated, class In>
__device__ Sum taken_in(const In& value) {
  if constexpr (Conjugated && is_complex<In>)
    return conj(value);
  else
    return converted<Sum>(value);
}

/// `Count` adjacent entries in one access.
template <class T, int Count>
struct alignas(Count * sizeof(T)) side_by_side {
  T at[Count];
};

/// One entry of shared memory in one access: complex numbers by themselves are only aligned like their parts.
template <class T>
__device__ T read_entry(const T* place) {
  if constexpr (is_complex<T>)
    return reinterpret_cast<const side_by_side<T, 1>*>(place)->at[0];
  else
    return *place;
}
template <class T>
__device__ void put_entry(T* place, const T& value) {
  if constexpr (is_complex<T>)
    *reinterpret_cast<side_by_side<T, 1>*>(place) = {{value}};
  else
    *place = value;
}

}  // namespace tessera::device
