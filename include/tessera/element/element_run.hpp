// SPDX-License-Identifier: BSD-3-Clause
// How a CPU goes over the elements of an application: a struct of numbers, and its default.
#pragma once

#include <optional>
#include <string>

#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/detail/tuning_source.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// The results are the same whatever it is. Records that lack a number mean its initialiser.
struct element_run {
  int prefetch_kib = 8;  // prefetch distance behind the block at work, a block at least; 0: no prefetch
  int nontemporal = 1;   // 1: y by non-temporal stores, where elements are contiguous and nothing is added to y
  /// 0: to L2. 1: to L1, and shortly before its use D that is read point by point, once, by operators with derivatives:
  /// `prefetch_kib` and a sixth of a block, a twelfth where nothing is interpolated, in front of where it is read. That
  /// is what has to be in cache when the points begin. 2: the same to L2.
  int prefetch_level = 0;
  /// How often each line is prefetched, a KiB behind the time before: a core that has too many prefetches on their way
  /// drops some.
  int prefetch_repeats = 1;

  friend constexpr bool operator==(const element_run&, const element_run&) = default;
};

/// The default. Operands that stay in a core's cache need no prefetch and no non-temporal stores. An L1 of 48 KB has
/// room for what was prefetched beside what is worked on; in one of 32 KB each evicts the other. There the kernels of
/// 64-byte vectors, which prefetch several lines at a time, and those whose nodes are the points have defaults of their
/// own; decision 14 has the figures.
element_run ruled_element_run(const element_kernel_facts& f, target on, memory_regime in);

/// Why a record with these numbers is refused; empty where it is not.
constexpr const char* why_unfit(const element_run& r, memory_regime in) {
  if (r.nontemporal > 1) return "nontemporal is 0 or 1";
  if (r.prefetch_level > 2) return "prefetch_level is 0, 1 or 2";
  if (r.prefetch_level != 0 && r.prefetch_kib == 0) return "a prefetch_level without a prefetch";
  if (r.prefetch_repeats < 1 || r.prefetch_repeats > 3) return "prefetch_repeats is 1 to 3";
  if (r.prefetch_repeats > 1 && r.prefetch_kib == 0) return "several prefetch_repeats without a prefetch";
  if (in != memory_regime::cache) return "";
  if (r.nontemporal != 0) return "non-temporal stores of a y that stays in cache";
  if (r.prefetch_repeats > 1) return "several prefetches of what is in cache";
  return r.prefetch_level != 0 ? "prefetch close to its use of what is in cache" : "";
}

struct tuned_element_run;

struct element_run_choice {
  element_run run;
  tuning_source from;
  const tuned_element_run* record = nullptr;  ///< that the build embeds, where it is one
};

/// The record of exactly these facts, instruction set and regime: of the file given at run time (overlay.hpp), else of
/// this CPU; without one the default. Records of other CPUs are not used, as their memories differ: decision 22 has
/// figures. The first form is for this machine.
element_run_choice choose_element_run(const element_kernel_facts& f, target on, memory_regime in);
element_run_choice choose_element_run(const element_kernel_facts& f, target on, memory_regime in,
                                      const std::string& device);

}  // namespace tessera
