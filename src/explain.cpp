// SPDX-License-Identifier: BSD-3-Clause
// The look-up of a tuning, step by step.
#include <tessera/explain.hpp>

#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/device_facts.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "choice_words.hpp"
#include "run_time_row.hpp"

namespace tessera {

namespace {

using namespace detail;

// One line for each record of the size: its source, its tuning, and a mark in front of the one that is taken.
template <class Records>
std::string lines_of(const Records& records, const choice_query& q, const choice& taken) {
  std::string text;
  for (int i = 0; i < int(std::size(records)); ++i) {
    const auto& r = records[std::size_t(i)];
    if (!is_of_size(r, q)) continue;
    const choice one{kernel_family::gemm, i, choice_reason::exact_record, source_of(r, q, record_origins)};
    text += std::string(i == taken.record && taken.source != record_source::overlay ? "  * " : "    ") +
            size_text({r.m, r.n, r.k}) + ", " + text_of(r.tuning) + ": " + because(one, q, nullptr).text() + "\n";
  }
  return text.empty() ? "    no record and no row of these sizes\n" : text;
}

std::string row_text(const choice_query& q, const choice& c) {
  if (c.family == kernel_family::pointwise) return "pointwise, any size";
  if (c.record == choice::generic) return q.where == target::reference ? "plain loops" : "generic, any size";
  const auto at = std::size_t(c.record);
  const auto sized = [](const auto& r) { return size_text({r.m, r.n, r.k}) + " (" + text_of(r.tuning) + ")"; };
  return q.where == target::cuda ? sized(gpu_gemm_records[at]) : sized(cpu_gemm_records[at]);
}

// Fills in the device's name and cache of this machine if the query has none.
choice_query completed(choice_query q) {
  const choice_query here = on_this_machine(q);
  if (q.device.empty()) q.device = here.device, q.compute_capability = here.compute_capability;
  if (q.cache_bytes == 0) q.cache_bytes = here.cache_bytes;
  return q;
}

bool every_row(int /*record*/) { return true; }

}  // namespace

std::string explain(const choice_query& query) {
  const choice_query q = completed(query);
  const std::shared_ptr<const overlay> over = current_overlay();
  const isa_rows* rows = q.where == target::cuda ? nullptr : rows_of(q.where);
  const auto is_compiled = [&](int record) {
    return rows == nullptr ? device::has_row(record) : row_of(*rows, cpu_gemm_records[std::size_t(record)]) != nullptr;
  };
  choice c = choose_with(q, over.get(), is_compiled);
  if (c.record != choice::generic && !is_compiled(c.record))
    c = {c.family, choice::generic, choice_reason::not_compiled};

  std::string text = std::string("gemm ") + name_of(q.type) + " " + size_text({q.m, q.n, q.k}) + " on " +
                     name_of(q.where) + ", operands " +
                     (regime_of(q) == memory_regime::cache ? "in cache" : "from memory") +
                     "\n  device: " + std::string(q.device) + "\n  given at run time: ";
  const overlay_record* asked = over == nullptr ? nullptr : over->find(q);
  if (over == nullptr)
    text += "no file";
  else if (asked == nullptr)
    text += over->path + " has no record of these sizes";
  else
    text += over->path + " has " + (q.where == target::cuda ? text_of(asked->gpu) : text_of(asked->cpu));
  text += "\n  built in (* taken):\n";
  text += q.where == target::cuda ? lines_of(gpu_gemm_records, q, c) : lines_of(cpu_gemm_records, q, c);
  if (const auto row = row_to_compile(q, {}, c, over.get()))
    return text + "  takes: " + text_of(*row, q) + "\n  because: " + row->because.text() + "\n";
  tuning_source source = because(c, q, over.get());
  source.note(why_none_compiled(q, {}, c));
  return text + "  takes: " + row_text(q, c) + "\n  because: " + source.text() + "\n";
}

std::optional<cpu_gemm_tuning> cpu_tuning_for(const choice_query& query) {
  const choice_query q = completed(query);
  const choice c = choose_with(q, current_overlay().get(), every_row);
  if (c.record == choice::generic) return std::nullopt;
  return cpu_gemm_records[std::size_t(c.record)].tuning;
}

std::optional<gpu_gemm_tuning> gpu_tuning_for(const choice_query& query, const packed_layouts& layouts) {
  const choice_query q = completed(query);
  const std::shared_ptr<const overlay> over = current_overlay();
  // Compiled rows take the default form only.
  const choice c = layouts == packed_layouts{} ? choose_with(q, over.get(), every_row) : choice{};
  if (const auto row = wanted_row(q, layouts, c, over.get())) return row->tuning;
  if (c.record == choice::generic) return std::nullopt;
  return gpu_gemm_records[std::size_t(c.record)].tuning;
}

}  // namespace tessera
