// SPDX-License-Identifier: BSD-3-Clause
// Copies boxes of an operand to shared memory, asynchronously and by all threads of a block: 16 bytes at once where
// they lie side by side, else entry by entry. What is outside of the tensor becomes 0.
#pragma once

#include <tessera/gpu/detail/general/shape.cuh>

namespace tessera::device {

__device__ inline void copy_to_shared(unsigned to, const double* from, bool inside, constant<2>) {
  const int bytes = inside ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
__device__ inline void copy_to_shared(unsigned to, const double* from, bool inside, constant<1>) {
  const int bytes = inside ? 8 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
__device__ inline void end_stage() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most so many of the latest stages are under way.
template <int stages>
__device__ void wait_for_stages() {
  asm volatile("cp.async.wait_group %0;" ::"n"(stages) : "memory");
}

template <bool wide>
struct place_of_width {
  using type = int;
};
template <>
struct place_of_width<true> {
  using type = index_t;
};
template <bool wide>
using place = typename place_of_width<wide>::type;

template <class Lines, class Inner, class Staged, int threads>
class mover {
 public:
  /// `first`: of the box's lines, in each digit.
  template <class First>
  __device__ explicit mover(const First& first) {
#pragma unroll
    for (int d = 0; d < Lines::count; ++d) first_[d] = first[d];
    if constexpr (keeps)
#pragma unroll
      for (int i = 0; i < each; ++i) kept_[i] = piece_of(i);
  }

  /// The box of the sum that begins at `first`; `from` is where it begins in memory.
  template <class First>
  __device__ void move(const double* from, unsigned to, const First& first) const {
    if constexpr (keeps) {
#pragma unroll
      for (int i = 0; i < each; ++i) move_piece(i, kept_[i], from, to, first);
    } else {
#pragma unroll 1  // the compiler would keep what does not depend on the box
      for (int i = 0; i < each; ++i) move_piece(i, piece_of(i), from, to, first);
    }
  }

 private:
  static constexpr int digits = Lines::count + Inner::count;
  static constexpr unsigned outside = 1u << 24;  // more than the bytes of shared memory
  __host__ __device__ static constexpr int pieces() { return Lines::size() * Inner::size() / Staged::at_once; }
  static constexpr int each = (pieces() + threads - 1) / threads;
  // In registers, if they are few; else found again for each box.
  static constexpr bool keeps = each <= (Staged::at_once == 2 ? 18 : 6);

  __host__ __device__ static constexpr index_t distance(index_t stride) { return stride < 0 ? -stride : stride; }
  __host__ __device__ static constexpr bool is_wide() {
    index_t reach = 0;
    for (int i = 0; i < Lines::count; ++i) reach += (Lines::box(i) - 1) * distance(Staged::of_line(i));
    for (int i = 0; i < Inner::count; ++i) reach += (Inner::box(i) - 1) * distance(Staged::of_inner(i));
    return reach > 0x7fffffff;
  }

  // What a thread moves at once: from where in memory, to which byte, `outside` more where no line is there.
  struct piece {
    place<is_wide()> from;
    unsigned to;
    int inner[Inner::has_edges() ? Inner::count : 1];
  };

  template <class First>
  __device__ static void move_piece(int i, const piece& p, const double* from, unsigned to, const First& first) {
    if (pieces() % threads != 0 && int(threadIdx.x) + i * threads >= pieces()) return;
    bool inside = p.to < outside;
    if constexpr (Inner::has_edges()) {
#pragma unroll
      for (int d = 0; d < Inner::count; ++d)
        if (Inner::has_edge(d)) inside = inside && first[d] + p.inner[d] < Inner::extent(d);
    }
    copy_to_shared(to + p.to % outside, inside ? from + p.from : from, inside, constant<Staged::at_once>{});
  }

  __device__ piece piece_of(int i) const {
    int rest = int(threadIdx.x) + i * threads;
    bool inside = true;
    index_t from = 0;
    int to = 0;
    piece made{};
#pragma unroll
    for (int j = 0; j < digits; ++j) {
      const int d = Staged::order(j), of_inner = d - Lines::count;
      const bool line = d < Lines::count;
      const int box = line ? Lines::box(line ? d : 0) : Inner::box(line ? 0 : of_inner);
      const int steps = j == 0 ? box / Staged::at_once : box;
      int at = rest % steps;
      rest /= steps;
      if (j == 0) at *= Staged::at_once;
      if (line) {
        from += at * Staged::of_line(line ? d : 0);
        to += at * Staged::shared_line(line ? d : 0);
        if (Lines::has_edge(line ? d : 0)) inside = inside && first_[line ? d : 0] + at < Lines::extent(line ? d : 0);
      } else {
        from += at * Staged::of_inner(line ? 0 : of_inner);
        to += at * Staged::shared_inner(line ? 0 : of_inner);
        if constexpr (Inner::has_edges()) made.inner[line ? 0 : of_inner] = at;
      }
    }
    made.from = place<is_wide()>(from);
    made.to = unsigned(to) * unsigned(sizeof(double)) + (inside ? 0 : outside);
    return made;
  }

  int first_[Lines::count + 1];
  piece kept_[keeps ? each : 1];
};

}  // namespace tessera::device
