// SPDX-License-Identifier: BSD-3-Clause
// Copies boxes of an operand to shared memory, asynchronously and by all threads of a block: as many bytes at once as
// lie side by side. What is outside of the tensor becomes 0.
#pragma once

#include <tessera/gpu/detail/general/shape.cuh>

namespace tessera::device {

template <int bytes>
__device__ void copy_to_shared(unsigned to, const char* from, bool inside) {
  static_assert(bytes == 16 || bytes == 8 || bytes == 4 || bytes == 2);
  const int there = inside ? bytes : 0;
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there) : "memory");
  } else if constexpr (bytes == 2) {  // less than an asynchronous copy takes
    const unsigned short value = inside ? *reinterpret_cast<const unsigned short*>(from) : (unsigned short)(0);
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(to), "h"(value) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(bytes), "r"(there)
                 : "memory");
  }
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
  /// The boxes of the sum that follow are of these lines: `first`, of the box's lines in each digit.
  template <class First>
  __device__ void begin(const First& first) {
#pragma unroll
    for (int d = 0; d < Lines::count; ++d) first_[d] = first[d];
    if constexpr (keeps)
#pragma unroll
      for (int i = 0; i < each; ++i) kept_[i] = piece_of(i);
  }
  /// Whether begin() has to be called again for other lines.
  static constexpr bool depends_on_lines = Lines::has_edges();

  /// The box of the sum that begins at `first`; `from` is where it begins in memory.
  template <class Entry, class First>
  __device__ void move(const Entry* from, unsigned to, const First& first) const {
    if constexpr (keeps) {
#pragma unroll
      for (int i = 0; i < each; ++i) move_piece(i, kept_[i], from, to, first);
    } else {
#pragma unroll 1  // the compiler would keep what does not depend on the box
      for (int i = 0; i < each; ++i) move_piece(i, piece_of(i), from, to, first);
    }
  }

 private:
  using entry = typename Staged::entry;
  static constexpr int digits = Lines::count + Inner::count;
  static constexpr unsigned outside = 1u << 24;  // more than the bytes of shared memory
  __host__ __device__ static constexpr int pieces() { return Lines::size() * Inner::size() / Staged::at_once; }
  static constexpr int each = (pieces() + threads - 1) / threads;
  // In registers, if they are few; else found again for each box.
  static constexpr bool keeps = each <= (Staged::at_once * sizeof(entry) == 16 ? 18 : 6);

  __host__ __device__ static constexpr index_t distance(index_t stride) { return stride < 0 ? -stride : stride; }
  __host__ __device__ static constexpr bool is_wide() {
    index_t reach = 0;
    for (int i = 0; i < Lines::count; ++i) reach += (Lines::box(i) - 1) * distance(Staged::of_line(i));
    for (int i = 0; i < Inner::count; ++i) reach += (Inner::box(i) - 1) * distance(Staged::of_inner(i));
    return reach > 0x7fffffff / index_t(sizeof(entry));
  }

  // What a thread moves at once: from which byte in memory, to which one, `outside` more where no line is there.
  struct piece {
    place<is_wide()> from;
    unsigned to;
    int inner[Inner::has_edges() ? Inner::count : 1];
  };

  template <class Entry, class First>
  __device__ static void move_piece(int i, const piece& p, const Entry* from, unsigned to, const First& first) {
    if (pieces() % threads != 0 && int(threadIdx.x) + i * threads >= pieces()) return;
    bool inside = p.to < outside;
    if constexpr (Inner::has_edges()) {
#pragma unroll
      for (int d = 0; d < Inner::count; ++d)
        if (Inner::has_edge(d)) inside = inside && first[d] + p.inner[d] < Inner::extent(d);
    }
    const char* const begin = reinterpret_cast<const char*>(from) + (inside ? p.from : 0);
#pragma unroll
    for (int at = 0; at < int(Staged::at_once * sizeof(entry)); at += Staged::bytes_of_copy)
      copy_to_shared<Staged::bytes_of_copy>(to + p.to % outside + unsigned(at), begin + at, inside);
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
    made.from = place<is_wide()>(from * index_t(sizeof(entry)));
    made.to = unsigned(to) * unsigned(sizeof(entry)) + (inside ? 0 : outside);
    return made;
  }

  int first_[Lines::count + 1];
  piece kept_[keeps ? each : 1];
};

}  // namespace tessera::device
