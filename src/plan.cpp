// SPDX-License-Identifier: BSD-3-Clause
// Making and running plans: lower, choose, fill in pointers, call the kernel row.
#include <algorithm>
#include <cstdint>
#include <new>

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/cpu/detail/reference.hpp>

#include "forced_place.hpp"
#include "general/plan_general.hpp"
#include "problem_copy.hpp"
#include "problem_operands.hpp"

namespace tessera {

namespace {

using detail::arguments;
using detail::each_factor;
using detail::piece_grid;
using detail::plan_state;

// Below this much arithmetic a run stays on the calling thread: an OpenMP region costs about half a microsecond.
constexpr double serial_run_flops = 2e4;

arguments gather(const operand* given, int count, const contraction& what) {
  if (count != what.operand_count()) {
    std::string text = "contraction \"" + what.text() + "\": " + std::to_string(count) + " operands given, " +
                       std::to_string(what.operand_count()) + " needed; they are";
    for (int o = 0; o < count && given != nullptr; ++o)
      text += " " + text_of(given[o].facts.extent, given[o].facts.rank);
    throw error(text);
  }
  if (given == nullptr)
    throw error("contraction \"" + what.text() + "\": a null pointer for " + std::to_string(count) + " operands",
                status::null_pointer);
  return {given, count};
}

// Offsets by (row, column, loop step) of an operand that strides cannot describe.
std::vector<index_t> tabulate(const plan_state& s, int o) {
  const operand& given = s.made_for[o];
  const detail::lowering in{s.what.modes(),
                            {s.made_for[0].facts, s.made_for[1].facts, s.made_for[2].facts, s.made_for[3].facts}};
  const roles role = roles_of(s.form, o);
  const modes& letters = s.what.modes().operand[o];
  const part rows = part_of(role.rows, letters, in), cols = part_of(role.cols, letters, in),
             loop = part_of(role.loop, letters, in);
  const index_t steps = role.loop.size(), across = role.cols.size(), down = role.rows.size();
  std::vector<index_t> table;
  // Letters that this operand lacks count, too. Memory for all offsets is reserved first, since it may fail.
  index_t listed = 0;
  if (__builtin_mul_overflow(across, down, &listed) || __builtin_mul_overflow(listed, steps, &listed) ||
      listed > index_t(table.max_size()))
    throw std::bad_alloc();
  if (listed == 0 || given.entries() == 0) return table;  // whatever the other extents
  table.reserve(std::size_t(listed));
  index_t index[max_rank]{};
  for (index_t l = 0; l < steps; ++l) {
    loop.unravel_into(l, index);
    for (index_t c = 0; c < across; ++c) {
      cols.unravel_into(c, index);
      for (index_t r = 0; r < down; ++r) {
        rows.unravel_into(r, index);
        index_t linear = 0;
        for (int d = given.facts.rank - 1; d >= 0; --d) linear = linear * given.facts.extent[d] + index[d];
        table.push_back(given.offset(linear, 0));
      }
    }
  }
  return table;
}

run_time_map map_of(plan_state& s, int o) {
  run_time_map map = strided_map_of(s.form, o);
  // For an output without entries nothing runs and no offset is needed.
  if (is_strided(s.form, s.made_for[o].facts, o) || s.made_for[output].entries() == 0) return map;
  // Only the sum has several digits. A table of offsets would be as large as the tensor.
  if (s.made_for[o].facts.affine && s.where != target::cuda) {
    const roles role = roles_of(s.form, o);
    const bool by_rows = role.rows.count > 1;
    s.splits.push_back(std::make_unique<const split_index>(split_index_of(by_rows ? role.rows : role.cols, o)));
    (by_rows ? map.split_rows : map.split_cols) = s.splits.back().get();
    return map;
  }
  s.host_tables.push_back(tabulate(s, o));
  map.table = s.host_tables.back().data();
  if (s.where == target::cuda) {
    s.device_tables.push_back(device::upload(s.host_tables.back()));
    map.table = s.device_tables.back().data();
  }
  return map;
}

template <class Problem>
Problem prototype_of(plan_state& s, Problem p) {
  using Sum = decltype(p.alpha);
  p.form = s.form.form;
  p.m = s.form.rows.size();
  p.n = s.form.cols.size();
  p.k = s.form.inner.size();
  p.loops = s.form.loop.size();
  p.alpha = detail::factor_in<Sum>(s.what.scale().alpha);
  p.beta = detail::factor_in<Sum>(s.what.scale().beta);
  p.left_factors = s.form.left[1] >= 0 ? 2 : 1;
  p.right_factors = s.form.right[1] >= 0 ? 2 : 1;
  each_factor(s.form, p, [&](auto& f, int o) {
    detail::fill(f, s.made_for[o]);
    f.map = map_of(s, o);
  });
  for (int f = 0; f < 2; ++f) {
    if (s.form.left[f] >= 0) p.left_conjugated[f] = s.made_for[s.form.left[f]].conjugated;
    if (s.form.right[f] >= 0) p.right_conjugated[f] = s.made_for[s.form.right[f]].conjugated;
  }
  // As a batch, so that the choice depends on the distance of its entries even if it has a single one.
  p.batch = s.made_for[output].batched ? std::max<index_t>(2, s.made_for[output].count) : 1;
  return p;
}

template <class Problem>
double flops_of_entry(const Problem& p) {
  return 2.0 * double(p.loops) * double(p.m) * double(p.n) * double(p.k);
}

// Pieces of batch entries, each of which is a whole product: of interleaved tensors, of as many as are interleaved.
template <class Problem>
void run_in_pieces(const Problem& p, const plan_state& s, const arguments* groups) {
  index_t lanes = p.out.lanes;
  each_factor(s.form, p, [&](const auto& f, int) { lanes = std::max(lanes, f.lanes); });
  const index_t blocks = p.batch / lanes + (p.batch % lanes != 0 ? 1 : 0), tasks = blocks * s.pieces.count;
  const index_t chunks = batch_chunks(tasks, s.threads);
  for_batch_chunks(tasks, chunks, [&](index_t, index_t first, index_t last) {
    for (index_t task = first; task < last; ++task) {
      const index_t entry = task / s.pieces.count * lanes;
      detail::run_piece(s, p, groups, task % s.pieces.count, entry, std::min(entry + lanes, p.batch));
    }
  });
}

// run(first, last) for contiguous ranges of the batch, the same for every run with the same number of threads. Threads
// do not write to the same line of a cache if the result begins on one.
template <class Problem, class Run>
void run_on_cpu(const Problem& p, const plan_state& s, const Run& run) {
  const bool is_small = s.entry_flops * double(p.batch) < serial_run_flops;
  const index_t chunks = is_small ? 1 : batch_chunks(p.batch, s.threads);
  if (chunks <= 1) return run(index_t(0), p.batch);
  for_result_chunks(p.batch, chunks, p.out.batch_stride * index_t(sizeof(*p.out.data)), p.out.lanes, run);
}

template <class T>
problem_members<T> members_of(const lowered& form, const arguments& operands) {
  problem_members<T> all;
  const auto of = [&](int o) { return o < 0 ? nullptr : static_cast<T* const*>(operands[o].members); };
  for (int f = 0; f < 2; ++f) {
    all.left[f] = of(form.left[f]);
    all.right[f] = of(form.right[f]);
  }
  all.out = of(output);
  return all;
}

// Complex numbers are only aligned like their parts, so such a problem may start inside an aligned entry.
bool starts_on_entry(const operand& o) { return reinterpret_cast<std::uintptr_t>(o.data) % o.entry_bytes == 0; }

template <class Problem>
void run_entries_on_cpu(const Problem& p, const plan_state& s, const arguments& operands) {
  if (s.pieces.count > 1) return run_in_pieces(p, s, operands.have_group() ? &operands : nullptr);
  run_on_cpu(p, s, [&](index_t first, index_t last) { detail::run_entries(s, p, operands, first, last); });
}

// Types other than float and double: on a CPU by the rows of their sums' type, on a GPU by a row compiled by the plan
// or the generic one.
template <class In, class Out, class Sum>
void run_problem(const problem<In, Out, Sum>& p, const plan_state& s, const arguments& operands, stream_view on) {
  if (s.where != target::cuda) return run_entries_on_cpu(p, s, operands);
  if (s.compiled != nullptr && !operands.have_group() &&
      device::has_layouts(any_problem(p), s.compiled->what().layouts)) {
    bool on_entries = true;
    each_factor(s.form, p, [&](const auto&, int o) { on_entries = on_entries && starts_on_entry(operands[o]); });
    if (on_entries) return s.compiled->run(any_problem(p), on);
  }
  device::launch_any(p, detail::any_members_of(s.form, operands), on.handle());
}

template <class T>
  requires is_real_scalar<T>
void run_problem(const problem<T>& p, const plan_state& s, const arguments& operands, stream_view on) {
  if (s.where == target::cuda) {
    if (operands.have_group()) return device::launch_members(p, members_of<T>(s.form, operands), on.handle());
    // A specialised row also needs matrices without gaps, which each run checks again.
    const device::gemm_choice chosen{s.chosen.record};
    if (s.compiled && device::has_layouts(p, s.compiled->what().layouts)) return s.compiled->run(p, on);
    device::launch(p, device::accepts(chosen, p) ? chosen : device::gemm_choice{}, on.handle());
  } else {
    run_entries_on_cpu(p, s, operands);
  }
}

void run_checked(const plan_state& s, const arguments& operands, index_t batch, stream_view on) {
  if (detail::is_general(s)) return detail::run_general(s, operands, batch, on.handle());
  const auto with = [&](auto p) {
    p.batch = batch;
    each_factor(s.form, p, [&](auto& f, int o) { detail::fill(f, operands[o]); });
    run_problem(p, s, operands, on);
  };
  std::visit(with, s.prototype);
}

template <class T>
void run_quickly(const plan_state& s, problem_function<T> row, const detail::brief_operand* const* operands,
                 int inputs) {
  detail::problem_copy<T> made(*std::get_if<problem<T>>(&s.prototype));
  problem<T>& p = *made;
  const auto set = [&](auto& f, int o) {
    const detail::brief_operand& now = *operands[o == output ? inputs : o];
    f.data = static_cast<T*>(const_cast<void*>(now.data));
    f.batch_stride = now.stride;
  };
  p.batch = operands[inputs]->count;
  each_factor(s.form, p, set);
  if (s.pieces.count > 1) return run_in_pieces(p, s, nullptr);
  run_on_cpu(p, s, [&](index_t first, index_t last) { row(p, first, last); });
}

// Quick checks are enough for plans of float and double on a CPU, of operands that they can describe.
void allow_quick_runs(plan_state& s, int inputs) {
  if (s.run_f32 == nullptr && s.run_f64 == nullptr) return;
  detail::quick_form of[max_inputs + 1];
  for (int i = 0; i <= inputs; ++i) {
    of[i] = detail::quick_form_of(s.made_for[i == inputs ? output : i]);
    if (of[i].kind == 0) return;
  }
  std::copy(of, of + inputs + 1, s.quick);
}

// The alternative of these types, with its initial values.
template <int... I>
any_problem empty_problem(const product_types& types, sequence<I...>) {
  any_problem p;
  ((known_products[I].types == types ? void(p.emplace<std::size_t(I)>()) : void()), ...);
  return p;
}

// Rows compiled for given sizes have to get these; of some the number of columns is free.
template <class Problem>
piece_grid pieces_for(const plan_state& s, const Problem& p) {
  detail::divisible what;
  if (s.chosen.record != choice::generic && s.where != target::cuda) {
    what.rows = false;
    what.cols = cpu_gemm_records[std::size_t(s.chosen.record)].n == 0;
  }
  const double flops = s.where == target::cuda ? 0 : s.entry_flops;
  return detail::pieces_of(p.m, p.n, p.out.map, flops, what);
}

target target_for(const operand& out, const plan_options& options, const std::string& text) {
  const target wanted = options.on.value_or(out.space == space_kind::gpu ? target::cuda : default_cpu_target());
  if ((wanted == target::cuda) != (out.space == space_kind::gpu))
    throw error(
        "plan " + text + ": target " + name_of(wanted) + " cannot run on operands in " + name_of(out.space) + " memory",
        status::wrong_space);
  if (!is_available(wanted))
    throw error("plan " + text + ": target " + name_of(wanted) + " is not available on this machine",
                wanted == target::cuda ? status::no_device : status::no_target);
  return wanted;
}

void make_custom(plan_state& s, const arguments& operands) {
  s.custom = std::make_shared<const detail::custom_problem>(detail::custom_checked(s.what, operands, space_kind::cpu));
  s.entry_flops = 2.0 * double(s.custom->outer_size()) * double(s.custom->inner_size());
  s.row = detail::text_of(*s.custom);
  s.because.name = "plain loops run contractions with functions, other pairs, an addend, integers or mixed types";
}

void run_custom_on_cpu(const plan_state& s, const arguments& operands, index_t batch) {
  const index_t all = batch * s.custom->outer_size();
  const bool is_small = s.entry_flops * double(batch) < serial_run_flops;
  for_result_chunks(all, is_small ? 1 : batch_chunks(all, s.threads), index_t(operands[output].entry_bytes), 1,
                    [&](index_t first, index_t last) { detail::run_custom(*s.custom, operands, first, last); });
}

// No kernel is made for three large tensors at once.
std::string advice_for_three(const plan_state& s) {
  if (s.where != target::cuda || s.what.modes().inputs != 3 || s.made_for[output].entries() == 0) return "";
  const index_t rows = s.form.rows.size(), cols = s.form.cols.size(), inner = s.form.inner.size() * s.form.loop.size();
  if (!detail::is_for_tiles(rows, cols, inner)) return "";
  return "three large inputs: make_network multiplies them pair by pair, by kernels for large tensors";
}

std::shared_ptr<plan_state> state_for(const contraction& what, const operand* given, int count,
                                      const plan_options& options, const detail::forced_place& place) {
  const arguments operands = gather(given, count, what);
  const lowered form = detail::lower_checked(what, operands);
  const bool is_custom = detail::is_custom(what, operands);
  const auto own_types = [&] {
    const detail::custom_types types = detail::types_of(what, operands);
    return product_types(types.left, types.out, types.sum);
  };
  auto s = std::make_shared<plan_state>(what, form, is_custom ? own_types() : detail::types_checked(what, operands));
  for (int o = 0; o <= max_inputs; ++o) {
    s->made_for[o] = operands[o];
    s->made_for[o].data = s->made_for[o].members = nullptr;
    s->made_for[o].list = nullptr;
  }
  if (options.threads < 0)
    throw error("plan " + detail::text_of(what, operands) + ": " + std::to_string(options.threads) + " threads");
  s->where = target_for(operands[output], options, detail::text_of(what, operands));
  s->threads = options.threads;
  s->may_compile = options.compile;
  s->waits = options.wait;
  s->may_own_workspace = options.own_workspace;
  s->forced = place.in;
  s->why_forced = place.why;
  s->precision = options.precision;
  if (detail::choose_general(*s)) return s;  // without tables of offsets
  if (is_custom) {
    make_custom(*s, operands);
    return s;
  }
  s->prototype = empty_problem(s->types, tessera::iota<int(std::variant_size_v<any_problem>)>{});
  std::visit([&](auto& p) { p = prototype_of(*s, p); }, s->prototype);
  detail::choose_row(*s);
  s->because.note(advice_for_three(*s));
  std::visit([&](const auto& p) { s->entry_flops = flops_of_entry(p), s->pieces = pieces_for(*s, p); }, s->prototype);
  allow_quick_runs(*s, count - 1);
  return s;
}

}  // namespace

plan make_plan_of(const contraction& what, const operand* given, int count, const plan_options& options) {
  return plan(state_for(what, given, count, options, detail::place_forced_by(options)));
}

plan detail::make_plan_in(memory_regime in, const char* why, const contraction& what, const operand* given, int count,
                          const plan_options& options) {
  return plan(state_for(what, given, count, options, {in, why}));
}

bool plan::run_brief(const detail::brief_operand* const* operands, int count) const {
  const plan_state& s = *state_;
  const int inputs = s.what.modes().inputs;
  if (s.quick[0].kind == 0 || count != inputs + 1 || !detail::is_run_quick(operands, s.quick, inputs)) return false;
  if (s.run_f64 != nullptr)
    run_quickly(s, s.run_f64, operands, inputs);
  else
    run_quickly(s, s.run_f32, operands, inputs);
  return true;
}

void plan::run_operands(const operand* given, int count, stream_view on) const {
  if (state_->quick[0].kind != 0 && given != nullptr && count > 0 && count <= max_inputs + 1) {
    detail::brief_operand brief[max_inputs + 1];
    const detail::brief_operand* all[max_inputs + 1];
    for (int o = 0; o < count; ++o) brief[o] = detail::brief_of(given[o]), all[o] = &brief[o];
    if (run_brief(all, count)) return;
  }
  const arguments operands = gather(given, count, state_->what);
  const index_t batch = detail::check_run(*state_, operands);
  if (batch == 0 || operands[output].entries() == 0) return;
  if (state_->custom) return run_custom_on_cpu(*state_, operands, batch);
  run_checked(*state_, operands, batch, on);
}

void plan::check_operands(const operand* given, int count) const {
  detail::check_run(*state_, gather(given, count, state_->what));
}

const std::string& plan::row() const { return state_->row; }
target plan::where() const { return state_->where; }
std::size_t plan::workspace_bytes() const { return state_->workspace_bytes; }
bool plan::is_ready() const { return state_->compiled_behind == nullptr || state_->compiled_behind->has_ended(); }

}  // namespace tessera
