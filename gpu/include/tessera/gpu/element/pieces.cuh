// SPDX-License-Identifier: BSD-3-Clause
// x and y of a block's elements, adjacent in memory, as pieces that go through shared memory.
#pragma once

#include <tessera/element/piece_room.hpp>
#include <tessera/gpu/element/lines.cuh>

namespace tessera::device {

/// Numbers side by side in memory, and their room in shared memory, where they are as far behind a multiple of 16
/// bytes: all but a few at both ends are copied 16 bytes at a time, by the copy engine, too.
/// P: T, or const T of what only comes in.
template <class T, class P = T>
struct memory_piece {
  static constexpr int step = 16 / int(sizeof(T));
  struct alignas(16) sixteen {
    T at[step];
  };

  P* memory;
  T* room;  // at a multiple of 16 bytes
  int count;

  constexpr int shift() const { return int(reinterpret_cast<unsigned long long>(memory) / sizeof(T) % step); }
  constexpr T* inside() const { return room + shift(); }
  constexpr int head() const {
    const int n = (step - shift()) % step;
    return n < count ? n : count;
  }
  constexpr int sixteens() const { return (count - head()) / step; }
  constexpr int tail() const { return count - head() - sixteens() * step; }

  /// take(i) for the numbers at the ends.
  template <class Take>
  constexpr void each_end(int thread, const Take& take) const {
    if (thread < head()) take(thread);
    if (thread < tail()) take(count - tail() + thread);
  }
  /// The part of a thread, of `threads`, of what comes in; the ends alone, or everything: `most` numbers.
  template <int threads, int most>
  constexpr void fetch(int thread, bool ends) const {
    each_end(thread, [&](int i) { inside()[i] = memory[i]; });
    if (ends) return;
    constexpr int trips = (most / step + threads - 1) / threads, at_once = trips < 4 ? (trips > 0 ? trips : 1) : 4;
    const int all = sixteens();
    const auto* const from = reinterpret_cast<const sixteen*>(memory + head());
    auto* const to = reinterpret_cast<sixteen*>(inside() + head());
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
  /// Of what goes out.
  template <int threads>
  constexpr void deliver(int thread, bool ends, bool add) const {
    each_end(thread, [&](int i) { memory[i] = add ? memory[i] + inside()[i] : inside()[i]; });
    if (ends) return;
    const int all = sixteens();
    const auto* const from = reinterpret_cast<const sixteen*>(inside() + head());
    auto* const to = reinterpret_cast<sixteen*>(memory + head());
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

/// A block's elements in batches, whose x and D are all asked for before anything is computed; y of a batch takes the
/// room of its x. For one application to an element, or all at the same time, in 2-D and 3-D: between the phases that
/// read x and those that write y are barriers.
template <class T, class Source, class Function, class Form, class Shape, bool Several, bool Unit>
class element_pieces : public element_lines<T, Source, Function, Form, Shape, Several, Unit> {
  using base = element_lines<T, Source, Function, Form, Shape, Several, Unit>;

 protected:
  using base::a_;
  using base::dim;
  using base::elements;
  using base::first_;
  using base::lots;
  using base::tests;
  using base::thread_;
  using base::trials;
  static constexpr int x_entries = base::trials * power_of(Form::d, Form::dim);
  static constexpr int y_entries = base::tests * power_of(Form::t, Form::dim);
  static constexpr int vector_entries = lots * (x_entries > y_entries ? x_entries : y_entries);
  static_assert(Shape::packed == 0 || (!Several && Unit && Form::dim > 1 && !Form::nodal), "not a case for pieces");

 public:
  static constexpr int packed = Shape::packed, batches = Shape::batches;
  static constexpr int vector_bytes = piece_room(vector_entries, int(sizeof(T)));
  using base::base;

  /// Where the pieces of all batches lie in shared memory.
  constexpr void set_room(T* room) { vectors_ = room; }
  constexpr int present_in(int batch) const {
    const index_t rest = a_.count - block_first() - batch * elements;
    return rest < elements ? int(rest > 0 ? rest : 0) : elements;
  }
  constexpr memory_piece<T, const T> x_piece(int batch) const {
    return {a_.x + (first_number(batch) - a_.x_layout.first) * (base::together * x_entries), room_of(batch),
            present_in(batch) * (base::together * x_entries)};
  }
  constexpr memory_piece<T> y_piece(int batch) const {
    return {a_.y + (first_number(batch) - a_.y_layout.first) * (base::together * y_entries), room_of(batch),
            present_in(batch) * (base::together * y_entries)};
  }
  constexpr bool adds() const { return a_.add; }
  /// Of the batch at work. `ends`: all but the ends is someone else's to move.
  constexpr void deliver(bool ends) const { y_piece(batch_).template deliver<Shape::threads>(thread_, ends, a_.add); }

 protected:
  constexpr index_t block_first() const { return first_ - batch_ * elements; }
  constexpr index_t first_number(int batch) const { return a_.first + block_first() + batch * elements; }
  constexpr void fetch_vector(int batch, bool ends) const {
    x_piece(batch).template fetch<Shape::threads, lots * x_entries>(thread_, ends);
  }
  constexpr void go_to_batch(int batch) {
    first_ = block_first() + batch * elements;
    batch_ = batch;
    this->x_piece_ = x_piece(batch).inside();
    this->y_piece_ = y_piece(batch).inside();
  }

  constexpr T* room_of(int batch) const { return vectors_ + batch * (vector_bytes / int(sizeof(T))); }

  T* vectors_ = nullptr;
  int batch_ = 0;
};

}  // namespace tessera::device
