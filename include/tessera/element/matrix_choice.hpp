// SPDX-License-Identifier: BSD-3-Clause
// Which block of the element matrix kernel an operator gets.
#pragma once

#include <tessera/element/matrix_room.hpp>
#include <tessera/element/matrix_storage.hpp>
#include <tessera/element/operator_kind.hpp>
#include <tessera/fits.hpp>

namespace tessera {

/// Of a built-in operator, with q points, d functions of x and t of y in each direction.
matrix_sizes matrix_sizes_of(operator_kind kind, int dim, int d, int q, int t, int components, int entry_bytes,
                             matrix_storage how);

/// Why a block of that tuning cannot run, in words; empty where it can.
const char* why_unfit(const matrix_sizes& s, const matrix_tuning& t, const gpu_limits& limits = {});

/// By rules. It fits, or nothing does.
matrix_tuning default_matrix_tuning(const matrix_sizes& s, const gpu_limits& limits = {});

}  // namespace tessera
