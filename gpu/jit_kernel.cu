// SPDX-License-Identifier: BSD-3-Clause
// Loading and launching a row that was compiled at run time.
#include "check_operands.hpp"
#include "cuda_call.hpp"

#include <tessera/gpu/launch.cuh>
#include <tessera/jit.hpp>

namespace tessera {

struct jit_kernel::state {
  jit_gemm what;
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  cudaFuncAttributes attributes{};

  state() = default;
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    if (library != nullptr && cudaLibraryUnload(library) != cudaSuccess) cudaGetLastError();
  }
  const void* function() const { return reinterpret_cast<const void*>(kernel); }
};

namespace {

using device::check;

// As the kernel's own types with other strides: what a launch passes does not depend on them.
template <class T>
using arguments =
    device::gemm_arguments<T, device::dense<const T, 1, 1>, device::dense<const T, 1, 1>, device::dense<T, 1, 1>>;

template <class T>
device::shared_plan shared_memory(const jit_gemm& w) {
  const auto slot = [&](index_t rows, index_t cols) {
    return device::slot{1, int(rows), int(rows * cols), w.tuning.matrices * int(rows * cols)};
  };
  return device::plan_shared<T>(0, slot(w.m, w.n), slot(w.m, w.k), slot(w.k, w.n), int(w.m), w.tuning.tile_rows,
                                int(w.n), w.tuning.tile_cols);
}

device::kernel_name name_of_row(const jit_gemm& w) {
  return {w.type == scalar_type::f32 ? "gemm f32" : "gemm f64", w.m, w.n, w.k};
}

template <class T>
void launch(const jit_gemm& w, const void* kernel, const problem<T>& p, void* stream) {
  if (w.type != scalar_of<T> || p.m != w.m || p.n != w.n || p.k != w.k || p.left_factors != 1 || p.right_factors != 1)
    throw error(name_of_row(w).text() + ": the compiled kernel does not compute this problem", status::internal);
  device::require_device("launch");
  if (p.batch <= 0 || p.loops <= 0) return;
  device::check_operands(p, name_of_row(w));
  arguments<T> a{{p.left[0].data}, {p.right[0].data}, {p.out.data}, p.alpha, p.beta, {}};
  a.sizes.products = p.batch * p.loops;
  const device::shared_plan plan = shared_memory<T>(w);
  const device::launch_shape shape =
      device::shape_for(a.sizes.products, w.tuning.matrices, w.tuning.threads, plan.bytes);
  if (plan.bytes > device::free_shared)
    device::check_launch(name_of_row(w), shape,
                         cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, plan.bytes));
  if (shape.y > 65535u) device::check_launch(name_of_row(w), shape, cudaErrorInvalidConfiguration);
  void* all[] = {&a};
  device::check_launch(name_of_row(w), shape,
                       cudaLaunchKernel(kernel, dim3(shape.x, shape.y), dim3(unsigned(shape.threads)), all,
                                        std::size_t(plan.bytes), static_cast<cudaStream_t>(stream)));
}

}  // namespace

jit_kernel::jit_kernel(const jit_gemm& what, const jit_code& code) {
  const std::string name = "load " + name_of_row(what).text();
  auto made = std::make_shared<state>();
  made->what = what;
  check(name, cudaLibraryLoadData(&made->library, code.machine_code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  check(name, cudaLibraryGetKernel(&made->kernel, made->library, code.entry.c_str()));
  check(name, cudaFuncGetAttributes(&made->attributes, made->function()));
  state_ = std::move(made);
}

int jit_kernel::registers() const { return state_->attributes.numRegs; }
int jit_kernel::local_bytes() const { return int(state_->attributes.localSizeBytes); }
const jit_gemm& jit_kernel::what() const { return state_->what; }

void jit_kernel::run(const problem<float>& p, stream_view on) const {
  launch(state_->what, state_->function(), p, on.handle());
}
void jit_kernel::run(const problem<double>& p, stream_view on) const {
  launch(state_->what, state_->function(), p, on.handle());
}

}  // namespace tessera
