// SPDX-License-Identifier: BSD-3-Clause
// run_any: a general contraction by a kernel that is part of the library, with everything at run time: extents,
// strides, types, functions and the pair of operations. It needs no NVRTC, and takes extents beyond 32 bits.
#pragma once

#include <tessera/detail/general_kind.hpp>
#include <tessera/gpu/detail/general/any_functions.hpp>
#include <tessera/gpu/detail/general/arguments.hpp>

#include <tessera/core/general.hpp>

namespace tessera::device {

/// Whether run_any computes it: every type, sums in f32, f64, c32, c64, i32 or i64; complex inputs and addends only
/// where sums are complex, and complex outputs exactly then. `kind.functions`, the source of a compiled kernel, must be
/// empty: run_any takes functions as values.
bool any_can(const tessera::detail::general_kind& kind);
/// The same with functions as values, of which `kind.functions` may be the source. Of complex numbers there is only
/// plus_times, and no function but conj; of integers neither leaky_relu nor elu.
bool any_can(const tessera::detail::general_kind& kind, const any_functions& functions);

/// Queues out = result(alpha sum left(A) right(B) + beta addend(D)) for `batch` tensors, whatever kind.by and the
/// sources of functions are: entries are converted to the type of sums, then functions are applied, and the result is
/// converted to the output's type, floating point numbers to integers towards zero. alpha and beta are numbers of that
/// type, and of plus_times; another pair adds the sum and the addend up as it does terms. A sum of no terms is the
/// pair's neutral element. The addend is kind.addend's tensor or, with kind.reads_out, the output; it is not read if
/// beta is 0.
///
/// Extents may be 0, strides 0 or negative, and each list empty. The same bits in every run, whatever the batch is.
/// Throws status::wrong_type for what any_can denies, and status::no_device without a GPU.
void run_any(const general_form& form, const tessera::detail::general_kind& kind, const any_functions& functions,
             const general_arguments& of, index_t batch, void* stream);

}  // namespace tessera::device
