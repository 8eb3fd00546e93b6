// SPDX-License-Identifier: BSD-3-Clause
// Refuses, while compiling, records with tunings that their sizes cannot have: edited ones, or of another version.
#include <tessera/element/element_record.hpp>
#include <tessera/gpu_records.hpp>
#include <tessera/records.hpp>

#include "embedded_elements.hpp"

namespace tessera::detail {

namespace {

constexpr cpu_limits limits_of(const tuned_gemm<cpu_gemm_tuning>& r) { return cpu_limits_of(r.on); }

constexpr gpu_limits limits_of(const tuned_gemm<gpu_gemm_tuning>& r) {
  return gpu_limits_of(record_origins[std::size_t(r.origin)].compute_capability);
}

// The number of the first such record in <tessera/embedded_records.hpp>; -1: all are possible.
template <class Records>
constexpr int first_impossible(const Records& records) {
  for (int i = 0; i < int(records.size()); ++i) {
    const auto& r = records[std::size_t(i)];
    const gemm_form form{r.type, r.m, r.n, r.k, r.in, r.lies};
    if (!is_possible(r.tuning, form, limits_of(r))) return i;
  }
  return -1;
}

constexpr int first_impossible(std::span<const tuned_element_run> records) {
  for (int i = 0; i < int(records.size()); ++i)
    if (*why_unfit(records[std::size_t(i)].run, records[std::size_t(i)].in) != '\0') return i;
  return -1;
}

template <class Tuning, int record>
struct tuning_of_record {
  static_assert(record < 0,
                "TESSERA_RECORDS or autotune/records: a record has a tuning that its sizes cannot have; its number in "
                "<tessera/embedded_records.hpp> or embedded_elements.hpp is the second argument of tuning_of_record");
};

template struct tuning_of_record<cpu_gemm_tuning, first_impossible(embedded_cpu_gemm)>;
template struct tuning_of_record<gpu_gemm_tuning, first_impossible(embedded_gpu_gemm)>;
template struct tuning_of_record<element_run,
                                 first_impossible(std::span<const tuned_element_run>(embedded_element_runs))>;

}  // namespace

}  // namespace tessera::detail
