// SPDX-License-Identifier: BSD-3-Clause
// Chains: plans over blocks of elements, so that intermediates stay small; or one kernel, see fused_run.cpp and
// chain_element.cpp.
#include <tessera/chain.hpp>
#include <tessera/detail/shape_text.hpp>
#include <tessera/detail/size_check.hpp>

#include <algorithm>
#include <numeric>

#include <tessera/cpu/detail/parallel.hpp>

#include "chain_element.hpp"
#include "chain_lanes.hpp"
#include "fused_run.hpp"
#include "overlap.hpp"
#include "plan_state.hpp"

namespace tessera {

namespace {

// Blocks are sized so that both halves of the workspace fit here: on a CPU, where each thread takes blocks of its own,
// a part of L2 beside the operands; on a GPU enough elements to fill it many times over.
constexpr index_t workspace_limit_cpu_thread = index_t{128} << 10;
constexpr index_t workspace_limit_gpu = index_t{1} << 30;

// Of the chain's input type, which every step has.
operand result_of_step(const operand_facts& facts, const operand& like, const operand& in, index_t lanes) {
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
  o.lanes = lanes;
  o.stride = o.entries() * lanes;
  for (int d = 0; d < o.facts.rank; ++d) o.facts.stride[d] *= lanes;
  o.span = o.entries() == 0 ? 0 : (o.entries() - 1) * lanes + 1;
  return o;
}

std::vector<operand> all_operands(const chain_step& step, const operand& chained, const operand& result) {
  std::vector<operand> all = step.inputs;
  all.push_back(chained);
  all.push_back(result);
  return all;
}

// Steps are products that there are rows for.
void check_plain(const contraction& what, const std::vector<operand>& all) {
  if (int(all.size()) != what.operand_count() ||
      !std::all_of(all.begin(), all.end(), [](const operand& o) { return o.type.has_value(); }))
    return;  // the plan names that
  if (const std::string why = detail::why_custom(what, {all.data(), int(all.size())}); !why.empty())
    throw error("chain: step \"" + what.text() + "\" " + why + ", which steps of chains do not take; a plan does",
                status::wrong_type);
}

}  // namespace

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
  packed_ = make_stages(form, in, out, of_steps, 1);
  for (const operand& o : packed_.between) largest_ = std::max(largest_, o.entries());
  lanes_ = detail::lanes_of_chain(steps_, in, out, packed_.between, packed_.plans.back().where(), options);
  if (lanes_ > 1) in_lanes_ = make_stages(form, in, out, of_steps, lanes_);
  grain_ = lanes_;
  take_whole_blocks_of(in);
  take_whole_blocks_of(out);
  for (const chain_step& step : steps_)
    for (const operand& input : step.inputs) take_whole_blocks_of(input);
  if (options.fuse) element_ = detail::make_element_chain(steps_, in, out, packed_.plans.back().where(), options);
  fused_ = detail::make_fused(steps_, in, out, options, why_staged_);
  if (is_fused()) in_ = in, out_ = out, in_.data = out_.data = nullptr;
  if (!fused_ && options.compile && space_ == space_kind::gpu) packed_ = make_stages(form, in, out, options, 1);
}

chain::stages chain::make_stages(const lowered_chain& form, const operand& in, const operand& out, plan_options options,
                                 index_t lanes) const {
  options.own_workspace = false;  // runs with workspaces of the caller's may be at the same time
  stages made;
  operand previous = in;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const bool last = i + 1 == steps_.size();
    const operand result = last ? out : result_of_step(form.result[i], out, in, lanes);
    const std::vector<operand> all = all_operands(steps_[i], previous, result);
    // A step that cannot be lowered throws the plan's error here. On a CPU intermediates stay in L2.
    const contraction& what = steps_[i].what;
    check_plain(what, all);
    made.plans.push_back(last || space_ == space_kind::gpu
                             ? make_plan_of(what, all.data(), int(all.size()), options)
                             : detail::make_plan_in(memory_regime::cache,
                                                    "its result stays in cache until the next step", what, all.data(),
                                                    int(all.size()), options));
    if (!last) made.between.push_back(result);
    previous = result;
  }
  return made;
}

