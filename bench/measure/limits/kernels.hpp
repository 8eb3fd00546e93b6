// SPDX-License-Identifier: BSD-3-Clause
// The kernels behind isa_kernels, over vectors of the including file's width. Internal linkage: one copy for each ISA.
#pragma once

#include "measure/limits/isa.hpp"

namespace tessera::bench {
namespace {

// A vector of the compiler's own; unaligned and aliasing, so that any array of double can be read through it.
template <class T, int Bytes>
struct vector_of {
  typedef T type __attribute__((vector_size(Bytes)));
  typedef T memory __attribute__((vector_size(Bytes), aligned(8), may_alias));
};

template <class V>
inline void keep(V& v) {
  asm volatile("" : "+m"(v));
}

template <class T, int Bytes>
double fma_chains(long rounds) {
  using vector = typename vector_of<T, Bytes>::type;
  constexpr int chains = 12;  // covers latency 4 at 2 a cycle with a margin, and fits 16 registers
  T one = T(0.999), small = T(1e-9);
  keep(one);
  keep(small);
  vector scale, shift, sum[chains];
  for (std::size_t l = 0; l < Bytes / sizeof(T); ++l) {
    scale[l] = one;
    shift[l] = small;
  }
  for (int i = 0; i < chains; ++i) sum[i] = shift * T(i + 1);
  for (long r = 0; r < rounds; ++r) {
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) sum[i] = sum[i] * scale + shift;
  }
  vector total = sum[0];
  for (int i = 1; i < chains; ++i) total += sum[i];
  keep(total);
  return 2.0 * chains * double(Bytes / sizeof(T)) * double(rounds);
}

template <int Bytes, auto Store>
struct movement {
  // Bits, not numbers: a case's arrays keep valid entries of either type.
  using vector = typename vector_of<long long, Bytes>::type;
  using memory = typename vector_of<long long, Bytes>::memory;
  static constexpr std::size_t width = Bytes / sizeof(double);
  static constexpr std::size_t group = 8 * width;

  static vector load(const double* p) { return *reinterpret_cast<const memory*>(p); }
  static void store(double* p, vector v) { *reinterpret_cast<memory*>(p) = v; }

  static void read(const double* a, std::size_t n) {
    vector sum[8] = {};
    for (std::size_t i = 0; i + group <= n; i += group) {
#pragma GCC unroll 8
      for (std::size_t u = 0; u < 8; ++u) sum[u] ^= load(a + i + u * width);
    }
    vector total = sum[0];
    for (int u = 1; u < 8; ++u) total ^= sum[u];
    keep(total);
  }

  // `one` handles the vector at i; Put is an ordinary or a streaming store.
  template <class One>
  static void all(std::size_t n, One one) {
    for (std::size_t i = 0; i + group <= n; i += group) {
#pragma GCC unroll 8
      for (std::size_t u = 0; u < 8; ++u) one(i + u * width);
    }
  }
  // Values hidden from the compiler.
  static vector all_of(long long bits) {
    vector v;
    for (std::size_t i = 0; i < width; ++i) v[i] = bits;
    keep(v);
    return v;
  }
  // Not zeros: memory writes them more than twice as fast (Zen 5, streaming stores: 94 GB/s, any other bits 43).
  template <auto Put>
  static void write(double* c, std::size_t n) {
    const vector v = all_of(written_bits);
    all(n, [&](std::size_t i) { Put(c + i, v); });
  }
  template <auto Put>
  static void copy(double* c, const double* a, std::size_t n) {
    all(n, [&](std::size_t i) { Put(c + i, load(a + i)); });
  }
  template <auto Put>
  static void triad(double* c, const double* a, const double* b, std::size_t n) {
    const vector none = all_of(0);
    all(n, [&](std::size_t i) { Put(c + i, load(a + i) ^ (load(b + i) & none)); });
  }
  static void update(double* c, const double* a, const double* b, std::size_t n) {
    const vector none = all_of(0);
    all(n, [&](std::size_t i) { store(c + i, load(c + i) ^ ((load(a + i) ^ load(b + i)) & none)); });
  }

  static constexpr isa_kernels table(const char* name, bool streams) {
    return {name,
            Bytes,
            streams,
            fma_chains<double, Bytes>,
            fma_chains<float, Bytes>,
            read,
            write<store>,
            write<Store>,
            copy<store>,
            copy<Store>,
            triad<store>,
            triad<Store>,
            update};
  }
};

}  // namespace
}  // namespace tessera::bench
