// SPDX-License-Identifier: BSD-3-Clause
// network: a contraction of two to 32 operands as a sequence of plans for pairs, in the order that costs least. Made
// once, run many times, from any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tessera/plan.hpp>

namespace tessera {

inline constexpr int max_network_inputs = 32;

struct network_options {
  /// out = alpha (contraction) + beta out, by the last pair.
  scaling scale = assign;
  /// As of a contraction: the type of all sums, alpha and beta; empty: the inputs' type, float for 16-bit numbers, int
  /// for 16-bit integers.
  std::optional<scalar_type> sum{};
  /// Of every pair's plan.
  plan_options plans{};
  /// Whether the network allocates the workspace of its runs. False: each run is given one.
  bool own_workspace = true;
};

/// Memory for a run's intermediates: at least workspace_bytes() bytes in the operands' space, aligned to
/// host_alignment or device_alignment, apart from all operands.
struct workspace_view {
  void* data = nullptr;
  std::size_t bytes = 0;

  constexpr workspace_view() = default;
  constexpr workspace_view(void* at, std::size_t size) : data(at), bytes(size) {}
  workspace_view(const buffer& owner) : data(owner.data()), bytes(owner.bytes()) {}
};

namespace detail {
struct network_state;
}  // namespace detail

/// "ab,bc,cd,de->ae": multiplies all inputs and sums over the letters that the output lacks, in Einstein's notation. A
/// letter may be in any number of operands: it is summed over by the pair behind which no operand has it. A letter that
/// is in one input only is summed over first of all.
///
/// The order of the pairs needs the fewest operations, and of those orders has the fewest bytes of intermediates; it is
/// found by comparing all orders of up to `exact_inputs` inputs, and by choosing pair after pair for more. The same
/// operands always have the same order. On a GPU kernels of all steps are compiled side by side.
///
/// Intermediates are of the inputs' type, so that each rounds its sums to that type; they have at most max_rank
/// letters. Operands are tensors or batches, the batch index being implicit as in plans, but no groups. A batch runs in
/// blocks, so that the workspace does not grow with it.
///
/// Immutable; copies share their state, the owned workspace among it. Runs may overlap:
/// - on a CPU each run takes an owned workspace that no other run uses; where there is none, as many having been used
///   at a time for the first time, it allocates one more;
/// - on a GPU runs by the owned workspace use it in the order in which they were called: in another stream than the run
///   before, a run waits on the GPU until that is complete. A run neither allocates nor synchronises. One that is
///   captured in a CUDA graph does not wait, so give it a workspace of its own if the graph may run beside other runs;
/// - runs with a workspace of the caller's need one each, or the order of a stream.
class network {
 public:
  static constexpr int exact_inputs = 10;

  /// Inputs first, the output last: of the sizes, layouts, types and spaces that the network was made for; pointers,
  /// batch strides and the batch count may differ. Throws before anything is written.
  template <class... Operand>
  void run(Operand&&... operands) const {
    run_on(stream_view{}, operands...);
  }
  template <class... Operand>
  void run_on(stream_view on, Operand&&... operands) const {
    const operand all[] = {operand_of(operands)...};
    run_operands(all, int(sizeof...(Operand)), on);
  }
  /// run_in(buffer, a, b, c, out)
  template <class... Operand>
  void run_in(workspace_view workspace, Operand&&... operands) const {
    run_on_in(stream_view{}, workspace, operands...);
  }
  template <class... Operand>
  void run_on_in(stream_view on, workspace_view workspace, Operand&&... operands) const {
    const operand all[] = {operand_of(operands)...};
    run_operands_in(workspace, all, int(sizeof...(Operand)), on);
  }
  void run_operands(const operand* operands, int count, stream_view on) const;
  void run_operands_in(workspace_view workspace, const operand* operands, int count, stream_view on) const;
  /// Makes the checks of a run and throws its errors, without running.
  void check_operands(const operand* operands, int count) const;

  /// Bytes of workspace of a run, of any batch count.
  std::size_t workspace_bytes() const;
  /// Multiplications and additions of all pairs, for the batch count that the network was made for.
  double flops() const;
  /// The same of one loop nest over all letters.
  double flops_of_one_loop() const;

  /// The order of the pairs, the sizes, operations and kernel of each, the sum of operations against that of one loop
  /// nest over all letters, and the workspace. Brief: one line without the pairs.
  std::string describe(detail_level how = detail_level::full) const;
  target where() const;

 private:
  friend network make_network_of(std::string_view, const operand*, int, const network_options&);
  explicit network(std::shared_ptr<const detail::network_state> state) : state_(std::move(state)) {}

  std::shared_ptr<const detail::network_state> state_;
};

/// Inputs first, the output last. Throws tessera::error naming the contraction and the extents.
network make_network_of(std::string_view text, const operand* operands, int count, const network_options& options = {});

/// make_network("ab,bc,cd->ad", a, b, c, out), and network_options behind the output: views, tensors, batches or
/// operands.
template <class... Argument>
network make_network(std::string_view text, Argument&&... arguments) {
  std::vector<operand> operands;
  network_options options;
  const auto take = [&](auto& argument) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(argument)>, network_options>)
      options = argument;
    else
      operands.push_back(operand_of(argument));
  };
  (take(arguments), ...);
  return make_network_of(text, operands.data(), int(operands.size()), options);
}

}  // namespace tessera
