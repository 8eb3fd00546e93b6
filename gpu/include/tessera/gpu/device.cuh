// SPDX-License-Identifier: BSD-3-Clause
// Contractions inside a user's kernel, by a thread, some lanes, a warp or a block. Needs only headers of the library,
// so that NVRTC compiles it too.
#pragma once

#include <tessera/gpu/detail/device/groups.cuh>
#include <tessera/gpu/detail/device/move.cuh>
#include <tessera/gpu/detail/device/product.cuh>

namespace tessera::device {

template <fixed_string text, register_tile Tile, class Group, class Result, class Out, class... In>
__device__ void contract_views(const Group& group, const Result& result, const Out& out, const In&... in) {
  tessera::detail::check_statically<text, In..., Out>();
  using T = typename Out::value_type;
  tessera::detail::check_types<T, In..., Out>();
  static_assert(!(tessera::detail::reads_conjugated<In> || ...), "tessera: device::contract: conj is not supported");
  static_assert(!Out::is_batch && (!In::is_batch && ...),
                "tessera: device::contract: takes tensors; of a batch b, the one at position e is b(e)");
  static_assert(static_layout<typename Out::layout_kind>() && (static_layout<typename In::layout_kind>() && ...),
                "tessera: device::contract: sizes and strides must be known from the views' types");
  using form = static_lowering<text, typename In::layout_kind..., typename Out::layout_kind>;
  contract_program<form, Tile>(member_of(group), result, out, in...);
}

/// out = sum a b over the letters that the output lacks: contract<"kj,jbc->kbc">(group, b1d, x, y). Every thread of the
/// group calls it, with the same arguments; each computes its part, directly from the inputs to out.
///
/// There is no barrier inside. The inputs must be visible to the whole group before the call, and the group needs a
/// barrier before out is used: group.sync(). `out` must not overlap an input, but in a pointwise contraction it may be
/// an input with the same letters and layout.
///
/// Operands are views of shared, global or the thread's own memory whose layouts are known from their types, users'
/// layouts included; sizes that disagree do not compile. For `this_thread`, operands that are its own arrays stay in
/// registers, as long as the contraction has at most 4096 terms in all.
template <fixed_string text, register_tile Tile = register_tile{}, thread_group Group, placed A, placed B, placed Out>
__device__ void contract(const Group& group, const A& a, const B& b, const Out& out) {
  contract_views<text, Tile>(group, plain_result{}, out, a, b);
}
/// out = alpha sum a b + beta out. beta = 0 does not read out.
template <fixed_string text, register_tile Tile = register_tile{}, thread_group Group, placed A, placed B, placed Out>
__device__ void contract(const Group& group, const A& a, const B& b, const Out& out, scaling s) {
  contract_views<text, Tile>(group, scaled_result<typename Out::value_type>(s), out, a, b);
}

/// Three inputs, kernel (9): the first two form a pointwise product that is contracted with the third.
template <fixed_string text, register_tile Tile = register_tile{}, thread_group Group, placed A, placed B, placed C,
          placed Out>
__device__ void contract(const Group& group, const A& a, const B& b, const C& c, const Out& out) {
  contract_views<text, Tile>(group, plain_result{}, out, a, b, c);
}
template <fixed_string text, register_tile Tile = register_tile{}, thread_group Group, placed A, placed B, placed C,
          placed Out>
__device__ void contract(const Group& group, const A& a, const B& b, const C& c, const Out& out, scaling s) {
  contract_views<text, Tile>(group, scaled_result<typename Out::value_type>(s), out, a, b, c);
}

/// to = from, `from` being in global memory: neighbouring threads read neighbouring entries, whatever the layouts are,
/// and 16 bytes at a time where both sides are without gaps and start on a multiple of 16 bytes. Sizes are in the
/// views' types. No barrier inside: group.sync() comes before the first use of `to`.
template <thread_group Group, placed From, placed To>
__device__ void load(const Group& group, const From& from, const To& to) {
  move_tensor<typename From::layout_kind>(member_of(group), from, to);
}
/// The same, `to` being in global memory: neighbouring threads write neighbouring entries.
template <thread_group Group, placed From, placed To>
__device__ void store(const Group& group, const From& from, const To& to) {
  move_tensor<typename To::layout_kind>(member_of(group), from, to);
}

}  // namespace tessera::device
