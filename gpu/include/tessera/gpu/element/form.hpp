// SPDX-License-Identifier: BSD-3-Clause
// What an element kernel of the GPU is compiled for: sizes and tuning as types of integers.
#pragma once

namespace tessera::device {

constexpr int power_of(int base, int exponent) { return exponent == 0 ? 1 : base * power_of(base, exponent - 1); }

/// d trial functions, q points, t test functions a direction. `nodal`: the functions are the polynomials through the
/// points, and nothing is interpolated. `own_test`: y's functions are not x's. `mirrored`: tables are given in halves.
template <int Dim, int D, int Q, int T, bool Nodal, bool OwnTest, bool Mirrored>
struct element_form {
  static constexpr int dim = Dim, d = D, q = Q, t = T;
  static constexpr bool nodal = Nodal, own_test = OwnTest, mirrored = Mirrored;
  /// The longest line, and so the side of the cube in shared memory.
  static constexpr int side = d > q ? (d > t ? d : t) : (q > t ? q : t);
};

/// A tuning: `element_tuning` of <tessera/element/element_tuning.hpp> says what the numbers mean.
template <int Elements, int Threads, int Blocks, int Last, int Prefetch, int Pitch1, int Pitch2, int PitchElement>
struct element_shape {
  static constexpr int elements = Elements, threads = Threads, blocks = Blocks, last = Last, prefetch = Prefetch;
  static constexpr int pitch_element = PitchElement;
  static constexpr int pitch(int direction) { return direction == 0 ? 1 : direction == 1 ? Pitch1 : Pitch2; }
};

/// Where the tables stand among the launch's constants, in entries: B (q,d), behind it the derivatives at the points
/// (q,q), behind them the test functions (q,t) where they are other ones.
struct table_places {
  int differentiate, test, entries;
  constexpr table_places(int d, int q, int t, bool nodal, bool own_test, bool mirrored, bool slopes)
      : differentiate(nodal ? 0 : (mirrored ? (q + 1) / 2 : q) * d),
        test(differentiate + (slopes ? (mirrored ? (q + 1) / 2 : q) * q : 0)),
        entries(test + (own_test && !nodal ? (mirrored ? (q + 1) / 2 : q) * t : 0)) {}
};

/// Those constants; a kernel of no tables has one entry that it does not read.
template <class T, int Entries>
struct table_constants {
  T at[Entries > 0 ? Entries : 1];
};

}  // namespace tessera::device
