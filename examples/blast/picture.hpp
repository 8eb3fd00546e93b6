// SPDX-License-Identifier: BSD-3-Clause
// The picture of a run, by the plotting script.
#pragma once

#include <string>

namespace tessera::blast {

/// What a picture is drawn with.
struct plot_program {
  std::string python, script;
};
/// The Python that CMake found, and plot_blast.py in the source tree.
plot_program default_plot_program();

/// Draws `field`, "density" or "energy", of the run in `json` into `png`. Returns why that failed, in one line, or
/// nothing.
std::string draw_picture(const std::string& json, const std::string& png, const std::string& field,
                         const plot_program& by = default_plot_program());

}  // namespace tessera::blast
