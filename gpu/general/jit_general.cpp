// SPDX-License-Identifier: BSD-3-Clause
// Kernels of general contractions for tessera-tune.
#include <tessera/detail/general_tuning.hpp>
#include <tessera/gpu/detail/general/general_kernel.hpp>
#include <tessera/memory.hpp>

namespace tessera {

struct jit_general_kernel::state {
  state(const general_form& form, const detail::general_kind& kind, const detail::general_tile& tile)
      : kernel(form, kind, tile), workspace(space_kind::gpu, kernel.workspace_bytes(1)) {}
  device::general_kernel kernel;
  buffer workspace;
};

jit_general_kernel::jit_general_kernel(const general_form& form, const detail::general_kind& kind,
                                       const detail::general_tile& tile)
    : state_(std::make_shared<const state>(form, kind, tile)) {}

void jit_general_kernel::run(const void* left, const void* right, void* out, stream_view stream) const {
  device::general_arguments of;
  of.left = left;
  of.right = right;
  of.out = out;
  state_->kernel.run(of, 1, stream.handle(), {state_->workspace.data(), state_->workspace.bytes()});
}

}  // namespace tessera
