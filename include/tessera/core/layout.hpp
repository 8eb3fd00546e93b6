// SPDX-License-Identifier: BSD-3-Clause
// Layouts: constexpr maps from an index tuple to an offset. Any type with extents() and offset(i, j, ...) is one.
#pragma once

#include <tessera/core/extents.hpp>

namespace tessera {

namespace detail {

template <class T>
struct plain {
  using type = T;
};
template <class T>
struct plain<T&> : plain<T> {};
template <class T>
struct plain<const T> : plain<T> {};

template <class T>
T&& value_of() noexcept;

template <class L>
concept has_extents = requires(const L& layout) {
  layout.extents().rank();
  layout.extents()(0);
};

template <class L>
using each_dimension = tessera::iota<plain<decltype(value_of<const L&>().extents())>::type::rank()>;

// offset() takes one index for each dimension.
template <class L, int... D>
constexpr bool gives_offsets(sequence<D...>) {
  return requires(const L& layout) { index_t(layout.offset(index_t(D)...)); };
}

}  // namespace detail

/// What every kernel needs of a layout. A user's own layout needs nothing more.
template <class L>
concept layout_type = detail::has_extents<L> && detail::gives_offsets<L>(detail::each_dimension<L>{});

/// Affine layouts also give `stride(d)`: offset(i, j, ...) = i stride(0) + j stride(1) + ...
template <class L>
concept affine_layout = layout_type<L> && requires(const L& layout) {
  layout.stride(0);
};

namespace detail {

// Strides 1, ld, ld n1, ld n1 n2, ... walking from the fastest dimension.
template <class Extents>
constexpr index_t column_stride(const Extents& e, index_t ld, int d) {
  if (d == 0) return 1;
  index_t stride = ld;
  for (int i = 1; i < d; ++i) stride *= e(i);
  return stride;
}

template <class Layout, class... Index>
constexpr index_t dot_strides(const Layout& layout, Index... i) {
  index_t sum = 0;
  int d = 0;
  ((sum += index_t(i) * layout.stride(d++)), ...);
  return sum;
}

template <index_t Ld>
struct leading {
  constexpr leading() = default;
  constexpr explicit leading(index_t) {}
  static constexpr index_t ld = Ld;
};
template <>
struct leading<dynamic> {
  index_t ld = 0;
  constexpr leading() = default;
  constexpr explicit leading(index_t value) : ld(value) {}
};

}  // namespace detail

/// Ld = packed: the leading dimension is the extent itself.
inline constexpr index_t packed = 0;

/// First index fastest: offset = i0 + ld (i1 + n1 (i2 + ...)). `column_major<E, dynamic>(e, ld)` takes ld at run time.
template <sizes Extents, index_t Ld = packed>
class column_major : private Extents, private detail::leading<Ld> {
 public:
  using extents_type = Extents;
  constexpr column_major() = default;
  constexpr explicit column_major(const Extents& e) : Extents(e) {}
  constexpr column_major(const Extents& e, index_t distance) : Extents(e), detail::leading<Ld>(distance) {}

  constexpr const Extents& extents() const { return *this; }
  /// The dimension whose extent the leading dimension stands in for.
  static constexpr int leading_index() { return 0; }
  constexpr index_t leading_dimension() const {
    return Ld == packed ? (Extents::rank() > 0 ? extents()(0) : 1) : index_t(this->ld);
  }
  constexpr index_t stride(int d) const { return detail::column_stride(extents(), leading_dimension(), d); }
  template <class... Index>
  constexpr index_t offset(Index... i) const {
    return detail::dot_strides(*this, i...);
  }
};
template <sizes Extents>
column_major(const Extents&) -> column_major<Extents, packed>;
template <sizes Extents>
column_major(const Extents&, index_t) -> column_major<Extents, dynamic>;

/// Last index fastest, with the same rule for the leading dimension, from the other end.
template <sizes Extents, index_t Ld = packed>
class row_major : private Extents, private detail::leading<Ld> {
 public:
  using extents_type = Extents;
  constexpr row_major() = default;
  constexpr explicit row_major(const Extents& e) : Extents(e) {}
  constexpr row_major(const Extents& e, index_t distance) : Extents(e), detail::leading<Ld>(distance) {}

