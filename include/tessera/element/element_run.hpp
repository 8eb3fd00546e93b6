// SPDX-License-Identifier: BSD-3-Clause
// How a CPU loops over the elements of an application: prefetches and stores, and their defaults.
#pragma once

#include <optional>
#include <string>

#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/detail/tuning_source.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// Results do not depend on it. A member that a record lacks has its initialiser.
struct element_run {
  int prefetch_kib = 8;  // prefetch distance from the block that is computed, at least one block; 0: no prefetch
  int nontemporal = 1;   // 1: y by non-temporal stores, where elements are contiguous and nothing is added to y
  /// 0: to L2. 1: to L1; for operators with derivatives, D that is stored and read once is prefetched not with its
  /// block but at a distance of `prefetch_kib` plus 1/6 of a block's D (1/12 in kernels compiled for collocated sizes)
  /// from where it is read. 2: as 1, but to L2. Kernels of dense tables, and those that compute all points of an
  /// element at once, always do as for 0.
  int prefetch_level = 0;
  /// Number of times that each line is prefetched; successive prefetches of a line are 1 KiB apart. A core that has too
  /// many prefetches in flight drops some.
  int prefetch_repeats = 1;

  friend constexpr bool operator==(const element_run&, const element_run&) = default;
};

/// The default. Operands that stay in a core's cache need no prefetch and no non-temporal stores. An L1 of 48 KB holds
/// both the current block and the prefetched data; in one of 32 KB they evict each other. For 32 KB, the kernels of
/// 64-byte vectors, which prefetch several lines at a time, and collocated kernels have their own defaults; decision 14
/// has the figures.
element_run ruled_element_run(const element_kernel_facts& f, target on, memory_regime in);

/// The reason why a record with these values is refused; empty if it is not.
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
  const tuned_element_run* record = nullptr;  ///< the embedded record that it is from, if any
};

/// The record of exactly these facts, instruction set and regime: of the file given at run time (overlay.hpp), else of
/// this CPU; without one the default. Records of other CPUs are not used, as their memories differ: decision 22 has
/// figures. The first form is for this machine.
element_run_choice choose_element_run(const element_kernel_facts& f, target on, memory_regime in);
element_run_choice choose_element_run(const element_kernel_facts& f, target on, memory_regime in,
                                      const std::string& device);

}  // namespace tessera
