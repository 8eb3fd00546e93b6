// SPDX-License-Identifier: BSD-3-Clause
// Choices and their reasons as text, and choosing with an overlay.
#include "choice_words.hpp"

#include <cstdlib>

#include <tessera/detail/axes.hpp>
#include <tessera/device_facts.hpp>

namespace tessera::detail {

namespace {

// How different the kernels of two tunings are: the sum over axes of the relative difference, in thousandths.
template <class Tuning>
int difference(const Tuning& a, const Tuning& b) {
  int sum = 0;
  for (const axis<Tuning>& each : axes_of<Tuning>()) {
    const int x = a.*each.field, y = b.*each.field, larger = x > y ? x : y;
    if (x != y) sum += 1000 * std::abs(x - y) / larger;
  }
  return sum;
}

// Index of the usable record of the size whose tuning is nearest to `wanted`; -1 where there is none.
template <class Records, class Tuning>
int nearest(const Records& records, const choice_query& q, const Tuning& wanted,
            const std::function<bool(int)>& is_compiled) {
  int best = choice::generic, least = 0;
  for (int i = 0; i < int(std::size(records)); ++i) {
    const auto& r = records[std::size_t(i)];
    if (!is_of_size(r, q) || !can_serve(r, q) || !is_compiled(i)) continue;
    const int now = difference(r.tuning, wanted) + (r.n == q.n ? 0 : 1);
    if (best == choice::generic || now < least) best = i, least = now;
  }
  return best;
}

std::string of_source(const gpu_gemm_record& r, record_source source) {
  switch (source) {
    case record_source::this_architecture: return "record of" + device_text(r.origin) + ", same compute capability";
    case record_source::other_device: return "record of" + device_text(r.origin) + ", another architecture";
    case record_source::built_in: return "built-in measurement on NVIDIA H200";
    default: return text_of(source);
  }
}

std::string of_source(const cpu_gemm_record& r, record_source source) {
  switch (source) {
    case record_source::this_architecture: return "record of" + device_text(r.origin) + ", same instruction set";
    case record_source::nearest: return "nearest record " + size_text(r.of) + " of" + device_text(r.origin);
    default: return text_of(source);
  }
}

const char* operands_text(memory_regime in) {
  return in == memory_regime::cache ? "operands in cache" : "operands from memory";
}

// Only CPU rows are shared.
bool is_second(const cpu_gemm_record& r) { return r.is_second; }
bool is_second(const gpu_gemm_record&) { return false; }

template <class Record>
tuning_source of_record(const Record& r, const choice& c, const choice_query& q) {
  tuning_source source{of_source(r, c.source)};
  if (r.from == evidence::recorded) {
    source.note(std::string("measured with ") + operands_text(r.in) +
                (r.in == regime_of(q) ? "" : std::string(", there is none with ") + operands_text(regime_of(q))));
  }
  if (is_second(r)) source.note("the second best tuning, within 3 % of the best, which uses another record's kernel");
  source.note(stale_note(r.stale));
  return source;
}

template <class Tuning>
tuning_source of_overlay(const overlay_record& asked, const Tuning& wanted, const Tuning& taken, const overlay& over) {
  tuning_source source{"record in " + over.path};
  if (!(wanted == taken))
    source.note("this build has no kernel of its tuning (" + text_of(wanted) + "), and this is the nearest one");
  source.note(stale_note(asked.stale));
  return source;
}

}  // namespace

std::string device_text(int origin) {
  return origin == no_origin ? "" : std::string(" ") + record_origins[std::size_t(origin)].device;
}

std::string size_text(const product_size& s) {
  const auto text = [](index_t i) { return i == 0 ? std::string("any") : std::to_string(i); };
  return text(s.m) + "x" + text(s.n) + "x" + text(s.k);
}

const gemm_row* row_of(const isa_rows& rows, const cpu_gemm_record& record) {
  for (const gemm_row& row : rows.specialised)
    if (row.type == record.type && row.m == record.m && row.n == record.n && row.k == record.k &&
        row.tuning == record.tuning)
      return &row;
  return nullptr;
}

choice_query on_this_machine(choice_query q) {
  q.device = device_name(q.where);
  q.compute_capability = compute_capability(q.where);
  q.cache_bytes = last_level_cache_bytes(q.where);
  return q;
}

choice choose_with(const choice_query& q, const overlay* over, const std::function<bool(int)>& is_compiled) {
  choice c = choose(q);
  const overlay_record* asked = over == nullptr || c.record == choice::generic ? nullptr : over->find(q);
  if (asked == nullptr) return c;
  const int found = q.where == target::cuda ? nearest(gpu_gemm_records, q, asked->gpu, is_compiled)
                                            : nearest(cpu_gemm_records, q, asked->cpu, is_compiled);
  if (found == choice::generic) return c;
  c.record = found;
  c.source = record_source::overlay;
  return c;
}

tuning_source because(const choice& c, const choice_query& q, const overlay* over) {
  if (c.record == choice::generic) {
    const bool waiting =
        q.packed && c.reason == choice_reason::no_record && over != nullptr && over->find(q) != nullptr;
    if (!waiting) return {text_of(c.reason)};
    return {"no kernel for these sizes", "a build with the record in " + over->path + " has one"};
  }
  const auto at = std::size_t(c.record);
  if (c.source != record_source::overlay)
    return q.where == target::cuda ? of_record(gpu_gemm_records[at], c, q) : of_record(cpu_gemm_records[at], c, q);
  const overlay_record& asked = *over->find(q);
  return q.where == target::cuda ? of_overlay(asked, asked.gpu, gpu_gemm_records[at].tuning, *over)
                                 : of_overlay(asked, asked.cpu, cpu_gemm_records[at].tuning, *over);
}

}  // namespace tessera::detail
