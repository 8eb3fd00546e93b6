// SPDX-License-Identifier: BSD-3-Clause
// The lines of a program whose D is stored: D is prefetched to registers in part, or all of it is staged in shared
// memory. x and y can be copied in bulk.
#pragma once

#include <tessera/gpu/detail/element/lines.cuh>
#include <tessera/gpu/detail/element/piece_layout.hpp>

namespace tessera::device {

/// Contiguous entries in global memory, and their copy in shared memory, which has the same alignment modulo 16 bytes:
/// all but a few at both ends are copied 16 bytes at a time, by threads or by cp.async.bulk. P: T, or const T if they
/// are only read.
template <class T, class P = T>
struct memory_piece {
  static constexpr int step = 16 / int(sizeof(T));
  struct alignas(16) sixteen {
    T at[step];
  };

  P* global;
  T* shared;  // a multiple of 16 bytes
  int count;

  constexpr int shift() const { return int(reinterpret_cast<unsigned long long>(global) / sizeof(T) % step); }
  /// The first entry of the copy.
  constexpr T* copy() const { return shared + shift(); }
  constexpr int head() const {
    const int n = (step - shift()) % step;
    return n < count ? n : count;
  }
  constexpr int sixteens() const { return (count - head()) / step; }
  constexpr int tail() const { return count - head() - sixteens() * step; }

  /// Calls one(i) for the entries at both ends.
  template <class One>
  constexpr void each_end(int thread, const One& one) const {
    if (thread < head()) one(thread);
    if (thread < tail()) one(count - tail() + thread);
  }
  /// The copies to shared memory that one of `threads` threads makes: only those at both ends, or its part of all
  /// entries, of which there are `most` at most.
  template <int threads, int most>
  constexpr void load(int thread, bool ends_only) const {
    each_end(thread, [&](int i) { copy()[i] = global[i]; });
    if (ends_only) return;
    constexpr int trips = (most / step + threads - 1) / threads, at_once = trips < 4 ? (trips > 0 ? trips : 1) : 4;
    const int all = sixteens();
    const auto* const from = reinterpret_cast<const sixteen*>(global + head());
    auto* const to = reinterpret_cast<sixteen*>(copy() + head());
#pragma unroll 1
    for (int first = thread; first < all; first += threads * at_once) {
      sixteen held[at_once];
#pragma unroll
      for (int i = 0; i < at_once; ++i)
        if (first + i * threads < all) held[i] = from[first + i * threads];
#pragma unroll
      for (int i = 0; i < at_once; ++i)
        if (first + i * threads < all) to[first + i * threads] = held[i];
    }
  }
  /// The same to global memory.
  template <int threads>
  constexpr void store(int thread, bool ends_only, bool add) const {
    each_end(thread, [&](int i) { global[i] = add ? global[i] + copy()[i] : copy()[i]; });
    if (ends_only) return;
    const int all = sixteens();
    const auto* const from = reinterpret_cast<const sixteen*>(copy() + head());
    auto* const to = reinterpret_cast<sixteen*>(global + head());
#pragma unroll 1
    for (int i = thread; i < all; i += threads) {
      sixteen now = from[i];
      if (add) {
        const sixteen before = to[i];
#pragma unroll
        for (int k = 0; k < step; ++k) now.at[k] += before.at[k];
      }
      to[i] = now;
    }
  }
};

/// Stored: type of D in memory. The other parameters are those of element_lines.
///
/// If Shape::packed, x and y of a block's elements, which are contiguous, are copied in bulk through shared memory, and
/// so is staged D. A block then computes its elements in batches. x and D of all batches are loaded before the first
/// one is computed; y of a batch overwrites its x. This is for one application to an element, or for all at once, in
/// 2-D and 3-D, where barriers separate the phases that read x from those that write y.
template <class T, class Stored, class Function, class Form, class Shape, bool Several, class Loader, class Storer>
class stored_data : public element_lines<T, Stored, Function, Form, Shape, Several, Loader, Storer> {
  using base = element_lines<T, Stored, Function, Form, Shape, Several, Loader, Storer>;

 protected:
  using base::a_;
  using base::applications;
  using base::axis;
  using base::elements;
  using base::factors;
  using base::first_;
  using base::in_box;
  using base::last;
  using base::number_of;
  using base::point_place;
  using base::points;
  using base::q;
  using base::thread_;
  using base::together;
  using typename base::line_place;
  static constexpr int x_entries = base::trials * power_of(Form::d, Form::dim);
  static constexpr int y_entries = base::tests * power_of(Form::t, Form::dim);
  static constexpr int vector_entries = applications * (x_entries > y_entries ? x_entries : y_entries);
  static constexpr int data_entries = points * factors;  // of an element
  static_assert(Shape::packed == 0 ||
                    (Loader::has_pieces && Storer::has_pieces && !Several && Form::dim > 1 && !Form::nodal),
                "not a case for pieces");
  static_assert(Shape::batches == 1 || (Shape::packed > 0 && Shape::staged), "batches come in pieces");

