// SPDX-License-Identifier: BSD-3-Clause
// One bucket: evenly spaced problems as a batch, others as groups.
#include "bucket_run.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

#include "overlap.hpp"

namespace tessera::detail {

namespace {

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

// The operand over all problems: shared if all start at one address, a batch if they have one constant distance. False
// if neither holds.
bool spread(operand& o, const std::vector<problem_starts>& problems, std::size_t which) {
  o.data = problems.front()[which];
  if (problems.size() == 1) return true;
  const std::uintptr_t bytes = address(problems[1][which]) - address(problems[0][which]);
  for (std::size_t i = 1; i < problems.size(); ++i)
    if (address(problems[i][which]) - address(problems[i - 1][which]) != bytes) return false;
  if (bytes == 0) return true;
  if (std::intptr_t(bytes) < 0 || bytes % o.entry_bytes != 0) return false;
  o.batched = true;
  o.stride = index_t(bytes / o.entry_bytes);
  o.count = index_t(problems.size());
  return true;
}

// Problems that were found disjoint entry by entry are one run, unless a plan cannot decide that they are disjoint.
bool is_one_run(const std::vector<operand>& operands) {
  const operand& out = operands.back();
  return distinct_blocks(out) && std::all_of(operands.begin(), operands.end() - 1, [&](const operand& input) {
           return same_addresses(input, out) || !entries_meet(input, out);
         });
}

std::vector<operand> as_batches(const std::vector<operand>& shape, const std::vector<problem_starts>& problems) {
  std::vector<operand> operands = shape;
  for (std::size_t o = 0; o < shape.size(); ++o)
    if (!spread(operands[o], problems, o)) return {};
  return operands.back().batched || problems.size() == 1 ? operands : std::vector<operand>{};
}

std::vector<const void*> starts_of(const std::vector<problem_starts>& problems, std::size_t which) {
  std::vector<const void*> starts;
  starts.reserve(problems.size());
  for (const problem_starts& problem : problems) starts.push_back(problem[which]);
  return starts;
}

operand as_group(operand o, std::shared_ptr<const member_list> list, const std::vector<const void*>& starts) {
  o.members = o.space == space_kind::cpu ? starts.data() : list->in_device_memory();
  o.list = std::move(list);
  o.batched = o.grouped = true;
  o.count = index_t(starts.size());
  return o;
}

std::shared_ptr<const member_list> list_of(const operand& shape, const std::vector<const void*>& starts) {
  return std::make_shared<member_list>("executor", shape, starts);
}

bool is_shared(const std::vector<const void*>& starts) {
  return std::all_of(starts.begin(), starts.end(), [&](const void* start) { return start == starts.front(); });
}

// Inputs that are not shared become groups, evenly spaced or not: the address range of a batch might overlap the
// output.
bucket_launches as_groups(const std::vector<operand>& shape, const std::vector<problem_starts>& problems) {
  bucket_launches all{bucket_launches::kind::group, shape, {}, {}, index_t(problems.size())};
  for (std::size_t o = 0; o < shape.size(); ++o) all.members.push_back(starts_of(problems, o));
  const std::vector<const void*>& results = all.members.back();
  const auto list = list_of(shape.back(), results);
  all.operands.back() = as_group(shape.back(), list, results);
  for (std::size_t o = 0; o + 1 < shape.size(); ++o) {
    // With the same list a plan can see that an entry-by-entry product is in place.
    if (all.members[o] == results)
      all.operands[o] = as_group(shape[o], list, results);
    else if (is_shared(all.members[o]))
      all.operands[o].data = all.members[o].front();
    else
      all.operands[o] = as_group(shape[o], list_of(shape[o], all.members[o]), all.members[o]);
  }
  return all;
}

bucket_launches arranged(const std::vector<operand>& shape, std::vector<problem_starts> problems) {
  using kind = bucket_launches::kind;
  const std::size_t out = shape.size() - 1;
  // In the order of the output addresses: problems listed in another order may still be evenly spaced.
  std::stable_sort(problems.begin(), problems.end(),
                   [out](const problem_starts& a, const problem_starts& b) { return std::less<>()(a[out], b[out]); });
  const index_t count = index_t(problems.size());
  std::vector<operand> batches = as_batches(shape, problems);
  if (!batches.empty() && is_one_run(batches))
    return {count == 1 ? kind::single : kind::batch, std::move(batches), {}, {}, count};
  bucket_launches groups = as_groups(shape, problems);
  if (is_one_run(groups.operands)) return groups;
  return {kind::one_by_one, shape, std::move(problems), {}, count};
}

std::string shared_inputs(const std::vector<operand>& operands) {
  std::string text;
  for (std::size_t o = 0; o + 1 < operands.size(); ++o)
    if (!operands[o].batched) text += (text.empty() ? "; input " : ", ") + std::to_string(o + 1);
  return text.empty() ? text : text + " shared";
}

// A list has many shapes, and may be run in several streams at the same time.
plan_options without_workspace(plan_options options) {
  options.own_workspace = false;
  return options;
}

}  // namespace

std::string counted(index_t n, const char* one, const char* several) {
  return std::to_string(n) + " " + (n == 1 ? one : several);
}

bucket_run::bucket_run(const contraction& what, const std::vector<operand>& shape, std::vector<problem_starts> problems,
                       const plan_options& options)
    : launches_(arranged(shape, std::move(problems))),
      how_(make_plan_of(what, launches_.operands.data(), int(launches_.operands.size()), without_workspace(options))) {}

void bucket_run::run(stream_view on) const {
  const std::vector<operand>& operands = launches_.operands;
  const int count = int(operands.size());
  if (launches_.apart.empty()) return how_.run_operands(operands.data(), count, on);
  std::array<operand, max_inputs + 1> now;
  std::copy(operands.begin(), operands.end(), now.begin());
  for (const problem_starts& starts : launches_.apart) {
    for (int o = 0; o < count; ++o) now[std::size_t(o)].data = starts[std::size_t(o)];
    how_.run_operands(now.data(), count, on);
  }
}

std::string bucket_run::describe() const {
  std::string text =
      counted(launches_.problems, "problem", "problems") + ", " + counted(launches(), "launch", "launches");
  switch (launches_.how) {
    case bucket_launches::kind::single: break;
    case bucket_launches::kind::batch: text += " (evenly spaced" + shared_inputs(launches_.operands) + ")"; break;
    case bucket_launches::kind::group: text += " (a group" + shared_inputs(launches_.operands) + ")"; break;
    case bucket_launches::kind::one_by_one: text += " (one by one: as ranges they overlap)"; break;
  }
  return text + " on " + name_of(how_.where()) + ": " + how_.row();
}

}  // namespace tessera::detail
