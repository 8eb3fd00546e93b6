// SPDX-License-Identifier: BSD-3-Clause
// The kernel of a fused chain: compiled, loaded, launched.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tessera/detail/jit.hpp>
#include <tessera/gpu/detail/chain_blocks.hpp>

namespace tessera::device {

/// The operands of one run: device memory of the form's type.
struct chain_call {
  const void* in = nullptr;
  void* out = nullptr;
  index_t in_apart = 0, out_apart = 0;  // entries between elements
  std::vector<const void*> tables, streams;
  double alpha = 1, beta = 0;
  index_t elements = 0;
};

/// The kernel's source.
std::string kernel_text(const chain_form& form, const chain_blocks& blocks);

/// Compiles for compute capability `architecture` (0: the current device's); needs no GPU if that is given. Throws
/// status::no_device without NVRTC. Compiler errors are in the code's log.
jit_code compile_chain(const chain_form& form, const chain_blocks& blocks, const std::string& cache_folder,
                       int architecture = 0);

/// A loaded kernel; copies share it.
class chain_kernel {
 public:
  /// Throws status::launch_failure if the driver rejects the code.
  chain_kernel(const chain_form& form, const chain_blocks& blocks, const jit_code& code);

  int registers() const;
  /// Bytes of a thread's local memory: spilled registers.
  int local_bytes() const;

  /// Queues one launch. Throws status::null_pointer or status::wrong_space naming the operand.
  void run(const chain_call& call, void* stream) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

}  // namespace tessera::device
