// SPDX-License-Identifier: BSD-3-Clause
// The figures of a machine that the models need: given by a data sheet or measured here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/energy.hpp"
#include "models/roofline.hpp"
#include "models/transfer.hpp"
#include "options.hpp"

namespace tessera::bench {

struct machine_figures {
  struct peak {
    std::string type;
    double rate;  // flop/s
  };
  struct capacity {
    std::string name;
    index_t bytes;
  };
  struct path {
    std::string name;
    models::transfer_line line;
    std::string group = {};  // paths of a group are compared with the fastest of them; empty: of none
  };
  /// A rate by one worker and by several.
  struct speedup {
    std::string what;
    int workers;
    double one, all;
  };

  std::string name;
  double bandwidth = 0;  // bytes/s
  double latency = 0;    // seconds of a launch or a call; 0 where it is not known
  std::vector<peak> peaks;
  std::vector<capacity> capacities;
  std::vector<path> paths = {};
  std::vector<speedup> speedups = {};
  std::optional<models::energy_model> energy = {};
  std::string why_no_energy = "a data sheet has none";

  /// Of that type; throws where its peak is not known.
  models::roofline roof(const std::string& type) const;
};

/// By the data sheet of --machine.
machine_figures given_machine(const std::string& name);

/// Measured: GPU 0, or this CPU with the threads of the options. Takes seconds.
machine_figures measured_machine(const options& o, bool gpu);

/// With the rates that the options give instead.
void apply_given_rates(machine_figures& of, const model_choice& given);

}  // namespace tessera::bench
