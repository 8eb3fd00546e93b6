// SPDX-License-Identifier: BSD-3-Clause
// What one thread does in a contraction of small tensors: register tiles of the result, directly from and to memory. It
// is an ordinary constexpr function of the thread's number, so that tests run it on the host, one thread at a time.
#pragma once

#include <tessera/gpu/detail/device/member.hpp>
#include <tessera/gpu/detail/device/place.hpp>
#include <tessera/gpu/detail/device/register_tile.hpp>
#include <tessera/scaling.hpp>

namespace tessera::device {

/// out = sum, for calls without scaling. Results store entry (r, c) of loop step l at the address that `Place` gives.
struct plain_result {
  template <class Form, class Place, class Index, class T>
  constexpr void store(T* out, Index r, Index c, Index l, T sum) const {
    out[Place::offset(r, c, l)] = sum;
  }
};
/// out = alpha sum + beta out; beta = 0 does not read it.
template <class T>
struct scaled_result {
  T alpha, beta;

  constexpr explicit scaled_result(scaling s)
      : alpha(tessera::detail::factor_in<T>(s.alpha)), beta(tessera::detail::factor_in<T>(s.beta)) {}
  template <class Form, class Place, class Index>
  constexpr void store(T* out, Index r, Index c, Index l, T sum) const {
    T& at = out[Place::offset(r, c, l)];
    at = beta == T(0) ? alpha * sum : alpha * sum + beta * at;
  }
};

/// One input, by the indices of the lowered product.
template <class T, class Place, class Index>
struct input {
  const T* data;
  constexpr T load(Index r, Index c, Index l) const { return data[Place::offset(r, c, l)]; }
};
/// The pointwise product of two: a side of kernel (9).
template <class First, class Second, class Index>
struct input_pair {
  First first;
  Second second;
  constexpr auto load(Index r, Index c, Index l) const { return first.load(r, c, l) * second.load(r, c, l); }
};

/// The tiles of all products of one contraction, numbered so that neighbouring threads have neighbouring rows. Rows and
/// columns of a tile are a stride apart, so that its rows are adjacent to the next thread's.
template <class Form, register_tile Tile, class Index>
struct tile_grid {
  static constexpr Index m = Index(Form::m), n = Index(Form::n);
  static constexpr Index down = (m + Tile.rows - 1) / Tile.rows, across = (n + Tile.cols - 1) / Tile.cols;
  static constexpr Index tiles = down * across * Index(Form::loops);

  Index first_row, first_col, loop;

  constexpr explicit tile_grid(Index t) {
    const Index q = t / down;
    first_row = t - q * down;
    loop = q / across;
    first_col = q - loop * across;
  }
  /// True where row i (column j) exists in every tile.
  static constexpr bool all_have_row(int i) { return i * down + down <= m; }
  static constexpr bool all_have_col(int j) { return j * across + across <= n; }
  constexpr bool has(int i, int j) const {
    return (all_have_row(i) || first_row + i * down < m) && (all_have_col(j) || first_col + j * across < n);
  }
  /// Row i, or the last one in place of a row that does not exist: it may be read.
  constexpr Index row(int i) const { return clipped_to(first_row + i * down, all_have_row(i), m); }
  constexpr Index col(int j) const { return clipped_to(first_col + j * across, all_have_col(j), n); }

