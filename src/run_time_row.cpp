// SPDX-License-Identifier: BSD-3-Clause
// The look-up for sizes without a compiled row: the file given at run time, records from near to far, the model.
#include "run_time_row.hpp"

#include <cstdlib>
#include <string_view>
#include <vector>

#include <tessera/gpu_model.hpp>
#include <tessera/jit.hpp>
#include <tessera/nearest.hpp>

#include "choice_words.hpp"

namespace tessera::detail {

namespace {

bool is_switched_off() {
  const char* value = std::getenv("TESSERA_JIT");
  const std::string_view text = value == nullptr ? "" : value;
  return text == "OFF" || text == "off" || text == "0";
}

std::vector<tuned_gemm<gpu_gemm_tuning>> gpu_records_in(const overlay& over) {
  std::vector<tuned_gemm<gpu_gemm_tuning>> all;
  for (const overlay_record& r : over.records)
    if (r.on == target::cuda) all.push_back({r.on, r.type, r.in, r.m, r.n, r.k, no_origin, r.stale, r.gpu});
  return all;
}

// Of one list: the nearest record's tuning, and its size and age in words.
template <class Records>
std::optional<run_time_row> from_nearest(const Records& all, const gemm_form& f, const gpu_limits& l) {
  const int at = nearest_record(all, 0, int(std::size(all)), f, l);
  if (at < 0) return std::nullopt;
  const auto& r = all[std::size_t(at)];
  const bool is_own = product_size{r.m, r.n, r.k} == product_size{f.m, f.n, f.k};
  return run_time_row{canonical_tuning(r.tuning, f, l),
                      (is_own ? "record " : "nearest record ") + size_text({r.m, r.n, r.k}) +
                          (r.stale ? " (stale: kernels changed since)" : "")};
}

}  // namespace

std::optional<run_time_row> look_up_row(const choice_query& q, const overlay* over) {
  const gemm_form f{q.type, q.m, q.n, q.k, regime_of(q)};
  const gpu_limits l = gpu_limits_of(q.compute_capability);
  if (over != nullptr)
    if (auto found = from_nearest(gpu_records_in(*over), f, l)) {
      found->because += " in " + over->path;
      return found;
    }
  if (auto found = from_nearest(gpu_gemm_records, f, l)) return found;
  if (const auto tuning = modelled_gpu_tuning(f, l)) return run_time_row{*tuning, "model, no record near these sizes"};
  return std::nullopt;
}

std::string why_no_run_time_rows() { return is_switched_off() ? "TESSERA_JIT is OFF" : why_no_jit(); }

std::optional<run_time_row> row_to_compile(const choice_query& q, const choice& c, const overlay* over) {
  if (q.where != target::cuda || !q.packed || q.form == canonical::pointwise) return std::nullopt;
  const overlay_record* asked = over == nullptr ? nullptr : over->find(q);
  const bool has_row = c.record != choice::generic;
  if (has_row && (asked == nullptr || gpu_gemm_records[std::size_t(c.record)].tuning == asked->gpu))
    return std::nullopt;
  if (!why_no_run_time_rows().empty()) return std::nullopt;
  if (asked != nullptr && fits(asked->gpu, {q.type, q.m, q.n, q.k}, gpu_limits_of(q.compute_capability)))
    return run_time_row{asked->gpu, "record in " + over->path + (asked->stale ? "; stale: kernels changed since" : "")};
  return has_row ? std::nullopt : look_up_row(q, over);
}

}  // namespace tessera::detail
