// SPDX-License-Identifier: BSD-3-Clause
// How a kernel reads an entry of x and writes an entry of y: loaders and storers, and those of E-vectors.
//
// Kernels that apply element operators have a loader and a storer as template parameters, kernels of diagonals a
// storer. Nothing else in a kernel knows where x and y lie. A vector of another kind (entries found by a list of
// indices, with signs, masked, added up elsewhere) is another loader and another storer, not another kernel.
//
// A loader is made of three of the kernel's arguments, Loader{a.x, a.x_layout, a.x_side}: the vector's numbers, where
// entries are among them, and the distance from one right hand side to the next. It has
//   layout                the type of a.x_layout
//   has_pieces            whether elements one after the other, component by component, are one piece of memory. Only
//                         then may element_tuning::packed be set, by which kernels copy such pieces in bulk
//   piece(e, n)           where has_pieces: the address of element e, if elements have n entries
//   has_addresses         whether entries are the numbers in memory as they are: then kernels may copy them to shared
//                         memory asynchronously
//   entries(e, c, side)   component c of element e of that right hand side: an object `from` with
//     from[i]                         entry i
//     from.load(line, start, step)    line[k] = entry start + k step, for the whole array `line`
//     from.starting_at(i)             the entries from entry i on
//     from.address(i)                 where has_addresses
// A storer is Storer{a.y, a.y_layout, a.y_side, a.add} and has layout, has_pieces, piece(e, n), and
//   adds()                whether y is added to
//   entries(e, c, side)   as above: an object `to` with
//     to.put(i, value)                value to entry i, or added to it
//     to.store(line, start, step)     the same of line[k] and entry start + k step, for the whole array
//     to.starting_at(i)               the entries from entry i on
//     to.store_if<n>(there, line, step)   of line(k) and entry k step, k < n, where `there`; else nothing. line(k) is a
//                                     reference to what need not stay as it is
// A program stores each entry of an element once, after x of that application to the element has been read.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/element/layout.hpp>

namespace tessera::device {

/// The entries of one component of an element: entry i at start[stride i]. `Unit`: the stride is 1.
template <class P, bool Unit>
struct entries_of {
  P* start;
  index_t stride;

  constexpr P& operator[](int i) const { return Unit ? start[i] : start[stride * i]; }
  constexpr P* address(int i) const { return &(*this)[i]; }
  /// Those from entry i on.
  constexpr entries_of starting_at(int i) const { return {address(i), stride}; }
};

template <bool Unit, class P>
constexpr entries_of<P, Unit> entries_at(P* data, const element_layout& l, index_t element, index_t component) {
  if constexpr (Unit) return {data + l.component * component + l.block * (element - l.first), 1};
  return {data + l.start(element, component), l.entry};
}

/// Entries that are read.
template <class T, bool Unit>
struct loaded_entries : entries_of<const T, Unit> {
  template <int n>
  constexpr void load(T (&line)[n], int start, int step) const {
#pragma unroll
    for (int i = 0; i < n; ++i) line[i] = (*this)[start + i * step];
  }
  constexpr loaded_entries starting_at(int i) const { return {entries_of<const T, Unit>::starting_at(i)}; }
};

/// Entries that are written.
template <class T, bool Unit>
struct stored_entries : entries_of<T, Unit> {
  const bool& add;

  constexpr stored_entries starting_at(int i) const { return {entries_of<T, Unit>::starting_at(i), add}; }
  constexpr void put(int i, T value) const {
    if (add)
      (*this)[i] += value;
    else
      (*this)[i] = value;
  }
  template <int n>
  constexpr void store(const T (&line)[n], int start, int step) const {
    if (add) {
#pragma unroll
      for (int i = 0; i < n; ++i) (*this)[start + i * step] += line[i];
    } else {
#pragma unroll
      for (int i = 0; i < n; ++i) (*this)[start + i * step] = line[i];
    }
  }
  // All that is added to is read before anything is written.
  template <int n, class Line>
  constexpr void store_if(bool there, const Line& line, int step) const {
    if (add) {
#pragma unroll
      for (int i = 0; i < n; ++i) line(i) += there ? (*this)[i * step] : T(0);
    }
#pragma unroll
    for (int i = 0; i < n; ++i)
      if (there) (*this)[i * step] = line(i);
  }
};

/// x as an E-vector. `Unit`: entries of a component lie side by side.
template <class T, bool Unit>
struct e_vector_loader {
  using layout = element_layout;
  static constexpr bool has_pieces = Unit, has_addresses = true;

  const T* data;
  const layout& at;
  index_t side;

  constexpr loaded_entries<T, Unit> entries(index_t element, int component, int of_side) const {
    return {entries_at<Unit>(data + of_side * side, at, element, component)};
  }
  constexpr const T* piece(index_t element, int size) const { return data + (element - at.first) * size; }
};

/// y as an E-vector.
template <class T, bool Unit>
struct e_vector_storer {
  using layout = element_layout;
  static constexpr bool has_pieces = Unit;

  T* data;
  const layout& at;
  index_t side;
  const bool& add;

  constexpr bool adds() const { return add; }
  constexpr stored_entries<T, Unit> entries(index_t element, int component, int of_side) const {
    return {entries_at<Unit>(data + of_side * side, at, element, component), add};
  }
  constexpr T* piece(index_t element, int size) const { return data + (element - at.first) * size; }
};

}  // namespace tessera::device
