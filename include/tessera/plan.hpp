// SPDX-License-Identifier: BSD-3-Clause
// plan: a contraction whose sizes are known at run time. Lowered, checked and chosen once, run many times, from any
// thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <tessera/bound_plan.hpp>
#include <tessera/contraction.hpp>
#include <tessera/detail/brief_operand.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/detail_level.hpp>
#include <tessera/operand.hpp>
#include <tessera/stream.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// How float products round on a GPU. exact: as float does. tf32: tensor cores that read 11 digits of each entry.
/// tf32x3: three such products, which keep most of float's 24, and make NaN of an infinite entry. On CPUs, for other
/// types, and for small products, which have rows, all are exact.
enum class product_precision { exact, tf32, tf32x3 };

struct plan_options {
  /// Empty: the GPU for operands in device memory, else default_cpu_target().
  std::optional<target> on;
  /// OpenMP threads of a CPU run; 0: as many as OpenMP would take. At most OpenMP's thread limit (OMP_THREAD_LIMIT),
  /// and at most the number of processors or 16, whichever is larger. Negative: an error.
  int threads = 0;
  /// On a GPU: whether NVRTC compiles a kernel while the plan is made, for packed products without a row of their sizes
  /// or with another tuning in the record file given at run time, and for contractions of large tensors. This takes 0.1
  /// to several seconds, once per process, or only once if default_cache_folder() is writable. TESSERA_JIT=OFF in the
  /// environment disables it for all plans.
  bool compile = true;
  /// Whether a plan on a GPU waits for that compiler. If not, it is made at once with a kernel for any sizes, and keeps
  /// that; NVRTC compiles in a thread of the library. Once is_ready(), make the plan again: the new one has the
  /// compiled kernel. Chains that run as one kernel wait in either case, and so do contractions that no kernel for any
  /// sizes computes: with functions or a pair of your own, and complex sums of real entries.
  bool wait = true;
  /// Of a chain: whether one kernel runs all steps, if that is possible. On a GPU NVRTC compiles it, with intermediates
  /// on chip, which needs `compile`, too; on a CPU it is that of a mass operator.
  bool fuse = true;
  /// Where the batch is between runs: in cache, or in memory (stream), so that results may be written by non-temporal
  /// stores, and kernels that were measured so are preferred. Results are the same bits; with beta = 1 they may differ
  /// by rounding where one row is plain loops, which begin a sum with the old entry. Empty: as TESSERA_REGIME in the
  /// environment says, and without it by the size of the operands that the plan is made for. The steps inside a chain
  /// of several have their results in cache, and members of groups run one by one as if in cache.
  std::optional<memory_regime> regime{};
  /// How products of float are rounded on a GPU that has tensor cores.
  product_precision precision = product_precision::exact;
  /// On a GPU: whether the plan may own a workspace, by which few results of long sums are computed by all of the GPU
  /// (plan::workspace_bytes). Without one each sum is that of a block or a cluster. Networks, chains, executors,
  /// statements in index notation and batch_gemm make plans without.
  bool own_workspace = true;
};

class plan;

namespace detail {
struct plan_state;
/// make_plan_of, with the regime that a caller inside the library sets, for this reason; `why` is a literal.
plan make_plan_in(memory_regime in, const char* why, const contraction& what, const operand* operands, int count,
                  const plan_options& options);
}  // namespace detail

