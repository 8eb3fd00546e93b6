// SPDX-License-Identifier: BSD-3-Clause
// Facts of this machine's CPU from the operating system: name, caches, memory; and the measured clock.
#pragma once

#include <cstddef>
#include <string>

namespace tessera::bench {

struct machine {
  std::string cpu = "unknown";
  int cores = 1;                     // that this process may use
  std::size_t l1_bytes = 32 << 10;   // data, of one core
  std::size_t l2_bytes = 1 << 20;    // of one core
  std::size_t llc_bytes = 32 << 20;  // the last level, shared
  bool has_l3 = false;               // a level behind L2
  std::size_t memory_bytes = 0;
  std::string system;
};

/// Read once from /proc and /sys, else the defaults.
const machine& this_machine();

/// Clock of the current core from a chain of dependent additions, about a millisecond of work.
double measured_clock_mhz();

/// The number of involuntary context switches of this process so far.
long involuntary_switches();

/// Energy that the package has used so far in joules, NaN where it cannot be read (the normal case for a user).
double cpu_energy_joules();

}  // namespace tessera::bench
