// SPDX-License-Identifier: BSD-3-Clause
// Instantiates the kernels of one instruction set and scalar type from the records: one array element, one row.
#pragma once

#include <tessera/cpu/detail/convert.hpp>
#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/cpu/detail/generic_gemm.hpp>
#include <tessera/cpu/detail/pointwise.hpp>
#include <tessera/cpu/detail/row_set.hpp>
#include <tessera/cpu/detail/specialised.hpp>
#include <tessera/detail/cpu_isas.hpp>
#include <tessera/detail/records.hpp>

namespace tessera::simd {

namespace detail {

template <class T>
constexpr bool is_in_wheel(const cpu_gemm_record& r) {
  constexpr wheel_rows has = rows_of_wheel<T>;
  if (r.isa == target::sse2 || (r.in == memory_regime::stream && !has.streams)) return false;
  if (r.n == 0) return r.m != r.k && r.m + r.k <= 2 * has.largest_order + 3;
  return r.m != r.n || r.n != r.k || r.n <= has.largest_square;
}

template <class Isa, class T, row_set set>
constexpr bool is_compiled(const cpu_gemm_record& r) {
  if (r.isa != Isa::name || r.type != scalar_of<T> || r.shares_row) return false;
  return set == row_set::full || r.smoke || (set == row_set::wheel && is_in_wheel<T>(r));
}

template <class Isa, class T, row_set set>
constexpr int count_records() {
  int count = 0;
  for (const cpu_gemm_record& r : cpu_gemm_records) count += int(is_compiled<Isa, T, set>(r));
  return count;
}

// Positions in cpu_gemm_records of the records of this table.
template <class Isa, class T, row_set set>
struct compiled_positions {
  int at[count_records<Isa, T, set>()]{};
  constexpr compiled_positions() {
    int position = 0, next = 0;
    for (const cpu_gemm_record& r : cpu_gemm_records) {
      if (is_compiled<Isa, T, set>(r)) at[next++] = position;
      ++position;
    }
  }
};
template <class Isa, class T, row_set set>
inline constexpr compiled_positions<Isa, T, set> positions;

template <class T>
constexpr problem_functions functions_of(problem_function<T> f) {
  if constexpr (same_type<T, float>)
    return {f, nullptr};
  else
    return {nullptr, f};
}

template <class Isa, class T, int record>
constexpr gemm_row make_row() {
  constexpr cpu_gemm_record r = cpu_gemm_records[record];
  return {r.m, r.n, r.k, r.type, r.tuning, functions_of<T>(&specialised_gemm<Isa, T, r.m, r.n, r.k, r.tuning>)};
}

template <class Isa, class T, row_set set, class Part, int... I>
struct row_array {
  static constexpr gemm_row rows[sizeof...(I)] = {make_row<Isa, T, positions<Isa, T, set>.at[Part::at(I)]>()...};
};

template <class Isa, class T, row_set set, class Part, int... I>
constexpr row_array<Isa, T, set, Part, I...> row_array_of(sequence<I...>) {
  return {};
}

}  // namespace detail

/// A part's rows of an ISA and type: of the records that the set has. Part 0 has the kernels
/// for any sizes, too.
template <class Isa, class T, row_set set, class Part>
constexpr isa_rows make_rows() {
  constexpr tessera::detail::cpu_isa_numbers numbers = tessera::detail::numbers_of(Isa::name);
  static_assert(numbers.bytes == sizeof(typename Isa::template vector<T>) && numbers.registers == Isa::registers &&
                    numbers.fused == Isa::fused,
                "the instruction set's row in cpu_isas.hpp differs from its own header");
  constexpr int count = Part::share(detail::count_records<Isa, T, set>());
  using array = decltype(detail::row_array_of<Isa, T, set, Part>(iota<count>{}));
  constexpr cpu_gemm_tuning generic = generic_cpu_tuning(Isa::name);
  if constexpr (Part::part == 0)
    return {Isa::name,
            array::rows,
            detail::functions_of<T>(&generic_gemm<Isa, T, generic, batch_place::by_size>),
            detail::functions_of<T>(&pointwise_row<Isa, T>),
            {detail::functions_of<T>(&generic_gemm<Isa, T, generic, batch_place::cache>),
             detail::functions_of<T>(&generic_gemm<Isa, T, generic, batch_place::memory>)},
            make_entry_functions<Isa, T>()};
  else
    return {Isa::name, array::rows, {}, {}};
}

}  // namespace tessera::simd
