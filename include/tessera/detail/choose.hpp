// SPDX-License-Identifier: BSD-3-Clause
// choose: a pure function from (lowered form, target, tuning records) to a kernel family and row. It always finds one.
#pragma once

#include <iterator>
#include <optional>
#include <string_view>

#include <tessera/core/lower.hpp>
#include <tessera/detail/gpu_records.hpp>
#include <tessera/detail/problem.hpp>
#include <tessera/detail/records.hpp>
#include <tessera/target.hpp>

namespace tessera {

enum class kernel_family { gemm, pointwise };

/// Why a row was chosen; describe() prints it as text.
enum class choice_reason {
  exact_record,  // a row for exactly these sizes; `record_source` is the source of its tuning
  no_record,     // the generic row: no record for these sizes
  not_packed,    // the generic row: a record exists, but an operand is not packed column-major or has two factors
  not_compiled,  // the generic row: this build left the record's row out (TESSERA_ROWS)
  scattered,     // the generic row: rows of fixed sizes need matrices stored one after the other
  plain_target,  // the reference loops, which have no rows
  other_types,   // the generic row of the sums' type: there are CPU rows of fixed sizes for f32 and f64 only
  only_row,      // the family has one row
};

constexpr const char* name_of(kernel_family family) { return family == kernel_family::gemm ? "gemm" : "pointwise"; }

constexpr const char* text_of(choice_reason reason) {
  switch (reason) {
    case choice_reason::exact_record: return "exact record";
    case choice_reason::no_record: return "no record for these sizes";
    case choice_reason::not_packed: return "an operand is not packed column-major, or is a product of two";
    case choice_reason::not_compiled: return "the record's row is not compiled into this build";
    case choice_reason::scattered: return "matrices are not stored one after the other";
    case choice_reason::plain_target: return "the reference has plain loops only";
    case choice_reason::other_types: return "rows of fixed sizes are of f32 and f64 only";
    case choice_reason::only_row: return "the family's only row";
  }
  return "unknown";
}

/// Which measurement a row's tuning comes from, in the order of the look-up.
enum class record_source {
  overlay,            // the file that the running program was given
  this_device,        // a record file of this very device
  this_architecture,  // a record file of another device with the same instruction set or compute capability
  other_device,       // a record file of a GPU of another generation
  built_in,           // measured before there were record files
  nearest,            // the record of the nearest size
  model,              // the model: no measurement
  none,               // no row of fixed sizes runs
};

constexpr const char* text_of(record_source source) {
  switch (source) {
    case record_source::overlay: return "record of the file given at run time";
    case record_source::this_device: return "record of this device";
    case record_source::this_architecture: return "record of another device of the same architecture";
    case record_source::other_device: return "record of a device of another architecture";
    case record_source::built_in: return "built-in measurement";
    case record_source::nearest: return "nearest record";
    case record_source::model: return "model, no record for these sizes";
    case record_source::none: return "no row of fixed sizes";
  }
  return "unknown";
}

/// The inputs of a choice.
struct choice_query {
  target where = target::reference;
  product_types type = scalar_type::f64;
  canonical form = canonical::general;
  index_t m = 1, n = 1, k = 1;
  bool packed = true;  // single factors, all packed column-major; on a CPU a table that all products share may not be
  index_t bytes = 0, cache_bytes = 0;  // of all operands together, of the last-level cache; 0: unknown
  std::string_view device = {};        // device_name(where)
  int compute_capability = 0;          // of a GPU: 90 for 9.0
  bool left_conjugated = false, right_conjugated = false;
  std::optional<memory_regime> forced = {};  // whatever the bytes are
};

/// Operands that together exceed the cache are read from memory in each run, unless a regime is forced.
constexpr memory_regime regime_of(const choice_query& q) {
  if (q.forced) return *q.forced;
  return q.cache_bytes > 0 && q.bytes > q.cache_bytes ? memory_regime::stream : memory_regime::cache;
}

namespace detail {

template <class T>
constexpr bool is_packed_or_table(target where, const factor<T>& f, index_t rows, index_t cols, index_t loops) {
  return is_packed(f.map, rows, cols) || (where != target::cuda && is_table(f, loops));
}

}  // namespace detail

template <class In, class Out, class Sum>
constexpr choice_query query_of(target where, const problem<In, Out, Sum>& p) {
  return {.where = where,
          .type = types_of(p),
          .form = p.form,
          .m = p.m,
          .n = p.n,
          .k = p.k,
          .packed = p.left_factors == 1 && p.right_factors == 1 &&
                    detail::is_packed_or_table(where, p.left[0], p.m, p.k, p.loops) &&
                    detail::is_packed_or_table(where, p.right[0], p.k, p.n, p.loops) &&
                    detail::is_packed(p.out.map, p.m, p.n),
          .left_conjugated = p.left_conjugated[0],
          .right_conjugated = p.right_conjugated[0]};
}

struct choice {
  static constexpr int generic = -1;
  kernel_family family = kernel_family::gemm;
  int record = generic;  // index into the target's records
  choice_reason reason = choice_reason::no_record;
  record_source source = record_source::none;
};

namespace detail {

constexpr bool same_target(const gpu_gemm_record&, target where) { return where == target::cuda; }
constexpr bool same_target(const cpu_gemm_record& record, target where) { return record.isa == where; }

constexpr bool is_usual(const gpu_gemm_record& record) { return record.layouts == packed_layouts{}; }
constexpr bool is_usual(const cpu_gemm_record&) { return true; }

template <class Record>
constexpr bool is_of_size(const Record& r, const choice_query& q) {
  return same_target(r, q.where) && is_usual(r) && r.type == q.type && r.m == q.m && r.k == q.k &&
         (r.n == q.n || r.n == 0);
}

// Non-temporal stores halve the speed where the results should stay in cache.
constexpr bool can_serve(const cpu_gemm_record& r, const choice_query& q) {
  return !(r.tuning.stream && regime_of(q) == memory_regime::cache);
}

// A row that was measured on a larger GPU may need more shared memory than this one has.
constexpr bool can_serve(const gpu_gemm_record& r, const choice_query& q) {
  return q.compute_capability == 0 ||
         runs_on(gpu_limits_of(q.compute_capability), r.tuning, gemm_form{r.type, r.m, r.n, r.k});
}

template <class Record, class Origins>
constexpr record_source source_of(const Record& r, const choice_query& q, const Origins& origins) {
  switch (r.from) {
    case evidence::built_in: return record_source::built_in;
    case evidence::nearest: return record_source::nearest;
    case evidence::model: return record_source::model;
    case evidence::recorded: break;
  }
  const record_origin& origin = origins[std::size_t(r.origin)];
  if (q.device == origin.device) return record_source::this_device;
  return origin.on != target::cuda || origin.compute_capability == q.compute_capability
             ? record_source::this_architecture
             : record_source::other_device;
}

// How many characters two names of devices begin with in common: devices of one vendor, then of one family, are alike.
constexpr int likeness(std::string_view a, std::string_view b) {
  constexpr int most = 63;
  int same = 0;
  while (same < most && same < int(a.size()) && same < int(b.size()) && a[std::size_t(same)] == b[std::size_t(same)])
    ++same;
  return same;
}

// Smaller is better: the exact size before any n, then by source, then by memory regime, then the device most alike.
template <class Record, class Origins>
constexpr int order_of(const Record& r, const choice_query& q, const Origins& origins) {
  const int order = (r.n == q.n ? 0 : 100) + 2 * int(source_of(r, q, origins)) + (r.in == regime_of(q) ? 0 : 1);
  const int alike = r.from == evidence::recorded ? likeness(q.device, origins[std::size_t(r.origin)].device) : 0;
  return 64 * order + 63 - alike;
}

// Index of the best record for exactly these sizes; a record with n = 0 serves any n. -1 where there is none.
template <class Records, class Origins>
constexpr int exact_record(const Records& records, const choice_query& q, const Origins& origins) {
  int best = choice::generic, best_order = 0;
  for (int i = 0; i < int(std::size(records)); ++i) {
    const auto& r = records[std::size_t(i)];
    if (!is_of_size(r, q) || !can_serve(r, q)) continue;
    const int order = order_of(r, q, origins);
    if (best == choice::generic || order < best_order) best = i, best_order = order;
  }
  return best;
}

template <class Records, class Origins>
constexpr choice choose_among(const Records& records, const choice_query& q, const Origins& origins) {
  const int record = exact_record(records, q, origins);
  if (record == choice::generic) return {kernel_family::gemm, choice::generic, choice_reason::no_record};
  if (!q.packed) return {kernel_family::gemm, choice::generic, choice_reason::not_packed};
  return {kernel_family::gemm, record, choice_reason::exact_record,
          source_of(records[std::size_t(record)], q, origins)};
}

}  // namespace detail

/// `cpu_records` and `gpu_records` are arrays or spans of cpu_gemm_record and gpu_gemm_record, `origins` the files that
/// they name.
template <class CpuRecords, class GpuRecords, class Origins>
constexpr choice choose(const choice_query& q, const CpuRecords& cpu_records, const GpuRecords& gpu_records,
                        const Origins& origins) {
  if (q.form == canonical::pointwise)
    return {kernel_family::pointwise, choice::generic,
            q.where == target::reference                   ? choice_reason::plain_target
            : q.where != target::cuda && !q.type.is_real() ? choice_reason::other_types
                                                           : choice_reason::only_row};
  if (q.where == target::reference) return {kernel_family::gemm, choice::generic, choice_reason::plain_target};
  if (q.where != target::cuda && !q.type.is_real())
    return {kernel_family::gemm, choice::generic, choice_reason::other_types};
  return q.where == target::cuda ? detail::choose_among(gpu_records, q, origins)
                                 : detail::choose_among(cpu_records, q, origins);
}

/// With the records of this build.
constexpr choice choose(const choice_query& q) { return choose(q, cpu_gemm_records, gpu_gemm_records, record_origins); }

}  // namespace tessera
