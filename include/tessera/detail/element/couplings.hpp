// SPDX-License-Identifier: BSD-3-Clause
// What a pointwise function couples with what, found at compile time by asking the function itself.
#pragma once

#include <tessera/element/at_point.hpp>

namespace tessera {

/// Symbolic value: a function that is evaluated with these at compile time shows which entries of D couple which slots.
/// It is zero, one, factor f of D alone, or an expression that only the function can compute.
struct coupling {
  enum kind_of { none = -1, one = -2, mixed = -3 };
  int factor = none;

  constexpr bool is_there() const { return factor != none; }
  friend constexpr coupling operator*(coupling a, coupling b) {
    if (!a.is_there() || !b.is_there()) return {none};
    return a.factor == one ? b : b.factor == one ? a : coupling{mixed};
  }
  friend constexpr coupling operator+(coupling a, coupling b) {
    return !a.is_there() ? b : !b.is_there() ? a : coupling{mixed};
  }
};

namespace detail {

/// at[slot of v][slot of u]; the slots are the derivatives, then the value.
struct coupling_table {
  coupling at[4][4];
};

template <class Function>
constexpr coupling_table couplings_of() {
  constexpr int dim = Function::dim, parts = Function::trial.components;
  coupling_table found;
  for (int in = 0; in <= dim; ++in)
    for (int c = 0; c < parts; ++c) {
      // Without braces: g++ 13.3 stops at elements that are read and have been initialised by {} alone (PR c++/110382).
      at_point<coupling, parts, dim> u, v;
      coupling D[Function::factors];
      for (int f = 0; f < Function::factors; ++f) D[f].factor = f;
      (in == dim ? u.value[c] : u.gradient[c][in < dim ? in : 0]).factor = coupling::one;
      Function{}(u, D, v);
      for (int to = 0; to < parts; ++to)
        for (int out = 0; out <= dim; ++out) {
          const coupling now = out == dim ? v.value[to] : v.gradient[to][out < dim ? out : 0];
          coupling& all = found.at[out][in];
          all = parts == 1 ? now : all.is_there() || now.is_there() ? coupling{coupling::mixed} : all;
        }
    }
  return found;
}

template <class Function>
inline constexpr coupling_table all_couplings = couplings_of<Function>();

}  // namespace detail

/// The couplings of a linear function. B^T D B of an element is a sum over pairs of *slots*, one of the test function
/// and one of the trial function. Slot r < dim is the derivative along direction r, slot dim the value.
///
/// Directions are contracted from the last one to the first. While directions 0 .. a remain, the *class* of a slot is
/// the slot itself if it is a derivative along one of them, else a + 1: with respect to these directions it is a value.
template <class Function>
struct couplings {
  static constexpr int dim = Function::dim, slots = dim + 1, parts = Function::trial.components;
  static_assert(parts == Function::test.components, "as many components of v as of u");

  /// How v's slot `out` depends on u's slot `in`. For coupled components it only says whether any pair of components
  /// depends.
  static constexpr coupling between(int out, int in) { return detail::all_couplings<Function>.at[out][in]; }

  static constexpr int class_of(int slot, int a) { return slot <= a ? slot : a + 1; }

  /// Whether a pair of classes is present, that is, contributes to the matrix, while directions 0 .. a remain.
  static constexpr bool present(int a, int out, int in) {
    for (int i = 0; i < slots; ++i)
      for (int o = 0; o < slots; ++o)
        if (class_of(i, a) == in && class_of(o, a) == out && between(o, i).is_there()) return true;
    return false;
  }
  /// Number of present pairs that are ordered before (out,in).
  static constexpr int number(int a, int out, int in) {
    int before = 0;
    for (int i = 0; i <= a + 1; ++i)
      for (int o = 0; o <= a + 1; ++o)
        if ((i < in || (i == in && o < out)) && present(a, o, i)) ++before;
    return before;
  }
  static constexpr int count(int a) { return number(a, 0, a + 2); }

  /// The class of `slot` after direction a is contracted: its derivative and its value become one class.
  static constexpr int merged(int slot, int a) { return slot < a ? slot : a; }
  /// Whether that contraction adds the present pair (old_out,old_in) to pair (out,in).
  static constexpr bool joins(int a, int out, int in, int old_out, int old_in) {
    return merged(old_out, a) == out && merged(old_in, a) == in && present(a, old_out, old_in);
  }
  /// Number of pairs added to (out,in) that are ordered before (old_out,old_in).
  static constexpr int joins_as(int a, int out, int in, int old_out, int old_in) {
    int before = 0;
    for (int i = 0; i <= a + 1; ++i)
      for (int o = 0; o <= a + 1; ++o)
        if ((i < old_in || (i == old_in && o < old_out)) && joins(a, out, in, o, i)) ++before;
    return before;
  }
  /// Whether any pair with row class `old_out` is added to (out,in).
  static constexpr bool has_rows(int a, int out, int in, int old_out) {
    for (int i = 0; i <= a + 1; ++i)
      if (joins(a, out, in, old_out, i)) return true;
    return false;
  }
};

}  // namespace tessera
