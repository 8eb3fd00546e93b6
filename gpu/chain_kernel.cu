// SPDX-License-Identifier: BSD-3-Clause
// Loading and launching the kernel of a fused chain.
#include "check_operands.hpp"
#include "cuda_call.hpp"
#include "kernel_library.hpp"

#include <tessera/gpu/detail/chain_arguments.hpp>
#include <tessera/gpu/detail/chain_kernel.hpp>
#include <tessera/gpu/detail/queue.cuh>

namespace tessera::device {

struct chain_kernel::state {
  std::string name;
  bool is_f32 = false;
  chain_blocks blocks;
  kernel_library library;
  cudaKernel_t kernel = nullptr;
  int registers = 0, local_bytes = 0;
  bool early = false;

  const void* function() const { return reinterpret_cast<const void*>(kernel); }
};

namespace {

template <class T>
chain_arguments<T> arguments_of(const chain_call& c, int elements_a_block) {
  chain_arguments<T> a{};
  a.in = static_cast<const T*>(c.in);
  a.out = static_cast<T*>(c.out);
  a.in_apart = c.in_apart, a.out_apart = c.out_apart;
  for (std::size_t i = 0; i < c.tables.size(); ++i) a.table[i] = static_cast<const T*>(c.tables[i]);
  for (std::size_t i = 0; i < c.streams.size(); ++i) a.stream[i] = static_cast<const T*>(c.streams[i]);
  a.alpha = T(c.alpha), a.beta = T(c.beta);
  a.whole = c.elements / elements_a_block;
  a.elements = c.elements;
  return a;
}

template <class T, class State>
void launch(const State& s, const chain_call& c, void* stream) {
  chain_arguments<T> a = arguments_of<T>(c, s.blocks.elements);
  const index_t blocks = a.whole + c.elements % s.blocks.elements;
  void* arguments[] = {&a};
  s.library.note_use_in(static_cast<cudaStream_t>(stream));
  queue({s.name.c_str()}, s.function(), shape_for(blocks, 1, s.blocks.threads, s.blocks.shared_bytes), arguments,
        static_cast<cudaStream_t>(stream), s.early);
}

}  // namespace

chain_kernel::chain_kernel(const chain_form& form, const chain_blocks& blocks, const jit_code& code) {
  auto made = std::make_shared<state>();
  made->name = name_of_chain(form);
  made->is_f32 = form.type == scalar_type::f32;
  made->blocks = blocks;
  const std::string name = "load chain \"" + made->name + "\"";
  if (code.entries.size() != 1) throw error(name + ": the code has not one kernel", status::internal);
  made->library.load(name, code.machine_code);
  made->kernel = made->library.kernel(name, code.entries.front());
  cudaFuncAttributes has{};
  check(name, cudaFuncGetAttributes(&has, made->function()));
  made->early = can_come_early(has.ptxVersion);
  made->registers = has.numRegs;
  made->local_bytes = int(has.localSizeBytes);
  state_ = std::move(made);
}

int chain_kernel::registers() const { return state_->registers; }
int chain_kernel::local_bytes() const { return state_->local_bytes; }

void chain_kernel::run(const chain_call& call, void* stream) const {
  require_device("launch");
  if (call.elements <= 0) return;
  const kernel_name name{state_->name.c_str()};
  check_factor(call.in, nullptr, nullptr, "input", name);
  check_factor(call.out, nullptr, nullptr, "output", name);
  if (state_->is_f32)
    launch<float>(*state_, call, stream);
  else
    launch<double>(*state_, call, stream);
}

}  // namespace tessera::device
