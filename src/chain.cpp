// SPDX-License-Identifier: BSD-3-Clause
// Chains: plans over blocks of elements, so that intermediates stay small; or one kernel, see fused_run.cpp.
#include <tessera/chain.hpp>
#include <tessera/detail/shape_text.hpp>
#include <tessera/detail/size_check.hpp>

#include <algorithm>
#include <numeric>

#include <tessera/cpu/detail/parallel.hpp>

#include "fused_run.hpp"
#include "overlap.hpp"

namespace tessera {

namespace {

// Blocks are sized so that both halves of the workspace fit here: on a CPU, where each thread takes blocks of its own,
// a part of L2 beside the operands; on a GPU enough elements to fill it many times over.
constexpr index_t workspace_limit_cpu_thread = index_t{128} << 10;
constexpr index_t workspace_limit_gpu = index_t{1} << 30;

// Of the chain's input type, which every step has.
operand packed_result(const operand_facts& facts, const operand& like, const operand& in) {
  check_extents("chain: the result of a step", facts.extent, facts.rank);
  operand o = like;
  o.type = in.type;
  o.entry_bytes = in.entry_bytes;
  o.facts = facts;
  o.offsets = nullptr;
  o.data = o.members = nullptr;
  o.grouped = false;
  o.list = nullptr;
  o.writable = o.batched = true;
  o.conjugated = false;
  o.lanes = 1;
  o.stride = o.span = o.entries();
  return o;
}

std::vector<operand> all_operands(const chain_step& step, const operand& chained, const operand& result) {
  std::vector<operand> all = step.inputs;
  all.push_back(chained);
  all.push_back(result);
  return all;
}

}  // namespace

operand slice(const operand& o, index_t first, index_t count) {
  if (!o.batched) return o;
  operand part = o;
  part.count = count;
  if (o.grouped) {
    part.members = static_cast<const char*>(o.members) + first * index_t(sizeof(void*));
    part.first_member = o.first_member + first;
  } else {
    part.data = static_cast<const char*>(o.data) + batch_start(first, o.stride, o.lanes) * index_t(o.entry_bytes);
  }
  return part;
}

chain::chain(std::vector<chain_step> steps, const operand& in, const operand& out, const plan_options& options)
    : steps_(std::move(steps)),
      threads_(useful_threads(options.threads)),
      entry_bytes_(in.entry_bytes),
      space_(out.space) {
  if (steps_.empty() || steps_.size() > std::size_t(max_steps))
    throw error("chain: " + std::to_string(steps_.size()) + " steps, not in 1.." + std::to_string(max_steps));
  std::vector<chain_link> links;
  for (const chain_step& step : steps_) {
    chain_link link{.e = step.what.modes(), .inputs = {}};
    if (int(step.inputs.size()) + 1 != link.e.inputs)
      throw error("chain: step \"" + step.what.text() + "\" has " + std::to_string(step.inputs.size()) +
                  " inputs besides the chained one, it needs " + std::to_string(link.e.inputs - 1));
    if (links.size() + 1 < steps_.size() && step.what.scale().beta != 0)
      throw error("chain: step \"" + step.what.text() + "\" adds to its result, which only the last step may do");
    for (std::size_t i = 0; i < step.inputs.size(); ++i) link.inputs[i] = step.inputs[i].facts;
    links.push_back(link);
  }
  const lowered_chain form = lower_chain(links.data(), int(links.size()), in.facts, out.facts);
  plan_options of_steps = options;
  of_steps.compile = false;  // until it is certain that the plans will run
  if (steps_.size() > 1 && space_ == space_kind::cpu) of_steps.threads = 1;  // threads take blocks
  make_plans(form, in, out, of_steps);
  take_whole_blocks_of(in);
  take_whole_blocks_of(out);
  for (const chain_step& step : steps_)
    for (const operand& input : step.inputs) take_whole_blocks_of(input);
  fused_ = detail::make_fused(steps_, in, out, options, why_staged_);
  if (!fused_ && options.compile && space_ == space_kind::gpu) make_plans(form, in, out, options);
}

void chain::make_plans(const lowered_chain& form, const operand& in, const operand& out, const plan_options& options) {
  plans_.clear();
  intermediates_.clear();
  operand previous = in;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const bool last = i + 1 == steps_.size();
    const operand result = last ? out : packed_result(form.result[i], out, in);
    const std::vector<operand> all = all_operands(steps_[i], previous, result);
    // A step that cannot be lowered throws the plan's error here.
    plans_.push_back(make_plan_of(steps_[i].what, all.data(), int(all.size()), options));
    if (!last) {
      intermediates_.push_back(result);
      largest_ = std::max(largest_, result.entries());
    }
    previous = result;
  }
}

void chain::take_whole_blocks_of(const operand& o) {
  if (o.batched && __builtin_mul_overflow(grain_ / std::gcd(grain_, o.lanes), o.lanes, &grain_))
    throw error("chain: blocks of " + text_of(o) + ", " + std::to_string(o.lanes) +
                    " of which are interleaved, and of other operands have no common multiple in 63 bits",
                status::overflow);
}

index_t chain::block_of(index_t count) const {
  if (intermediates_.empty()) return count;
  const index_t limit = space_ == space_kind::cpu ? workspace_limit_cpu_thread : workspace_limit_gpu;
  const index_t bytes = std::max<index_t>(1, 2 * largest_ * index_t(entry_bytes_));
  // At least two entries, and whole groups of interleaved ones.
  const index_t block = std::max<index_t>(2, limit / bytes);
  const index_t groups = block / grain_ + (block % grain_ != 0 ? 1 : 0);
  return groups > count / grain_ ? count : groups * grain_;
}

