// SPDX-License-Identifier: BSD-3-Clause
// Speed-up by several workers: Amdahl's bound for a fixed problem, Gustafson's for one that grows with them.
#pragma once

namespace tessera::bench::models {

/// Of a fixed problem whose part f runs in parallel, on p workers: 1 / ((1 - f) + f / p).
double amdahl_speedup(double parallel_fraction, double workers);

/// With ever more workers: 1 / (1 - f); infinite for f = 1.
double amdahl_limit(double parallel_fraction);

/// The part f whose speed-up on p > 1 workers this is: (1 - 1/S) / (1 - 1/p). Negative where p workers are slower.
double parallel_fraction_of(double speedup, double workers);

/// Of a problem that grows with the workers, whose serial part takes the fraction f_s of the parallel run:
/// p - f_s (p - 1).
double gustafson_speedup(double serial_fraction, double workers);

/// S / p
double parallel_efficiency(double speedup, double workers);

}  // namespace tessera::bench::models
