// SPDX-License-Identifier: BSD-3-Clause
// Recognises chains of two tables, chooses how many entries of the batch a block takes, and queues runs.
#include "two_tables.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>

#include "gpu_rates.hpp"

namespace tessera::detail {

namespace {

constexpr index_t longest_second = 32;  // registers and code for its vectors grow with it
constexpr index_t small_table = 32;     // extents of products whose batches are for blocks of several

// Entry (i, j) of a table: result i of the step, entry j of what it is applied to.
struct shared_table {
  const void* data = nullptr;
  index_t rows = 0, columns = 0, row = 0, column = 0;
};

// A step that multiplies one dimension by a table; the others go on, in any order.
struct one_table {
  shared_table table;
  int dimension = 0;       // of the chained operand
  int from[max_rank + 1];  // dimension of the chained operand that a dimension of the result is, or is made of
};

std::optional<one_table> one_table_of(const chain_step& step) {
  const einsum& e = step.what.modes();
  if (step.inputs.size() != 1 || e.inputs != 2 || step.inputs.front().batched) return std::nullopt;
  const modes &table = e.operand[0], &in = e.operand[1], &out = e.out();
  if (table.rank != 2 || in.rank != out.rank) return std::nullopt;
  one_table made;
  int changed = 0;
  for (int d = 0; d < out.rank; ++d) {
    const char letter = out.letter[d];
    if (in.has(letter)) {
      if (table.has(letter)) return std::nullopt;  // a factor of each entry
      made.from[d] = in.find(letter);
      continue;
    }
    const int row = table.find(letter);
    if (row < 0 || !in.has(table.letter[1 - row]) || out.has(table.letter[1 - row])) return std::nullopt;
    made.dimension = made.from[d] = in.find(table.letter[1 - row]);
    const operand_facts& f = step.inputs.front().facts;
    made.table = {step.inputs.front().data, f.extent[row], f.extent[1 - row], f.stride[row], f.stride[1 - row]};
    ++changed;
  }
  if (changed != 1) return std::nullopt;
  return made;
}

void keep(general_digits& in, const general_digit& added) {
  if (added.extent != 1) insert(in, added, {&general_digit::out, &general_digit::right});
}

// The place of a digit, which others have not been merged with.
int place_of(const general_digit& digit, const general_digits& in) {
  for (int i = 0; i < in.count; ++i)
    if (in.at[i].out == digit.out && in.at[i].right == digit.right) return i;
  return -1;
}

bool is_second(const shared_table& t) { return t.rows == t.columns && t.rows >= 2 && t.rows <= longest_second; }

two_tables_attempt refused(std::string why_not) {
  two_tables_attempt attempt;
  attempt.why_not = std::move(why_not);
  return attempt;
}

tile_choice choose_tile(const general_form& form, const general_kind& kind) {
  const general_candidates all = candidates_of(form, rates_of(device::info()), kind);
  if (all.found.empty()) throw error("no tile of it fits this GPU", status::no_target);
  const general_candidate& best = all.found.front();
  return {best.tile, best.costs, {"cheapest of " + std::to_string(all.found.size()) + " tiles by the model"}};
}

std::shared_ptr<const general_plan> compiled(const general_form& form, const general_kind& kind,
                                             const tile_choice& chosen) {
  return std::make_shared<const general_plan>(
      general_plan{form, kind, chosen, device::general_kernel(form, kind, chosen.tile)});
}

device::kept_code::made make_kernels(const two_tables& of, index_t count) {
  const tile_choice chosen = choose_tile(form_for(of, count), of.kind);
  auto made = std::make_shared<two_tables_kernels>();
  made->together = chosen.tile.cols[of.batch];
  made->many = compiled(form_for(of, made->together), of.kind, chosen);
  made->single = made->many;
  std::uint64_t bytes = made->many->kernel.code_bytes();
  if (made->together > 1) {
    made->single = compiled(form_for(of, 1), of.kind, choose_tile(form_for(of, 1), of.kind));
    bytes += made->single->kernel.code_bytes();
  }
  return {std::move(made), bytes};
}

}  // namespace

two_tables_attempt as_two_tables(const std::vector<chain_step>& steps, const operand& in, const operand& out) {
  if (steps.size() != 2) return refused("it has not two steps");
  const std::optional<one_table> first = one_table_of(steps[0]), last = one_table_of(steps[1]);
  if (!first || !last) return refused("a step is more than a table along one dimension");
  const int of_last = first->from[last->dimension];
  if (of_last == first->dimension) return refused("both tables are along one dimension");
  // The smaller one is multiplied behind the sum.
  const bool first_is_second =
      is_second(first->table) && (!is_second(last->table) || first->table.rows <= last->table.rows);
  if (!first_is_second && !is_second(last->table))
    return refused("neither table is square, of 2 to " + std::to_string(longest_second) + " rows");
  if (in.data != nullptr && in.data == out.data) return refused("its output is its input");
  if (in.facts.rank + 1 > max_rank) return refused("it has more dimensions than a general contraction");
  const shared_table &table = (first_is_second ? last : first)->table,
                     &second = (first_is_second ? first : last)->table;
  const int summed = first_is_second ? of_last : first->dimension, small = first_is_second ? first->dimension : of_last;

  two_tables_attempt attempt;
  two_tables& made = attempt.made;
  made.table = table.data;
  made.second = second.data;
  for (const chain_step& step : steps) made.alpha *= step.what.scale().alpha.re;
  made.beta = steps.back().what.scale().beta.re;
  general_digit batch{out.count, 0, in.stride, out.stride}, multiplied;
  general_digits others;
  for (int d = 0; d < out.facts.rank; ++d) {
    const int from = first->from[last->from[d]];
    const index_t right = in.facts.stride[from], to = out.facts.stride[d];
    if (from == summed) {
      if (table.rows != 1) made.form.rows = {1, {{table.rows, table.row, 0, to}}};
    } else if (from == small) {
      multiplied = {second.rows, 0, right, to};
    } else {
      keep(others, {in.facts.extent[from], 0, right, to});
    }
  }
  if (table.columns != 1) made.form.inner = {1, {{table.columns, table.column, in.facts.stride[summed], 0}}};
  made.form.cols = merged(others);
  for (const general_digit& d : {multiplied, batch})
    insert(made.form.cols, d, {&general_digit::out, &general_digit::right});
  made.batch = place_of(batch, made.form.cols);
  made.kind = exact_kind(*in.type, *in.type, *in.type);
  made.kind.second = {int(second.rows), place_of(multiplied, made.form.cols), second.row, second.column};
  if (made.batch == made.kind.second.digit) return refused("entries of the batch lie in each other");
  if (made.kind.by == general_by::mma_f64 && second.rows % 8 != 0) made.kind.by = general_by::fma;
  made.kind.reads_out = in.type == scalar_type::f32 ? float(made.beta) != 0 : made.beta != 0;
  return attempt;
}

bool is_for_tiles(const two_tables& of) {
  return of.form.rows.size() > small_table || of.form.inner.size() > small_table;
}

general_form form_for(const two_tables& of, index_t together) {
  general_form form = of.form;
  form.cols.at[of.batch].extent = together;
  return form;
}

std::string two_tables_key(const two_tables& of, index_t count, int device) {
  // Batches of the same digits may differ in which one of them is the batch.
  return "two tables, batch " + std::to_string(of.batch) + ", " + general_key(form_for(of, count), of.kind, device);
}

two_tables_run::two_tables_run(const two_tables& of, index_t count) : of_(of) {
  const std::optional<general_kind> kind = kind_on(device::info(), of_.kind, of_.form);
  if (!kind) throw error("there is none of " + text_of(of_.kind) + " for this GPU", status::no_target);
  of_.kind = *kind;
  const int device = device::current();
  const auto make = [of = of_, count, device](compile_job::done_by who) {
    if (who == compile_job::done_by::own_thread) device::set_up_own_thread(device);
    return make_kernels(of, count);
  };
  const kernel_attempt got = process_kernel_jobs().get(two_tables_key(of_, count, device), make, true);
  if (got.kernel == nullptr) throw error(got.why_not, status::no_target);
  by_ = std::static_pointer_cast<const two_tables_kernels>(got.kernel);
}

void two_tables_run::run(const operand& in, const operand& out, stream_view on) const {
  // The distance of entries that a block works on together is compiled in.
  const general_digit& batch = of_.form.cols.at[of_.batch];
  const bool as_made = in.stride == batch.right && out.stride == batch.out;
  const index_t together = by_->together, in_groups = as_made ? out.count / together * together : 0;
  const auto queue = [&](const general_plan& by, index_t from, index_t entries, index_t at_once) {
    const auto at = [from](const operand& o) {
      return static_cast<char*>(const_cast<void*>(o.data)) + from * o.stride * index_t(o.entry_bytes);
    };
    device::general_arguments of;
    of.left = of_.table;
    of.right = at(in);
    of.out = at(out);
    of.second = of_.second;
    of.alpha = of_.alpha;
    of.beta = of_.kind.reads_out ? of_.beta : 0;
    of.right_stride = at_once * in.stride;
    of.out_stride = at_once * out.stride;
    by.kernel.run(of, entries / at_once, on.handle());
  };
  if (in_groups > 0) queue(*by_->many, 0, in_groups, together);
  if (in_groups < out.count) queue(*by_->single, in_groups, out.count - in_groups, 1);
}

std::string two_tables_run::describe(detail_level how) const {
  const general_plan& many = *by_->many;
  const index_t together = by_->together;
  std::string text = "fused, one launch, compiled at run time: " + many.kernel.name() + ", " +
                     std::to_string(together) + (together == 1 ? " entry" : " entries") + " of the batch together";
  if (how == detail_level::brief) return text;
  char modelled[64];
  std::snprintf(modelled, sizeof modelled, "%.3g ms", 1e3 * many.chosen.costs.seconds);
  text += "\nlowered to general: " + form_text(many.form) + "; modelled " + modelled + "; " +
          many.chosen.because.text() + "\n";
  if (together > 1) text += "entries that are left: " + by_->single->kernel.name() + "\n";
  return text;
}

}  // namespace tessera::detail
