// SPDX-License-Identifier: BSD-3-Clause
// The CPU gemm records: the sizes that get a kernel of their own, and their tunings. Data, read by the kernel tables,
// by contract<> and by choose.
#pragma once

#include <iterator>

#include <tessera/detail/fits.hpp>
#include <tessera/detail/nearest.hpp>
#include <tessera/embedded_records.hpp>

namespace tessera {

/// out (m, n) = left (m, k) right (k, n), packed column-major. n = 0: any n.
struct cpu_gemm_record {
  target isa = target::reference;
  scalar_type type = scalar_type::f64;
  index_t m = 0, n = 0, k = 0;
  cpu_gemm_tuning tuning;
  bool smoke = false;  // also in the small build
  memory_regime in = memory_regime::cache;
  evidence from = evidence::model;
  int origin = no_origin;   // index into record_origins
  product_size of{};        // the size that was measured; empty for the model
  bool stale = false;       // kernels have changed since it was measured
  bool shares_row = false;  // an earlier record of these sizes has this tuning and uses the same kernel
  bool is_second = false;   // the tuning is the second best of that measurement, so that it shares a row
};

namespace detail {

constexpr int least(int a, int b) { return a < b ? a : b; }

/// Squares up to this size have a record of their own.
inline constexpr int largest_square = 16;
/// Orders of the FEM shapes: (q x d)(d x any) and (d x q)(q x any) with d = p + 1 nodes and q in {d, d + 1} points.
inline constexpr int largest_order = 8;
/// Orders whose contractions by a middle and by the last index have rows of their own. For higher orders strips of any
/// k are as fast.
inline constexpr int largest_axis_order = 3;

struct measured_tuning {
  target isa;
  scalar_type type;
  index_t first, last;  // squares n in [first, last]
  cpu_gemm_tuning tuning;
};

/// Tunings measured in cache for squares without a shipped record for the instruction set (figures:
/// docs/decisions/0004-cpu-gemm-family.md).
inline constexpr measured_tuning measured_squares[] = {
    {target::sse2, scalar_type::f64, 1, 2, {1, 4, 0, true}},
    {target::sse2, scalar_type::f32, 1, 2, {1, 4, 0, true}},
    {target::avx2, scalar_type::f64, 1, 1, {1, 4, 0, true}},
    {target::avx2, scalar_type::f32, 1, 1, {1, 4, 0, true}},
    {target::avx512, scalar_type::f64, 1, 1, {1, 4, 0, true}},
    {target::avx512, scalar_type::f32, 1, 1, {1, 4, 0, true}},
};

}  // namespace detail

/// The model for sizes without a measurement: as many rows as the registers allow beside enough columns to hide the
/// latency of the multiply-adds, columns in blocks of equal width. n = 0: any n.
constexpr cpu_gemm_tuning modelled_cpu_tuning(target isa, scalar_type type, index_t m, index_t n, index_t k) {
  const detail::cpu_isa_numbers has = detail::numbers_of(isa);
  const int lanes = has.bytes / int(size_of(type));
  const index_t needed = m > lanes ? (m + lanes - 1) / lanes : 1;
  const int vectors = needed < has.most_vectors ? int(needed) : has.most_vectors;
  // Accumulators, the left column and one register for the right entry; with 16 registers also the tail's mask, alpha
  // and beta have to stay, or g++ 12 spills accumulators.
  const int aside = has.registers > 16 ? 1 : 3;
  const int fitting = (has.registers - aside - vectors) / vectors;
  int columns = detail::least(fitting, vectors == 1 ? has.most_columns : has.most_columns * 3 / 4);
  if (n > 0) {
    const index_t blocks = (n + columns - 1) / columns;
    columns = int((n + blocks - 1) / blocks);
  } else {
    // In FEM chains n is a product of extents like k; the remainder is split into blocks of decreasing powers of two.
    const int limit = detail::least(columns, 9);
    columns = k > 1 && k <= limit ? int(limit / k * k) : detail::least(limit, limit >= 8 ? 8 : 4);
  }
  cpu_gemm_tuning t{.row_vectors = vectors, .columns = columns, .unroll_k = k <= has.longest_unrolled_k ? 0 : 4};
  t.half_tail = int(detail::rows_in_half(m, lanes, cpu_limits_of(isa)) > 0);
  return t;
}

/// True where the compiler's own loop is assumed to win: C has few rows that divide a vector, and it fills the vector
/// with several columns.
constexpr bool loops_win(target isa, scalar_type type, index_t m, index_t n, index_t k) {
  const index_t lanes = detail::numbers_of(isa).bytes / int(size_of(type));
  return n > 0 && n <= detail::largest_plain && k <= detail::largest_plain && m <= lanes / 4 && lanes % m == 0;
}

/// The tuning of the row that takes any size.
constexpr cpu_gemm_tuning generic_cpu_tuning(target isa) {
  return detail::numbers_of(isa).registers == 32 ? cpu_gemm_tuning{2, 8, 4, false} : cpu_gemm_tuning{2, 4, 4, false};
}

namespace detail {

// The embedded records of an ISA and type are contiguous, in the order of their sizes: positions of some.
struct cpu_record_block {
  int first = 0, last = 0;
};

constexpr cpu_record_block block_of(target isa, scalar_type type) {
  cpu_record_block block;
  for (int i = 0; i < int(embedded_cpu_gemm.size()); ++i) {
    const tuned_gemm<cpu_gemm_tuning>& r = embedded_cpu_gemm[std::size_t(i)];
    if (r.on != isa || r.type != type) continue;
    if (block.last == 0) block.first = i;
    block.last = i + 1;
  }
  return block;
}

constexpr product_size size_of_product(const tuned_gemm<cpu_gemm_tuning>& r) { return {r.m, r.n, r.k}; }

/// Position in measured_squares of the tuning that was measured in cache before there were record files; -1 if there is
/// none.
constexpr int built_in_square(target isa, scalar_type type, const product_size& size) {
  if (size.m != size.n || size.n != size.k) return -1;
  for (int i = 0; i < int(std::size(measured_squares)); ++i) {
    const measured_tuning& m = measured_squares[i];
    if (m.isa == isa && m.type == type && m.first <= size.n && size.n <= m.last) return i;
  }
  return -1;
}

// The record for a size without an embedded record of this regime: the built-in tuning, else that of the nearest
// record, else that of the model.
constexpr cpu_gemm_record unrecorded(target isa, scalar_type type, const product_size& size,
                                     const cpu_record_block& block, memory_regime in = memory_regime::cache) {
  const auto made = [&](const cpu_gemm_tuning& t, evidence from, int origin, const product_size& of, bool stale) {
    return cpu_gemm_record{isa, type, size.m, size.n, size.k, t, false, in, from, origin, of, stale};
  };
  const int built_in = in == memory_regime::cache ? built_in_square(isa, type, size) : -1;
  if (built_in >= 0) return made(measured_squares[built_in].tuning, evidence::built_in, no_origin, size, false);
  const gemm_form form{type, size.m, size.n, size.k, in};
  const int nearest =
      size.n > 0 ? nearest_record(embedded_cpu_gemm, block.first, block.last, form, cpu_limits_of(isa)) : -1;
  if (nearest < 0)
    return made(loops_win(isa, type, size.m, size.n, size.k) ? canonical_tuning({.plain = 1}, form, cpu_limits_of(isa))
                                                             : modelled_cpu_tuning(isa, type, size.m, size.n, size.k),
                evidence::model, no_origin, {}, false);
  const auto& r = embedded_cpu_gemm[std::size_t(nearest)];
  return made(canonical_tuning(r.tuning, form, cpu_limits_of(isa)), evidence::nearest, r.origin, size_of_product(r),
              r.stale);
}

inline constexpr int not_embedded = -1;

constexpr bool is_before(const product_size& a, const product_size& b) {
  if (a.m != b.m) return a.m < b.m;
  return a.n != b.n ? a.n < b.n : a.k < b.k;
}

// The records of the block that have the size; they are in the order of sizes.
constexpr cpu_record_block records_of_size(const product_size& size, const cpu_record_block& block) {
  int first = block.first;
  for (int end = block.last; first < end;) {
    const int middle = (first + end) / 2;
    if (is_before(size_of_product(embedded_cpu_gemm[std::size_t(middle)]), size))
      first = middle + 1;
    else
      end = middle;
  }
  int last = first;
  while (last < block.last && size_of_product(embedded_cpu_gemm[std::size_t(last)]) == size) ++last;
  return {first, last};
}

// Calls f(record, position in embedded_cpu_gemm) for each record of one size: all embedded ones; a fallback for regime
// cache if it has no embedded record; and the nearest record for regime stream if it has no embedded one, provided that
// the nearest is close enough.
template <class F>
constexpr void each_record_of(target isa, scalar_type type, const product_size& size, bool smoke,
                              const cpu_record_block& block, const cpu_record_block& sized, F& f) {
  bool has_cache = false, has_stream = false;
  for (int i = sized.first; i < sized.last; ++i) {
    const auto& r = embedded_cpu_gemm[std::size_t(i)];
    has_cache = has_cache || r.in == memory_regime::cache;
    has_stream = has_stream || r.in == memory_regime::stream;
    // Records given by the user are in every build.
    f(cpu_gemm_record{isa, type, r.m, r.n, r.k, r.tuning, smoke || record_origins[std::size_t(r.origin)].users, r.in,
                      evidence::recorded, r.origin, size, r.stale},
      i);
  }
  const auto add = [&](cpu_gemm_record other) {
    other.smoke = smoke;
    f(other, not_embedded);
  };
  if (!has_cache) add(unrecorded(isa, type, size, block));
  if (has_stream) return;
  const cpu_gemm_record streamed = unrecorded(isa, type, size, block, memory_regime::stream);
  if (streamed.from == evidence::nearest) add(streamed);
}

// f(size, smoke) for the sizes that have rows in every full build: squares, and contractions of low orders by a middle
// and by the last index, from d nodes to q points and back.
template <class F>
constexpr void each_listed_size(F f) {
  for (index_t n = 1; n <= largest_square; ++n) f(product_size{n, n, n}, n == 3 || n == 4 || n == 9);
  for (index_t d = 2; d <= largest_axis_order + 1; ++d) {
    f(product_size{d * d, d, d}, false);
    const index_t q = d + 1;
    f(product_size{d, q, d}, d == 3);
    f(product_size{d * d, q, d}, false);
    f(product_size{q, d, q}, false);
    f(product_size{q * q, d, q}, d == 2);
  }
}

constexpr bool is_listed(const product_size& s) {
  bool found = false;
  each_listed_size([&](const product_size& other, bool) { found = found || other == s; });
  return found;
}

// Calls f(record, its position in embedded_cpu_gemm) for each record in order: exact sizes first, records of one size
// side by side.
template <class F>
constexpr void each_cpu_record(F f) {
  for (const cpu_isa_numbers& each : cpu_isas)
    for (const scalar_type type : {scalar_type::f32, scalar_type::f64}) {
      const cpu_record_block block = block_of(each.isa, type);
      each_listed_size([&](const product_size& size, bool smoke) {
        each_record_of(each.isa, type, size, smoke, block, records_of_size(size, block), f);
      });
      for (int next = block.first; next < block.last;) {
        const product_size size = size_of_product(embedded_cpu_gemm[std::size_t(next)]);
        const cpu_record_block sized = records_of_size(size, {next, block.last});
        if (!is_listed(size)) each_record_of(each.isa, type, size, false, block, sized, f);
        next = sized.last;
      }
      for (int p = 1; p <= largest_order; ++p) {
        const int d = p + 1, q = d + 1;
        f(cpu_gemm_record{each.isa, type, d, 0, d, modelled_cpu_tuning(each.isa, type, d, 0, d), false}, not_embedded);
        f(cpu_gemm_record{each.isa, type, q, 0, d, modelled_cpu_tuning(each.isa, type, q, 0, d), p == 4}, not_embedded);
        f(cpu_gemm_record{each.isa, type, d, 0, q, modelled_cpu_tuning(each.isa, type, d, 0, q), false}, not_embedded);
      }
    }
}

// More than there can be: two for each size without an embedded record, and those of any n.
constexpr int most_cpu_records() {
  int listed = 0;
  each_listed_size([&](const product_size&, bool) { ++listed; });
  return 2 * int(embedded_cpu_gemm.size()) + int(std::size(cpu_isas)) * 2 * (2 * listed + 3 * largest_order);
}

// Made once, with room for more: evaluating it takes a compiler longest of all here.
struct cpu_record_room {
  int count = 0;
  cpu_gemm_record records[most_cpu_records()]{};

