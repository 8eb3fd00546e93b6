// SPDX-License-Identifier: BSD-3-Clause
// chain: contractions run one after the other over blocks of a batch, each taking the previous result as its last
// input. On a GPU one kernel may run them all.
#pragma once

#include <memory>
#include <vector>

#include <tessera/core/chain.hpp>
#include <tessera/plan.hpp>

namespace tessera {

/// "kj,abj->abk" with inputs {B3}: the chained operand is the einsum's last input and is not listed. Inputs that are
/// batches (the D step) advance with the elements. What the inputs point to must outlive the chain.
struct chain_step {
  contraction what;
  std::vector<operand> inputs;
};

namespace detail {
struct fused_run;
class element_chain;
}  // namespace detail

/// Immutable, like a plan. It runs in one of three forms; `describe` names the form, and why a chain is not fused, and
/// plan_options::fuse disables fusing. A run allocates nothing: the caller provides a workspace.
/// - Staged: a plan a step. On a CPU intermediates of small elements are interleaved, an element a lane.
/// - Fused, on a GPU: one launch, with intermediates in shared memory; it needs no workspace. Two steps that multiply
///   two dimensions of a batch by a shared matrix each, one of them square with at most 32 rows, the other one larger,
///   are one general contraction, whose tiles are multiplied by the smaller matrix in registers. Then the output may
///   not be the input, unless the chain is made with such operands, and batches of another count than at that time may
///   take a second launch.
/// - Fused, on a CPU, where the steps are those of a mass operator (a table along each direction, a pointwise product,
///   a table along each direction): its element kernel. The tables have to mirror themselves, as those of Gauss points
///   do: mirrored entries are added and subtracted first, so that rounding errors are relative to the larger one.
///   Tables are read when the chain is made; if they have other values in a run, it is staged. Whether the batch comes
///   from memory is decided by plan_options::regime or TESSERA_REGIME, without them by its size.
class chain {
 public:
  /// Throws as make_plan does, naming the step. Only the last step may have a beta. A fused chain is compiled here:
  /// this takes some seconds, but only once for all runs of the program if default_cache_folder() is writable.
  chain(std::vector<chain_step> steps, const operand& in, const operand& out, const plan_options& options = {});

  /// Bytes of workspace for a run over `count` batch entries, in the operands' space. It does not grow with the batch:
  /// a long batch is processed in blocks. 0 where a GPU runs one kernel.
  std::size_t workspace_bytes(index_t count) const;

  /// The layouts of `in` and `out` are those the chain was made for. Throws before anything is written.
  template <class In, class Out>
  void run(In&& in, Out&& out, buffer& workspace, stream_view on = {}) const {
    run_operands(operand_of(in), operand_of(out), workspace, on);
  }
  void run_operands(const operand& in, const operand& out, buffer& workspace, stream_view on) const;
  /// Throws what a run with operands of these layouts would throw, but for its workspace.
  void check_operands(const operand& in, const operand& out) const;

  /// The form and its reason, then the kernel of each step and its reason. Brief: the form, and each kernel once.
  std::string describe(detail_level how = detail_level::full) const;
  bool is_fused() const { return fused_ != nullptr || element_ != nullptr; }

 private:
  // A plan a step, and what each hands on to the next, without data.
  struct stages {
    std::vector<plan> plans;
    std::vector<operand> between;
  };
  stages make_stages(const lowered_chain& form, const operand& in, const operand& out, plan_options options,
                     index_t lanes) const;
  const stages& usual_stages() const { return lanes_ > 1 ? in_lanes_ : packed_; }
  void take_whole_blocks_of(const operand& o);
  index_t block_of(index_t count) const;
  index_t threads_for(index_t count) const;
  void check_run(const operand& in, const operand& out, index_t count) const;
  void check_workspace(const buffer& workspace, const operand& out, index_t count) const;

  struct entries {
    index_t first, last, block;
  };
  void check_addresses(const operand& in, const operand& out) const;
  void run_elements(const operand& in, const operand& out, buffer& workspace, index_t count) const;
  void run_staged(const operand& in, const operand& out, buffer& workspace, index_t count, stream_view on) const;
  void run_blocks(const operand& in, const operand& out, void* workspace, const entries& of, stream_view on) const;

  std::vector<chain_step> steps_;
  stages packed_;    // for any number of elements
  stages in_lanes_;  // for multiples of lanes_ elements, which is 1 where there are no such stages
  index_t lanes_ = 1;
  std::shared_ptr<const detail::fused_run> fused_;        // null: not on a GPU, for the reason beside it
  std::shared_ptr<const detail::element_chain> element_;  // null: not on a CPU
  operand in_, out_;                                      // of a fused one: that it was made for, without data
  std::string why_staged_;
  index_t largest_ = 0;  // entries of the largest intermediate
  index_t grain_ = 1;    // block sizes are multiples of it, as it is one of all interleaving widths
  int threads_ = 1;
  std::size_t entry_bytes_ = 0;
  space_kind space_ = space_kind::cpu;
};

}  // namespace tessera
