// SPDX-License-Identifier: BSD-3-Clause
// contract<"kj,jbc->kbc">(a, b, c[, scaling][, stream]) on a GPU: the kernel is instantiated in the caller's code.
#pragma once

#include <tessera/gpu/detail/contract_launch.cuh>

namespace tessera {

/// out = alpha sum a b + beta out, over the letters that the output lacks, queued in the stream (default: stream 0).
/// Arguments are GPU views, tensors, batches or groups; a tensor is shared by all entries of the batch. Layouts of
/// static sizes become part of the kernel, users' own layouts among them; with run-time sizes they are its arguments.
/// beta = 0 never reads out. conj(a) reads a conjugated; sums_in<double>(s) for s keeps sums in double. Sizes that
/// disagree do not compile where static; all other errors throw before anything is queued: status::shape_mismatch,
/// overlap, null_pointer, wrong_space, no_device, launch_failure.
template <fixed_string text, class A, class B, class Out, class Scaling = scaling>
  requires detail::contractible_in<A, space_kind::gpu> && detail::contractible_in<B, space_kind::gpu> &&
      detail::contractible_in<Out, space_kind::gpu> && detail::is_scaling<Scaling>
void contract(A&& a, B&& b, Out&& out, const Scaling& s = {}, stream_view on = {}) {
  device::contract_views<text>(s, on, detail::as_view(a), detail::as_view(b), detail::as_view(out));
}
template <fixed_string text, class A, class B, class Out>
  requires detail::contractible_in<A, space_kind::gpu> && detail::contractible_in<B, space_kind::gpu> &&
      detail::contractible_in<Out, space_kind::gpu>
void contract(A&& a, B&& b, Out&& out, stream_view on) {
  device::contract_views<text>(assign, on, detail::as_view(a), detail::as_view(b), detail::as_view(out));
}

/// Three inputs, kernel (9): the first two form a pointwise product that is contracted with the third:
/// contract<"ki,kj,kl->ilj">(b, b, d, out).
template <fixed_string text, class A, class B, class C, class Out, class Scaling = scaling>
  requires detail::contractible_in<A, space_kind::gpu> && detail::contractible_in<B, space_kind::gpu> &&
      detail::contractible_in<C, space_kind::gpu> && detail::contractible_in<Out, space_kind::gpu> &&
      detail::is_scaling<Scaling>
void contract(A&& a, B&& b, C&& c, Out&& out, const Scaling& s = {}, stream_view on = {}) {
  device::contract_views<text>(s, on, detail::as_view(a), detail::as_view(b), detail::as_view(c), detail::as_view(out));
}
template <fixed_string text, class A, class B, class C, class Out>
  requires detail::contractible_in<A, space_kind::gpu> && detail::contractible_in<B, space_kind::gpu> &&
      detail::contractible_in<C, space_kind::gpu> && detail::contractible_in<Out, space_kind::gpu>
void contract(A&& a, B&& b, C&& c, Out&& out, stream_view on) {
  device::contract_views<text>(assign, on, detail::as_view(a), detail::as_view(b), detail::as_view(c),
                               detail::as_view(out));
}

}  // namespace tessera
