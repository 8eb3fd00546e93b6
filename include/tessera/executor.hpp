// SPDX-License-Identifier: BSD-3-Clause
// executor: a list of small contractions and chains of mixed shapes, sorted by shape once and run with one launch per
// shape.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tessera/chain.hpp>
#include <tessera/plan.hpp>

namespace tessera {

/// One contraction over operands of its own, inputs first, the output last. A batch or group stands for its tensors.
struct executor_item {
  contraction what;
  std::vector<operand> operands;
  /// Of a chain, whose operands are its input and its output; `what` is its last step. Else empty.
  std::vector<chain_step> steps = {};
};

/// make_item(contraction("ik,kj->ij", add), a, b, c): views, tensors, batches, groups or operands.
template <class... Operand>
executor_item make_item(const contraction& what, Operand&&... operands) {
  return {what, {operand_of(operands)...}};
}

/// make_item({{contraction("qp,cq->cp"), {operand_of(G)}}, {contraction("rc,cp->rp"), {operand_of(M)}}}, X, Y): a chain
/// from X to Y.
template <class In, class Out>
executor_item make_item(std::vector<chain_step> steps, In&& in, Out&& out) {
  if (steps.empty()) throw error("make_item: a chain of 0 steps from " + text_of(operand_of(in)));
  const contraction last = steps.back().what;
  return {last, {operand_of(in), operand_of(out)}, std::move(steps)};
}

namespace detail {
struct executor_state;
}

/// The result is that of running the items one after the other, in order: an item may add to what an earlier one wrote,
/// or read it, and the result is the same in every run. Items of one shape that do not depend on each other are one
/// batch. Items that do depend on an earlier one run in a later round: with all outputs apart, there is one round.
///
/// A shape is a contraction with its scaling, scalar type, extents and layouts; the addresses of items do not matter.
/// If the addresses of an operand have one constant distance, it is a batch; if they are all the same, it is shared;
/// else it is a group, as are the entries of interleaved batches. Batches have the fastest kernels.
///
/// Chains are of one shape if the inputs of their steps are the same, at the same addresses. They run as one chain over
/// a batch where the addresses of X and of Y have one constant distance each: on a GPU that is one launch if it is
/// fused. There are no groups of chains: others are several batches, of three items or more or of neighbours in memory,
/// and items that run alone, as all do whose steps have batches as inputs, or that are groups or interleaved. Each
/// count and each distance of a batch is a kernel to compile.
///
/// Immutable; copies share their state, and one workspace for chains that are not fused. As all runs have the same
/// outputs, one ends before the next one begins. What the items point to must outlive the executor. A run allocates
/// nothing, and on a GPU it can be captured in a CUDA graph, which the executor must outlive.
class executor {
 public:
  /// Checks every item like the run of a plan or chain and throws the same errors, naming the item by its number in the
  /// list, counted from 0. All items are in one memory space, and their addresses are known on the host. An empty list
  /// is a no-op.
  explicit executor(const std::vector<executor_item>& items, const plan_options& options = {});

  void run(stream_view on = {}) const;

  /// Plan runs in a run of the executor: on a GPU its kernel launches. One for each shape of each round; problems for
  /// which 100,000 steps do not decide from the strides whether they overlap run one by one. A chain that is not fused
  /// counts one for each step, in however many blocks it runs.
  index_t launches() const;
  /// Distinct shapes.
  index_t shapes() const;
  /// 1 if no item depends on another one.
  index_t rounds() const;

  /// One line for each shape, of each round where there are several: the number of problems, how they run, and the row.
  std::string describe() const;

 private:
  std::shared_ptr<const detail::executor_state> state_;
};

}  // namespace tessera
