// SPDX-License-Identifier: BSD-3-Clause
// Loads code as a CUDA library and queues its kernels.
#include <tessera/gpu/detail/loaded_code.hpp>
#include <tessera/gpu/detail/queue.cuh>

#include "cuda_call.hpp"
#include "kernel_library.hpp"

namespace tessera::device {

struct loaded_code::state {
  struct kernel {
    cudaKernel_t handle = nullptr;
    cudaFuncAttributes has{};
  };
  std::string name;
  kernel_library library;
  std::vector<kernel> kernels;
};

loaded_code::loaded_code(std::string name, const jit_code& code) {
  const std::string operation = "load " + name;
  auto made = std::make_shared<state>();
  made->name = std::move(name);
  made->library.load(operation, code.machine_code);
  for (const std::string& entry : code.entries) {
    state::kernel k;
    k.handle = made->library.kernel(operation, entry);
    check(operation, cudaFuncGetAttributes(&k.has, reinterpret_cast<const void*>(k.handle)));
    made->kernels.push_back(k);
  }
  state_ = std::move(made);
}

void loaded_code::queue(std::size_t number, index_t items, int group, int threads, int shared_bytes, void** arguments,
                        void* stream) const {
  const state::kernel& k = state_->kernels.at(number);
  state_->library.note_use_in(static_cast<cudaStream_t>(stream));
  device::queue(kernel_name{.what = state_->name.c_str(), .whole = true}, reinterpret_cast<const void*>(k.handle),
                shape_for(items, group, threads, shared_bytes), arguments, static_cast<cudaStream_t>(stream),
                can_come_early(k.has.ptxVersion));
}

int loaded_code::registers(std::size_t number) const { return state_->kernels.at(number).has.numRegs; }
int loaded_code::local_bytes(std::size_t number) const { return int(state_->kernels.at(number).has.localSizeBytes); }

}  // namespace tessera::device
