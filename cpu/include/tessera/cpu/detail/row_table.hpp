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

template <class Isa, class T, bool full>
constexpr bool is_compiled(const cpu_gemm_record& r) {
  return r.isa == Isa::name && r.type == scalar_of<T> && (full || r.smoke) && !r.shares_row;
}

template <class Isa, class T, bool full>
constexpr int count_records() {
  int count = 0;
  for (const cpu_gemm_record& r : cpu_gemm_records) count += int(is_compiled<Isa, T, full>(r));
  return count;
}

// Positions in cpu_gemm_records of the records of this table.
template <class Isa, class T, bool full>
struct compiled_positions {
  int at[count_records<Isa, T, full>()]{};
  constexpr compiled_positions() {
    int position = 0, next = 0;
    for (const cpu_gemm_record& r : cpu_gemm_records) {
      if (is_compiled<Isa, T, full>(r)) at[next++] = position;
      ++position;
    }
  }
};
template <class Isa, class T, bool full>
inline constexpr compiled_positions<Isa, T, full> positions;

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

template <class Isa, class T, bool full, class Part, int... I>
struct row_array {
  static constexpr gemm_row rows[sizeof...(I)] = {make_row<Isa, T, positions<Isa, T, full>.at[Part::at(I)]>()...};
};

template <class Isa, class T, bool full, class Part, int... I>
constexpr row_array<Isa, T, full, Part, I...> row_array_of(sequence<I...>) {
  return {};
}

}  // namespace detail

/// A part's rows of an ISA and type: of the whole record array, or of the records marked smoke. Part 0 has the kernels
/// for any sizes, too.
template <class Isa, class T, row_set set, class Part>
constexpr isa_rows make_rows() {
  constexpr tessera::detail::cpu_isa_numbers numbers = tessera::detail::numbers_of(Isa::name);
  static_assert(numbers.bytes == sizeof(typename Isa::template vector<T>) && numbers.registers == Isa::registers &&
                    numbers.fused == Isa::fused,
                "the instruction set's row in cpu_isas.hpp differs from its own header");
  constexpr bool full = set == row_set::full;
  constexpr int count = Part::share(detail::count_records<Isa, T, full>());
  using array = decltype(detail::row_array_of<Isa, T, full, Part>(iota<count>{}));
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
