// SPDX-License-Identifier: BSD-3-Clause
// The state of a plan: the lowered problem of its type, the chosen kernel, and the operands that it was made for.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/detail/any_problem.hpp>
#include <tessera/detail/choose.hpp>
#include <tessera/detail/jit.hpp>
#include <tessera/detail/tuning_source.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/plan.hpp>

#include "custom_plan.hpp"
#include "pieces.hpp"
#include "quick_check.hpp"

namespace tessera::detail {

class compile_job;
class own_workspace;
struct general_at_run_time;
struct general_plan;

inline constinit const operand absent_operand{};

/// The operands of a call by position, inputs first, then an addend, and the result at `output`: a run copies none of
/// them.
class arguments {
 public:
  /// Of `count` operands in the caller's order, the output last.
  arguments(const operand* given, int count) {
    for (int o = 0; o < count - 1; ++o) at_[o] = &given[o];
    at_[output] = &given[count - 1];
  }
  const operand& operator[](int o) const { return *at_[o]; }
  bool have_group() const {
    return std::any_of(std::begin(at_), std::end(at_), [](const operand* o) { return o->grouped; });
  }

 private:
  const operand* at_[max_inputs + 1] = {&absent_operand, &absent_operand, &absent_operand, &absent_operand};
};

struct plan_state {
  plan_state(const contraction& asked, const lowered& lowered_to, const product_types& of)
      : what(asked), form(lowered_to), types(of) {}

  contraction what;
  // Inputs by position, an addend of its own at `addend_operand`, the result at `output`; without data and counts.
  operand made_for[max_inputs + 1];
  lowered form;
  product_types types;
  std::shared_ptr<const custom_problem> custom;  // instead of the prototype, a choice and a row
  target where = target::reference;
  int threads = 0;
  bool may_compile = true, waits = true;  // for the compiler
  bool may_own_workspace = true;
  product_precision precision = product_precision::exact;
  std::optional<memory_regime> forced;
  const char* why_forced = "";
  choice chosen;
  std::string row;
  tuning_source because;
  any_problem prototype;                      // each run sets pointers, strides and batch
  problem_function<float> run_f32 = nullptr;  // CPU targets, for f32 and f64
  problem_function<double> run_f64 = nullptr;
  quick_form quick[max_inputs + 1];          // of the operands in a caller's order; without a kind where none is enough
  double entry_flops = 0;                    // of a batch entry
  std::size_t workspace_bytes = 0;           // that a run of its kernel needs beside the operands
  std::shared_ptr<own_workspace> workspace;  // cuda: it
  piece_grid pieces;                         // CPU targets: of a batch entry
  const isa_rows* converted_by = nullptr;    // CPU targets, other types: the rows that run them; null: the reference
  std::shared_ptr<const jit_kernel> compiled;              // cuda: a row that the build does not have
  std::shared_ptr<const general_plan> general;             // cuda: runs it; there is no prototype then
  std::shared_ptr<const general_at_run_time> at_run_time;  // cuda: the same without a compiled kernel
  std::shared_ptr<const compile_job> compiled_behind;      // cuda: what a plan that is made later may have
  std::string why_not_general;                             // cuda: of large contractions
  std::vector<std::vector<index_t>> host_tables;  // offsets by (row, column, loop) of operands that are not strided
  std::vector<std::unique_ptr<const split_index>> splits;  // CPU targets: of affine operands whose sums do not merge
  std::vector<device::table> device_tables;
};

/// Checks contraction and operands against each other and lowers them. Throws; accesses no data.
lowered lower_checked(const contraction& what, const arguments& operands);

/// The types of the operands and of the contraction's sums. Throws status::wrong_type naming them if there are no
/// kernels for them.
product_types types_checked(const contraction& what, const arguments& operands);

/// "input 1 is f32, input 2 f64, the output f64".
std::string types_text(const contraction& what, const arguments& operands);

/// Picks the kernel row for the lowered problem and names it. The choice itself is `choose`, a pure function.
void choose_row(plan_state& state);

/// Checks the operands of one run: pointers, batch counts, overlap. Returns the batch count.
index_t check_run(const plan_state& state, const arguments& operands);

/// "kj,jbc->kbc over 5x3, 3x4x4 -> 5x4x4"
std::string text_of(const contraction& what, const arguments& operands);

}  // namespace tessera::detail
