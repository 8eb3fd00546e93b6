// SPDX-License-Identifier: BSD-3-Clause
// The look-up for sizes without a compiled row: the file given at run time, records by distance, the model.
#include "run_time_row.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <tessera/detail/gpu_model.hpp>
#include <tessera/detail/nearest.hpp>
#include <tessera/detail/packed_layouts_text.hpp>
#include <tessera/detail/packed_plan.hpp>

#include "choice_words.hpp"
#include "loaded_once.hpp"

namespace tessera::detail {

namespace {

using gpu_records = std::vector<gpu_gemm_record>;

gpu_records of(const overlay& over) {
  gpu_records all;
  for (const overlay_record& r : over.records)
    if (r.on == target::cuda)
      all.push_back({r.type, r.m, r.n, r.k, r.gpu, 0, r.in, evidence::recorded, no_origin, r.stale, r.layouts});
  return all;
}

gpu_records of_device(std::string_view device) {
  gpu_records all;
  for (const gpu_gemm_record& r : gpu_gemm_records)
    if (r.origin != no_origin && record_origins[std::size_t(r.origin)].device == device) all.push_back(r);
  return all;
}

gemm_form form_of(const gpu_gemm_record& r) { return {r.type, r.m, r.n, r.k, r.in, r.layouts}; }

// "nearest record 7x7x7 of NVIDIA H200"; "f64's record 7x7x7 of ..." for c32.
run_time_row row_from(const gpu_gemm_record& r, const gemm_form& f, const gpu_limits& l, const std::string& source) {
  const product_size size{r.m, r.n, r.k};
  const bool is_own = size == product_size{f.m, f.n, f.k};
  const std::string of_type = f.type.is_real() ? "" : std::string(name_of(r.type)) + "'s ";
  return {is_own ? canonical_tuning(r.tuning, f, l) : carried_over(r.tuning, form_of(r), f, l),
          {of_type + (is_own ? "record " : "nearest record ") + size_text(size) + source, stale_note(r.stale)}};
}

std::string source_of(const gpu_gemm_record& r) {
  return r.origin == no_origin ? ", built-in measurement" : " of" + device_text(r.origin);
}

// In the form's own regime, or a record of exactly this size in the other one. Null if the model is better.
const gpu_gemm_record* nearest_of(std::span<const gpu_gemm_record> all, const gemm_form& f, const gpu_limits& l) {
  const int at = nearest_record(all, 0, int(all.size()), f, l);
  const product_size size{f.m, f.n, f.k};
  const auto is_own = [&](const gpu_gemm_record& r) {
    return r.type == tuned_like(f.type) && r.layouts == f.layouts && product_size{r.m, r.n, r.k} == size &&
           fits(canonical_tuning(r.tuning, f, l), f, l);
  };
  if (at >= 0 && is_own(all[std::size_t(at)])) return &all[std::size_t(at)];
  const auto own = std::ranges::find_if(all, is_own);
  if (own != all.end()) return &*own;
  if (at < 0) return nullptr;
  const gpu_gemm_record& r = all[std::size_t(at)];
  const bool is_worth =
      f.in == memory_regime::cache || is_worth_passing_on(carried_over(r.tuning, form_of(r), f, l), f, l);
  return is_worth ? &r : nullptr;
}

// With padding between lines a block may need more shared memory than the tuning was checked for.
bool fits_shared_memory(const run_time_row& row, const choice_query& q, const packed_layouts& layouts) {
  const device::packed_sizes sizes{int(q.m), int(q.n), int(q.k), layouts};
  const device::packed_words word{int(size_of(q.type.in)), int(size_of(q.type.out))};
  const int most = gpu_limits_of(q.compute_capability).shared_bytes;
  return std::max(device::packed_plan(sizes, word, row.tuning, {true, false}).bytes,
                  device::packed_plan(sizes, word, row.tuning, {true, true}).bytes) <= most;
}

// The same for every plan with this row on the current device.
std::shared_ptr<compile_job> job_of_row(const run_time_row& row, const choice_query& q) {
  static std::mutex guard;
  // Never destroyed: a thread may still compile when the process ends.
  static auto& all = *new std::map<std::string, std::shared_ptr<compile_job>>;
  const int device = device::current();
  const std::lock_guard lock(guard);
  std::shared_ptr<compile_job>& job = all["device " + std::to_string(device) + " " + text_of(row, q)];
  if (job == nullptr || (job->has_ended() && job->failure() == status::out_of_memory)) {
    choice_query its = q;
    its.device = {};  // a name that may go away
    job = std::make_shared<compile_job>([row, its, device](compile_job::done_by who) {
      if (who == compile_job::done_by::own_thread) device::set_up_own_thread(device);
      std::string why_not;
      if (kernel_of(row, its, why_not) == nullptr) throw error(why_not, status::internal);
    });
  }
  return job;
}

}  // namespace

std::optional<run_time_row> look_up_row(const choice_query& q, const packed_layouts& layouts, const overlay* over) {
  const gemm_form f{q.type, q.m, q.n, q.k, regime_of(q), layouts};
  const gpu_limits l = gpu_limits_of(q.compute_capability);
  if (over != nullptr) {
    const gpu_records given = of(*over);
    if (const gpu_gemm_record* r = nearest_of(given, f, l)) return row_from(*r, f, l, " in " + over->path);
  }
  if (layouts == packed_layouts{})
    if (const int own = exact_record(gpu_gemm_records, q, record_origins); own >= 0) {
      const gpu_gemm_record& r = gpu_gemm_records[std::size_t(own)];
      if (fits(canonical_tuning(r.tuning, f, l), f, l)) return row_from(r, f, l, source_of(r));
    }
  const gpu_records here = of_device(q.device);
  const gpu_gemm_record* nearest = nearest_of(here, f, l);
  if (nearest == nullptr) nearest = nearest_of(gpu_gemm_records, f, l);
  if (nearest != nullptr) return row_from(*nearest, f, l, source_of(*nearest));
  // Without records of this form: records of column-major operands also suit transposed operands, but not shared ones.
  const bool shares = is_shared(layouts.left) || is_shared(layouts.right);
  if (!shares && layouts != packed_layouts{}) return look_up_row(q, {}, over);
  if (const auto tuning = modelled_gpu_tuning(f, l))
    return run_time_row{*tuning, {"model, no record near these sizes"}};
  return std::nullopt;
}

std::optional<run_time_row> wanted_row(const choice_query& q, const packed_layouts& layouts, const choice& c,
                                       const overlay* over) {
  if (q.where != target::cuda || (!q.packed && layouts == packed_layouts{}) || q.form == canonical::pointwise)
    return std::nullopt;
  // If the form is not the default one, look_up_row handles the overlay's records of it.
  const overlay_record* asked = over == nullptr || layouts != packed_layouts{} ? nullptr : over->find(q);
  const bool has_row = c.record != choice::generic;
  if (has_row && (asked == nullptr || gpu_gemm_records[std::size_t(c.record)].tuning == asked->gpu))
    return std::nullopt;
  std::optional<run_time_row> row;
  if (asked != nullptr && fits(asked->gpu, {q.type, q.m, q.n, q.k}, gpu_limits_of(q.compute_capability)))
    row = run_time_row{asked->gpu, {"record in " + over->path, stale_note(asked->stale)}};
  else if (!has_row)
    row = look_up_row(q, layouts, over);
  if (row && !fits_shared_memory(*row, q, layouts)) return std::nullopt;
  if (row) row->layouts = layouts;
  return row;
}

std::optional<run_time_row> row_to_compile(const choice_query& q, const packed_layouts& layouts, const choice& c,
                                           const overlay* over) {
  std::optional<run_time_row> row = wanted_row(q, layouts, c, over);
  if (row && !why_nothing_is_compiled().empty()) return std::nullopt;
  return row;
}

std::string text_of(const run_time_row& row, const choice_query& q) {
  return std::string("gemm ") + name_of(q.type) + " " + size_text({q.m, q.n, q.k}) + ", " + form_text(row.layouts) +
         (q.left_conjugated ? ", A conjugated" : "") + (q.right_conjugated ? ", B conjugated" : "") +
         ", compiled at run time: " + text_of(row.tuning);
}

std::shared_ptr<const jit_kernel> kernel_of(const run_time_row& row, const choice_query& q, std::string& why_not) {
  const jit_gemm what{q.type, q.m, q.n, q.k, row.tuning, row.layouts, q.left_conjugated, q.right_conjugated};
  return loaded_once<jit_kernel>(
      text_of(row, q),
      [&] {
        return jit_compile({&what, 1}, {.cache_folder = default_cache_folder(), .threads = 1}).front();
      },
      [&](const jit_code& code) { return jit_kernel(what, code); }, why_not);
}

std::shared_ptr<const jit_kernel> kernel_behind(const run_time_row& row, const choice_query& q,
                                                std::shared_ptr<const compile_job>& behind, std::string& why_not) {
  const std::shared_ptr<compile_job> job = job_of_row(row, q);
  if (!job->has_ended()) {
    why_not = compile_behind(job);
    if (!why_not.empty()) return nullptr;
    if (!job->ends_within(grace)) {
      behind = job;
      return nullptr;
    }
  }
  why_not = job->failure_text();
  return why_not.empty() ? kernel_of(row, q, why_not) : nullptr;
}

std::string why_none_compiled(const choice_query& q, const packed_layouts& layouts, const choice& c,
                              const std::string& failure) {
  const bool by_record = c.reason == choice_reason::no_record || c.reason == choice_reason::not_compiled;
  const bool could = q.where == target::cuda && q.form != canonical::pointwise &&
                     (layouts != packed_layouts{} || (q.packed && by_record));
  const std::string why = !failure.empty() ? failure : could ? why_nothing_is_compiled() : "";
  return why.empty() ? "" : "no kernel was compiled at run time: " + why;
}

}  // namespace tessera::detail
