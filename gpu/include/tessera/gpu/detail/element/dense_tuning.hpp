// SPDX-License-Identifier: BSD-3-Clause
// How the GPU's kernel of dense tables is set up: what fits, and the default.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/detail/fits.hpp>
#include <tessera/gpu/detail/element/dense_layout.hpp>

namespace tessera {

/// Why a block of that tuning cannot run, in words; empty where it can.
const char* why_unfit(const dense_sizes& s, const dense_tuning& t, const gpu_limits& limits = {});

/// Registers of a thread that hold what it sums, and entries on their way.
int registers_of(const dense_sizes& s, const dense_tuning& t);

/// By rules alone. It fits, or nothing does.
dense_tuning ruled_dense_tuning(const dense_sizes& s, const gpu_limits& limits = {});

}  // namespace tessera
