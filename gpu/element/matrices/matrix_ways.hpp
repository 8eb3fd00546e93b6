// SPDX-License-Identifier: BSD-3-Clause
// The ways to make element matrices on a GPU: what each can do, its kernel, and what that is launched with. A new way
// is its kernel, a file beside this one, and a line in matrix_ways.cpp (and its name in matrix_tuning.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tessera/detail/element/matrix_choice.hpp>
#include <tessera/detail/element/operator_facts.hpp>
#include <tessera/element/matrix_storage.hpp>
#include <tessera/gpu/detail/element/constants.hpp>
#include <tessera/gpu/detail/element/kernel.hpp>
#include <tessera/gpu/detail/element/pair_tables.hpp>

namespace tessera::detail {

/// Matrices of an operator, with its tables of one direction.
struct matrix_request {
  matrix_facts facts;
  const std::string& function;  // its type, for the compiler
  const device::direction_tables& tables;

  /// Derivatives of the functions at the points, given or by C.
  std::vector<double> slopes() const {
    if (!tables.gradients.empty()) return tables.gradients;
    return device::slopes_of(tables.differentiate, tables.interpolate, facts.points, facts.trial);
  }
};

template <class T>
struct matrix_launch {
  std::string text;          // "strips of columns on tensor cores by 128", namely threads
  const char* problem = "";  // why it cannot run
  device::matrix_kernel kernel;
  std::vector<T> constants;  // of the launch
  device::place_table places;
  std::vector<double> tables;  // in memory
  index_t parts = 1;           // blocks that have matrices together
  int bytes = 0;               // of shared memory
};

struct known_way {
  const char* (*why_unfit)(const matrix_facts&, const matrix_tuning&, const gpu_limits&);
  device::jit_source (*source)(const device::matrix_kernel&);
  matrix_launch<float> (*in_float)(const matrix_request&, const matrix_tuning&);
  matrix_launch<double> (*in_double)(const matrix_request&, const matrix_tuning&);
  points_served of_record{};
  std::optional<matrix_tuning> (*by_rule)(const matrix_facts&, const gpu_limits&) = nullptr;
};

/// As numbered in matrix_way.
const known_way& way_of(const matrix_tuning& t);

/// With the tuning that is chosen for it, or the given one.
template <class T>
matrix_launch<T> matrix_launch_for(const matrix_request& r, const gpu_limits& limits);
template <class T>
matrix_launch<T> matrix_launch_with(const matrix_request& r, const matrix_tuning& t);

// ---- What ways have in common

/// Of one component, x and y of the same functions.
inline bool is_symmetric(const matrix_facts& f) {
  return !f.own_test && f.components == 1 && tessera::is_symmetric(f.kind);
}
inline bool has_slopes(const matrix_facts& f) { return facts_of(f.kind, f.dim, 2, 2, 8).slopes(); }

/// Why a kernel for pairs of functions cannot make them; empty where it can: symmetric ones of derivatives, in double.
const char* why_not_of_slopes(const matrix_facts& f);
const char* why_unfit_block(const matrix_tuning& t, index_t bytes, index_t staged, const gpu_limits& limits);

/// "1 matrix", "3 matrices".
inline std::string matrices_text(int count) { return std::to_string(count) + (count == 1 ? " matrix" : " matrices"); }

const char* word(bool value);
const char* word(scalar_type type);
std::string int_list(std::initializer_list<int> numbers);
/// The types Form and Shape of a kernel's program.
std::string form_and_shape(const device::matrix_kernel& of, bool mirrored);
/// Of a program of <tessera/gpu/detail/element/HEADER.cuh>, up to its last parameter.
device::jit_source source_of_program(const std::string& header, const std::string& program);

/// The launch's constants are numbers of the kernel's type.
template <class T>
std::vector<T> numbers_of(const std::vector<double>& all) {
  return {all.begin(), all.end()};
}

constexpr int most_bytes_of_constants = (4 << 10) - 256;  // what a launch takes with the other arguments

}  // namespace tessera::detail
