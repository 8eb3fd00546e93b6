// SPDX-License-Identifier: BSD-3-Clause
// From a lowered problem to a kernel row and its description.
#include <limits>

#include <tessera/cpu/detail/converted_run.hpp>

#include "choice_words.hpp"
#include "general/plan_general.hpp"
#include "plan_state.hpp"
#include "run_time_row.hpp"

namespace tessera {

namespace detail {

namespace {

std::string plain_loops(target where, scalar_type missing) {
  if (where == target::reference) return "plain loops";
  return std::string("plain loops (this build has no ") + name_of(where) + " kernels of " + name_of(missing) +
         ": TESSERA_TYPES)";
}

bool has_group(const plan_state& s) { return arguments(s.made_for, max_inputs + 1).have_group(); }

// Operands come from memory in each run if together they exceed the cache. Members of groups run one by one, which does
// not suit rows with non-temporal stores: 0, unknown.
index_t bytes_of(const plan_state& s) {
  if (has_group(s)) return 0;
  // The bytes of each operand fit 63 bits, but their sum may not.
  index_t bytes = 0;
  for (const operand& o : s.made_for)
    if (__builtin_add_overflow(bytes, o.reach() * index_t(o.entry_bytes), &bytes))
      return std::numeric_limits<index_t>::max();
  return bytes;
}

std::optional<memory_regime> forced_regime(const plan_state& s) {
  return has_group(s) && s.where != target::cuda ? std::nullopt : s.forced;
}

// Kernels of one form for batches in cache and in memory.
bool has_one_form(const plan_state& s) {
  return s.where == target::reference || s.converted_by != nullptr ||
         (s.where != target::cuda && s.chosen.family == kernel_family::pointwise);
}

// "stream: forced by TESSERA_REGIME"
std::string forced_text(const plan_state& s) {
  if (!s.forced) return "";
  const std::string text = std::string(name_of(*s.forced)) + ": " + s.why_forced;
  if (has_one_form(s)) return text + ", which makes no difference to this kernel";
  return forced_regime(s) ? text : text + ", but members of groups run one by one, in cache";
}

template <class T>
problem_function<T> real_cpu_row(plan_state& s, const problem<T>& p) {
  const isa_rows& rows = *rows_of(s.where);
  const std::string prefix = std::string(name_of(s.chosen.family)) + " " + name_of(scalar_of<T>) + " ";
  if (rows.template generic<T>() == nullptr) {
    s.chosen = {s.chosen.family, choice::generic, choice_reason::not_compiled};
    s.row = prefix + plain_loops(s.where, scalar_of<T>);
    return rows_of(target::reference)->template generic<T>();
  }
  if (s.chosen.record != choice::generic) {
    const cpu_gemm_record& record = cpu_gemm_records[std::size_t(s.chosen.record)];
    const gemm_row* row = row_of(rows, record);
    if (row != nullptr && accepts(*row, p)) {
      s.row = prefix + size_text({row->m, row->n, row->k}) + " (" + text_of(row->tuning) + ")";
      return row->template function<T>();
    }
    s.chosen = {s.chosen.family, choice::generic,
                row == nullptr ? choice_reason::not_compiled : choice_reason::not_packed};
  }
  if (s.chosen.family == kernel_family::pointwise) {
    s.row = prefix + "any size";
    return rows.template pointwise<T>();
  }
  s.row = prefix + (s.where == target::reference ? "plain loops" : "generic");
  return rows.template generic<T>(forced_regime(s));
}

// Other types run by the rows of their sums' parts.
template <class In, class Out, class Sum>
void choose_cpu_row(plan_state& s, const problem<In, Out, Sum>&) {
  using T = real_of<Sum>;
  const isa_rows& rows = *rows_of(s.where);
  s.row = std::string(name_of(s.chosen.family)) + " " + name_of(s.types) + " ";
  if (s.where == target::reference || rows.template generic<T>() == nullptr) {
    if (s.where != target::reference) s.chosen.reason = choice_reason::not_compiled;
    s.row += plain_loops(s.where, scalar_of<T>);
    return;
  }
  s.converted_by = &rows;
  if (s.chosen.family == kernel_family::gemm)
    s.row += std::string("by ") + name_of(scalar_of<T>) + " kernels, generic";
  else
    s.row += is_complex<Sum> ? "any size" : std::string("by ") + name_of(scalar_of<T>) + " kernels, any size";
}

template <class T>
  requires is_real_scalar<T>
void choose_cpu_row(plan_state& s, const problem<T>& p) {
  if constexpr (sizeof(T) == sizeof(float))
    s.run_f32 = real_cpu_row(s, p);
  else
    s.run_f64 = real_cpu_row(s, p);
}

// Whether compiled rows of fixed sizes can run such a problem.
template <class Problem>
bool accepts(int record, const Problem& p) {
  if constexpr (is_real_problem<Problem>)
    return device::accepts(device::gemm_choice{record}, p);
  else
    return false;
}

template <class Problem>
void choose_gpu_row(plan_state& s, const Problem& p, const choice_query& q, const overlay* over) {
  const bool groups = has_group(s);
  if (s.chosen.record != choice::generic && (groups || !accepts(s.chosen.record, p)))
    s.chosen = {s.chosen.family, choice::generic,
                groups || device::has_row(s.chosen.record) ? choice_reason::scattered : choice_reason::not_compiled};
  s.row = s.chosen.family == kernel_family::pointwise ? std::string("pointwise ") + name_of(s.types) + " any size"
                                                      : device::describe(device::gemm_choice{s.chosen.record}, s.types);
  const std::optional<packed_layouts> layouts = groups ? std::nullopt : device::layouts_of(p);
  if (!s.may_compile || !layouts || s.compiled_behind != nullptr) return;
  const std::optional<run_time_row> row = row_to_compile(q, *layouts, s.chosen, over);
  std::string failure;
  if (row && s.waits) s.compiled = kernel_of(*row, q, failure);
  if (row && !s.waits) s.compiled = kernel_behind(*row, q, s.compiled_behind, failure);
  if (s.compiled != nullptr) {
    s.row = text_of(*row, q);
    s.because = row->because;
  } else {
    s.because = because(s.chosen, q, over);
    s.because.note(why_none_compiled(q, *layouts, s.chosen, failure));
  }
}

template <class Problem>
void choose_typed(plan_state& s, const Problem& p) {
  choice_query q = on_this_machine(query_of(s.where, p));
  q.bytes = bytes_of(s);
  q.forced = forced_regime(s);
  const std::shared_ptr<const overlay> over = current_overlay();
  s.chosen = choose_with(q, over.get(), [&](int record) {
    if (s.where == target::cuda) return accepts(record, p);
    return row_of(*rows_of(s.where), cpu_gemm_records[std::size_t(record)]) != nullptr;
  });
  if (s.where == target::cuda)
    choose_gpu_row(s, p, q, over.get());
  else
    choose_cpu_row(s, p);
  if (s.because.name.empty()) s.because = because(s.chosen, q, over.get());
  s.because.note(forced_text(s));
}

}  // namespace

void choose_row(plan_state& s) {
  std::visit([&](const auto& p) { choose_typed(s, p); }, s.prototype);
}

}  // namespace detail

std::string plan::describe(detail_level how) const {
  const detail::plan_state& s = *state_;
  if (how == detail_level::brief) return s.row + " on " + name_of(s.where) + ": " + s.because.name;
  std::string text = detail::text_of(s.what, detail::arguments(s.made_for, max_inputs + 1));
  if (detail::is_general(s)) {
    tuning_source because = s.because;
    because.note(detail::why_no_kernel(s));
    return text + detail::general_text(s) + "\n  because: " + because.text();
  }
  const lowered& f = s.form;
  text += "\n  lowered to (" + std::string(name_of(f.form)) + "): " + std::to_string(f.rows.size()) + " rows, " +
          std::to_string(f.cols.size()) + " columns, sum of " + std::to_string(f.inner.size()) + ", " +
          std::to_string(f.loop.size()) + " loop steps per entry";
  if (s.custom) return text + "\n  runs on " + name_of(s.where) + ": " + s.row + "\n  because: " + s.because.text();
  if (!s.host_tables.empty()) text += "; " + std::to_string(s.host_tables.size()) + " operand(s) addressed by table";
  if (!s.splits.empty()) text += "; the sum is over " + std::to_string(s.form.inner.count) + " indices";
  if (s.pieces.count > 1) text += "; in " + std::to_string(s.pieces.count) + " pieces";
  if (s.where == target::cuda && (s.compiled || s.chosen.record != choice::generic))
    text += "; a run over matrices with gaps between them takes the generic kernel";
  if (s.where != target::cuda && s.converted_by == nullptr && detail::has_group(s))
    text += "; members of groups one by one";
  tuning_source because = s.because;
  const std::string missing = detail::why_no_kernel(s);
  if (because.notes.find(missing) == std::string::npos) because.note(missing);
  return text + "\n  runs on " + name_of(s.where) + ": " + s.row + "\n  because: " + because.text();
}

}  // namespace tessera