 private:
  static constexpr Index clipped_to(Index at, bool inside, Index size) { return inside || at < size ? at : size - 1; }
};

/// Tile number t of the result.
template <class Form, register_tile Tile, int UnrollK, class OutPlace, class Index, class T, class Left, class Right,
          class Result>
constexpr void compute_tile(Index t, const Left& left, const Right& right, T* out, const Result& result) {
  const tile_grid<Form, Tile, Index> tile(t);
  T sums[Tile.cols][Tile.rows] = {};
#pragma unroll UnrollK
  for (Index k = 0; k < Index(Form::k); ++k) {
    T x[Tile.rows]{}, y[Tile.cols]{};
#pragma unroll
    for (int i = 0; i < Tile.rows; ++i) x[i] = left.load(tile.row(i), k, tile.loop);
#pragma unroll
    for (int j = 0; j < Tile.cols; ++j) y[j] = right.load(k, tile.col(j), tile.loop);
#pragma unroll
    for (int j = 0; j < Tile.cols; ++j)
#pragma unroll
      for (int i = 0; i < Tile.rows; ++i) sums[j][i] += x[i] * y[j];
  }
#pragma unroll
  for (int j = 0; j < Tile.cols; ++j)
#pragma unroll
    for (int i = 0; i < Tile.rows; ++i)
      if (tile.has(i, j))
        result.template store<Form, OutPlace, Index>(out, tile.row(i), tile.col(j), tile.loop, sums[j][i]);
}

/// what(t) for t = rank, rank + size, ... below Count, size being that of the group.
template <int Unroll, class Index, Index Count, int Size, class What>
constexpr void strided_for(const member<Size>& me, What what) {
  if constexpr (Size == 0) {
    for (Index t = me.rank; t < Count; t += me.size()) what(t);
  } else {
    constexpr Index passes = (Count + Size - 1) / Size;
#pragma unroll Unroll
    for (Index pass = 0; pass < passes; ++pass) {
      const Index t = pass * Size + me.rank;
      if ((pass + 1) * Size <= Count || t < Count) what(t);
    }
  }
}

/// The assumed number of threads of a group of run-time size when tiles are chosen.
inline constexpr int usual_threads = 128;

/// What the thread does of the contraction `Form`, with operands in the order of the call.
template <class Form, register_tile Wanted, int Size, class Result, class Out, class... In>
constexpr void contract_program(const member<Size>& me, const Result& result, const Out& out, const In&... in) {
  using T = typename Out::value_type;
  using index = index_for<typename Out::layout_kind, typename In::layout_kind...>;
  if constexpr (Form::m > 0 && Form::n > 0 && Form::loops > 0) {
    constexpr lowered form = Form::form;
    using to = place_of<Form, output, typename Out::layout_kind, index>;
    const T* const data[] = {in.data()...};
    const auto operand = [&]<index_t O>(constant<O>) {
      using layout = typename tessera::detail::nth<int(O), In...>::layout_kind;
      return input<T, place_of<Form, int(O), layout, index>, index>{data[O]};
    };
    const auto side = [&]<index_t First, index_t Second>(constant<First> first, constant<Second> second) {
      if constexpr (Second < 0)
        return operand(first);
      else
        return input_pair<decltype(operand(first)), decltype(operand(second)), index>{operand(first), operand(second)};
    };
    if constexpr (form.form == canonical::pointwise) {
      const auto a = operand(constant<0>{});
      const auto b = operand(constant<1>{});
      constexpr index count = index(Form::m * Form::loops);
      constexpr product_size size{count, 1, 1, 1, Size == 0 ? usual_threads : Size, int(sizeof(T))};
      strided_for<unrolled_passes({1, 1}, size), index, count>(me, [&](index t) {
        const index l = t / index(Form::m), r = t - l * index(Form::m);
        result.template store<Form, to, index>(out.data(), r, 0, l, T(a.load(r, 0, l) * b.load(r, 0, l)));
      });
    } else {
      const auto left = side(constant<form.left[0]>{}, constant<form.left[1]>{});
      const auto right = side(constant<form.right[0]>{}, constant<form.right[1]>{});
      constexpr product_size size{Form::m,       Form::n, Form::k, Form::loops, Size == 0 ? usual_threads : Size,
                                  int(sizeof(T))};
      constexpr register_tile tile = fitted(Wanted, size);
      strided_for<unrolled_passes(tile, size), index, tile_grid<Form, tile, index>::tiles>(me, [&](index t) {
        compute_tile<Form, tile, unrolled_k(tile, size), to>(t, left, right, out.data(), result);
      });
    }
  }
}

}  // namespace tessera::device
