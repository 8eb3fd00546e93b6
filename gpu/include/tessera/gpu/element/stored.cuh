// SPDX-License-Identifier: BSD-3-Clause
// D of a line's points from memory: some of it asked for early, or all of it staged in shared memory.
#pragma once

#include <tessera/gpu/element/pieces.cuh>

namespace tessera::device {

/// Stored: type of D in memory.
template <class T, class Stored, class Function, class Form, class Shape, bool Several, bool Unit>
class stored_data : public element_pieces<T, Stored, Function, Form, Shape, Several, Unit> {
  using base = element_pieces<T, Stored, Function, Form, Shape, Several, Unit>;

 protected:
  using base::a_;
  using base::axis;
  using base::factors;
  using base::in_box;
  using base::last;
  using base::number_of;
  using base::point_place;
  using base::points;
  using base::q;
  using typename base::line_place;

 public:
  /// D comes through shared memory: copied by whoever runs the phases, and there when the points are reached.
  static constexpr bool staged = Shape::staged;
  static constexpr int element_bytes = points * factors * int(sizeof(Stored));
  /// Where elements come in pieces: room of a batch.
  static constexpr int data_bytes = piece_room(base::elements * points * factors, int(sizeof(Stored)));

  /// `own`: D of the block's elements, where it is staged.
  constexpr stored_data(const typename base::arguments& a, const typename base::tables& constants, const Function& f,
                        T* shared, const Stored* own, index_t block, int thread)
      : base(a, constants, f, shared, block, thread), staged_(own), data_room_(own) {}

  /// Where D of an element of the block is.
  constexpr const Stored* data_of(int element) const { return data_of_number(number_of(element)); }
  /// Of one of all elements.
  constexpr const Stored* data_of_number(index_t element) const {
    return static_cast<const Stored*>(a_.D) + element * (index_t(points) * factors);
  }

  // Where elements come in pieces:

  constexpr memory_piece<Stored, const Stored> data_piece(int batch) const {
    return {static_cast<const Stored*>(a_.D) + base::first_number(batch) * (index_t(points) * factors),
            const_cast<Stored*>(data_room_) + batch * (data_bytes / int(sizeof(Stored))),
            base::present_in(batch) * (points * factors)};
  }
  /// What a thread asks for before the first batch. `ends`: all but the ends of pieces is someone else's to move.
  constexpr void fetch(bool ends) {
    ask_ahead();
    fetch_pieces(ends);
  }
  constexpr void begin(int batch) {
    base::go_to_batch(batch);
    if constexpr (staged) staged_ = data_piece(batch).inside();
  }

 protected:
  constexpr void fetch_pieces(bool ends) const {
#pragma unroll 1
    for (int batch = 0; batch < base::batches; ++batch) {
      base::fetch_vector(batch, ends);
      if constexpr (staged)
        data_piece(batch).template fetch<base::threads, base::elements * points * factors>(this->thread_, ends);
    }
  }
  /// D of an element of the batch at work: staged, or in memory.
  constexpr const Stored* data_at(int element) const {
    return staged ? staged_ + element * (points * factors) : data_of(element);
  }

  static_assert(base::batches == 1 || (base::packed > 0 && staged), "batches come in pieces");
  static constexpr int ahead = staged ? 0 : Shape::prefetch < q ? Shape::prefetch : q;

  constexpr const Stored* own_data(const line_place& p) const {
    return data_at(p.element / base::together) + in_box(p, axis(last), 1, q, q * q);
  }
  /// Of point k of the line, `from` being own_data.
  constexpr void read_own(const Stored* from, int k, T (&own)[factors]) const {
#pragma unroll
    for (int f = 0; f < factors; ++f)
      own[f] = k < ahead ? T(ahead_[k < ahead ? k : 0][f]) : T(from[k * power_of(q, axis(last)) + f * points]);
  }
  /// D of the line's first points is asked for before anything else is done.
  constexpr void prefetch() {
    if constexpr (base::packed == 0) ask_ahead();
  }
  constexpr void ask_ahead() {
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

  const Stored *staged_, *data_room_;
  Stored ahead_[ahead > 0 ? ahead : 1][factors];  // of the first points of the line at the points
};

}  // namespace tessera::device