  constexpr cpu_record_room() {
    each_cpu_record([&](const cpu_gemm_record& given, int embedded) {
      cpu_gemm_record& r = records[count];
      r = given;
      if (has_row(count, r.tuning)) {
        r.shares_row = true;
      } else if (const runner_up<cpu_gemm_tuning> other = second_of(r, embedded);
                 other.is_as_good() && has_row(count, other.tuning)) {
        r.tuning = other.tuning;
        r.shares_row = r.is_second = true;
      }
      // A kernel is compiled for the first record that uses it.
      for (int before = count - 1; r.smoke && before >= 0 && is_same_product(records[before], r); --before)
        if (records[before].tuning == r.tuning) records[before].smoke = true;
      ++count;
    });
  }

  /// Whether a record of the same sizes in front of number `at` has the tuning.
  constexpr bool has_row(int at, const cpu_gemm_tuning& tuning) const {
    for (int before = at - 1; before >= 0 && is_same_product(records[before], records[at]); --before)
      if (records[before].tuning == tuning) return true;
    return false;
  }
  /// For a record that was measured for its sizes and was not given by the user; those are used unchanged.
  static constexpr runner_up<cpu_gemm_tuning> second_of(const cpu_gemm_record& r, int embedded) {
    if (embedded == not_embedded || record_origins[std::size_t(r.origin)].users) return {};
    return embedded_cpu_gemm[std::size_t(embedded)].second;
  }

