// SPDX-License-Identifier: BSD-3-Clause
// SVE of a length known to the compiler: a vector type like xsimd's, whose version 8.1 has none, multiply-add, partial
// loads and stores by predicates.
#pragma once

#if defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS > 0
#include <arm_sve.h>

#include <cstddef>

#include <tessera/cpu/detail/isa_neon.hpp>

namespace tessera::simd {

namespace detail {

// Vectors of an unknown length can be no members, array elements or captures, of which all kernels are made: hence a
// translation unit for each length, where these can.
typedef svfloat64_t sve_doubles __attribute__((arm_sve_vector_bits(__ARM_FEATURE_SVE_BITS)));
typedef svfloat32_t sve_floats __attribute__((arm_sve_vector_bits(__ARM_FEATURE_SVE_BITS)));
typedef svbool_t sve_predicate __attribute__((arm_sve_vector_bits(__ARM_FEATURE_SVE_BITS)));

template <class T, int bits>
struct sve_type;
template <>
struct sve_type<double, __ARM_FEATURE_SVE_BITS> {
  using type = sve_doubles;
  [[gnu::always_inline]] static svbool_t all() { return svptrue_b64(); }
  [[gnu::always_inline]] static svbool_t first(int n) { return svwhilelt_b64(0, n); }
  [[gnu::always_inline]] static type repeated(double x) { return svdup_f64(x); }
};
template <>
struct sve_type<float, __ARM_FEATURE_SVE_BITS> {
  using type = sve_floats;
  [[gnu::always_inline]] static svbool_t all() { return svptrue_b32(); }
  [[gnu::always_inline]] static svbool_t first(int n) { return svwhilelt_b32(0, n); }
  [[gnu::always_inline]] static type repeated(float x) { return svdup_f32(x); }
};

}  // namespace detail

/// What a comparison of vectors gives.
template <class T, int bits>
struct sve_mask {
  detail::sve_predicate data;

  [[gnu::always_inline]] sve_mask(svbool_t given) : data(given) {}  // NOLINT: as xsimd's

  [[gnu::always_inline]] static svbool_t every() { return detail::sve_type<T, bits>::all(); }

  [[gnu::always_inline]] friend sve_mask operator&(const sve_mask& a, const sve_mask& b) {
    return svand_z(every(), a.data, b.data);
  }
  [[gnu::always_inline]] friend sve_mask operator|(const sve_mask& a, const sve_mask& b) {
    return svorr_z(every(), a.data, b.data);
  }
  [[gnu::always_inline]] friend sve_mask operator~(const sve_mask& a) { return svnot_z(every(), a.data); }
  [[gnu::always_inline]] friend sve_mask operator&&(const sve_mask& a, const sve_mask& b) { return a & b; }
  [[gnu::always_inline]] friend sve_mask operator||(const sve_mask& a, const sve_mask& b) { return a | b; }
  [[gnu::always_inline]] friend sve_mask operator!(const sve_mask& a) { return ~a; }

  [[gnu::always_inline]] friend bool all(const sve_mask& a) { return !any(~a); }
  [[gnu::always_inline]] friend bool any(const sve_mask& a) { return svptest_any(every(), a.data); }
};

/// A vector with the members of xsimd::batch that kernels and pointwise functions use.
template <class T, int bits>
struct sve_vector {
  using value_type = T;
  using register_type = typename detail::sve_type<T, bits>::type;
  using mask = sve_mask<T, bits>;
  static constexpr std::size_t size = std::size_t(bits) / 8 / sizeof(T);

  register_type data;

  sve_vector() = default;
  [[gnu::always_inline]] sve_vector(T x) : data(detail::sve_type<T, bits>::repeated(x)) {}  // NOLINT: as xsimd's
  [[gnu::always_inline]] sve_vector(register_type given) : data(given) {}                   // NOLINT

  [[gnu::always_inline]] static svbool_t every() { return detail::sve_type<T, bits>::all(); }

  [[gnu::always_inline]] static sve_vector load_unaligned(const T* p) { return register_type(svld1(every(), p)); }
  [[gnu::always_inline]] static sve_vector load_aligned(const T* p) { return load_unaligned(p); }
  [[gnu::always_inline]] void store_unaligned(T* p) const { svst1(every(), p, data); }
  [[gnu::always_inline]] void store_aligned(T* p) const { store_unaligned(p); }

  [[gnu::always_inline]] friend sve_vector operator+(const sve_vector& a, const sve_vector& b) {
    return a.data + b.data;
  }
  [[gnu::always_inline]] friend sve_vector operator-(const sve_vector& a, const sve_vector& b) {
    return a.data - b.data;
  }
  [[gnu::always_inline]] friend sve_vector operator*(const sve_vector& a, const sve_vector& b) {
    return a.data * b.data;
  }
  [[gnu::always_inline]] friend sve_vector operator/(const sve_vector& a, const sve_vector& b) {
    return a.data / b.data;
  }
  [[gnu::always_inline]] friend sve_vector operator-(const sve_vector& a) { return -a.data; }
  [[gnu::always_inline]] sve_vector& operator+=(const sve_vector& b) { return *this = *this + b; }
  [[gnu::always_inline]] sve_vector& operator-=(const sve_vector& b) { return *this = *this - b; }
  [[gnu::always_inline]] sve_vector& operator*=(const sve_vector& b) { return *this = *this * b; }
  [[gnu::always_inline]] sve_vector& operator/=(const sve_vector& b) { return *this = *this / b; }

