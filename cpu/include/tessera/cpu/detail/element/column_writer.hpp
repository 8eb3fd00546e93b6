// SPDX-License-Identifier: BSD-3-Clause
// Writes entries from lanes to memory of each element's own, by non-temporal or ordinary stores.
#pragma once

#include <cstdint>

#include <tessera/cpu/detail/element/transfer.hpp>

namespace tessera::simd {

/// Each lane's entries are written one after the other to memory of its own, a square of vectors at a time.
/// Non-temporal stores need aligned vectors: where a lane's are not, vectors are shifted in registers, or, where the
/// instruction set cannot do that, all lanes use ordinary stores.
///
/// Entries are given in columns, which are lists of their places. A column is written square by square while its owner
/// computes something else, because non-temporal stores wait for the memory and many in a row would stop everything.
/// Entries that do not fill a square are kept for the next column.
template <class Isa, class T>
class column_writer {
  using vector = typename Isa::template vector<T>;

 public:
  static constexpr index_t lanes = index_t(vector::size);

  column_writer(const lane_starts<T>& to, bool nontemporal)
      : to_(to), nontemporal_(nontemporal), all_active_(to.active == unsigned((1ull << lanes) - 1)) {
    for (int w = 0; w < lanes; ++w) {
      misaligned_[w] = index_t(reinterpret_cast<std::uintptr_t>(to.start[w]) % sizeof(vector) / sizeof(T));
      aligned_ = aligned_ && misaligned_[w] == 0;
    }
    if constexpr (Isa::recuts) {
      if (nontemporal && !aligned_)
        for (int w = 0; w < lanes; ++w) cuts_[w] = cut(int(misaligned_[w]));
    } else {
      nontemporal_ = nontemporal_ && aligned_;
    }
  }

  /// Entry i of the column is the vector at from[places[i]]. What is left of the last column is written now; this one
  /// by advance(), and until then its vectors must not change.
  void begin(const T* from, const int* places, index_t count) {
    let_go();
    if (rest_ > 0) {
      for (; rest_ < lanes && count > 0; --count, ++rest_, ++places)
        vector::load_aligned(from + *places).store_aligned(waits_[rest_]);
      if (rest_ < lanes) return;
      rest_ = 0;
      put([&](auto w) { return vector::load_aligned(waits_[w]); });
    }
    from_ = from;
    places_ = places;
    squares_ = count / lanes;
    behind_ = count % lanes;
  }

  /// Squares of the column that are not written yet.
  index_t squares() const { return squares_; }

  /// Writes so many more squares, at most all.
  void advance(index_t squares) {
    for (; squares > 0 && squares_ > 0; --squares, --squares_) {
      const T* const from = from_;
      const int* const places = places_;
      put([&](auto w) { return vector::load_aligned(from + places[w]); });
      places_ = places + lanes;
    }
  }

  /// After this the vectors of the column may change.
  void let_go() {
    advance(squares_);
    for (; behind_ > 0; --behind_, ++rest_, ++places_)
      vector::load_aligned(from_ + *places_).store_aligned(waits_[rest_]);
  }

  /// Writes two squares of `places`, one after the other, to entries `one` and `other` of each lane. It is independent
  /// of columns, and uses ordinary stores where lanes are not aligned.
  static constexpr index_t put_at_once = 2 * lanes;
  void put_twice(const T* from, const int* places, index_t one, index_t other) const {
    vector v[2][lanes];
    unrolled<2>([&](auto s) {
      unrolled<int(lanes)>([&](auto w) { v[s][w] = vector::load_aligned(from + places[s * lanes + w]); });
      transpose<Isa, T>(v[s]);
    });
    put_side_by_side(v, one);
    if (one != other) put_side_by_side(v, other);
  }

  /// After the last column.
  void finish() {
    let_go();
    for (int w = 0; w < lanes; ++w) {
      if (!to_.is_active(w)) continue;
      T* const to = to_.start[w] + at_;
      if constexpr (Isa::recuts)
        if (nontemporal_ && !aligned_ && at_ > 0)
          for (int n = int(misaligned_[w]), i = 0; i < n; ++i) to[i - n] = cut::kept(kept_[w], n, i);
      for (index_t i = 0; i < rest_; ++i) to[i] = waits_[i][w];
    }
  }

 private:
  template <class Load>
  void put(const Load& load) {
    vector v[lanes];
    unrolled<int(lanes)>([&](auto w) { v[w] = load(w); });
    transpose<Isa, T>(v);
    if (aligned_ || !nontemporal_)
      put_vectors(v, at_);
    else if constexpr (Isa::recuts)
      store_recut(v);
    at_ += lanes;
  }

  // one(w) for all lanes that have an element.
  template <class One>
  void each_active(const One& one) const {
    if (all_active_)
      unrolled<int(lanes)>([&](auto w) { one(w); });
    else
      unrolled<int(lanes)>([&](auto w) {
        if (to_.is_active(w)) one(w);
      });
  }

  void put_vectors(const vector (&v)[lanes], index_t at) const {
    if (nontemporal_)
      each_active([&](auto w) { Isa::stream(to_.start[w] + at, v[w]); });
    else
      each_active([&](auto w) { v[w].store_unaligned(to_.start[w] + at); });
  }

  void put_side_by_side(const vector (&v)[2][lanes], index_t at) const {
    if (nontemporal_ && aligned_)
      each_active([&](auto w) {
        Isa::stream(to_.start[w] + at, v[0][w]);
        Isa::stream(to_.start[w] + at + lanes, v[1][w]);
      });
    else
      each_active([&](auto w) {
        v[0][w].store_unaligned(to_.start[w] + at);
        v[1][w].store_unaligned(to_.start[w] + at + lanes);
      });
  }

  void store_recut(const vector (&v)[lanes]) {
    const index_t at = at_;
    if (at == 0) return store_first_recut(v);
    each_active([&](auto w) { Isa::stream(to_.start[w] + (at - misaligned_[w]), cuts_[w](v[w], kept_[w])); });
  }
  // The memory before the first entry belongs to another matrix.
  void store_first_recut(const vector (&v)[lanes]) {
    alignas(64) T first[lanes];
    for (int w = 0; w < lanes; ++w) {
      cuts_[w](v[w], kept_[w]).store_aligned(first);
      if (to_.is_active(w))
        for (index_t i = 0; i < lanes - misaligned_[w]; ++i) to_.start[w][i] = first[misaligned_[w] + i];
    }
  }

  template <bool recuts, class = void>
  struct cut_of {
    using type = char;
  };
  template <class Nothing>
  struct cut_of<true, Nothing> {
    using type = typename Isa::template recut<T>;
  };
  using cut = typename cut_of<Isa::recuts>::type;

  lane_starts<T> to_;
  bool nontemporal_, all_active_, aligned_ = true;
  const T* from_ = nullptr;
  const int* places_ = nullptr;  // from the next square on
  index_t squares_ = 0;          // of the column that are not written
  index_t behind_ = 0;           // entries behind them
  index_t rest_ = 0;             // entries that are kept for the next square
  index_t at_ = 0;               // entries of a lane that are written, but for what is kept
  index_t misaligned_[lanes];    // entries of a lane's first one behind a multiple of a vector: as many are kept
  cut cuts_[lanes];
  alignas(64) T kept_[lanes][lanes];   // of a lane's last vector, for the next cut
  alignas(64) T waits_[lanes][lanes];  // entries that do not fill a square
};

}  // namespace tessera::simd
