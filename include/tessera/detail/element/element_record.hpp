// SPDX-License-Identifier: BSD-3-Clause
// A tuning record of an element operator: what it is for, and how files write that.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tessera/detail/element/element_tuning.hpp>
#include <tessera/element/element_run.hpp>

namespace tessera {

/// A winner on a GPU. Its kernel's tables mirror themselves, nothing is nodal, there is one right hand side, and
/// entries of x and y are side by side: other kernels are tuned by rules.
struct tuned_element {
  element_kernel_facts of;
  int origin = 0;      ///< index into record_origins
  bool stale = false;  ///< kernels have changed since
  element_tuning tuning;
};

/// A winner on a CPU: one application to an element, entries side by side, tables that mirror themselves, D stored in
/// the type of x. What is nodal has records of its own.
struct tuned_element_run {
  element_kernel_facts of;
  target on = target::reference;
  memory_regime in = memory_regime::stream;
  int origin = 0;
  bool stale = false;
  element_run run;
};

/// The records that this build embeds, a user's own first.
std::span<const tuned_element> element_records();
std::span<const tuned_element_run> element_run_records();

/// Whether a record of `recorded` is one of `wanted`.
bool is_of(const element_kernel_facts& recorded, const element_kernel_facts& wanted);

/// "value", "gradient" or "value gradient"; of several components "3 gradient".
std::string point_shape_text(const point_shape& s);
/// Nothing where it is none of these.
std::optional<point_shape> point_shape_from(std::string_view text);

/// A hash over the sources of a CPU's element kernels, or of those of cuda.
std::string_view element_source_hash(target on);

}  // namespace tessera
