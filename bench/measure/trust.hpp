// SPDX-License-Identifier: BSD-3-Clause
// Decides whether a measurement can be trusted, and measures again, a bounded number of times, where it cannot.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tessera/space.hpp>

#include "measure/measure.hpp"

namespace tessera::bench {

struct bound {
  double seconds = 0;
  const char* by = "bandwidth";
  double bandwidth = 0, peak = 0;  // that it was made of, per second
  /// How much faster than this bound an honest kernel may be: 1 where the bound is a limit of the hardware, more where
  /// the movement in cache need not be the fastest, or where a kernel may do fewer flops than are counted.
  double honest = 1;

  /// The fraction above which a time beside this bound is not believed.
  double most_fraction() const;
  bool by_bandwidth() const;
};

// The numbers of tessera-bench and of the demo; docs/reference/benchmarks.md and docs/reference/demo.md have them too.

/// Fractions above this, times what is honest, are suspect: the bound is measured, and both medians together are off by
/// some percent on a quiet machine; nothing honest is a fifth faster than what bounds it.
inline constexpr double largest_fraction = 1.2;
/// So are robust relative spreads above this: as much as a fraction may be off, so that such a median could hide it.
inline constexpr double largest_spread = 0.2;
/// A case is measured at most so many times: a disturbance that lasts longer than two more will not end soon.
inline constexpr int most_measurements = 3;

/// A movement in cache is a plain loop, whose kernel is short of loads in flight at small sizes.
inline constexpr double honest_in_cache = 2;
/// Even and odd halves of symmetric tables, and half of a symmetric matrix, need half of the flops that are counted.
inline constexpr double honest_with_symmetry = 2;
/// Of a GPU's L2: what lies there surely, whatever else does.
inline constexpr double device_cache_bytes = 24 << 20;

/// How much above a bound by bandwidth a case of so many bytes may be: they lie in the last-level cache, or not.
double honest_movement(space_kind space, double bytes);

/// What is wrong with the samples themselves, in words; empty where nothing is.
std::string disturbance(const timing& t);

/// The same of the movement behind a bound; empty, too, where flops bound: how long data moves then says nothing.
std::string disturbance_of_limit(const timing& movement, const bound& limit);

/// So much longer a median is still the better one if it is undisturbed and the other is not: a few percent, what
/// medians on a quiet machine differ by.
inline constexpr double hardly_longer = 1.05;

/// The better of two measurements of the same work: the shorter median, since other work on a machine only lengthens
/// it, or one that is hardly longer where it alone is undisturbed.
const timing& better_of(const timing& a, const timing& b);

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
