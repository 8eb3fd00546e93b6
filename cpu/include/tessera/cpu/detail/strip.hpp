// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the generic row: a strip of C, some vectors of rows by some columns, in many products of one shape.
#pragma once

#include <tessera/cpu/detail/tile.hpp>

namespace tessera::simd {

/// What the strips of a call have in common: out (rows, columns) = alpha a (rows, k) b (k, columns) + beta out.
template <class T>
struct strip_shape {
  index_t a_column, b_row, b_column, out_column;
  index_t k;
  bool overwrites;  // alpha = 1, beta = 0
  const scale<T>* s;
  index_t a_row, out_row;  // of interleaved batches; 1 otherwise, and not read
};

/// So many strips at these distances.
struct strip_repeat {
  index_t count, a, b, out;
};

/// Strips of one size in three loops, the innermost first, from the first strip on: a kernel runs two of them. `tail`
/// rows belong to the last vector of a strip, where that is partial. Here and in what lists strips nothing has initial
/// values and nothing is copied as a whole: a vector that is loaded where numbers have just been stored costs as much
/// as a small product.
template <class T>
struct strip {
  const strip_shape<T>* of;
  const T* a;
  const T* b;
  T* out;
  strip_repeat loops[3];
  int tail;
};

template <class T>
using strip_function = void (*)(const strip<T>&);

/// A type as an argument.
template <class Isa>
struct of_isa {
  using type = Isa;
};

/// How a strip reads b: anywhere by strides, or a panel whose rows of `columns` entries are side by side.
enum class strip_right { strided, panel };

namespace detail {

// The most vectors and columns of a strip: accumulators, a column of a and an entry of b stay in registers, and columns
// at any distance take a register each for their addresses.
template <class Isa>
constexpr int most_strip_vectors(strip_right right) {
  return right == strip_right::panel && Isa::fused ? 3 : 2;
}
template <class Isa>
constexpr int most_strip_columns(int vectors, strip_right right) {
  const int addressed = right == strip_right::strided ? 8 : 10;
  const int aside = Isa::registers > 16 ? 1 : (Isa::fused ? 2 : 4);
  const int fitting = (Isa::registers - aside - vectors) / vectors;
  return fitting < addressed ? fitting : addressed;
}

// f(a, b, out) for every strip.
template <class T, class F>
[[gnu::always_inline]] inline void each_strip(const strip<T>& p, const F& f) {
  const T *a_first = p.a, *b_first = p.b;
  T* out_first = p.out;
  const strip_repeat &inner = p.loops[0], &outer = p.loops[1];
  const index_t count = inner.count, a_next = inner.a, b_next = inner.b, out_next = inner.out;
  for (index_t i = outer.count; i > 0; --i) {
    const T *a = a_first, *b = b_first;
    T* out = out_first;
    for (index_t j = count; j > 0; --j) {
      f(a, b, out);
      a += a_next, b += b_next, out += out_next;
    }
    a_first += outer.a, b_first += outer.b, out_first += outer.out;
  }
}

// out = alpha from + beta out for `columns` columns of a tile, which lie in `from` side by side.
template <class Isa, class T, int vectors, bool partial>
[[gnu::noinline]] void update_strip(const T* from, int columns, const scale<T>& s, T* out, index_t out_column,
                                    int tail) {
  constexpr int lanes = int(Isa::template vector<T>::size);
#pragma GCC unroll 1
  for (; columns > 0; --columns, from += vectors * lanes, out += out_column) {
    tile<Isa, T, vectors, 1, partial> c;
    unrolled<vectors>([&](auto v) __attribute__((always_inline)) {
      c.c[0][v] = Isa::template vector<T>::load_unaligned(from + int(v.value) * lanes);
    });
    c.finish(s, out, out_column, tail);
  }
}

template <class Isa, class T, int vectors, bool partial, int columns, strip_right right>
void run_strip(const strip<T>& p) {
  const strip_shape<T>& of = *p.of;
  const index_t k = of.k, a_column = of.a_column, out_column = of.out_column;
  const int tail = p.tail;
  const bool overwrites = of.overwrites;
  // Other scales go through memory: in each kernel they would triple its code.
  alignas(64) T buffer[columns * vectors * int(Isa::template vector<T>::size)];
  each_strip(
      p, [&](const T* a, const T* b, T* out) __attribute__((always_inline)) {
        // Entries of b are loaded anew in each product: kept in registers over them, they would be spilled.
        asm volatile("" : "+r"(b) : : "memory");
        tile<Isa, T, vectors, columns, partial> c;
        if constexpr (right == strip_right::panel)
          c.multiply_rolled(k, a, a_column, tail, b, constant<columns>{}, constant<1>{});
        else
          c.multiply_rolled(k, a, a_column, tail, b, of.b_row, of.b_column);
        if (overwrites) {
          c.store_in_turn(out, out_column, tail);
        } else {
          c.keep(buffer);
          update_strip<Isa, T, vectors, partial>(buffer, columns, *of.s, out, out_column, tail);
        }
      });
}

template <class Isa, class T, int vectors, strip_right right, class Columns>
struct strip_row;
template <class Isa, class T, int vectors, strip_right right, int... I>
struct strip_row<Isa, T, vectors, right, sequence<I...>> {
  static constexpr strip_function<T> whole[] = {&run_strip<Isa, T, vectors, false, I + 1, right>...};
  static constexpr strip_function<T> partial[] = {&run_strip<Isa, T, vectors, true, I + 1, right>...};
};

}  // namespace detail

/// The kernel of a strip of `vectors` vectors, the last of them partial where `tail` > 0, by `columns` columns.
template <class Isa, class T, strip_right right>
[[gnu::always_inline]] inline strip_function<T> strip_kernel(int vectors, int tail, int columns) {
  strip_function<T> found = nullptr;
  dispatch<detail::most_strip_vectors<Isa>(right)>(
      vectors, [&](auto v) __attribute__((always_inline)) {
        using row =
            detail::strip_row<Isa, T, int(v.value), right, iota<detail::most_strip_columns<Isa>(v.value, right)>>;
        found = (tail > 0 ? row::partial : row::whole)[columns - 1];
      });
  return found;
}

}  // namespace tessera::simd
