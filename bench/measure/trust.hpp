// SPDX-License-Identifier: BSD-3-Clause
// Decides whether a measurement is trustworthy, and repeats it a bounded number of times if not.
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
  double bandwidth = 0, peak = 0;  // the rates behind the bound, per second
  /// The factor by which a correct kernel may exceed this bound: 1 if the bound is a limit of the hardware, more if the
  /// movement in cache may not be the fastest, or if a kernel may do fewer flops than are counted.
  double honest = 1;

  /// The fraction of the bound above which a time is implausible.
  double most_fraction() const;
  bool by_bandwidth() const;
};

// The constants of tessera-bench and the demo; also in docs/reference/benchmarks.md and docs/reference/demo.md.

/// Fractions above this, times the factor above, are suspect: the bound is measured, and both medians together have an
/// error of some percent on a quiet machine, but not of 20 %.
inline constexpr double largest_fraction = 1.2;
/// Robust relative spreads above this are suspect, too: with the spread as large as the tolerance of fractions, the
/// median could hide such an error.
inline constexpr double largest_spread = 0.2;
/// A case is measured at most this many times: a disturbance that outlasts two repetitions will not end soon.
inline constexpr int most_measurements = 3;

/// A movement in cache is a plain loop, with too few loads in flight at small sizes.
inline constexpr double honest_in_cache = 2;
/// Even and odd halves of symmetric tables, and half of a symmetric matrix, need half of the flops that are counted.
inline constexpr double honest_with_symmetry = 2;
/// The part of a GPU's L2 that surely holds the data, in spite of other data.
inline constexpr double device_cache_bytes = 24 << 20;

/// The factor by which a case of this many bytes may exceed a bound by bandwidth: its data fits the last-level cache,
/// or not.
double honest_movement(space_kind space, double bytes);

/// The fault of the samples themselves, as text; empty if there is none.
std::string disturbance(const timing& t);

/// The same for the data movement behind a bound; also empty if flops are the bound, since data movement is irrelevant
/// then.
std::string disturbance_of_limit(const timing& movement, const bound& limit);

/// A median that is longer by this factor is still better if it is undisturbed and the other is not: a few percent, the
/// difference of medians on a quiet machine.
inline constexpr double hardly_longer = 1.05;

/// The better of two measurements of the same work: the shorter median, since other load only lengthens it, or a
/// slightly longer one if only that is undisturbed.
const timing& better_of(const timing& a, const timing& b);

/// The reason why a time and its bound are not trustworthy, as text; empty if they are.
std::string suspicion(const timing& t, const bound& limit);

/// The bound that follows from the times of all contenders; `again`: also repeats measurements made before the case.
using bound_rule = std::function<bound(const std::vector<timing>& times, bool again)>;

/// Times of all contenders, their bound, and for each of the first `ways` the reason if it is suspect.
struct measurement {
  std::vector<timing> times;
  bound limit;
  std::vector<std::string> suspect;
  int measured = 1;  // number of measurements
};

/// Times the ways, ours first, together with the data movements of the bound; repeats all while ours is suspect.
measurement measure_until_trusted(const std::vector<contender>& all, std::size_t ways, const protocol& how,
                                  const bound_rule& rule);

}  // namespace tessera::bench
