// SPDX-License-Identifier: BSD-3-Clause
// pick<Isa, T>: a vector of entries that are near each other in memory, the same distances again and again.
#pragma once

#include <type_traits>

#include <tessera/cpu/detail/tile.hpp>

#if defined(__AVX2__) && defined(__FMA__)
#include <tessera/cpu/detail/isa_avx2.hpp>
#endif
#if defined(__AVX512F__)
#include <tessera/cpu/detail/isa_avx512.hpp>
#endif
#if defined(__aarch64__)
#include <tessera/cpu/detail/isa_neon.hpp>
#endif
#if defined(__SSE2__)
#include <tessera/cpu/detail/isa_sse2.hpp>
#endif

namespace tessera::simd {

/// Made from distances in [0, most). Lane i of load<wide>(at) is at[distance[i]]; at[0 .. read<wide>) may be read.
/// `wide`: some distance is `lanes` or more.
template <class Isa, class T>
struct pick;

/// True where there is one.
template <class Isa, class T>
inline constexpr bool can_pick = requires {
  sizeof(pick<Isa, T>);
};

namespace detail {

// Entry by entry: as fast as anything else for vectors of few lanes.
template <class Isa, class T>
class pick_by_entry {
 public:
  using vector = typename Isa::template vector<T>;
  static constexpr int lanes = int(vector::size);
  static constexpr index_t most = 1 << 20;
  template <bool wide>
  static constexpr index_t read = 0;  // nothing but the entries

  [[gnu::always_inline]] explicit pick_by_entry(const int (&distance)[lanes]) {
    for (int i = 0; i < lanes; ++i) from_[i] = distance[i];
  }
  template <bool wide>
  [[gnu::always_inline]] vector load(const T* at) const {
    vector v(at[from_[0]]);
    unrolled<lanes - 1>([&](auto i) __attribute__((always_inline)) { v.data[i + 1] = at[from_[i + 1]]; });
    return v;
  }

 private:
  int from_[lanes];
};

}  // namespace detail

#if defined(__SSE2__)
template <class Where, class T>
struct pick<sse2<Where>, T> : detail::pick_by_entry<sse2<Where>, T> {
  using detail::pick_by_entry<sse2<Where>, T>::pick_by_entry;
};
#endif

#if defined(__aarch64__)
template <class Where, class T>
struct pick<neon<Where>, T> : detail::pick_by_entry<neon<Where>, T> {
  using detail::pick_by_entry<neon<Where>, T>::pick_by_entry;
};
#endif

#if defined(__AVX512F__)
// Any lanes of two vectors.
template <class Where, class T>
struct pick<avx512<Where>, T> {
  using vector = typename avx512<Where>::template vector<T>;
  static constexpr int lanes = int(vector::size);
  static constexpr index_t most = 2 * lanes;
  template <bool wide>
  static constexpr index_t read = wide ? 2 * lanes : lanes;

  [[gnu::always_inline]] explicit pick(const int (&distance)[lanes]) {
    for (int i = 0; i < lanes; ++i) from_[i] = distance[i];
  }
  template <bool wide>
  [[gnu::always_inline]] vector load(const T* at) const {
    const auto from = _mm512_load_si512(from_);
    const vector first = vector::load_unaligned(at), second = wide ? vector::load_unaligned(at + lanes) : first;
    if constexpr (sizeof(T) == 8)
      return _mm512_permutex2var_pd(first, from, second);
    else
      return _mm512_permutex2var_ps(first, from, second);
  }

 private:
  alignas(64) std::conditional_t<sizeof(T) == 8, long long, int> from_[lanes];
};
#endif

#if defined(__AVX2__) && defined(__FMA__)
// By words of 32 bits: of one vector, and where needed of another one.
template <class Where, class T>
struct pick<avx2<Where>, T> {
  using vector = typename avx2<Where>::template vector<T>;
  static constexpr int lanes = int(vector::size);
  static constexpr index_t most = 2 * lanes;
  template <bool wide>
  static constexpr index_t read = wide ? 2 * lanes : lanes;

  [[gnu::always_inline]] explicit pick(const int (&distance)[lanes]) {
    constexpr int words = int(sizeof(T)) / 4;
    for (int i = 0; i < lanes * words; ++i) {
      from_[i] = distance[i / words] % lanes * words + i % words;
      second_[i] = distance[i / words] < lanes ? 0 : -1;
    }
  }
  template <bool wide>
  [[gnu::always_inline]] vector load(const T* at) const {
    const __m256i from = _mm256_load_si256(reinterpret_cast<const __m256i*>(from_));
    const auto turned = [&](const T* p) __attribute__((always_inline)) {
      const vector v = vector::load_unaligned(p);
      if constexpr (sizeof(T) == 8)
        return _mm256_permutevar8x32_ps(_mm256_castpd_ps(v), from);
      else
        return _mm256_permutevar8x32_ps(v, from);
    };
    __m256 result = turned(at);
    if constexpr (wide)
      result = _mm256_blendv_ps(result, turned(at + lanes), _mm256_load_ps(reinterpret_cast<const float*>(second_)));
    if constexpr (sizeof(T) == 8)
      return vector(_mm256_castps_pd(result));
    else
      return vector(result);
  }

 private:
  alignas(32) int from_[8];
  alignas(32) int second_[8];
};
#endif

}  // namespace tessera::simd
