// SPDX-License-Identifier: BSD-3-Clause
// A panel of A that stays in registers while the columns of C are computed: for a small k, and for an A shared by a
// batch.
#pragma once

#include <tessera/cpu/detail/column_blocks.hpp>
#include <tessera/cpu/detail/tile.hpp>
#include <tessera/detail/tuning.hpp>

namespace tessera::simd {

/// `vectors` vectors of rows, the last one of `tail` lanes where `partial`, by `depth` columns of A: loaded once.
template <class Isa, class T, int vectors, int depth, bool partial>
class kept_panel {
 public:
  template <class AColumn>
  [[gnu::always_inline]] kept_panel(const T* a, AColumn a_column, int tail) : tail_(tail) {
    unrolled<depth>([&](auto l)
                        __attribute__((always_inline)) { rows::load_column(left_[l], a + l * a_column, tail); });
  }

  /// These rows of C, the first of them `row`, in columns [j, j + columns). `p.a` is not read.
  template <int columns, class Product>
  [[gnu::always_inline]] void block(const Product& p, const scale<T>& s, index_t row, index_t j) const {
    const T* b = p.b + j * p.b_column;
    // Discards values of b loaded for other panels, and hides the memory of A: no load of A can move in here.
    asm volatile("" : "+r"(b) : : "memory");
    tile<Isa, T, vectors, columns, partial> c;
    c.multiply(left_, b, p.b_row, p.b_column);
    c.finish(s, p.out + row + j * p.out_column, p.out_column, tail_);
  }
  /// All columns, in blocks of `columns`.
  template <int columns, class Product>
  [[gnu::always_inline]] void multiply(const Product& p, const scale<T>& s, index_t row) const {
    detail::each_block<columns>(
        p.n, [&](auto count, index_t j) __attribute__((always_inline)) { block<int(count.value)>(p, s, row, j); });
  }

 private:
  using rows = tile<Isa, T, vectors, 1, partial>;
  typename rows::vector left_[depth][vectors];  // (k,rows)
  int tail_;
};

/// True where the M rows are one panel, which then may stay in registers for a whole batch that shares A.
template <class Isa, class T, index_t M, cpu_gemm_tuning tuning>
constexpr bool keeps_whole_left() {
  return tuning.keep_left != 0 && tuning.plain == 0 && M <= tuning.row_vectors * index_t(Isa::template vector<T>::size);
}

/// True where the tail's rows are computed in half a vector.
template <class Isa, class T, index_t M, cpu_gemm_tuning tuning>
constexpr bool computes_half() {
  constexpr index_t lanes = index_t(Isa::template vector<T>::size);
  return tuning.half_tail != 0 && M > 0 && M % lanes > 0 && M % lanes <= lanes / 2 && requires { typename Isa::half; };
}

/// True where all rows are one panel of whole vectors, or fit half a vector.
template <class Isa, class T, index_t M, cpu_gemm_tuning tuning>
constexpr bool is_one_panel() {
  constexpr index_t lanes = index_t(Isa::template vector<T>::size);
  return computes_half<Isa, T, M, tuning>() ? M < lanes : M <= tuning.row_vectors * lanes;
}

template <class Isa, bool half>
struct width {
  using isa = Isa;
};
template <class Isa>
struct width<Isa, true> {
  using isa = typename Isa::half;
};
/// The vectors of M rows: half ones where all rows fit them.
template <class Isa, class T, index_t M, cpu_gemm_tuning tuning>
using isa_of_rows =
    typename width<Isa, computes_half<Isa, T, M, tuning>() && (M < index_t(Isa::template vector<T>::size))>::isa;

/// All of a packed A of M x K: one panel, and a half one where the tail is apart.
template <class Isa, class T, index_t M, index_t K, bool apart>
class whole_left {
 public:
  [[gnu::always_inline]] explicit whole_left(const T* a) : panel_(a, constant<M>{}, tail > 0 ? tail : lanes) {}

  template <int columns, class Product>
  [[gnu::always_inline]] void multiply(const Product& p, const scale<T>& s) const {
    panel_.template multiply<columns>(p, s, 0);
  }

 private:
  static constexpr int lanes = int(Isa::template vector<T>::size), tail = int(M % lanes);
  kept_panel<Isa, T, int((M + lanes - 1) / lanes), int(K), (tail > 0)> panel_;
};

template <class Isa, class T, index_t M, index_t K>
  requires(M > index_t(Isa::template vector<T>::size))
class whole_left<Isa, T, M, K, true> {
 public:
  [[gnu::always_inline]] explicit whole_left(const T* a)
      : panel_(a, constant<M>{}, lanes), half_(a + whole * lanes, constant<M>{}, tail) {}

  template <int columns, class Product>
  [[gnu::always_inline]] void multiply(const Product& p, const scale<T>& s) const {
    detail::each_block<columns>(
        p.n, [&](auto count, index_t j) __attribute__((always_inline)) {
          panel_.template block<int(count.value)>(p, s, 0, j);
          half_.template block<int(count.value)>(p, s, whole * lanes, j);
        });
  }

 private:
  static constexpr int lanes = int(Isa::template vector<T>::size), tail = int(M % lanes), whole = int(M / lanes);
  kept_panel<Isa, T, whole, int(K), false> panel_;
  kept_panel<typename Isa::half, T, 1, int(K), (tail < lanes / 2)> half_;
};

}  // namespace tessera::simd
