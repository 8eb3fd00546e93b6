// SPDX-License-Identifier: BSD-3-Clause
// Plans of large contractions on a GPU: which ones run by a kernel of general contractions, its choice, and its runs.
#pragma once

#include <memory>
#include <string>

#include <tessera/detail/tuning_source.hpp>
#include <tessera/gpu/detail/general/any_functions.hpp>
#include <tessera/gpu/detail/general/general_kernel.hpp>

#include "kernel_jobs.hpp"
#include "tile_choice.hpp"

namespace tessera {
class contraction;
}

namespace tessera::detail {

class arguments;
struct plan_state;

/// What a batch of products is in memory: dense matrices one directly after the other have rows compiled for them.
enum class product_batch { dense_matrices, other };

/// Whether such a kernel is for products of so many rows, columns and summed entries. Others keep their kernels: they
/// come in batches of thousands, several to a block, and a thread goes through a whole sum.
constexpr bool is_for_tiles(index_t rows, index_t cols, index_t inner, product_batch batch = product_batch::other) {
  constexpr index_t largest_row = 32;          // extents of the products that have records, in each direction
  constexpr index_t longest_of_thread = 1024;  // sum
  constexpr double cube = 32.0 * 32 * 32;
  if (inner > longest_of_thread && rows > 0 && cols > 0) return true;
  const int beyond = int(rows > largest_row) + int(cols > largest_row) + int(inner > largest_row);
  // Dense matrices up to those of 64 x 64 x 64, two to a multiprocessor; a table of order 16 along one index of an
  // element, 17 x 17 x 289.
  const double least = batch == product_batch::dense_matrices ? 8 * cube : beyond == 1 ? 4 * cube : cube;
  return beyond >= 1 && double(rows) * double(cols) * double(inner) >= least;
}

/// The answer, and its reason in words.
struct general_answer {
  bool yes;
  std::string because;
};
/// Whether a GPU plan of these operands, whose sizes were checked, is run by a kernel of general contractions. Needs no
/// table of offsets, which may be larger than the operands.
general_answer wants_general(const contraction& what, const arguments& operands);

/// What a plan keeps of its kernel. Without a plan it stays as kept_code says; queued runs and captured graphs, which
/// outlive plans, keep its code.
struct general_plan {
  general_form form;
  general_kind kind;
  tile_choice chosen;
  device::general_kernel kernel;
};

/// What a plan keeps that runs by the kernel with everything at run time: no compiled one is there.
struct general_at_run_time {
  general_form form;
  general_kind kind;
  device::any_functions functions;
};

/// What tells kernels of a device apart, but for their tiles: these are those of the current records.
std::string general_key(const general_form& form, const general_kind& kind, int device);

/// Whether sums of a batch of so many contractions may have parts: a large batch fills the GPU with whole ones.
sums sums_of_batch(const general_form& form, index_t count, int multiprocessors);

struct general_attempt {
  std::shared_ptr<const general_plan> made;            // null: see the others
  std::shared_ptr<const compile_job> compiled_behind;  // it goes on
  std::string why_not;
};
/// The kernel of that form on the current device: the same one for all plans that hold it. `wait`: returns when it
/// is compiled or has failed; else within `grace`, which is enough for what is on disk.
general_attempt general_plan_for(const general_form& form, const general_kind& kind, sums may_be, bool wait);

/// Gives a plan its general kernel, row and reason if it is one of these: the compiled kernel, or the one with
/// everything at run time, and the state says why. Else false. Contractions that no row runs, with functions for
/// example, are among these whatever their size; throws for those that no kernel runs, saying why.
bool choose_general(plan_state& state);
/// Whether that has happened.
bool is_general(const plan_state& state);

/// Queues a run of checked operands. Throws status::null_pointer or wrong_space naming the operand.
void run_general(const plan_state& state, const arguments& operands, index_t batch, void* stream);

/// With the addend of the kind, if that is a tensor of its own.
general_form general_form_of(const contraction& what, const arguments& made_for, const general_kind& kind);
/// "rows 24x16, columns 24, sum of 16x24, batch 1": the extents of a form's merged indices.
std::string form_text(const general_form& form);

/// The part of describe() between the contraction and the reason.
std::string general_text(const plan_state& state);
/// Why a plan that might have had a compiled kernel has another one, by now; else empty.
std::string why_no_kernel(const plan_state& state);

}  // namespace tessera::detail
