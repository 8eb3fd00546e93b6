// SPDX-License-Identifier: BSD-3-Clause
// From a lowered problem to a kernel row, and the words that describe it.
#include "plan_state.hpp"

namespace tessera {

namespace detail {

namespace {

// The compiled row of a record, null where this build left it out (TESSERA_ROWS=smoke).
const gemm_row* row_of(const isa_rows& rows, const cpu_gemm_record& record) {
  for (const gemm_row& row : rows.specialised)
    if (row.type == record.type && row.m == record.m && row.n == record.n && row.k == record.k) return &row;
  return nullptr;
}

std::string sizes(index_t m, index_t n, index_t k) {
  const auto text = [](index_t i) { return i == 0 ? std::string("any") : std::to_string(i); };
  return text(m) + "x" + text(n) + "x" + text(k);
}

std::string tuning_text(const cpu_gemm_tuning& t) {
  if (t.plain) return "plain loops";
  return "tile " + std::to_string(t.row_vectors) + " vectors x " + std::to_string(t.columns) + " columns, k by " +
         (t.unroll_k == 0 ? std::string("all") : std::to_string(t.unroll_k));
}

template <class T>
problem_function<T> choose_cpu_row(plan_state& s, const problem<T>& p) {
  const isa_rows& rows = *rows_of(s.where);
  const std::string prefix = std::string(name_of(s.chosen.family)) + " " + name_of(scalar_of<T>) + " ";
  if (s.chosen.record != choice::generic) {
    const gemm_row* row = row_of(rows, cpu_gemm_records[std::size_t(s.chosen.record)]);
    if (row != nullptr && accepts(*row, p)) {
      s.row = prefix + sizes(row->m, row->n, row->k) + " (" + tuning_text(row->tuning) + ")";
      return row->template function<T>();
    }
    s.chosen = {s.chosen.family, choice::generic, choice_reason::not_compiled};
  }
  if (s.chosen.family == kernel_family::pointwise) {
    s.row = prefix + "any size";
    return rows.template pointwise<T>();
  }
  s.row =
      prefix + (s.where == target::reference ? "plain loops" : "generic (" + tuning_text(rows.generic_tuning) + ")");
  return rows.template generic<T>();
}

template <class T>
void choose_typed(plan_state& s) {
  const problem<T>& p = std::get<problem<T>>(s.prototype);
  s.chosen = choose(query_of(s.where, p), cpu_gemm_records, gpu_gemm_records);
  if (s.where == target::cuda) {
    if (s.chosen.record != choice::generic && !device::accepts(device::gemm_choice{s.chosen.record}, p))
      s.chosen = {s.chosen.family, choice::generic, choice_reason::scattered};
    s.row = s.chosen.family == kernel_family::pointwise
                ? std::string("pointwise ") + name_of(scalar_of<T>) + " any size"
                : device::describe(device::gemm_choice{s.chosen.record}, scalar_of<T>);
    return;
  }
  if constexpr (sizeof(T) == sizeof(float))
    s.run_f32 = choose_cpu_row(s, p);
  else
    s.run_f64 = choose_cpu_row(s, p);
}

}  // namespace

void choose_row(plan_state& s) {
  if (std::holds_alternative<problem<float>>(s.prototype))
    choose_typed<float>(s);
  else
    choose_typed<double>(s);
}

}  // namespace detail

std::string plan::describe() const {
  const detail::plan_state& s = *state_;
  const lowered& f = s.form;
  std::string text = detail::text_of(s.what, detail::arguments(s.made_for, max_inputs + 1)) + "\n  lowered to (" +
                     name_of(f.form) + "): " + std::to_string(f.rows.size()) + " rows, " +
                     std::to_string(f.cols.size()) + " columns, sum of " + std::to_string(f.inner.size()) + ", " +
                     std::to_string(f.loop.size()) + " loop steps per entry";
  if (!s.host_tables.empty()) text += "; " + std::to_string(s.host_tables.size()) + " operand(s) addressed by table";
  if (s.where == target::cuda && s.chosen.record != choice::generic)
    text += "; a run over matrices with gaps between them takes the generic row";
  return text + "\n  runs on " + name_of(s.where) + ": " + s.row + "\n  because: " + text_of(s.chosen.reason);
}

}  // namespace tessera
