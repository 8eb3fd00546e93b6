// SPDX-License-Identifier: BSD-3-Clause
// Gives plans of large contractions their kernels, which those of the same form share, and queues runs.
#include "plan_general.hpp"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tessera/core/general.hpp>
#include <tessera/gpu/detail/general/any_kernel.hpp>

#include "../loaded_once.hpp"
#include "../network/own_workspace.hpp"
#include "../plan_state.hpp"
#include "../records/records_overlay.hpp"
#include "kind_of.hpp"

namespace tessera::detail {

namespace {

std::string numbers_text(const general_digits& digits) {
  std::string text;
  for (int i = 0; i < digits.count; ++i) {
    const general_digit& d = digits.at[i];
    for (const index_t number : {d.extent, d.left, d.right, d.out, d.addend}) text += std::to_string(number) + ",";
  }
  return text + ";";
}

bool is_in_float(scalar_type sum) { return sum == scalar_type::f32 || sum == scalar_type::c32; }

// alpha or beta in the type of the sums, in which a small beta may be 0.
complex<double> factor_of(const complex<double>& z, scalar_type sum) {
  if (!is_in_float(sum)) return z;
  // Through memory: g++ 12 takes two doubles to floats and back for no change.
  const volatile float re = float(z.re), im = float(z.im);
  return {re, im};
}

std::string sizes_text(const general_digits& digits) {
  std::string text;
  for (int i = 0; i < digits.count; ++i) text += (i > 0 ? "x" : "") + std::to_string(digits.at[i].extent);
  return digits.count == 0 ? "1" : text;
}

index_t tiles_of(const general_plan& of) {
  return boxes_of(of.chosen.tile.rows, of.form.rows) * boxes_of(of.chosen.tile.cols, of.form.cols) *
         of.form.batch.size();
}

// The operands of a contraction of two inputs by position, an addend of its own included.
std::vector<int> positions_of(const contraction& what) {
  if (what.addend()) return {0, 1, addend_operand, output};
  return {0, 1, output};
}

// Why strides do not describe the operands; empty if they do.
std::string why_no_strides(const contraction& what, const arguments& operands) {
  if (what.modes().inputs != 2) return "three inputs, which make_network multiplies pair by pair";
  for (const int o : positions_of(what)) {
    const operand& now = operands[o];
    if (now.grouped) return "members of a group";
    if (now.offsets || !now.facts.affine) return "a layout that strides cannot describe";
    if (now.lanes != 1) return "an interleaved batch";
  }
  return "";
}

// Empty where the user has written one of them.
std::optional<device::any_functions> any_functions_of(const contraction& what) {
  if (has_own_code(what)) return std::nullopt;
  const contraction_functions& f = what.functions();
  const auto as_any = [](const entry_function& one) {
    return device::any_function{static_cast<device::any_function_kind>(one.which()), one.parameter()};
  };
  static_assert(int(device::any_function_kind::elu) == int(entry_function::kind::elu) &&
                int(device::any_function_kind::conj) == int(entry_function::kind::conjugate) &&
                int(device::any_pair::or_and) == int(operations::kind::or_and));
  return device::any_functions{as_any(f.a), as_any(f.b), as_any(f.addend), as_any(f.result),
                               static_cast<device::any_pair>(what.pair().which())};
}

bool is_dense(const operand& o) {
  index_t span = 1;
  for (int d = 0; d < o.facts.rank; ++d) {
    if (o.facts.stride[d] < 0) return false;
    span += (o.facts.extent[d] - 1) * o.facts.stride[d];
  }
  return span == o.entries() && (!o.batched || o.stride == span);
}

// A batch of single products of matrices that lie so, or are shared by all.
bool has_dense_matrices(const einsum& e, const operand_facts (&facts)[max_inputs + 1], const arguments& operands) {
  if (!operands[output].batched) return false;
  for (const int o : {0, 1, output})
    if (!is_dense(operands[o])) return false;
  const lowered form = lower(e, facts);
  return form.loop.size() == 1 && form.inner.count <= 1;
}

void check_pointer(const plan_state& s, const arguments& operands, int o, const void* at) {
  if (operands[o].entries() == 0) return;
  const std::string which = o == output ? "the output" : "input " + std::to_string(o + 1);
  if (at == nullptr)
    throw error("run " + text_of(s.what, operands) + ": null pointer for " + which, status::null_pointer);
  if (!device::is_device_pointer(at))
    throw error("run " + text_of(s.what, operands) + ": " + which + " is not in device memory", status::wrong_space);
}

// Of what no row runs.
void check_runs_on_gpus(const plan_state& s, const arguments& operands) {
  const std::string why_not = why_no_strides(s.what, operands);
  if (why_not.empty()) {
    custom_checked(s.what, operands, space_kind::gpu);
    return;
  }
  throw error("plan " + text_of(s.what, operands) + ": it " + why_custom(s.what, operands) +
                  ", which runs on a GPU over tensors and batches that strides describe, and not over " + why_not,
              status::wrong_type);
}

// Whether there is memory for it.
bool gets_workspace(plan_state& s, std::size_t bytes) try {
  if (bytes > 0) {
    device::destroy_released();
    s.workspace = std::make_shared<own_workspace>(space_kind::gpu, bytes);
  }
  s.workspace_bytes = bytes;
  return true;
} catch (const error& e) {
  if (e.code() != status::out_of_memory) throw;
  return false;
}

// The compiled kernel with its workspace, or why there is none, or who compiles it.
void compile_general(plan_state& s, const general_form& form, const general_kind& asked) try {
  s.why_not_general = why_nothing_is_compiled();
  if (!s.why_not_general.empty()) return;
  const device::device_info gpu = device::info();
  const std::optional<general_kind> kind = kind_on(gpu, asked, form);
  if (!kind) {
    s.why_not_general = "there is none of " + text_of(asked) + " for this GPU";
    return;
  }
  const index_t count = s.made_for[output].count;
  const sums may_be = s.may_own_workspace ? sums_of_batch(form, count, gpu.sms) : sums::whole;
  general_attempt attempt = general_plan_for(form, *kind, may_be, s.waits);
  if (attempt.made != nullptr && !gets_workspace(s, attempt.made->kernel.workspace_bytes(count)))
    attempt = general_plan_for(form, *kind, sums::whole, s.waits);
  s.general = std::move(attempt.made);
  s.compiled_behind = std::move(attempt.compiled_behind);
  s.why_not_general = std::move(attempt.why_not);
} catch (const error& e) {
  s.why_not_general = e.what();
}

void queue_general(const plan_state& s, const device::general_arguments& of, index_t batch, void* stream) {
  if (s.workspace != nullptr) {
    // A graph uses the workspace whenever it is launched, after the end of the plan as well.
    if (device::is_capturing(stream)) device::keep_for_graph(stream, s.workspace);
    const auto work = [&](void* memory) { s.general->kernel.run(of, batch, stream, {memory, s.workspace_bytes}); };
    return s.workspace->use(stream, std::ref(work));  // by reference: a std::function of it allocates nothing
  }
  if (s.general != nullptr) return s.general->kernel.run(of, batch, stream);
  device::run_any(s.at_run_time->form, s.at_run_time->kind, s.at_run_time->functions, of, batch, stream);
}

index_t batch_stride_of(const operand& o) { return o.batched ? o.stride : 0; }

// A plan that was made for a batch may be run over groups: a launch for each entry, whose addresses the host knows.
void run_general_members(const plan_state& s, const arguments& operands, device::general_arguments of, index_t batch,
                         void* stream) {
  for (const int o : positions_of(s.what))
    if (operands[o].grouped && !operands[o].list)
      throw error("run " + text_of(s.what, operands) +
                  ": a group whose addresses are in device memory alone needs a "
                  "plan that was made for a group");
  const auto entry = [&](int o, index_t b) {
    const operand& from = operands[o];
    if (from.grouped) return const_cast<void*>(from.member(b));
    return static_cast<void*>(static_cast<char*>(const_cast<void*>(from.data)) +
                              b * batch_stride_of(from) * index_t(from.entry_bytes));
  };
  for (index_t b = 0; b < batch; ++b) {
    of.left = entry(0, b);
    of.right = entry(1, b);
    if (s.what.addend()) of.addend = entry(addend_operand, b);
    of.out = entry(output, b);
    queue_general(s, of, 1, stream);
  }
}

}  // namespace

general_answer wants_general(const contraction& what, const arguments& operands) {
  if (const std::string why_not = why_no_strides(what, operands); !why_not.empty()) return {false, why_not};
  const einsum& e = what.modes();
  const operand_facts facts[max_inputs + 1] = {operands[0].facts, operands[1].facts, {}, operands[output].facts};
  for (const int o : {0, 1, output})
    if (operands[o].entries() == 0) return {false, "an operand without entries"};
  const general_form form = lower_general(e, facts);
  const index_t rows = form.rows.size(), cols = form.cols.size(), inner = form.inner.size();
  const product_batch batch =
      has_dense_matrices(e, facts, operands) ? product_batch::dense_matrices : product_batch::other;
  const std::string size =
      "products of " + std::to_string(rows) + "x" + std::to_string(cols) + "x" + std::to_string(inner);
  if (!is_for_tiles(rows, cols, inner, batch)) return {false, size + " are small"};
  return {true, size + " are for tiles"};
}

std::string general_key(const general_form& form, const general_kind& kind, int device) {
  std::string key = "general, device " + std::to_string(device) + ";";
  if (const std::shared_ptr<const overlay> records = current_overlay())
    key += "records " + std::to_string(records->number) + ";";
  for (const general_digits* list : {&form.rows, &form.cols, &form.inner, &form.batch}) key += numbers_text(*list);
  for (const bool flag :
       {kind.reads_out, kind.left_conjugated, kind.right_conjugated, kind.zero_adds_nothing, kind.scales})
    key += flag ? "1" : "0";
  key += kind.addend ? std::string("+") + name_of(*kind.addend) + "," : ",";  // also one that no digit tells of
  for (const index_t number : {index_t(kind.second.digit), kind.second.row, kind.second.column})
    key += std::to_string(number) + ",";
  return key + text_of(kind) + ";" + kind.functions;
}

sums sums_of_batch(const general_form& form, index_t count, int multiprocessors) {
  constexpr index_t least_terms = 288;  // shorter sums have no parts
  return count >= multiprocessors && form.inner.size() >= least_terms ? sums::whole : sums::in_parts;
}

general_attempt general_plan_for(const general_form& form, const general_kind& kind, sums may_be, bool wait) {
  const int device = device::current();
  const auto make = [form, kind, may_be, device](compile_job::done_by who) -> device::kept_code::made {
    if (who == compile_job::done_by::own_thread) device::set_up_own_thread(device);
    const std::optional<tile_choice> chosen = tile_for(form, kind, device::info(), may_be);
    if (!chosen) throw error("no tile of it fits this GPU", status::no_target);
    auto made = std::make_shared<general_plan>(
        general_plan{form, kind, *chosen, device::general_kernel(form, kind, chosen->tile)});
    const std::uint64_t bytes = made->kernel.code_bytes();
    return {std::move(made), bytes};
  };
  const std::string key = general_key(form, kind, device) + (may_be == sums::whole ? "whole sums;" : "");
  kernel_attempt got = process_kernel_jobs().get(key, make, wait);
  return {std::static_pointer_cast<const general_plan>(got.kernel), std::move(got.behind), std::move(got.why_not)};
}

bool choose_general(plan_state& s) {
  const arguments made_for(s.made_for, max_inputs + 1);
  if (s.where != target::cuda) return false;
  const bool has_no_row = is_custom(s.what, made_for);
  if (has_no_row)
    check_runs_on_gpus(s, made_for);
  else if (!wants_general(s.what, made_for).yes)
    return false;
  const general_kind kind = general_kind_of(s.what, made_for, s.precision);
  const general_form form = general_form_of(s.what, made_for, kind);
  const bool is_empty = form.inner.size() == 0 || made_for[output].entries() == 0;
  const std::optional<device::any_functions> functions = any_functions_of(s.what);
  const bool runs_at_once = functions && device::any_can(kind, *functions);
  if (has_no_row && !runs_at_once) s.waits = true;
  if (s.may_compile && !is_empty) compile_general(s, form, kind);
  if (s.general != nullptr) {
    s.row = s.general->kernel.name();
    s.because = s.general->chosen.because;
  } else if (runs_at_once) {
    s.at_run_time = std::make_shared<general_at_run_time>(general_at_run_time{form, kind, *functions});
    general_kind at_run_time = kind;
    at_run_time.by = general_by::fma;
    s.row = "general " + text_of(at_run_time) + ", any sizes and strides";
    s.because = {(has_no_row ? "it " + why_custom(s.what, made_for) : std::string("large")) +
                 (is_empty        ? ", and has no entries"
                  : s.may_compile ? ", and no kernel is compiled for it"
                                  : ", and nothing may be compiled")};
  } else if (has_no_row) {
    throw error("plan " + text_of(s.what, made_for) + ": it " + why_custom(s.what, made_for) +
                    ", and no kernel of this build runs it" +
                    (s.may_compile ? "; " + why_no_kernel(s) : ", and nothing may be compiled"),
                status::no_target);
  } else {
    return false;
  }
  if (s.forced)
    s.because.note(std::string(name_of(*s.forced)) + ": " + s.why_forced +
                   ", which makes no difference to this kernel");
  return true;
}

bool is_general(const plan_state& s) { return s.general != nullptr || s.at_run_time != nullptr; }

void run_general(const plan_state& s, const arguments& operands, index_t batch, void* stream) {
  const complex<double> alpha = factor_of(s.what.scale().alpha, s.types.sum),
                        beta = factor_of(s.what.scale().beta, s.types.sum);
  const operand &left = operands[0], &right = operands[1], &out = operands[output];
  device::general_arguments of{.left = left.data,
                               .right = right.data,
                               .out = const_cast<void*>(out.data),
                               .alpha = alpha,
                               .beta = beta,
                               .left_stride = batch_stride_of(left),
                               .right_stride = batch_stride_of(right),
                               .out_stride = batch_stride_of(out)};
  if (s.what.addend()) {
    of.addend = operands[addend_operand].data;
    of.addend_stride = batch_stride_of(operands[addend_operand]);
  }
  for (const int o : positions_of(s.what))
    check_pointer(s, operands, o, operands[o].grouped ? operands[o].members : operands[o].data);
  if (operands.have_group()) return run_general_members(s, operands, of, batch, stream);
  queue_general(s, of, batch, stream);
}

general_form general_form_of(const contraction& what, const arguments& made_for, const general_kind& kind) {
  std::optional<general_addend> addend;
  if (kind.addend) addend = general_addend{*what.addend(), made_for[addend_operand].facts};
  return lower_general(what.modes(), {made_for[0].facts, made_for[1].facts, {}, made_for[output].facts},
                       addend ? &*addend : nullptr);
}

std::string form_text(const general_form& form) {
  return "rows " + sizes_text(form.rows) + ", columns " + sizes_text(form.cols) + ", sum of " + sizes_text(form.inner) +
         ", batch " + sizes_text(form.batch);
}

std::string general_text(const plan_state& s) {
  if (s.general == nullptr)
    return "\n  lowered to general: " + form_text(s.at_run_time->form) + "\n  runs on " + name_of(s.where) + ": " +
           s.row;
  const general_plan& g = *s.general;
  char modelled[64];
  std::snprintf(modelled, sizeof modelled, "%.3g ms", 1e3 * g.chosen.costs.seconds);
  std::string text = "\n  lowered to general: " + form_text(g.form) + "\n  runs on " + name_of(s.where) + ": " + s.row +
                     "; " + std::to_string(tiles_of(g)) + " tiles, modelled " + modelled;
  if (s.workspace_bytes > 0)
    text += "\n  each sum in " + std::to_string(g.chosen.tile.splits) +
            " parts, which a second kernel adds up in their order; " + std::to_string(s.workspace_bytes) +
            " bytes of workspace";
  return text;
}

std::string why_no_kernel(const plan_state& s) {
  std::string why = s.why_not_general;
  if (s.compiled_behind != nullptr) {
    if (!s.compiled_behind->has_ended()) return "a kernel for it is being compiled";
    why = s.compiled_behind->failure_text();
    if (why.empty()) return "a kernel for it has been compiled since: a plan that is made now has it";
  }
  return why.empty() ? "" : "no kernel was compiled at run time: " + why;
}

}  // namespace tessera::detail