  static constexpr bool is_same_product(const cpu_gemm_record& a, const cpu_gemm_record& b) {
    return a.isa == b.isa && a.type == b.type && a.m == b.m && a.n == b.n && a.k == b.k;
  }
};
inline constexpr cpu_record_room cpu_room;

struct cpu_record_list {
  cpu_gemm_record records[cpu_room.count]{};

  constexpr cpu_record_list() {
    for (int i = 0; i < cpu_room.count; ++i) records[i] = cpu_room.records[i];
  }
};
inline constexpr cpu_record_list cpu_list;

}  // namespace detail

/// The records of this build. For each ISA and type, exact sizes precede those of any n.
inline constexpr auto& cpu_gemm_records = detail::cpu_list.records;

/// The tuning for a size whose operands stay in cache: its record's where there is one, else the nearest record's, else
/// the model's. contract<> uses this.
constexpr cpu_gemm_tuning cpu_tuning_for(target isa, scalar_type type, index_t m, index_t n, index_t k) {
  for (const cpu_gemm_record& r : cpu_gemm_records)
    if (r.isa == isa && r.type == type && r.m == m && r.k == k && (r.n == n || r.n == 0) &&
        r.in == memory_regime::cache)
      return r.tuning;
  return detail::unrecorded(isa, type, {m, n, k}, detail::block_of(isa, type)).tuning;
}

}  // namespace tessera
