// SPDX-License-Identifier: BSD-3-Clause
// Loading and launching a row that was compiled at run time.
#include "check_operands.hpp"
#include "cuda_call.hpp"
#include "jit_source.hpp"
#include "kernel_library.hpp"

#include <algorithm>

#include <tessera/detail/jit.hpp>
#include <tessera/gpu/detail/launch_packed.cuh>
#include <tessera/gpu/detail/runtime.hpp>

namespace tessera {

struct jit_kernel::state {
  struct variant {
    device::packed_variant what;
    cudaKernel_t kernel = nullptr;
    bool early = false;
    const void* function() const { return reinterpret_cast<const void*>(kernel); }
  };
  jit_gemm what;
  device::kernel_library library;
  std::vector<variant> variants;
  int registers = 0, local_bytes = 0;
};

namespace {

using device::check;

device::kernel_name name_of_row(const jit_gemm& w) { return {"gemm", w.m, w.n, w.k, name_of(w.type)}; }

template <class In, class Out, class Sum>
bool has_layouts(const problem<In, Out, Sum>& p, const packed_layouts& wanted) {
  if constexpr (detail::is_real_problem<problem<In, Out, Sum>>)
    return device::has_layouts(p, wanted);
  else
    return device::has_layouts(any_problem(p), wanted);
}

// The layout of packed_arguments does not depend on whether inputs are conjugated.
template <class In, class Out, class Sum, class State>
void launch(const State& s, const problem<In, Out, Sum>& p, void* stream) {
  const jit_gemm& w = s.what;
  const device::kernel_name name = name_of_row(w);
  using types = device::elements<In, Out, Sum>;
  if (w.type != types_of(p) || w.left_conjugated != p.left_conjugated[0] ||
      w.right_conjugated != p.right_conjugated[0] || p.m != w.m || p.n != w.n || p.k != w.k ||
      !has_layouts(p, w.layouts))
    throw error(name.text() + ": the compiled kernel does not compute this problem", status::internal);
  device::require_device("launch");
  if (p.batch <= 0 || p.loops <= 0) return;
  device::check_operands(p, name);
  device::packed_arguments<types> a = device::arguments_as<types>(p);
  const bool adds = p.beta != Sum(0), inside = device::starts_inside_a_piece(a);
  // The last ones take any alignment.
  const auto found =
      std::ranges::find_if(s.variants, [&](const auto& v) { return device::serves(v.what, adds, inside); });
  const device::packed_plan plan(device::sizes_of(w), device::words_of(w), w.tuning, found->what);
  void* arguments[] = {&a};
  s.library.note_use_in(static_cast<cudaStream_t>(stream));
  device::queue(name, found->function(), device::shape_for(a.products, w.tuning.matrices, w.tuning.threads, plan.bytes),
                arguments, static_cast<cudaStream_t>(stream), found->early);
}

}  // namespace

jit_kernel::jit_kernel(const jit_gemm& what, const jit_code& code) {
  const std::string name = "load " + name_of_row(what).text();
  auto made = std::make_shared<state>();
  made->what = what;
  made->library.load(name, code.machine_code);
  const std::vector<device::packed_variant> variants = device::variants_of(what);
  if (code.entries.size() != variants.size())
    throw error(name + ": the code has " + std::to_string(code.entries.size()) + " kernels instead of " +
                    std::to_string(variants.size()),
                status::internal);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    state::variant v{variants[i]};
    v.kernel = made->library.kernel(name, code.entries[i]);
    cudaFuncAttributes has{};
    check(name, cudaFuncGetAttributes(&has, v.function()));
    v.early = device::can_come_early(has.ptxVersion);
    made->registers = std::max(made->registers, has.numRegs);
    made->local_bytes = std::max(made->local_bytes, int(has.localSizeBytes));
    made->variants.push_back(v);
  }
  state_ = std::move(made);
}

int jit_kernel::registers() const { return state_->registers; }
int jit_kernel::local_bytes() const { return state_->local_bytes; }
const jit_gemm& jit_kernel::what() const { return state_->what; }

void jit_kernel::run(const problem<float>& p, stream_view on) const { launch(*state_, p, on.handle()); }
void jit_kernel::run(const problem<double>& p, stream_view on) const { launch(*state_, p, on.handle()); }
void jit_kernel::run(const any_problem& any, stream_view on) const {
  std::visit([&](const auto& p) { launch(*state_, p, on.handle()); }, any);
}

}  // namespace tessera
