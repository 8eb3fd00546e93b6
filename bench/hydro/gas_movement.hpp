// SPDX-License-Identifier: BSD-3-Clause
// Plain movement of what a phase reads and writes, between arrays of those sizes, on a CPU.
#pragma once

#include <tessera/memory.hpp>

namespace tessera::bench {

class gas_movement {
 public:
  /// Bytes of what zones keep, of the vectors that are read and of those that are written.
  gas_movement(double kept, double read, double written);

  void run(bool streaming, int threads) const;
  double bytes() const { return double(kept_.bytes() + read_.bytes() + written_.bytes()); }

 private:
  buffer kept_, read_, written_;
};

/// Memory of a CPU with numbers that are not 0, which some processors write faster than others.
buffer filled_memory(double bytes);

}  // namespace tessera::bench