/// Immutable; copies share their state; runs may overlap. GPU runs are ordered by their stream and can be captured in a
/// CUDA graph: a run neither allocates nor synchronises. Of a plan with a workspace (workspace_bytes) runs use it in
/// the order in which they were called: in another stream than the run before, a run waits on the GPU until that is
/// complete. A captured run does not wait, so make another plan for a graph that may run beside other runs.
class plan {
 public:
  /// Runs over operands of the sizes, layouts, types and spaces the plan was made for; pointers, batch strides and the
  /// batch count may differ. An empty batch is a no-op. Throws before anything is written.
  template <class... Operand>
    requires(sizeof...(Operand) == 3 || sizeof...(Operand) == 4)
  void run(Operand&&... operands) const { run_on(stream_view{}, operands...); }
  template <class... Operand>
    requires(sizeof...(Operand) == 3 || sizeof...(Operand) == 4)
  void run_on(stream_view on, Operand&&... operands) const {
    if constexpr ((detail::gives_brief_view<Operand> && ...))
      if (run_views(detail::brief_view(detail::view_given(operands))...)) return;
    const operand all[] = {operand_of(operands)...};
    run_operands(all, int(sizeof...(Operand)), on);
  }
  /// Inputs first, the output last.
  void run_operands(const operand* operands, int count, stream_view on) const;
  /// Makes the checks of run_operands and throws its errors, without running.
  void check_operands(const operand* operands, int count) const;

  /// The plan with these operands, checked now: its runs over parts of the batch cost nanoseconds. CPUs only.
  template <class... Operand>
    requires(sizeof...(Operand) == 3 || sizeof...(Operand) == 4)
  bound_plan bind(Operand&&... operands)
  const {
    const operand all[] = {operand_of(operands)...};
    return bind_operands(all, int(sizeof...(Operand)));
  }
  bound_plan bind_operands(const operand* operands, int count) const;

  /// As text: the contraction, its canonical form and sizes, target, kernel row, and the reason for it. Brief: "gemm
  /// f64 4x4x4 (tile of 1 vectors x 4 columns, k unrolled fully) on avx2: record of this device".
  std::string describe(detail_level how = detail_level::full) const;
  /// Only the name of the kernel row.
  const std::string& row() const;
  target where() const;
  /// Bytes of memory beside the operands that a run needs, in their space; the plan has allocated them. Kernels have
  /// their sums in registers or on chip, so it is 0, but for a few long sums on a GPU, of which many blocks compute
  /// parts: at most 64 MiB.
  std::size_t workspace_bytes() const;
  /// False while a kernel for it is compiled in a thread of the library (plan_options::wait). If that fails, describe()
  /// says why.
  bool is_ready() const;

 private:
  friend plan make_plan_of(const contraction&, const operand*, int, const plan_options&);
  friend plan detail::make_plan_in(memory_regime, const char*, const contraction&, const operand*, int,
                                   const plan_options&);
  explicit plan(std::shared_ptr<const detail::plan_state> state) : state_(std::move(state)) {}

  template <class... View>
  bool run_views(const detail::brief_view<View>&... views) const {
    const detail::brief_operand* const all[] = {&views.operand()...};
    return run_brief(all, int(sizeof...(View)));
  }
  /// Runs on a CPU what is like the operands that the plan was made for. False: nothing ran, all checks have to be
  /// made.
  bool run_brief(const detail::brief_operand* const* operands, int count) const;

  std::shared_ptr<const detail::plan_state> state_;
};

/// Inputs first, the output last. Throws tessera::error naming the contraction and the extents.
plan make_plan_of(const contraction& what, const operand* operands, int count, const plan_options& options);

/// make_plan(contraction("kj,jbc->kbc"), b1d, x, y): views, tensors, batches, groups or operands. A tensor is shared by
/// all entries of the batch.
template <class A, class B, class Out>
plan make_plan(const contraction& what, A&& a, B&& b, Out&& out, const plan_options& options = {}) {
  const operand all[] = {operand_of(a), operand_of(b), operand_of(out)};
  return make_plan_of(what, all, 3, options);
}
template <class A, class B, class C, class Out>
  requires(!std::is_same_v<std::remove_cvref_t<Out>, plan_options>)
plan make_plan(const contraction& what, A&& a, B&& b, C&& c, Out&& out, const plan_options& options = {}) {
  const operand all[] = {operand_of(a), operand_of(b), operand_of(c), operand_of(out)};
  return make_plan_of(what, all, 4, options);
}

}  // namespace tessera