 public:
  /// Whether D is read from shared memory: the kernel copies it, and the copy is complete before the phase at the
  /// points.
  static constexpr bool staged = Shape::staged;
  static constexpr int element_bytes = data_entries * int(sizeof(Stored));
  static constexpr int packed = Shape::packed, batches = Shape::batches;
  /// Bytes of a batch in shared memory: of x or y, and of D.
  static constexpr int vector_bytes = piece_bytes(vector_entries, int(sizeof(T)));
  static constexpr int data_bytes = piece_bytes(elements * data_entries, int(sizeof(Stored)));

  /// `own`: D of the block's elements in shared memory, if it is staged.
  constexpr stored_data(const typename base::arguments& a, const typename base::tables& constants, const Function& f,
                        T* shared, const Stored* own, index_t block, int thread)
      : base(a, constants, f, shared, block, thread), staged_(own), data_pieces_(own) {}

  /// The address of D of an element of the block.
  constexpr const Stored* data_of(int element) const { return data_of_number(number_of(element)); }
  /// The same for an element of the whole operator.
  constexpr const Stored* data_of_number(index_t element) const {
    return static_cast<const Stored*>(a_.D) + element * index_t(data_entries);
  }

  // ---- Bulk copies

  /// Sets the address in shared memory of x and y of all batches.
  constexpr void set_vector_pieces(T* shared) { vector_pieces_ = shared; }
  constexpr int present_in(int batch) const {
    const index_t rest = a_.count - block_first() - batch * elements;
    return rest < elements ? int(rest > 0 ? rest : 0) : elements;
  }
  constexpr memory_piece<T, const T> x_piece(int batch) const {
    return {this->x().piece(first_number(batch), together * x_entries), vector_piece(batch),
            present_in(batch) * (together * x_entries)};
  }
  constexpr memory_piece<T> y_piece(int batch) const {
    return {this->y().piece(first_number(batch), together * y_entries), vector_piece(batch),
            present_in(batch) * (together * y_entries)};
  }
  constexpr memory_piece<Stored, const Stored> data_piece(int batch) const {
    return {static_cast<const Stored*>(a_.D) + first_number(batch) * index_t(data_entries),
            const_cast<Stored*>(data_pieces_) + batch * (data_bytes / int(sizeof(Stored))),
            present_in(batch) * data_entries};
  }
  constexpr bool adds() const { return this->y().adds(); }

  /// The loads of a thread before the first batch. `ends_only`: cp.async.bulk copies all but the ends.
  constexpr void load(bool ends_only) {
    prefetch_points();
    load_pieces(ends_only);
  }
  constexpr void begin(int batch) {
    first_ = block_first() + batch * elements;
    batch_ = batch;
    this->x_piece_ = x_piece(batch).copy();
    this->y_piece_ = y_piece(batch).copy();
    if constexpr (staged) staged_ = data_piece(batch).copy();
  }
  /// Stores a thread's part of y of the batch that was computed.
  constexpr void store(bool ends_only) const {
    y_piece(batch_).template store<base::threads>(thread_, ends_only, adds());
  }

 protected:
  constexpr void load_pieces(bool ends_only) const {
#pragma unroll 1
    for (int batch = 0; batch < batches; ++batch) {
      x_piece(batch).template load<base::threads, applications * x_entries>(thread_, ends_only);
      if constexpr (staged) data_piece(batch).template load<base::threads, elements * data_entries>(thread_, ends_only);
    }
  }

  // ---- D at the points of a thread's line

  /// Points of a line whose D is prefetched.
  static constexpr int ahead = staged ? 0 : Shape::prefetch < q ? Shape::prefetch : q;

  /// The address of D of an element of the current batch, staged or in global memory.
  constexpr const Stored* data_at(int element) const {
    return staged ? staged_ + element * data_entries : data_of(element);
  }
  constexpr const Stored* own_data(const line_place& p) const {
    return data_at(p.element / together) + in_box(p, axis(last), 1, q, q * q);
  }
  /// Reads D of point k of the line; `from` is own_data of that line.
  constexpr void read_own(const Stored* from, int k, T (&own)[factors]) const {
#pragma unroll
    for (int f = 0; f < factors; ++f)
      own[f] = k < ahead ? T(ahead_[k < ahead ? k : 0][f]) : T(from[k * power_of(q, axis(last)) + f * points]);
  }
  /// The first phase calls this before anything else.
  constexpr void prefetch() {
    if constexpr (packed == 0) prefetch_points();
  }
  constexpr void prefetch_points() {
    if constexpr (ahead > 0) {
      const line_place p = point_place(axis(last));
      if (!p.active) return;
      const Stored* const from = own_data(p);
#pragma unroll
      for (int k = 0; k < ahead; ++k)
#pragma unroll
        for (int f = 0; f < factors; ++f) ahead_[k][f] = from[k * power_of(q, axis(last)) + f * points];
    }
  }

 private:
  constexpr index_t block_first() const { return first_ - batch_ * elements; }
  constexpr index_t first_number(int batch) const { return a_.first + block_first() + batch * elements; }
  constexpr T* vector_piece(int batch) const { return vector_pieces_ + batch * (vector_bytes / int(sizeof(T))); }

  const Stored *staged_, *data_pieces_;
  T* vector_pieces_ = nullptr;
  int batch_ = 0;
  Stored ahead_[ahead > 0 ? ahead : 1][factors];  // D of the first points of the thread's line
};

}  // namespace tessera::device
