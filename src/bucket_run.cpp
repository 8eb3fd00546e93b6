// SPDX-License-Identifier: BSD-3-Clause
// One bucket: evenly spaced problems as a batch, others one by one.
#include "bucket_run.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "overlap.hpp"

namespace tessera::detail {

namespace {

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

// The operand over all problems: shared where it starts at one place, a batch where it advances by one distance.
// False where neither is so.
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

// Problems that are apart one by one may reach into each other as a batch: a plan compares the ranges of whole
// operands.
bool runs_as_batch(const std::vector<operand>& operands, std::size_t problems) {
  const operand& out = operands.back();
  const bool clear = std::all_of(operands.begin(), operands.end() - 1, [&](const operand& input) {
    return !ranges_meet(input, out) || same_addresses(input, out);
  });
  return clear && (problems == 1 || out.batched) && distinct_blocks(out);
}

bucket_launches arranged(const std::vector<operand>& shape, std::vector<problem_starts> problems) {
  const std::size_t out = shape.size() - 1;
  // In the order of the outputs: what was listed in another order may still be evenly spaced.
  std::stable_sort(problems.begin(), problems.end(),
                   [out](const problem_starts& a, const problem_starts& b) { return std::less<>()(a[out], b[out]); });
  std::vector<operand> together = shape;
  bool even = true;
  for (std::size_t o = 0; o < shape.size(); ++o) even = even && spread(together[o], problems, o);
  const index_t count = index_t(problems.size());
  if (even && runs_as_batch(together, problems.size())) return {std::move(together), {}, count};
  return {shape, std::move(problems), count};
}

std::string shared_inputs(const std::vector<operand>& operands) {
  std::string text;
  for (std::size_t o = 0; o + 1 < operands.size(); ++o)
    if (!operands[o].batched) text += (text.empty() ? "; input " : ", ") + std::to_string(o + 1);
  return text.empty() ? text : text + " shared";
}

}  // namespace

std::string counted(index_t n, const char* one, const char* several) {
  return std::to_string(n) + " " + (n == 1 ? one : several);
}

bucket_run::bucket_run(const contraction& what, const std::vector<operand>& shape, std::vector<problem_starts> problems,
                       const plan_options& options)
    : launches_(arranged(shape, std::move(problems))),
      how_(make_plan_of(what, launches_.operands.data(), int(launches_.operands.size()), options)) {}

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
  if (!launches_.apart.empty())
    text += " (lying anywhere)";
  else if (launches_.problems > 1)
    text += " (evenly spaced" + shared_inputs(launches_.operands) + ")";
  return text + " on " + name_of(how_.where()) + ": " + how_.row();
}

}  // namespace tessera::detail
