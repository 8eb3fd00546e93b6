// SPDX-License-Identifier: BSD-3-Clause
// What a run leaves: files for ParaView, and one for the pictures.
#pragma once

#include <string>
#include <vector>

#include "fields.hpp"

namespace tessera::blast {

/// Frames PREFIX_000123.vtu by step, and PREFIX.pvd, which names them with their times. Those of an earlier part of the
/// run stay in it.
class frames {
 public:
  /// `prefix` empty: none are written. Throws if PREFIX.pvd cannot be.
  frames(const std::string& prefix, double from_time);
  /// A second frame of a step is not written.
  void write(fields& now);

 private:
  struct frame {
    double time;
    std::string file;
  };
  std::string prefix_;
  std::vector<frame> all_;
  long written_ = -1;  // step of the last frame
};

/// The density against the exact one, where that is known: the integral of the difference; NaN for other problems.
double density_error(const simulation& of);

/// For examples/blast/plot_blast.py; with what density_error says. Throws if it cannot be written, and leaves an
/// earlier file as it is.
void write_json(const std::string& file, fields& now, double error, double seconds);

}  // namespace tessera::blast
