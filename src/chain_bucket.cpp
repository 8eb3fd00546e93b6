// SPDX-License-Identifier: BSD-3-Clause
// Chains at any addresses as runs over batches, with one chain for all runs of the same count and distances.
#include "chain_bucket.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "bucket_run.hpp"
#include "fused_run.hpp"
#include "overlap.hpp"

namespace tessera::detail {

namespace {

// A tensor as a batch of one: kernels of chains take batches.
operand as_batch(operand o) {
  if (o.batched) return o;
  o.batched = true;
  o.count = 1;
  o.stride = o.span;
  return o;
}

bool is_strided_batch(const operand& o) { return o.batched && !o.grouped && o.lanes == 1; }

// Makes `next` the end of batch `o`, if it is where the batch would go on.
bool append_entries(operand& o, const operand& next) {
  if (!is_strided_batch(o) || !is_strided_batch(next)) return false;
  const auto bytes =
      std::intptr_t(reinterpret_cast<std::uintptr_t>(next.data) - reinterpret_cast<std::uintptr_t>(o.data));
  if (bytes <= 0 || bytes % std::intptr_t(o.entry_bytes) != 0) return false;
  const index_t apart = index_t(bytes) / index_t(o.entry_bytes), stride = o.count == 1 ? apart : o.stride;
  if (stride > farthest_apart || apart != stride * o.count || (next.count > 1 && next.stride != stride)) return false;
  o.stride = stride;
  o.count += next.count;
  return true;
}

// Any two tensors have a distance. A kernel for it pays only where it is that of neighbours.
bool is_chance(const chain_ends& run) {
  return run.out.count == 2 && (run.in.stride != run.in.span || run.out.stride != run.out.span);
}

// Items that were found disjoint entry by entry are one run, unless a chain cannot decide that they are disjoint.
bool is_one_run(const std::vector<chain_step>& steps, const chain_ends& run) {
  const auto meets = [&](const operand& input) { return entries_meet(input, run.out); };
  return distinct_blocks(run.out) && (same_addresses(run.in, run.out) || !meets(run.in)) &&
         std::ranges::none_of(steps, [&](const chain_step& s) { return std::ranges::any_of(s.inputs, meets); });
}

// Items in the order of their outputs, as few batches as there are evenly spaced ones.
std::vector<chain_ends> in_batches(const std::vector<chain_step>& steps, const std::vector<chain_ends>& items,
                                   std::string& why_several) {
  why_several = "not evenly spaced";
  std::vector<chain_ends> runs;
  for (std::size_t i = 0, end = 0; i < items.size(); i = end) {
    chain_ends run = items[i];
    for (end = i + 1; end < items.size(); ++end) {
      chain_ends longer = run;
      if (!append_entries(longer.in, items[end].in) || !append_entries(longer.out, items[end].out)) break;
      run = std::move(longer);
    }
    if (end == i + 2 && is_chance(run)) run = items[i], end = i + 1;
    if (end == i + 1 || is_one_run(steps, run)) {
      runs.push_back(std::move(run));
    } else {
      why_several = "as ranges they overlap";
      runs.insert(runs.end(), items.begin() + std::ptrdiff_t(i), items.begin() + std::ptrdiff_t(end));
    }
  }
  return runs;
}

// The same for a chain, layouts apart.
bool same_batches(const operand& a, const operand& b) {
  return a.batched == b.batched && a.grouped == b.grouped && a.count == b.count && a.stride == b.stride;
}

}  // namespace

chain_bucket::chain_bucket(const std::vector<chain_step>& steps, std::vector<chain_ends> items,
                           const plan_options& options)
    : steps_(index_t(steps.size())) {
  std::ranges::stable_sort(items, std::less<>(), [](const chain_ends& e) { return e.out.data; });
  const bool has_batches =
      std::ranges::any_of(steps, [](const chain_step& s) { return std::ranges::any_of(s.inputs, &operand::batched); });
  if (has_batches) {
    why_several_ = "steps have batches of their own";
  } else {
    for (chain_ends& e : items)
      if (!e.in.batched && !e.out.batched) e = {as_batch(e.in), as_batch(e.out)};
    items = in_batches(steps, items, why_several_);
  }
  for (const chain_ends& ends : items) runs_.push_back({ends, chain_for(steps, ends, options)});
}

std::size_t chain_bucket::chain_for(const std::vector<chain_step>& steps, const chain_ends& ends,
                                    const plan_options& options) {
  for (const batch_run& run : runs_)
    if (same_batches(run.ends.in, ends.in) && same_batches(run.ends.out, ends.out) &&
        (run.ends.in.data == run.ends.out.data) == (ends.in.data == ends.out.data))
      return run.by;
  chains_.emplace_back(steps, ends.in, ends.out, options);
  return chains_.size() - 1;
}

void chain_bucket::run(buffer& workspace, stream_view on) const {
  for (const batch_run& run : runs_) chains_[run.by].run_operands(run.ends.in, run.ends.out, workspace, on);
}

std::size_t chain_bucket::workspace_bytes() const {
  std::size_t most = 0;
  for (const batch_run& run : runs_)
    most = std::max(most, chains_[run.by].workspace_bytes(run.ends.out.batched ? run.ends.out.count : 1));
  return most;
}

index_t chain_bucket::launches() const {
  index_t sum = 0;
  for (const batch_run& run : runs_) sum += launches_of(run);
  return sum;
}

std::string chain_bucket::describe() const {
  index_t problems = 0;
  for (const batch_run& run : runs_) problems += run.ends.out.batched ? run.ends.out.count : 1;
  std::string text = counted(problems, "problem", "problems") + ", " + counted(launches(), "launch", "launches");
  if (runs_.size() > 1)
    text += " (" + why_several_ + ": " + std::to_string(runs_.size()) + " runs)";
  else if (problems > 1)
    text += " (evenly spaced)";
  std::vector<std::string> forms;
  for (const chain& c : chains_)
    if (const std::string one = c.describe(detail_level::brief); std::ranges::find(forms, one) == forms.end())
      forms.push_back(one);
  for (std::size_t f = 0; f < forms.size(); ++f) text += (f == 0 ? ": " : "; or ") + forms[f];
  return text;
}

}  // namespace tessera::detail