void chain::take_whole_blocks_of(const operand& o) {
  if (o.batched && __builtin_mul_overflow(grain_ / std::gcd(grain_, o.lanes), o.lanes, &grain_))
    throw error("chain: blocks of " + text_of(o) + ", " + std::to_string(o.lanes) +
                    " of which are interleaved, and of other operands have no common multiple in 63 bits",
                status::overflow);
}

index_t chain::block_of(index_t count) const {
  if (packed_.between.empty()) return count;
  const index_t limit = space_ == space_kind::cpu ? workspace_limit_cpu_thread : workspace_limit_gpu;
  const index_t bytes = std::max<index_t>(1, 2 * largest_ * index_t(entry_bytes_));
  // At least two entries, and whole groups of interleaved ones.
  const index_t block = std::max<index_t>(2, limit / bytes);
  const index_t groups = block / grain_ + (block % grain_ != 0 ? 1 : 0);
  return groups > count / grain_ ? count : groups * grain_;
}

index_t chain::threads_for(index_t count) const {
  const index_t block = block_of(count);
  if (space_ != space_kind::cpu || packed_.between.empty() || block == 0) return 1;
  return std::min<index_t>(threads_, count / block + (count % block != 0 ? 1 : 0));
}

std::size_t chain::workspace_bytes(index_t count) const {
  if (fused_) return 0;
  const std::size_t staged =
      std::size_t(detail::checked_product("chain: workspace", {2, largest_, block_of(count), threads_for(count)},
                                          entry_bytes_)) *
      entry_bytes_;
  // With an element kernel, its scratch memory; the rest is for tables that have changed.
  return element_ && count > 0 ? std::max(staged, std::size_t(threads_for(count)) * element_->scratch_bytes()) : staged;
}

void chain::check_workspace(const buffer& workspace, const operand& out, index_t count) const {
  if (workspace.bytes() > 0 && workspace.space() != space_)
    throw error(std::string("chain: the workspace is in ") + name_of(workspace.space()) + " memory, " + text_of(out) +
                    " is the output",
                status::wrong_space);
  if (workspace.bytes() < workspace_bytes(count))
    throw error("chain: workspace of " + std::to_string(workspace.bytes()) + " bytes, " +
                std::to_string(workspace_bytes(count)) + " needed for " + std::to_string(count) + " entries of " +
                text_of(out));
}

