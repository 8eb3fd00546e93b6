// SPDX-License-Identifier: BSD-3-Clause
// Speed-up by several workers.
#include "models/scaling.hpp"

#include <limits>

#include "models/require.hpp"

namespace tessera::bench::models {

double amdahl_speedup(double parallel_fraction, double workers) {
  require_fraction("Amdahl's law", "the parallel fraction", parallel_fraction);
  require_count("Amdahl's law", "the number of workers", workers);
  return 1 / ((1 - parallel_fraction) + parallel_fraction / workers);
}

double amdahl_limit(double parallel_fraction) {
  require_fraction("Amdahl's law", "the parallel fraction", parallel_fraction);
  return parallel_fraction == 1 ? std::numeric_limits<double>::infinity() : 1 / (1 - parallel_fraction);
}

double parallel_fraction_of(double speedup, double workers) {
  require_positive("Amdahl's law", "the speed-up", speedup);
  require_count("Amdahl's law", "the number of workers", workers);
  if (workers == 1) refuse("Amdahl's law", "the number of workers", workers, "more than 1");
  return (1 - 1 / speedup) / (1 - 1 / workers);
}

double gustafson_speedup(double serial_fraction, double workers) {
  require_fraction("Gustafson's law", "the serial fraction", serial_fraction);
  require_count("Gustafson's law", "the number of workers", workers);
  return workers - serial_fraction * (workers - 1);
}

double parallel_efficiency(double speedup, double workers) {
  require_positive("parallel efficiency", "the speed-up", speedup);
  require_count("parallel efficiency", "the number of workers", workers);
  return speedup / workers;
}

}  // namespace tessera::bench::models
