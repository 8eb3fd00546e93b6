// SPDX-License-Identifier: BSD-3-Clause
// A run to its end: steps, lines and files on the way, and what stays of it where it ends early.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulation.hpp"

namespace tessera::blast {

/// What a run leaves, and when. Empty names: no such file.
struct outputs {
  long every = 5;        ///< steps between lines
  long most_steps = -1;  ///< of this call; -1: no limit
  long checkpoint_every = 100, vtk_every = 0;
  std::vector<double> vtk_times{};  ///< a frame after the first step at or past each
  std::string checkpoint{}, vtk{}, json{};
  std::string png{},
      field = "density";  ///< a picture of the end, from the JSON file, or from PNG.json, which goes then
};

/// To the final time, the limit on steps, a step that cannot be made, or SIGINT or SIGTERM, after which the step is
/// completed. In all cases the last good state gets its line, frame and JSON, and its checkpoint: in the place of the
/// earlier one, or, after a failure, in CHECKPOINT.crashed ("blast.crashed" without a name).
/// A checkpoint that exists is taken to be of `of` as it is.
/// 0; 1 where a step failed or a file could not be written; 128 + the signal.
/// `step` makes a step of `of`; a test may let it fail.
int run_to_end(simulation& of, const outputs& to, const std::function<void()>& step);

}  // namespace tessera::blast
