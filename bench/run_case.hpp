// SPDX-License-Identifier: BSD-3-Clause
// Runs one case: Tessera, the peers that can do it, and the data movement that bounds it, checked and timed together.
#pragma once

#include <functional>

#include <tessera/plan.hpp>

#include "report.hpp"
#include "workload.hpp"

namespace tessera::bench {

/// The state common to all cases of a run.
struct setting {
  options with;
  target on = target::reference;
  std::vector<peer> peers;
  // The best of all measurements in this run.
  double peak = 0;              // flop/s of the type and threads
  double matrix_peak = 0;       // the same with matrix instructions, GPU
  double device_bandwidth = 0;  // of the best copy, GPU
  // Of the instructions that suit the types, where the suite has such a roof, whatever the rows use; else 0.
  double roof = 0;
  std::function<double()> measure_roof = {};
  std::shared_ptr<memory_model> memory = {};  // that the report predicts with
  /// Says what takes long.
  std::function<void(const std::string& line)> progress = {};
};

/// Measures the peaks (and a GPU's bandwidth) and adds them to the report.
setting make_setting(const options& o, const std::vector<peer>& peers, report& to);

/// Measures the peaks and a GPU's bandwidth again: better values are kept for all later cases.
void measure_again(setting& s);

/// The options of the plans: target, threads, and the regime of --assume.
plan_options options_of_plans(const setting& s);

/// The target of the cases.
space_kind space_of(const setting& s);

/// How the cases are timed: on a GPU by its events, cool or sustained.
protocol protocol_for(const setting& s);

/// Runs the pass once; on a GPU, where --profile names the contender, between cudaProfilerStart and cudaProfilerStop.
void run_for_profiler(const setting& s, const std::string& impl, const std::function<void()>& pass);

/// Batch entries for a case that moves `bytes` for each.
index_t batch_for(const setting& s, double bytes_per_entry);

/// Provides the inputs on the target, and returns all operands there; each run fills its output.
std::vector<operand> place(workload& work, const setting& s);

/// The call for peers: work.as_gemm with the case's pointers.
gemm_call call_for(const workload& work, const setting& s);

/// Compares the output of one run, like `check` of reference.hpp.
using checker = std::function<verdict()>;

/// A way to compute a case, and its description.
struct way {
  std::string name;
  pass run;
  std::string describe;
  std::string brief = {};
  checker compare = {};  // where its result is not that of the case: then it is no peer that ours is compared with
};

/// Checks every way once and times them together with the data movement that bounds them. The first is ours, with its
/// target and row. While ours is suspect, the limits of `s` are measured again with it.
case_results measured(workload& work, setting& s, const std::vector<way>& ways, const std::string& on,
                      const std::string& row, const checker& compare);
case_results measured(workload& work, setting& s, const std::vector<way>& ways, const plan& ours);

/// Tessera and the peers that can do the case.
void run_case(workload work, setting& s, report& to);

}  // namespace tessera::bench
