// SPDX-License-Identifier: BSD-3-Clause
// The list of ways to make element matrices, and what dispatches over it: decision 18.
#include "matrix_ways.hpp"

#include <iterator>

#include <tessera/detail/axes.hpp>

namespace tessera {

namespace detail {

extern const known_way by_columns, by_distinct_numbers, by_lines_in_halves, by_strips, by_parities, by_threads,
    by_held_data;

namespace {

constexpr const known_way* all_ways[] = {&by_columns,  &by_distinct_numbers, &by_lines_in_halves, &by_strips,
                                         &by_parities, &by_threads,          &by_held_data};
static_assert(std::size(all_ways) == matrix_way::count, "each has a name");

bool is_known(int way) { return way >= 0 && way < matrix_way::count; }

// Counts of what fits a block are ints, those of what a record may ask for need not be.
bool is_far_too_much(const matrix_facts& f, const matrix_tuning& t) {
  constexpr index_t most = index_t(1) << 27;
  index_t rows = f.components, columns = f.components;
  for (int a = 0; a < f.dim; ++a) rows *= f.test, columns *= f.trial;
  if (t.way != matrix_way::columns && f.trial > 32) return true;
  return t.elements > 1 && t.elements > most / (rows * columns);
}

}  // namespace

const known_way& way_of(const matrix_tuning& t) { return *all_ways[t.way]; }

template <class T>
matrix_launch<T> matrix_launch_with(const matrix_request& r, const matrix_tuning& t) {
  matrix_launch<T> made;
  if constexpr (sizeof(T) == 4)
    made = way_of(t).in_float(r, t);
  else
    made = way_of(t).in_double(r, t);
  made.kernel = {scalar_of<T>, scalar_of<T>, r.function, r.facts, t};
  return made;
}

template <class T>
matrix_launch<T> matrix_launch_for(const matrix_request& r, const gpu_limits& limits) {
  const matrix_tuning t = choose_matrix_tuning(r.facts, limits).tuning;
  matrix_launch<T> made = matrix_launch_with<T>(r, t);
  made.problem = why_unfit(r.facts, t, limits);
  return made;
}

template matrix_launch<float> matrix_launch_for(const matrix_request&, const gpu_limits&);
template matrix_launch<double> matrix_launch_for(const matrix_request&, const gpu_limits&);
template matrix_launch<float> matrix_launch_with(const matrix_request&, const matrix_tuning&);
template matrix_launch<double> matrix_launch_with(const matrix_request&, const matrix_tuning&);

const char* why_not_of_slopes(const matrix_facts& f) {
  if (f.entry_bytes != 8 || f.dim < 2 || !is_symmetric(f) || !has_slopes(f))
    return "it makes symmetric matrices of derivatives, in double, in 2-D and 3-D";
  return "";
}

const char* why_unfit_block(const matrix_tuning& t, index_t bytes, index_t staged, const gpu_limits& m) {
  constexpr index_t most_staged = 1 << 16;  // places are numbers of 16 bits
  if (t.threads < 32 || t.threads % 32 != 0 || t.threads > m.threads) return "threads are not whole warps of a block";
  if (t.blocks < 1 || t.blocks * t.threads > m.all_threads || t.blocks > m.blocks)
    return "too many blocks are asked for";
  if (bytes > m.shared_bytes || staged > most_staged) return "numbers of a block do not fit shared memory";
  return "";
}

const char* word(bool value) { return value ? "true" : "false"; }
const char* word(scalar_type type) { return type == scalar_type::f32 ? "float" : "double"; }

std::string int_list(std::initializer_list<int> numbers) {
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

std::string form_and_shape(const device::matrix_kernel& of, bool mirrored) {
  const matrix_facts& f = of.facts;
  std::string shape =
      "tessera::device::matrix_shape<" + std::to_string(f.components) + ", " + std::string(word(f.packed));
  for (const axis<matrix_tuning>& a : axes_of<matrix_tuning>()) shape += ", " + std::to_string(of.tuning.*a.field);
  return "tessera::device::element_form<" + int_list({f.dim, f.trial, f.points, f.test}) + ", false, " +
         word(f.own_test) + ", " + word(mirrored) + ">, " + shape + ">";
}

device::jit_source source_of_program(const std::string& header, const std::string& program) {
  return {
      "#include <tessera/element/pointwise.hpp>\n#include <tessera/gpu/detail/element/assemble.cuh>\n"
      "#include <tessera/gpu/detail/element/" +
          header + ".cuh>\n#include <tessera/gpu/detail/tensor_core.cuh>\n",
      {"tessera::device::assemble_elements<tessera::device::" + program + ", tessera::device::streaming_stores>>"}};
}

}  // namespace detail

device::jit_source device::source_of(const matrix_kernel& what) {
  return tessera::detail::way_of(what.tuning).source(what);
}

const char* why_unfit(const matrix_facts& f, const matrix_tuning& t, const gpu_limits& limits) {
  if (!detail::is_known(t.way)) return "there is no such way";
  if (detail::is_far_too_much(f, t)) return "numbers of a block do not fit shared memory";
  return detail::way_of(t).why_unfit(f, t, limits);
}

points_served points_served_by(int way) { return detail::all_ways[way]->of_record; }

std::optional<matrix_tuning> ruled_matrix_tuning(int way, const matrix_facts& f, const gpu_limits& limits) {
  const detail::known_way& of = *detail::all_ways[way];
  return of.by_rule == nullptr ? std::nullopt : of.by_rule(f, limits);
}

matrix_tuning ruled_matrix_tuning(const matrix_facts& f, const gpu_limits& limits) {
  for (int way = matrix_way::count - 1; way > matrix_way::columns; --way)
    if (const auto tuning = ruled_matrix_tuning(way, f, limits)) return *tuning;
  return *ruled_matrix_tuning(matrix_way::columns, f, limits);
}

}  // namespace tessera
