// SPDX-License-Identifier: BSD-3-Clause
// How a CPU goes over the elements of an application: a struct of numbers, and its default.
#pragma once

#include <optional>
#include <string>

#include <tessera/element/element_tuning.hpp>
#include <tessera/target.hpp>
#include <tessera/tuning.hpp>
#include <tessera/tuning_source.hpp>

namespace tessera {

/// The results are the same whatever it is. The initialisers are what records mean that lack a number.
struct element_run {
  int ahead = 8;   // KiB behind the block at work where memory is asked for, a block at least; 0: it is not asked for
  int stream = 1;  // 1: non-temporal stores of y, where elements lie together and nothing is added to it
  /// 1: it is asked for into the first cache; D that is read point by point, once, by operators with derivatives,
  /// `ahead` and a sixth of a block, a twelfth where nothing is interpolated, in front of where it is read: what has to
  /// lie there when the points begin. 2: the same, but into the second cache.
  int near = 0;
  /// How often each line is asked for, a KiB behind the time before: a core that has too many requests on their way
  /// drops some.
  int asks = 1;

  friend constexpr bool operator==(const element_run&, const element_run&) = default;
};

/// What operands that stay in a core's cache are not worth: requests, and y past that cache. A first cache of 48 KB has
/// room for what was asked for beside what is worked on; in one of 32 KB each drives out the other. There decision 14
/// has what kernels of 64-byte vectors, which ask for several lines at a time, and nodes that are the points want.
element_run ruled_element_run(const element_kernel_facts& f, target on, memory_regime in);

/// Why a record may not say so, in words; empty where it may.
constexpr const char* why_unfit(const element_run& r, memory_regime in) {
  if (r.stream > 1) return "stream is 0 or 1";
  if (r.near > 2) return "near is 0, 1 or 2";
  if (r.near != 0 && r.ahead == 0) return "near without a prefetch";
  if (r.asks < 1 || r.asks > 3) return "asks is 1 to 3";
  if (r.asks > 1 && r.ahead == 0) return "several asks without a prefetch";
  if (in != memory_regime::cache) return "";
  if (r.stream != 0) return "non-temporal stores of a y that stays in cache";
  if (r.asks > 1) return "several prefetches of what is in cache";
  return r.near != 0 ? "prefetch close to its use of what is in cache" : "";
}

struct tuned_element_run;

struct element_run_choice {
  element_run run;
  tuning_source from;
  const tuned_element_run* record = nullptr;  ///< that the build embeds, where it is one
};

/// What a record of these very facts says of that instruction set and regime: of the file given at run time
/// (overlay.hpp), else of this CPU; else the rule. Other CPUs have other memories: decision 22 has figures. The first
/// form asks for this machine.
element_run_choice choose_element_run(const element_kernel_facts& f, target on, memory_regime in);
element_run_choice choose_element_run(const element_kernel_facts& f, target on, memory_regime in,
                                      const std::string& device);

}  // namespace tessera