  [[gnu::always_inline]] friend mask operator<(const sve_vector& a, const sve_vector& b) {
    return svcmplt(every(), a.data, b.data);
  }
  [[gnu::always_inline]] friend mask operator<=(const sve_vector& a, const sve_vector& b) {
    return svcmple(every(), a.data, b.data);
  }
  [[gnu::always_inline]] friend mask operator>(const sve_vector& a, const sve_vector& b) { return b < a; }
  [[gnu::always_inline]] friend mask operator>=(const sve_vector& a, const sve_vector& b) { return b <= a; }
  [[gnu::always_inline]] friend mask operator==(const sve_vector& a, const sve_vector& b) {
    return svcmpeq(every(), a.data, b.data);
  }
  [[gnu::always_inline]] friend mask operator!=(const sve_vector& a, const sve_vector& b) { return !(a == b); }

  [[gnu::always_inline]] friend sve_vector select(const mask& condition, const sve_vector& yes, const sve_vector& no) {
    return register_type(svsel(condition.data, yes.data, no.data));
  }
  [[gnu::always_inline]] friend sve_vector min(const sve_vector& a, const sve_vector& b) {
    return register_type(svmin_x(every(), a.data, b.data));
  }
  [[gnu::always_inline]] friend sve_vector max(const sve_vector& a, const sve_vector& b) {
    return register_type(svmax_x(every(), a.data, b.data));
  }
  [[gnu::always_inline]] friend sve_vector abs(const sve_vector& a) { return register_type(svabs_x(every(), a.data)); }
  [[gnu::always_inline]] friend sve_vector fabs(const sve_vector& a) { return abs(a); }
  [[gnu::always_inline]] friend sve_vector sqrt(const sve_vector& a) {
    return register_type(svsqrt_x(every(), a.data));
  }
  // By xsimd's functions for NEON, part by part.
  [[gnu::always_inline]] friend sve_vector exp(const sve_vector& a) {
    return by_parts(
        a, [](const part& x) __attribute__((always_inline)) { return xsimd::exp(x); });
  }
  [[gnu::always_inline]] friend sve_vector log(const sve_vector& a) {
    return by_parts(
        a, [](const part& x) __attribute__((always_inline)) { return xsimd::log(x); });
  }

 private:
  using part = xsimd::batch<T, xsimd::neon64>;
  // Flattened: functions of xsimd must not stay behind here, where the compiler uses SVE, for users of NEON.
  template <class F>
  [[gnu::noinline, gnu::flatten]] static sve_vector by_parts(const sve_vector& a, const F& f) {
    alignas(16) T entries[size];
    a.store_aligned(entries);
    for (std::size_t i = 0; i < size; i += part::size) f(part::load_aligned(entries + i)).store_aligned(entries + i);
    return load_aligned(entries);
  }
};

/// `Where` identifies the translation unit: kernels compiled with different flags must not be merged.
template <class Where, int bits>
struct sve {
  static_assert(bits == __ARM_FEATURE_SVE_BITS, "compile with -msve-vector-bits=<bits>");
  static constexpr target name = bits == 256 ? target::sve256 : target::sve512;
  static constexpr int registers = 32;
  static constexpr bool fused = true;
  static constexpr bool recuts = false;  // a sequence of vectors
  template <class T>
  using vector = sve_vector<T, bits>;

  template <class T>
  [[gnu::always_inline]] static vector<T> fma(const vector<T>& a, const vector<T>& b, const vector<T>& c) {
    return typename vector<T>::register_type(svmla_x(vector<T>::every(), c.data, a.data, b.data));
  }

  /// p[0 .. n) and zero in the other lanes, whose memory is not accessed.
  template <class T>
  [[gnu::always_inline]] static vector<T> load_first(const T* p, int n) {
    return typename vector<T>::register_type(svld1(detail::sve_type<T, bits>::first(n), p));
  }
  template <class T>
  [[gnu::always_inline]] static void store_first(T* p, int n, const vector<T>& v) {
    svst1(detail::sve_type<T, bits>::first(n), p, v.data);
  }

  /// The same as store_first; they differ where loads of neighbouring entries wait for a masked store (AVX-512).
  template <class T>
  [[gnu::always_inline]] static void store_pieces(T* p, int n, const vector<T>& v) {
    store_first(p, n, v);
  }

  /// An ordinary store, as on NEON.
  template <class T>
  [[gnu::always_inline]] static void stream(T* p, const vector<T>& v) {
    v.store_aligned(p);
  }
  [[gnu::always_inline]] static void end_stream() {}
};

}  // namespace tessera::simd
#endif
