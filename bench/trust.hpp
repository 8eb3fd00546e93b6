// SPDX-License-Identifier: BSD-3-Clause
// Decides whether a measurement can be trusted, and measures again, a bounded number of times, where it cannot.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure.hpp"

namespace tessera::bench {

struct bound {
  double seconds = 0;
  const char* by = "bandwidth";
  double bandwidth = 0, peak = 0;  // that it was made of, per second
  /// How much faster than this bound an honest kernel may be: 1 where the bound is a limit of the hardware, more where
  /// the movement in cache need not be the fastest, or where a kernel may do fewer flops than are counted.
  double honest = 1;
};

/// Fractions above this, times what is honest, are suspect: no kernel is that much faster than what bounds it.
inline constexpr double largest_fraction = 1.2;
/// So are robust relative spreads above this: such a median says little.
inline constexpr double largest_spread = 0.2;
/// A case is measured at most so many times.
inline constexpr int most_measurements = 3;

/// A movement in cache is a plain loop, whose kernel is short of loads in flight at small sizes.
inline constexpr double honest_in_cache = 2;
/// Even and odd halves of symmetric tables need half of the multiplications that are counted.
inline constexpr double honest_with_symmetry = 2;

/// What is wrong with the samples themselves, in words; empty where nothing is.
std::string disturbance(const timing& t);

/// Why a time beside its bound is not to be trusted, in words; empty where it is.
std::string suspicion(const timing& t, const bound& limit);

/// The bound that follows from the times of all contenders; `again`: what was measured before the case is measured
/// anew.
using bound_rule = std::function<bound(const std::vector<timing>& times, bool again)>;

/// Times of all contenders, their bound, and for each of the first `ways` why it is suspect.
struct measurement {
  std::vector<timing> times;
  bound limit;
  std::vector<std::string> suspect;
  int measured = 1;  // how many times
};

/// Times the ways, ours first, together with the movements behind them; all anew while ours is suspect.
measurement measure_until_trusted(const std::vector<contender>& all, std::size_t ways, const protocol& how,
                                  const bound_rule& rule);

}  // namespace tessera::bench
