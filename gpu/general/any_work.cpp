// SPDX-License-Identifier: BSD-3-Clause
// Prepares contractions for the kernels with everything at run time: which digits are counted first, and by which way.
#include <tessera/gpu/detail/general/any_work.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <tessera/error.hpp>
#include <tessera/gpu/detail/general/any_kernel.hpp>

namespace tessera::device {

namespace {

using any_stride = index_t any_place::*;

index_t any_distance(index_t stride) { return stride < 0 ? -stride : stride; }

// Digits of more than one entry, with strides in bytes. The addend may be a tensor of its own.
std::vector<any_digit> any_digits_of(const general_digits& from, const any_place& bytes, bool own_addend) {
  std::vector<any_digit> made;
  for (int i = 0; i < from.count; ++i) {
    const general_digit& d = from.at[i];
    if (d.extent == 1) continue;
    made.push_back({any_divisor(d.extent),
                    {d.left * bytes.left, d.right * bytes.right, d.out * bytes.out,
                     (own_addend ? d.addend : d.out) * bytes.addend}});
  }
  return made;
}

// The digit whose entries are nearest to each other in an operand; its stride is not 0. -1: none.
int nearest_in(const std::vector<any_digit>& digits, any_stride in) {
  int found = -1;
  for (int i = 0; i < int(digits.size()); ++i) {
    const index_t stride = any_distance(digits[std::size_t(i)].stride.*in);
    if (stride != 0 && (found < 0 || stride < any_distance(digits[std::size_t(found)].stride.*in))) found = i;
  }
  return found;
}
bool is_nearer_in(const std::vector<any_digit>& first, const std::vector<any_digit>& second, any_stride in) {
  const int a = nearest_in(first, in), b = nearest_in(second, in);
  if (a < 0 || b < 0) return a >= 0;
  return any_distance(first[std::size_t(a)].stride.*in) < any_distance(second[std::size_t(b)].stride.*in);
}

// A part of an extent, so that a tile has so many entries of two digits each: a divisor near the wanted number; 0:
// none.
index_t any_part_of(index_t extent, index_t wanted) {
  index_t found = 0;
  for (index_t q = wanted / 2; q <= 2 * wanted; ++q)
    if (q > 1 && extent % q == 0 && (found == 0 || any_distance(q - wanted) <= any_distance(found - wanted))) found = q;
  return found;
}

// Digit `first` counts fastest, then digit `second`; if both are wanted, `part` entries of the first one at a time. -1:
// none is wanted.
any_digits any_in_order(const std::vector<any_digit>& digits, int first, int second, index_t part) {
  if (first < 0) std::swap(first, second);
  if (first == second) second = -1;
  std::vector<any_digit> made;
  std::optional<any_digit> rest;
  if (first >= 0) {
    any_digit nearest = digits[std::size_t(first)];
    const index_t extent = nearest.extent.by, q = second >= 0 && extent > 2 * part ? any_part_of(extent, part) : 0;
    if (q > 0) {
      rest = nearest;
      rest->extent = any_divisor(extent / q);
      for (const any_stride in : {&any_place::left, &any_place::right, &any_place::out, &any_place::addend})
        rest->stride.*in *= q;
      nearest.extent = any_divisor(q);
    }
    made.push_back(nearest);
  }
  if (second >= 0) made.push_back(digits[std::size_t(second)]);
  if (rest) made.push_back(*rest);
  for (int i = 0; i < int(digits.size()); ++i)
    if (i != first && i != second) made.push_back(digits[std::size_t(i)]);
  any_digits result;
  for (const any_digit& d : made) {
    result.at[result.count++] = d;
    result.size *= d.extent.by;
  }
  return result;
}

index_t tiles_over(index_t a, index_t b) { return (a + b - 1) / b; }

constexpr index_t enough_large_tiles = 32, longest_unsplit = 512;

// Of one tensor, so that its bits do not depend on the batch.
any_way any_way_of(const any_work& work, index_t products) {
  const index_t rows = work.rows.size, cols = work.cols.size;
  if (std::min(rows, cols) <= 2 || rows * cols <= 16) return any_way::single;
  const index_t large = tiles_over(rows, 64) * tiles_over(cols, 64) * products;
  const bool is_large =
      std::min(rows, cols) > 16 && (large >= enough_large_tiles || work.inner.size <= longest_unsplit);
  return is_large ? any_way::large_tiles : any_way::small_tiles;
}

// Threads split sums that are long enough; lanes then read along them, unless entries of outputs lie side by side.
int lanes_of_outputs(const any_work& work, index_t outputs) {
  constexpr int all = any_threads_log;
  int lanes = all;
  while (lanes > 0 && (index_t(1) << (all - lanes)) * 8 < work.inner.size) --lanes;
  if (!work.left_along_sum || !work.right_along_sum) lanes = std::max(lanes, 5);
  while (lanes > 0 && (index_t(1) << (lanes - 1)) >= outputs) --lanes;
  return lanes;
}

bool any_takes(any_type entry, any_type sum) { return !is_complex_type(entry) || is_complex_type(sum); }

}  // namespace

any_types any_types_of(const tessera::detail::general_kind& kind) {
  any_types made{.left = any_type_of(kind.left),
                 .right = any_type_of(kind.right),
                 .out = any_type_of(kind.out),
                 .sum = any_type_of(kind.sum),
                 .reads_out = kind.reads_out,
                 .left_conjugated = kind.left_conjugated,
                 .right_conjugated = kind.right_conjugated};
  if (kind.addend) made.addend = any_type_of(*kind.addend);
  return made;
}

bool any_can(const any_types& types, const any_functions& functions) {
  const any_type sums[] = {any_type::f32, any_type::f64, any_type::c32, any_type::c64, any_type::i32, any_type::i64};
  if (std::find(std::begin(sums), std::end(sums), types.sum) == std::end(sums)) return false;
  if (!any_takes(types.left, types.sum) || !any_takes(types.right, types.sum)) return false;
  if (types.addend && !any_takes(*types.addend, types.sum)) return false;
  if (is_complex_type(types.out) != is_complex_type(types.sum)) return false;
  const bool is_complex = is_complex_type(types.sum), is_integer = is_integer_type(types.sum);
  if (is_complex && functions.pair != any_pair::plus_times) return false;
  return std::ranges::all_of(
      std::initializer_list<any_function>{functions.left, functions.right, functions.addend, functions.result},
      [&](const any_function& f) {
        if (f.kind == any_function_kind::identity || f.kind == any_function_kind::conj) return true;
        return !is_complex && (!is_integer || f.kind == any_function_kind::relu);
      });
}
bool any_can(const tessera::detail::general_kind& kind, const any_functions& functions) {
  return any_can(any_types_of(kind), functions);
}
bool any_can(const tessera::detail::general_kind& kind) { return kind.functions.empty() && any_can(kind, {}); }

any_work any_work_of(const general_form& form, const any_types& types, const any_functions& functions,
                     const general_arguments& of, index_t batch, std::optional<any_way> way) {
  any_work work;
  const bool own = types.addend.has_value(), has_addend = (own || types.reads_out) && !(of.beta == complex<double>(0));
  work.addend_type = types.addend.value_or(types.out);
  const any_place bytes{size_of(types.left), size_of(types.right), size_of(types.out), size_of(work.addend_type)};
  const std::vector<any_digit> rows = any_digits_of(form.rows, bytes, own), cols = any_digits_of(form.cols, bytes, own),
                               inner = any_digits_of(form.inner, bytes, own);
  std::vector<any_digit> outer = any_digits_of(form.batch, bytes, own);
  const index_t addend_stride = own ? of.addend_stride : of.out_stride;
  if (batch != 1)
    outer.push_back({any_divisor(batch),
                     {of.left_stride * bytes.left, of.right_stride * bytes.right, of.out_stride * bytes.out,
                      addend_stride * bytes.addend}});
  work.left_along_sum = is_nearer_in(inner, rows, &any_place::left);
  work.right_along_sum = is_nearer_in(inner, cols, &any_place::right);
  work.out_along_cols = is_nearer_in(cols, rows, &any_place::out);
  const auto wanted = [](bool is, const std::vector<any_digit>& digits, any_stride in) {
    return is ? nearest_in(digits, in) : -1;
  };
  work.rows = any_in_order(rows, wanted(!work.out_along_cols, rows, &any_place::out),
                           wanted(!work.left_along_sum, rows, &any_place::left), 8);
  work.cols = any_in_order(cols, wanted(work.out_along_cols, cols, &any_place::out),
                           wanted(!work.right_along_sum, cols, &any_place::right), 8);
  work.inner = any_in_order(inner, wanted(work.left_along_sum, inner, &any_place::left),
                            wanted(work.right_along_sum, inner, &any_place::right), 4);
  work.batch = any_in_order(outer, -1, -1, 1);

  work.left = static_cast<const char*>(of.left);
  work.right = static_cast<const char*>(of.right);
  work.out = static_cast<char*>(of.out);
  if (has_addend) work.addend = own ? static_cast<const char*>(of.addend) : work.out;
  work.alpha = of.alpha;
  work.beta = of.beta;
  work.functions = functions;
  work.left_type = types.left;
  work.right_type = types.right;
  work.out_type = types.out;
  work.sum_type = types.sum;
  work.left_conjugated = types.left_conjugated;
  work.right_conjugated = types.right_conjugated;

  const index_t outputs = work.rows.size * work.cols.size;
  if (outputs == 0 || work.batch.size <= 0) return work;
  work.way = way.value_or(any_way_of(work, form.batch.size()));
  if (work.way == any_way::single) {
    work.lanes_log = lanes_of_outputs(work, outputs);
    work.tiles_down = any_divisor(tiles_over(outputs, index_t(1) << work.lanes_log));
    work.tiles_across = any_divisor(work.rows.size);
    work.tiles = work.tiles_down.by * work.batch.size;
  } else {
    const index_t side = work.way == any_way::large_tiles ? 64 : 16;
    work.tiles_down = any_divisor(tiles_over(work.rows.size, side));
    work.tiles_across = any_divisor(tiles_over(work.cols.size, side));
    work.tiles = work.tiles_down.by * work.tiles_across.by * work.batch.size;
  }
  work.wide = std::max({outputs, work.inner.size, work.batch.size, work.tiles}) >= any_divisor::limit - 256;
  return work;
}

void run_any(const general_form& form, const tessera::detail::general_kind& kind, const any_functions& functions,
             const general_arguments& of, index_t batch, void* stream) {
  const any_types types = any_types_of(kind);
  if (!any_can(types, functions))
    throw error(std::string("a general contraction of ") + name_of(types.left) + " and " + name_of(types.right) +
                    " -> " + name_of(types.out) + " with sums in " + name_of(types.sum) +
                    ": no kernel of run-time types has these types with these functions",
                status::wrong_type);
  const any_work work = any_work_of(form, types, functions, of, batch);
  if (work.tiles > 0) queue_any(work, stream);
}

}  // namespace tessera::device