void chain::check_run(const operand& in, const operand& out, index_t count) const {
  // Of all blocks: the plan of a step gets one of them.
  const auto check_size = [](const operand& o) {
    if (!detail::fits_63_bits(o))
      throw error("chain: " + text_of(o) + " is " + detail::misfit_text(o), status::overflow);
  };
  check_size(in);
  check_size(out);
  for (const chain_step& step : steps_)
    for (const operand& input : step.inputs) check_size(input);
  if (in.batched && in.count != count)
    throw error("chain: input " + text_of(in) + " and output " + text_of(out) + " have different counts",
                status::shape_mismatch);
  for (const chain_step& step : steps_)
    for (const operand& input : step.inputs)
      if (input.batched && input.count != count)
        throw error("chain: step \"" + step.what.text() + "\" has an input " + text_of(input) + ", the output is " +
                        text_of(out),
                    status::shape_mismatch);
  if (fused_ || element_) {
    detail::check_made_for(in, in_, "input");
    detail::check_made_for(out, out_, "output");
    if (element_) check_addresses(in, out);
    if (!out.writable) throw error("chain: the output " + text_of(out) + " is const");
  }
  // A single step is checked by its plan.
  if (!fused_ && steps_.size() == 1) return;
  // Of the whole batch: the plan of the last step gets one block of it.
  if (!detail::distinct_blocks(out)) throw error("chain: " + detail::clash_text(out), status::overlap);
  if (steps_.size() == 1) return;
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

void chain::check_addresses(const operand& in, const operand& out) const {
  const auto check = [](const operand& o, const std::string& name) {
    if (const detail::misplaced wrong = detail::misplaced_text(o); !wrong.text.empty())
      throw error("chain: " + name + wrong.text, wrong.code);
  };
  check(in, "the input " + text_of(in));
  check(out, "the output " + text_of(out));
  for (const chain_step& step : steps_)
    for (const operand& input : step.inputs) check(input, "an input of step \"" + step.what.text() + "\"");
}

void chain::check_operands(const operand& in, const operand& out) const {
  check_run(in, out, out.batched ? out.count : 1);
  check_addresses(in, out);
  if (!out.writable) throw error("chain: the output " + text_of(out) + " is const");
  if (steps_.size() > 1) return;
  const std::vector<operand> all = all_operands(steps_.front(), in, out);
  packed_.plans.front().check_operands(all.data(), int(all.size()));
}

void chain::run_operands(const operand& in, const operand& out, buffer& workspace, stream_view on) const {
  const index_t count = out.batched ? out.count : 1;
  check_run(in, out, count);
  check_workspace(workspace, out, count);
  if (fused_)
    detail::run_fused(*fused_, in, out, on);
  else if (element_ && element_->has_its_tables())
    run_elements(in, out, workspace, count);
  else
    run_staged(in, out, workspace, count, on);
}

void chain::run_elements(const operand& in, const operand& out, buffer& workspace, index_t count) const {
  const index_t lanes = element_->lanes(), blocks = count / lanes + (count % lanes != 0 ? 1 : 0);
  if (blocks == 0) return;
  for_batch_chunks(blocks, std::min(threads_for(count), blocks), [&](index_t chunk, index_t first, index_t last) {
    element_->run(in, out, first * lanes, std::min(last * lanes, count),
                  static_cast<char*>(workspace.data()) + std::size_t(chunk) * element_->scratch_bytes());
  });
}

void chain::run_staged(const operand& in, const operand& out, buffer& workspace, index_t count, stream_view on) const {
  const index_t block = block_of(count), threads = threads_for(count);
  if (threads <= 1) return run_blocks(in, out, workspace.data(), {0, count, block}, on);
  const index_t bytes = 2 * largest_ * block * index_t(entry_bytes_);
  // Threads do not write to the same line of a cache.
  const index_t between = out.grouped ? 0 : out.stride * (grain_ / out.lanes) * index_t(entry_bytes_);
  const index_t grain = std::max(grain_, chunk_grain(count, threads, between, grain_));
  for_batch_chunks(count / grain + (count % grain != 0 ? 1 : 0), threads,
                   [&](index_t chunk, index_t first, index_t last) {
                     run_blocks(in, out, static_cast<char*>(workspace.data()) + chunk * bytes,
                                {first * grain, std::min(last * grain, count), block}, on);
                   });
}

void chain::run_blocks(const operand& in, const operand& out, void* workspace, const entries& of,
                       stream_view on) const {
  char* const halves[] = {static_cast<char*>(workspace),
                          static_cast<char*>(workspace) + largest_ * of.block * index_t(entry_bytes_)};
  index_t now = 0;
  for (index_t first = of.first; first < of.last; first += now) {
    now = std::min(of.block, of.last - first);
    const bool in_lanes = lanes_ > 1 && now >= lanes_;
    if (in_lanes) now -= now % lanes_;
    const stages& by = in_lanes ? in_lanes_ : packed_;
    operand previous = slice(in, first, now);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      operand result = slice(out, first, now);
      if (i + 1 < steps_.size()) {
        result = by.between[i];
        result.data = halves[i % 2];
        result.count = now;
      }
      operand all[max_inputs + 1];
      int given = 0;
      for (const operand& input : steps_[i].inputs) all[given++] = slice(input, first, now);
      all[given++] = previous;
      all[given++] = result;
      by.plans[i].run_operands(all, given, on);
      previous = result;
    }
  }
}

std::string chain::describe(detail_level how) const {
  if (fused_) return detail::describe_fused(*fused_, how);
  if (element_) return element_->describe(how);
  if (how == detail_level::full) {
    std::string text = "staged, one plan per step; not fused: " + why_staged_ + "\n";
    if (lanes_ > 1)
      text += "between the steps " + std::to_string(lanes_) + " elements are interleaved, as their tensors are small\n";
    for (const plan& p : usual_stages().plans) text += p.describe() + "\n";
    return text;
  }
  std::vector<std::string> kernels;
  for (const plan& p : usual_stages().plans)
    if (const std::string one = p.describe(how); std::ranges::find(kernels, one) == kernels.end())
      kernels.push_back(one);
  std::string text = "staged, " + std::to_string(steps_.size()) + (steps_.size() == 1 ? " step" : " steps");
  if (lanes_ > 1) text += ", an element a lane";
  for (const std::string& one : kernels) text += "; " + one;
  return text;
}

}  // namespace tessera