index_t chain::threads_for(index_t count) const {
  const index_t block = block_of(count);
  if (space_ != space_kind::cpu || intermediates_.empty() || block == 0) return 1;
  return std::min<index_t>(threads_, count / block + (count % block != 0 ? 1 : 0));
}

std::size_t chain::workspace_bytes(index_t count) const {
  if (fused_) return 0;
  return std::size_t(detail::checked_product("chain: workspace", {2, largest_, block_of(count), threads_for(count)},
                                             entry_bytes_)) *
         entry_bytes_;
}

void chain::check_run(const operand& in, const operand& out, const buffer& workspace, index_t count) const {
  // Of all blocks: the plan of a step gets one of them.
  const auto check_size = [](const operand& o) {
    if (!detail::fits_63_bits(o))
      throw error("chain: " + text_of(o) + " is " + detail::misfit_text(o), status::overflow);
  };
  check_size(in);
  check_size(out);
  for (const chain_step& step : steps_)
    for (const operand& input : step.inputs) check_size(input);
  if (workspace.bytes() > 0 && workspace.space() != space_)
    throw error(std::string("chain: the workspace is in ") + name_of(workspace.space()) + " memory, " + text_of(out) +
                    " is the output",
                status::wrong_space);
  if (workspace.bytes() < workspace_bytes(count))
    throw error("chain: workspace of " + std::to_string(workspace.bytes()) + " bytes, " +
                std::to_string(workspace_bytes(count)) + " needed for " + std::to_string(count) + " entries of " +
                text_of(out));
  if (in.batched && in.count != count)
    throw error("chain: input " + text_of(in) + " and output " + text_of(out) + " have different counts",
                status::shape_mismatch);
  for (const chain_step& step : steps_)
    for (const operand& input : step.inputs)
      if (input.batched && input.count != count)
        throw error("chain: step \"" + step.what.text() + "\" has an input " + text_of(input) + ", the output is " +
                        text_of(out),
                    status::shape_mismatch);
  if (fused_) {
    detail::check_made_for(in, fused_->in, "input");
    detail::check_made_for(out, fused_->out, "output");
    if (!out.writable) throw error("chain: the output " + text_of(out) + " is const");
  }
  // A single step is checked by its plan.
  if (!fused_ && plans_.size() == 1) return;
  // Of the whole batch: the plan of the last step gets one block of it.
  if (!detail::distinct_blocks(out)) throw error("chain: " + detail::clash_text(out), status::overlap);
  if (plans_.size() == 1) return;
  // The first step has read its block of the input before the last step writes it.
  if (!detail::same_addresses(in, out) && detail::entries_meet(in, out))
    throw error(
        "chain: the output " + text_of(out) + " overlaps the input " + text_of(in) + detail::meeting_text(out, in),
        status::overlap);
  for (const chain_step& step : steps_)
    for (const operand& input : step.inputs)
      if (detail::entries_meet(input, out))
        throw error("chain: the output " + text_of(out) + " overlaps an input of step \"" + step.what.text() + "\"" +
                        detail::meeting_text(out, input),
                    status::overlap);
}

void chain::run_operands(const operand& in, const operand& out, buffer& workspace, stream_view on) const {
  const index_t count = out.batched ? out.count : 1;
  check_run(in, out, workspace, count);
  if (fused_)
    detail::run_fused(*fused_, in, out, on);
  else
    run_staged(in, out, workspace, count, on);
}

void chain::run_staged(const operand& in, const operand& out, buffer& workspace, index_t count, stream_view on) const {
  const index_t block = block_of(count), threads = threads_for(count);
  if (threads <= 1) return run_blocks(in, out, workspace.data(), {0, count, block}, on);
  const index_t bytes = 2 * largest_ * block * index_t(entry_bytes_);
  for_batch_chunks(count / grain_ + (count % grain_ != 0 ? 1 : 0), threads,
                   [&](index_t chunk, index_t first, index_t last) {
                     run_blocks(in, out, static_cast<char*>(workspace.data()) + chunk * bytes,
                                {first * grain_, std::min(last * grain_, count), block}, on);
                   });
}

void chain::run_blocks(const operand& in, const operand& out, void* workspace, const entries& of,
                       stream_view on) const {
  char* const halves[] = {static_cast<char*>(workspace),
                          static_cast<char*>(workspace) + largest_ * of.block * index_t(entry_bytes_)};
  for (index_t first = of.first; first < of.last; first += of.block) {
    const index_t now = std::min(of.block, of.last - first);
    operand previous = slice(in, first, now);
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      operand result = slice(out, first, now);
      if (i + 1 < plans_.size()) {
        result = intermediates_[i];
        result.data = halves[i % 2];
        result.count = now;
      }
      operand all[max_inputs + 1];
      int given = 0;
      for (const operand& input : steps_[i].inputs) all[given++] = slice(input, first, now);
      all[given++] = previous;
      all[given++] = result;
      plans_[i].run_operands(all, given, on);
      previous = result;
    }
  }
}

std::string chain::describe(detail_level how) const {
  if (fused_) return detail::describe_fused(*fused_, how);
  if (how == detail_level::full) {
    std::string text = "staged, one plan per step; not fused: " + why_staged_ + "\n";
    for (const plan& p : plans_) text += p.describe() + "\n";
    return text;
  }
  std::vector<std::string> kernels;
  for (const plan& p : plans_)
    if (const std::string one = p.describe(how); std::ranges::find(kernels, one) == kernels.end())
      kernels.push_back(one);
  std::string text = "staged, " + std::to_string(plans_.size()) + (plans_.size() == 1 ? " step" : " steps");
  for (const std::string& one : kernels) text += "; " + one;
  return text;
}

}  // namespace tessera
