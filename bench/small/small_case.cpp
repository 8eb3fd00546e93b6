// SPDX-License-Identifier: BSD-3-Clause
// Times a small product in groups of few.
#include "small/small_case.hpp"

#include <cstdio>
#include <numeric>

#include <tessera/error.hpp>

#include "contraction_case.hpp"
#include "product_case.hpp"
#include "small/overhead.hpp"

namespace tessera::bench {

namespace {

constexpr index_t most_in_common = 1 << 20;

const char* name_in_table(const std::string& impl) {
  if (impl == "tessera") return "contract";
  if (impl == "tessera-batch") return "contract, batch";
  if (impl == "tessera-plan") return "plan";
  return impl.c_str();
}

workload work_of(const inline_row& row, const setting& s) {
  if (row.square) return product_case({row.size, row.size, row.size}, "nn", s);
  return contraction_case(choose_rows("axis2").front(), row.size, s);
}

setting with_batch(const setting& given, const inline_row& row, const std::vector<int>& groups) {
  setting s = given;
  s.with.points = "p+2";
  s.with.batch = entries_for(work_of(row, s).batch(), groups);
  return s;
}

// A call of the caller's loop may not reach beyond its group.
gemm_call in_groups(gemm_call call, index_t at_once) {
  call.one_group_a_call = true;
  if (call.loops > 1 || call.rounds > 1 || at_once == 1) return call;
  call.loops = at_once;
  call.loop_a = call.stride_a;
  call.loop_b = call.stride_b;
  call.loop_c = call.stride_c;
  call.batch /= at_once;
  call.stride_a *= at_once;
  call.stride_b *= at_once;
  call.stride_c *= at_once;
  return call;
}

case_results case_of(const inline_row& row, index_t at_once, setting& s) {
  workload work = work_of(row, s);
  work.facts["at_once"] = at_once;
  work.label += " by " + std::to_string(at_once);
  const std::vector<operand> operands = place(work, s);
  const plan planned = make_plan_of(work.what, operands.data(), 3, {s.on, s.with.threads});
  const grouped_entries in{operands[0].data, operands[1].data, const_cast<void*>(operands[2].data),
                           work.batch() / at_once, at_once};
  std::vector<way> ways{{"tessera", [=] { row.one_by_one(in); }, "contract<> inline, for each entry"},
                        {"tessera-batch", [=] { row.by_batch(in); }, "contract<> inline, for each group"},
                        {"tessera-plan", [&] { row.by_plan(in, planned); }, planned.describe()}};
  const gemm_call call = in_groups(call_for(work, s), at_once);
  for (const peer& p : s.peers) {
    if (!p.found || p.space != call.space) continue;
    if (pass run = p.prepare(call)) ways.push_back({p.name, std::move(run), p.version});
  }
  return measured(work, s, ways, planned);
}

}  // namespace

index_t entries_for(index_t wanted, const std::vector<int>& groups) {
  index_t common = 1;
  for (const int group : groups) {
    if (group < 1) throw error("small: batches of " + std::to_string(group) + " matrices, not 1 or more");
    common = std::lcm(common, index_t(group));
    if (common > most_in_common)
      throw error("small: the least common multiple of the batches is above " + std::to_string(most_in_common));
  }
  return std::max<index_t>(1, (wanted + common - 1) / common) * common;
}

std::vector<case_results> small_cases(const inline_row& row, const std::vector<int>& groups, setting& given) {
  setting s = with_batch(given, row, groups);
  std::vector<case_results> cases;
  for (const int group : groups) cases.push_back(case_of(row, group, s));
  given.peak = s.peak;
  return cases;
}

std::string small_heading(const std::vector<int>& groups) {
  char text[64];
  std::snprintf(text, sizeof text, "%-18s", "");
  std::string line = text;
  for (const int group : groups) {
    std::snprintf(text, sizeof text, " %8d", group);
    line += text;
  }
  return line + "   a call";
}

std::vector<std::string> small_table(const std::vector<case_results>& cases, const std::vector<int>& groups) {
  std::vector<std::string> lines;
  for (std::size_t w = 0; w < cases.front().all.size(); ++w) {
    const auto seconds = [&](std::size_t g) {
      return cases[g].all[w].time.seconds.median / cases[g].facts.at("batch").get<double>();
    };
    char text[64];
    std::snprintf(text, sizeof text, "  %-16s", name_in_table(cases.front().all[w].impl));
    std::string line = text, marks;
    for (std::size_t g = 0; g < cases.size(); ++g) {
      std::snprintf(text, sizeof text, " %8.1f", 1e9 * seconds(g));
      line += text;
      if (!cases[g].all[w].suspect.empty()) marks = "  SUSPECT";
      if (!cases[g].all[w].checked.correct()) marks = "  WRONG";
    }
    const int last = groups.back();
    if (groups.front() == 1 && last > 1) {
      std::snprintf(text, sizeof text, " %8.1f",
                    1e9 * cost_of_call(seconds(0), last * seconds(cases.size() - 1), last).fixed);
      line += text;
    }
    lines.push_back(line + marks);
  }
  return lines;
}

std::string small_prediction(const std::vector<case_results>& cases) {
  char text[64];
  std::snprintf(text, sizeof text, "  %-16s", "predicted");
  std::string line = text;
  for (const case_results& c : cases) {
    std::snprintf(text, sizeof text, " %8.1f",
                  c.predicted ? 1e9 * c.predicted->seconds / c.facts.at("batch").get<double>() : 0);
    line += text;
  }
  return line;
}

}  // namespace tessera::bench