  constexpr const Extents& extents() const { return *this; }
  static constexpr int leading_index() { return Extents::rank() - 1; }
  constexpr index_t leading_dimension() const {
    return Ld == packed ? (Extents::rank() > 0 ? extents()(Extents::rank() - 1) : 1) : index_t(this->ld);
  }
  constexpr index_t stride(int d) const {
    const int last = Extents::rank() - 1;
    if (d == last) return 1;
    index_t stride = leading_dimension();
    for (int i = last - 1; i > d; --i) stride *= extents()(i);
    return stride;
  }
  template <class... Index>
  constexpr index_t offset(Index... i) const {
    return detail::dot_strides(*this, i...);
  }
};
template <sizes Extents>
row_major(const Extents&) -> row_major<Extents, packed>;
template <sizes Extents>
row_major(const Extents&, index_t) -> row_major<Extents, dynamic>;

/// Column-major with the first extent rounded up to a multiple of Multiple: every column starts aligned.
template <sizes Extents, index_t Multiple>
class padded : private Extents {
  static_assert(Multiple > 0, "tessera: padding multiple must be positive");

 public:
  using extents_type = Extents;
  constexpr padded() = default;
  constexpr explicit padded(const Extents& e) : Extents(e) {}

  constexpr const Extents& extents() const { return *this; }
  static constexpr int leading_index() { return 0; }
  constexpr index_t leading_dimension() const {
    const index_t first = Extents::rank() > 0 ? extents()(0) : 1;
    return (first + Multiple - 1) / Multiple * Multiple;
  }
  constexpr index_t stride(int d) const { return detail::column_stride(extents(), leading_dimension(), d); }
  template <class... Index>
  constexpr index_t offset(Index... i) const {
    return detail::dot_strides(*this, i...);
  }
};
template <index_t Multiple, sizes Extents>
constexpr padded<Extents, Multiple> pad_to(const Extents& e) {
  return padded<Extents, Multiple>(e);
}

/// A matrix in tiles of Rows x Cols, column-major inside a tile and over the tiles; edge tiles are stored whole.
template <sizes Extents, index_t Rows, index_t Cols>
class tiled : private Extents {
  static_assert(Extents::rank() == 2, "tessera: a tiled layout is of rank 2");
  static_assert(Rows > 0 && Cols > 0, "tessera: tile sizes must be positive");

 public:
  using extents_type = Extents;
  constexpr tiled() = default;
  constexpr explicit tiled(const Extents& e) : Extents(e) {}

  constexpr const Extents& extents() const { return *this; }
  constexpr index_t offset(index_t i, index_t j) const {
    const index_t tile_rows = (extents()(0) + Rows - 1) / Rows;
    return ((j / Cols) * tile_rows + i / Rows) * (Rows * Cols) + (j % Cols) * Rows + i % Rows;
  }
};
template <index_t Rows, index_t Cols, sizes Extents>
constexpr tiled<Extents, Rows, Cols> tile_by(const Extents& e) {
  return tiled<Extents, Rows, Cols>(e);
}

/// Explicit strides, one a dimension: for arrays of the caller.
template <sizes Extents>
class strided : private Extents {
 public:
  using extents_type = Extents;
  constexpr strided() = default;
  template <class... Stride>
    requires(sizeof...(Stride) == Extents::rank())
  constexpr explicit strided(const Extents& e, Stride... stride) : Extents(e), stride_{index_t(stride)...} {}

  constexpr const Extents& extents() const { return *this; }
  constexpr index_t stride(int d) const { return stride_[d]; }
  template <class... Index>
  constexpr index_t offset(Index... i) const {
    return detail::dot_strides(*this, i...);
  }

 private:
  index_t stride_[Extents::rank() > 0 ? Extents::rank() : 1]{};
};

/// Batch-interleaved by W (AoSoA): entries (i, j) of W consecutive tensors are adjacent. In a batch, tensor b starts at
/// (b / W) W span + b % W.
template <index_t W, class Inner>
class interleaved : private Inner {
  static_assert(W > 0, "tessera: interleaving width must be positive");

 public:
  using extents_type = typename Inner::extents_type;
  static constexpr index_t lanes = W;
  constexpr interleaved() = default;
  constexpr explicit interleaved(const Inner& inner) : Inner(inner) {}

  constexpr const Inner& inner() const { return *this; }
  constexpr decltype(auto) extents() const { return Inner::extents(); }
  constexpr index_t stride(int d) const requires affine_layout<Inner> { return W * Inner::stride(d); }
  template <class... Index>
  constexpr index_t offset(Index... i) const {
    return W * Inner::offset(i...);
  }
};
template <index_t W, class Inner>
  requires layout_type<Inner>
constexpr interleaved<W, Inner> interleave(const Inner& inner) { return interleaved<W, Inner>(inner); }
template <index_t W, sizes Extents>
constexpr interleaved<W, column_major<Extents>> interleave(const Extents& e) {
  return interleaved<W, column_major<Extents>>(column_major<Extents>(e));
}

/// The number of tensors in one block of a batch: 1, or W of `interleaved`.
template <class Layout>
constexpr index_t lanes_of() {
  if constexpr (requires { Layout::lanes; })
    return Layout::lanes;
  else
    return 1;
}

}  // namespace tessera
