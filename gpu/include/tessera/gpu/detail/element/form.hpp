// SPDX-License-Identifier: BSD-3-Clause
// What an element kernel of the GPU is compiled for: sizes and tuning as types of integers.
#pragma once

namespace tessera::device {

/// Of an exponent up to 3. No recursion: nvcc makes calls of one where the base is a power of 2.
constexpr int power_of(int base, int exponent) {
  return exponent == 0 ? 1 : exponent == 1 ? base : exponent == 2 ? base * base : base * base * base;
}

/// d trial functions, q points, t test functions a direction. `nodal`: the functions are the polynomials through the
/// points, and nothing is interpolated. `own_test`: y's functions are not x's. `mirrored`: tables are given in halves.
template <int Dim, int D, int Q, int T, bool Nodal, bool OwnTest, bool Mirrored>
struct element_form {
  static constexpr int dim = Dim, d = D, q = Q, t = T;
  static constexpr bool nodal = Nodal, own_test = OwnTest, mirrored = Mirrored;
  /// The longest line, and so the side of the cube in shared memory.
  static constexpr int side = d > q ? (d > t ? d : t) : (q > t ? q : t);
};

/// A tuning: `element_tuning` of <tessera/detail/element/element_tuning.hpp> says what the numbers mean.
template <int Elements, int Threads, int Blocks, int Last, int Prefetch, bool Direct, bool Staged, int Pitch1,
          int Pitch2, int PitchElement, bool ByWarp = false, int Packed = 0, int Together = 1, int Batches = 1,
          bool ByPlane = false>
struct element_shape {
  static constexpr int elements = Elements, threads = Threads, blocks = Blocks, last = Last, prefetch = Prefetch;
  static constexpr bool direct = Direct, staged = Staged, by_warp = ByWarp, by_plane = ByPlane;
  static constexpr int packed = Packed, together = Together, batches = Batches;
  static constexpr int pitch(int direction) { return direction == 0 ? 1 : direction == 1 ? Pitch1 : Pitch2; }
  static constexpr int pitch_element = PitchElement;
};

/// Where the tables are among the launch's constants, in entries: B (q,d); derivatives at the points, C (q,q) of
/// values there or, `direct`, G (q,d) of the functions; where y's functions are other ones, those (q,t), and `direct`
/// their derivatives.
struct table_places {
  int differentiate, test, test_slopes, entries;
  constexpr table_places(int d, int q, int t, bool nodal, bool own_test, bool mirrored, bool slopes, bool direct)
      : differentiate(nodal ? 0 : rows(q, mirrored) * d),
        test(differentiate + (slopes ? rows(q, mirrored) * (direct ? d : q) : 0)),
        test_slopes(test + (own_test && !nodal ? rows(q, mirrored) * t : 0)),
        entries(test_slopes + (own_test && direct ? rows(q, mirrored) * t : 0)) {}

 private:
  static constexpr int rows(int q, bool mirrored) { return mirrored ? (q + 1) / 2 : q; }
};

/// Those constants; a kernel of no tables has one entry that it does not read.
template <class T, int Entries>
struct table_constants {
  T at[Entries > 0 ? Entries : 1];
};

/// Shared memory for x.y of threads: a number each.
constexpr int dot_bytes(int threads) { return (threads * int(sizeof(double)) + 15) / 16 * 16; }

/// Threads that call the function for an element's points, `together` applications to it at once: one a line, or a
/// plane.
constexpr int threads_of_element_at_points(int q, int dim, int together, bool by_plane) {
  return together * power_of(q, by_plane ? 1 : dim - 1);
}

}  // namespace tessera::device
