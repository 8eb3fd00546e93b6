// SPDX-License-Identifier: BSD-3-Clause
// Pointwise functions of the libCEED peer, which libCEED calls with points of one or several elements.
#pragma once

namespace tessera::bench {

/// in: values or reference gradients of the trial function (one direction behind the other), then D, factor by factor;
/// out: as the first input. Each field has `points` entries a component.
using libceed_function = int(void* context, int points, const double* const* in, double* const* out);

libceed_function libceed_mass, libceed_diffusion_2, libceed_diffusion_3;

}  // namespace tessera::bench
