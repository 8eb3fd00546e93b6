// SPDX-License-Identifier: BSD-3-Clause
// Which way the element matrices of an operator go on a GPU, and by which blocks: a record, else rules.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tessera/detail/element/matrix_tuning.hpp>
#include <tessera/detail/fits.hpp>
#include <tessera/detail/tuning_source.hpp>
#include <tessera/element/operator_kind.hpp>

namespace tessera {

/// What the choice depends on: the requested matrices of a built-in operator.
struct matrix_facts {
  operator_kind kind = operator_kind::diffusion;
  int dim = 3;
  int trial = 2, points = 3, test = 2;  ///< d, q, t: per direction
  int components = 1;
  bool own_test = false;  ///< the test functions differ from the trial functions
  bool mirrored = true;   ///< the basis is symmetric
  int entry_bytes = 8;
  bool packed = false;  ///< the lower triangle only
};

/// A record: for matrices of one component, with the same trial and test functions.
struct tuned_matrix {
  matrix_facts of;
  bool either = false;  ///< for full matrices and for lower triangles
  int origin = 0;       ///< index into record_origins
  bool stale = false;   ///< kernels have changed since
  matrix_tuning tuning;
};

/// The records that this build embeds, a user's own first.
std::span<const tuned_matrix> matrix_records();
/// A hash over the sources of the kernels of matrices.
std::string_view matrix_source_hash();

/// The reason why a block with that tuning cannot run; empty if it can.
const char* why_unfit(const matrix_facts& f, const matrix_tuning& t, const gpu_limits& limits = {});

/// How many points fewer and more a record of that way may have than an operator that it serves.
struct points_served {
  int fewer = 0, more = 0;
};
points_served points_served_by(int way);

/// By the rules of one way; empty if that way has no rules but records only, or if no block fits.
std::optional<matrix_tuning> ruled_matrix_tuning(int way, const matrix_facts& f, const gpu_limits& limits = {});
/// By rules alone. If this tuning does not fit the limits, none does.
matrix_tuning ruled_matrix_tuning(const matrix_facts& f, const gpu_limits& limits = {});

/// Whether a way may be chosen; nullptr: any way may.
using ways_allowed = bool (*)(int way);

struct matrix_choice {
  matrix_tuning tuning;
  tuning_source from;
};

/// The record of the nearest number of points that fits: of the file given at run time (overlay.hpp), of this device,
/// one with its compute capability, or any other; nothing where there is none. Diffusion and the Helmholtz operator
/// share records.
std::optional<matrix_choice> recorded_matrix_tuning(const matrix_facts& f, const gpu_limits& limits,
                                                    const std::string& device, int compute_capability,
                                                    ways_allowed allowed = nullptr);

/// That record, else the rules. The first form uses the current GPU.
matrix_choice choose_matrix_tuning(const matrix_facts& f, const gpu_limits& limits = {});
matrix_choice choose_matrix_tuning(const matrix_facts& f, const gpu_limits& limits, const std::string& device,
                                   int compute_capability);

}  // namespace tessera
