// SPDX-License-Identifier: BSD-3-Clause
// The compiled element kernels of each instruction set, as tables. Plain C++: no SIMD header is needed.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <tessera/cpu/detail/element/block.hpp>
#include <tessera/cpu/detail/element/diagonal_block.hpp>
#include <tessera/cpu/detail/element/matrix_block.hpp>
#include <tessera/element/operator_kind.hpp>
#include <tessera/element/points_block.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// What a kernel was compiled for. Sizes are 0 where it takes any.
struct element_size {
  operator_kind kind = operator_kind::mass;
  int dim = 3;
  int trial = 0, points = 0, test = 0;  // a direction
  bool nodal = false;                   // the functions are the Lagrange polynomials of the points
  bool mirrored = true;                 // needs tables that mirror themselves
};

/// A kernel with what its caller must know of it.
template <class T>
struct element_function {
  void (*run)(const element_block<T>&) = nullptr;
  index_t (*scratch)(index_t trial, index_t points, index_t test) = nullptr;  // vectors that it needs
  index_t (*steps)(index_t trial, index_t points, index_t test) = nullptr;    // about; that it prefetches in
};

template <class T>
struct element_row {
  element_size size;
  element_function<T> function;
};

/// Matrices of the mass operator.
template <class T>
struct mass_matrix_row {
  int dim = 3;
  index_t functions = 0, points = 0;  // a direction, tested by themselves; 0: any
  void (*run)(const matrix_block<T>&) = nullptr;
  index_t (*scratch)(const matrix_pairs<T>&) = nullptr;  // entries that it needs
  index_t (*steps)(const matrix_pairs<T>&) = nullptr;    // of one component; that it prefetches in
  void (*place_column)(const matrix_pairs<T>&, index_t column, int* to) = nullptr;
};

template <class T>
struct diagonal_row {
  operator_kind kind = operator_kind::mass;
  int dim = 3;
  void (*run)(const diagonal_block<T>&) = nullptr;
  index_t (*scratch)(index_t functions, index_t points) = nullptr;  // vectors that it needs
};

/// D at points from the Jacobians there, of as many elements as a vector has lanes. J: dim x dim numbers a point, as
/// gradient_at_points leaves them; coefficients: `given` numbers a point, in lanes too where `varying`, else one set.
template <class T>
struct factors_block {
  const T* J = nullptr;
  const T* weights = nullptr;  // one a point, of all elements
  const T* coefficients = nullptr;
  int given = 1;
  bool varying = false;
  index_t points = 0;
  T* D = nullptr;
};

template <class T>
struct factors_row {
  operator_kind kind = operator_kind::mass;
  int dim = 3;
  void (*run)(const factors_block<T>&) = nullptr;
};

/// A built-in function for a block of points; D is by point.
template <class T>
struct points_row {
  operator_kind kind = operator_kind::mass;
  int dim = 3;
  points_function<T> run = nullptr;
};

template <class T>
struct jacobian_row {
  int dim = 3;
  bool mirrored = true;
  element_function<T> function;
};

/// Dense tables: an application, and one column of the matrix, entry `column` of y's being the first that is needed
/// where `lower`.
template <class T>
struct dense_element_row {
  void (*run)(const element_block<T>&) = nullptr;
  void (*column)(const element_block<T>&, index_t column, bool lower) = nullptr;
};

/// An operator's row of a list that has one for each operator and dimension; an empty one where it is not there.
template <class Row>
Row row_of(std::span<const Row> rows, operator_kind kind, int dim) {
  for (const Row& row : rows)
    if (row.kind == kind && row.dim == dim) return row;
  return {kind, dim};
}

/// Of the Jacobians of a block of elements at their points. Sizes hold where every determinant is positive.
template <class T>
struct jacobian_range {
  bool positive;  // every determinant, a normal number
  T least, most;  // of the determinants
  T entry;        // the largest size of a derivative
};

/// Between lanes and slots of a small vector; a slot's highest bit: the opposite sign. Entry i of lane w is that of
/// slot slots[w + lanes i].
template <class T, class Slot>
struct slot_transfer {
  void (*take)(const T* from, const Slot* slots, bool signs, index_t entries, T* to) = nullptr;
  /// Adds to the slots, the entries of one lane after those of the other; those of inactive lanes are left out.
  void (*add)(const T* from, const Slot* slots, bool signs, index_t entries, unsigned active, T* to) = nullptr;
};

/// One instruction set and type.
template <class T>
struct element_kernels {
  target isa = target::reference;
  int lanes = 1;
  int table_width = 1;                           // copies of each entry of a table, one behind the other
  std::span<const element_row<T>> rows;          // exact sizes before those of any size
  std::span<const mass_matrix_row<T>> matrices;  // of any sizes last
  std::span<const diagonal_row<T>> diagonals;
  std::span<const jacobian_row<T>> jacobians;  // dim fields to their dim derivatives at points
  std::span<const factors_row<T>> factors;
  jacobian_range<T> (*range_of)(int dim, const T* J, index_t points) = nullptr;
  // Of transfer.hpp.
  void (*gather)(const lane_starts<const T>&, index_t count, T* to) = nullptr;
  void (*scatter)(const T* from, index_t count, const lane_starts<T>&, bool add) = nullptr;
  void (*stream)(const T* from, index_t count, T* to) = nullptr;
  void (*end_stream)() = nullptr;
  slot_transfer<T, std::uint16_t> narrow;
  slot_transfer<T, std::uint32_t> wide;
  void (*add_dots)(const T* x, const T* y, index_t entries, double* sums) = nullptr;
  void (*widen)(const float* from, index_t vectors, T* to) = nullptr;
  element_function<T> direct;  // of any direct_function, which knows its scratch memory
  dense_element_row<T> dense;  // of any dense_function, likewise
  std::span<const points_row<T>> at_points;
};

/// Of an instruction set of this build; nullptr for others. Whether this machine runs them: is_available().
template <class T>
const element_kernels<T>* element_kernels_of(target isa);

/// Why there are none for a target: what this build has, which of that this machine runs.
template <class T>
std::string why_no_element_kernels(target wanted);

/// The instruction set of every machine that this build runs on: has rows for tables that do not mirror themselves,
/// too.
target baseline_isa();

}  // namespace tessera
